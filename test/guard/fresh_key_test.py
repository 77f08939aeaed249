#!/usr/bin/env python3
"""HTTP without a keys file: a new key at each start, stored nowhere. quire key prints a valid keys file."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Http, Tap, wait_for  # noqa: E402

tap = Tap()
BOOK = '<book id="aaaaaa">\n  <summary>One</summary>\n</book>\n'
PLAIN = json.dumps({"method": "get_node", "params": {"file_path": "a.hnpx", "node_id": "book"}})


def said(server, pattern):
    wait_for(lambda: "lasting key" in "".join(server.errors))
    found = re.search(pattern, "".join(server.errors))
    return found.group(1) if found else None


with Folder({"a.hnpx": BOOK}) as folder:
    keys = []
    for _ in range(2):
        with Http("hnpx", root=folder.path, fresh=True) as server:
            key = said(server, r"key of this run, stored nowhere: (\S+)")
            keys.append(key)
            tap.ok(key and key.startswith("quire_") and len(key) > 36, "a start without keys prints a fresh key", server.errors)
            tap.same(server.raw("POST", "/mcp", PLAIN)[0], 401, "without it nobody comes in")
            tap.same(server.raw("POST", "/mcp?key=" + key, PLAIN)[0], 401, "in the address it is worth nothing")
            told = json.loads(said(server, r"(\{\"mcpServers\".*\})"))["mcpServers"]["quire"]
            tap.same(told["url"], f"http://127.0.0.1:{server.port}/mcp", "the client configuration has the address")
            status, _, body = server.raw("POST", "/mcp", PLAIN, told["headers"])
            tap.ok(status == 200 and "<summary>One</summary>" in json.loads(body).get("text", ""), "and a header that opens the door")
            server.key = key
            tap.ok("result" in server.call("edit_node_attributes", {"file_path": "a.hnpx", "node_id": "book", "attributes": {"summary": "One"}}), "it may write")
            tap.ok("--keys" in "".join(server.errors), "the start tells how to have a lasting key")
            for origin, status in ((f"http://localhost:{server.port}", 200), ("http://localhost:1", 403), ("http://evil.example", 403)):
                tap.same(server.raw("POST", "/mcp", PLAIN, {"Origin": origin})[0], status, f"a page of {origin.replace(str(server.port), 'PORT')}")
    tap.ok(keys[0] != keys[1], "the next start has another")
    kept = subprocess.run(["grep", "-rl", keys[1], folder.path], capture_output=True, text=True).stdout
    tap.same(kept, "", "and it is kept nowhere")
    with Http("hnpx", "--no-key", root=folder.path) as server:
        tap.same(server.raw("POST", "/mcp", PLAIN)[0], 200, "--no-key asks for none")
    folder.write("quire.toml", "[mcp_server.auth]\nrequire_auth = false\n")
    with Http("hnpx", "--config", folder.path + "/quire.toml", root=folder.path) as server:
        tap.same(server.raw("POST", "/mcp", PLAIN)[0], 200, "so does require_auth = false")
    folder.write("quire.toml", "[mcp_server.auth]\napi_keys_file = \"none.json\"\n")
    done = subprocess.run([QUIRE, "serve", "hnpx", "--http", "127.0.0.1:0", "--config", folder.path + "/quire.toml", "--root", folder.path],
                          capture_output=True, text=True, timeout=60)
    tap.ok(done.returncode == 2 and "none.json" in done.stderr, "a keys file that is configured and missing is an error", done.stderr)
    made = subprocess.run([QUIRE, "key", "anna"], capture_output=True, text=True)
    secret = re.search(r"shown only this once: (\S+)", made.stderr).group(1)
    folder.write("keys.json", made.stdout)
    tap.ok(secret.startswith("quire_"), "a key that quire makes has its prefix", secret)
    with Http("hnpx", "--keys", folder.path + "/keys.json", root=folder.path) as server:
        tap.same(server.raw("POST", "/mcp", PLAIN, {"Authorization": "Bearer " + secret})[0], 200, "quire key NAME > keys.json works as it stands")

tap.done()
