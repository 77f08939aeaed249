#!/usr/bin/env python3
"""A result is text alone, which says everything. Programs that ask get structuredContent too, equal to the text."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Http, Stdio, Tap  # noqa: E402

tap = Tap()
TEXT_ALONE = {"quire/structured": False}


def call(server, meta=None, modern=False):
    params = {"name": "file_list", "arguments": {}, "_meta": meta or TEXT_ALONE}
    answer = server.request("tools/call", params, modern=modern) if modern else server.request("tools/call", params)
    return answer.get("result", answer)


def text_of(result):
    return json.loads(result["content"][0]["text"])


def schemas(server):
    return [t["name"] for t in server.request("tools/list")["result"]["tools"] if "outputSchema" in t]


with Folder({"One.md": "# One\n"}) as folder:
    for title, server in (("stdio", Stdio(root=folder.path)), ("HTTP", Http(root=folder.path))):
        with server:
            for era, modern in (("legacy", False), ("modern", True)) if title == "stdio" else (("modern", False),):
                plain = call(server, modern=modern)
                tap.ok("structuredContent" not in plain, f"over {title}, {era}: text alone", plain)
                tap.same([f["path"] for f in text_of(plain)["files"]], ["One.md"], "the text has the whole result")
                both = call(server, {"quire/structured": True}, modern)
                tap.same(both.get("structuredContent"), text_of(plain), "on request both, with the same content")
                tap.same(both["content"], plain["content"], "and the text stays")
            tap.same(schemas(server), [], "no schema of a result is listed")
            refused = call(server, {"quire/structured": "yes"})
            tap.same(refused.get("error", {}).get("message"), "params._meta.quire/structured must be true or false, not a string",
                     "another value is refused")
            failed = server.request("tools/call", {"name": "file_show", "arguments": {"file_path": "No.md", "commit": 1},
                                                   "_meta": {"quire/structured": True}})["result"]
            tap.ok(failed["isError"] and "structuredContent" not in failed, "an error is text alone, asked or not")
    for title, options in (("--structured", ["--structured"]), ("structured = true", ["--config", "c.toml"])):
        config = os.path.join(folder.path, "c.toml")
        folder.write("c.toml", "[mcp_server]\nstructured = true\n")
        with Stdio(*[config if o == "c.toml" else o for o in options], root=folder.path) as server:
            result = server.request("tools/call", {"name": "file_list", "arguments": {}, "_meta": TEXT_ALONE})["result"]
            tap.same(result.get("structuredContent"), text_of(result), f"{title}: every result has both")
            tap.ok("file_list" in schemas(server), "and the list has the schemas, which clients check")
    with Stdio(root=folder.path) as server:
        found = server.request("tools/list", modern=True)["result"]
        tap.ok(0 < found["ttlMs"] <= 60000, "a client that kept a list with schemas asks again within a minute", found["ttlMs"])
    for extra in ([], ["--structured"]):
        listed = json.loads(subprocess.run([QUIRE, "tools", "--json", *extra], capture_output=True, check=True).stdout)["tools"]
        tap.same(any("outputSchema" in t for t in listed), bool(extra), f"quire tools --json {' '.join(extra)}")
    done = subprocess.run([QUIRE, "tools", "--structured"], capture_output=True, text=True)
    tap.ok(done.returncode == 2 and "--structured is for --json" in done.stderr, "without --json the option is refused", done.stderr)
tap.done()
