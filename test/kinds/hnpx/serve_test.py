#!/usr/bin/env python3
"""HNPX as a server: resources, prompts, completion, long results, read-only files, and files that an error must not change."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

CORE = """create_document get_next_empty_container get_node get_subtree get_direct_children get_node_path create_chapter
create_sequence create_beat create_paragraph edit_node_attributes remove_node reorder_children render_node render_document""".split()


def paragraph(i, words):
    return f'<paragraph id="p{i:05d}"><summary>s</summary>{words}</paragraph>\n'


def book(paragraphs):
    return ('<book id="bbbbbb"><summary>s</summary><chapter id="cccccc" title="t"><summary>s</summary><sequence id="ssssss" loc="l">'
            '<summary>s</summary><beat id="eeeeee"><summary>s</summary>\n' + "".join(paragraphs) +
            "</beat></sequence></chapter></book>\n")


def stamp(path):
    st = os.stat(path)
    return (st.st_mtime_ns, st.st_ino, st.st_size)


def error_of(answer):
    import json
    return json.loads(answer["result"]["content"][0]["text"])


def tables(tap, server):
    tools = {t["name"]: t for t in server.request("tools/list")["result"]["tools"]}
    tap.ok(all(name in tools for name in CORE), "served alone, the specification's tools have their own names",
           [n for n in CORE if n not in tools])
    tap.same(tools["create_paragraph"]["inputSchema"]["required"], ["file_path", "parent_id", "summary", "text"],
             "what the specification requires is required")
    tap.ok(tools["remove_node"]["annotations"]["destructiveHint"] and tools["get_node"]["annotations"]["readOnlyHint"],
           "annotations follow the effect")
    tap.ok("get_next_empty_container" in server.hello["result"]["instructions"], "the instructions tell the loop")


def resources(tap, server, folder):
    listed = server.request("resources/list")["result"]["resources"]
    tap.ok(any(r["uri"] == "hnpx:///deep/a%20b.hnpx" for r in listed), "books are listed with their paths", listed)
    read = server.request("resources/read", {"uri": "hnpx:///deep/a%20b.hnpx"})["result"]["contents"][0]
    tap.same(read.get("text", "").encode(), folder.read("deep/a b.hnpx"), "a book is read as its bytes")
    found = server.request("completion/complete", {"ref": {"type": "ref/resource", "uri": "hnpx:///{+path}"},
                                                   "argument": {"name": "path", "value": "deep"}})
    tap.same(found["result"]["completion"]["values"], ["deep/a b.hnpx"], "paths are completed")
    prompts = [p["name"] for p in server.request("prompts/list")["result"]["prompts"]]
    tap.ok(all(p in prompts for p in ["plan_book", "write_next", "revise_chapter"]), "prompts are listed", prompts)
    for name, args in [("plan_book", {"file_path": "x.hnpx", "idea": "a fox"}), ("write_next", {"file_path": "x.hnpx"}),
                       ("revise_chapter", {"file_path": "x.hnpx", "chapter_id": "cccccc", "aim": "pace"})]:
        text = server.request("prompts/get", {"name": name, "arguments": args})["result"]["messages"][0]["content"]["text"]
        tap.ok("x.hnpx" in text and "beat" in text, f"{name} tells the levels and names the file", text)


def long_answers(tap, server):
    whole, start, parts = [], None, 0
    while True:
        args = {"file_path": "long.hnpx", "node_id": "eeeeee", **({"start": start} if start else {})}
        blocks = server.call("get_subtree", args)["result"]["content"]
        parts += 1
        whole += re.findall(r'<paragraph id="(p\d{5})"', blocks[0]["text"])
        tap.ok(len(blocks[0]["text"]) < 60000, "an answer stays below 60,000 characters")
        if len(blocks) == 1:
            break
        start = re.search(r'start "(\w{6})"', blocks[1]["text"]).group(1)
    tap.ok(parts > 1 and whole == [f"p{i:05d}" for i in range(600)], "its parts are the whole, each node once", (parts, len(whole)))
    blocks = server.call("render_document", {"file_path": "long.hnpx"})["result"]["content"]
    tap.ok(len(blocks) == 2 and "render_document again with start" in blocks[1]["text"], "prose that is cut says so", blocks[-1]["text"][:200])
    blocks = server.call("get_direct_children", {"file_path": "long.hnpx", "node_id": "eeeeee"})["result"]["content"]
    tap.ok(len(blocks) == 2 and blocks[0]["text"].startswith('<children total="600" offset="0">'), "so do children", blocks[-1]["text"][:200])


def refusals(tap, server, folder):
    path = os.path.join(folder.path, "small.hnpx")
    before = stamp(path)
    server.call("create_beat", {"file_path": "small.hnpx", "parent_id": "book", "summary": "s"})
    server.call("edit_node_attributes", {"file_path": "small.hnpx", "node_id": "cccccc", "attributes": {"title": "t"}})
    server.call("reorder_children", {"file_path": "small.hnpx", "parent_id": "eeeeee", "child_ids": ["p00000"]})
    tap.same(stamp(path), before, "neither a refusal nor a write that changes nothing touches the file")
    os.chmod(path, 0o444)
    refused = error_of(server.call("remove_node", {"file_path": "small.hnpx", "node_id": "cccccc"}))
    tap.ok(refused["code"] == "ACCESS_DENIED" and refused["details"]["file_path"] == "small.hnpx", "a file without write bits is not written",
           refused)
    os.mkfifo(os.path.join(folder.path, "pipe.hnpx"))
    for name in ["pipe.hnpx", "deep", "../etc/passwd", "/etc/passwd"]:
        refused = error_of(server.call("get_node", {"file_path": name, "node_id": "book"}))
        tap.ok(refused["code"] in ("INVALID_PATH", "FILE_NOT_FOUND") and refused["details"]["file_path"] == name,
               f"{name} is no document", refused)
    with open(os.path.join(folder.path, "huge.hnpx"), "wb") as f:
        f.truncate((64 << 20) + 1)
    refused = error_of(server.call("get_node", {"file_path": "huge.hnpx", "node_id": "book"}))
    tap.same(refused["code"], "FILE_TOO_LARGE", "a file over 64 MiB is refused before it is read")


def limits(tap):
    import fcntl
    config = "[mcp_server.rate_limit]\nwrites_per_minute = 2\n[mcp_server.storage]\nlock_seconds = 1\ndocument_megabytes = 1\n"
    files = {"small.hnpx": book([paragraph(0, "x")]), "large.hnpx": book([paragraph(0, "x" * (1 << 20))]), "quire.toml": config}
    new = {"file_path": "small.hnpx", "parent_id": "eeeeee", "summary": "s", "text": "x"}
    with Folder(files) as folder, Stdio("hnpx", "--config", os.path.join(folder.path, "quire.toml"), root=folder.path) as server:
        refused = error_of(server.call("get_next_empty_container", {"file_path": "large.hnpx"}))
        tap.ok(refused["code"] == "FILE_TOO_LARGE" and refused["details"]["file_path"] == "large.hnpx", "the largest document can be set", refused)
        held = os.open(folder.path, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        refused = error_of(server.call("create_paragraph", new))
        tap.ok(refused["code"] == "LOCKED" and refused["details"]["file_path"] == "small.hnpx" and refused["details"]["retry_after"] > 0,
               "a folder that another program keeps locked is told, with when to come again", refused)
        os.close(held)
        server.call("create_paragraph", new)
        refused = error_of(server.call("create_paragraph", new))
        tap.ok(refused["code"] == "RATE_LIMITED" and refused["details"]["retry_after"] > 0, "so is a writer that is too fast", refused)
        tap.ok("paragraph" in server.call("get_node", {"file_path": "small.hnpx", "node_id": "p00000"})["result"]["content"][0]["text"],
               "who reads is not")


def mass_edits(tap):
    many = 3000
    with Folder({"a.hnpx": book([paragraph(i, "grey cloak") for i in range(many)])}) as folder, Stdio("hnpx", root=folder.path) as server:
        for dry in (True, False):
            answer = server.call("replace_text", {"file_path": "a.hnpx", "old": "grey", "new": "green", "all": True, "dry_run": dry})["result"]
            body = answer["structuredContent"]
            tap.ok(body["replaced"] == body["nodes"] == many and body["ids"] == [f"p{i:05d}" for i in range(50)],
                   "a replacement all over the book returns counts and the first ids", str(body)[:300])
            tap.ok(len(answer["content"][0]["text"]) < 60000, "and stays short", len(answer["content"][0]["text"]))
        tap.same(folder.read("a.hnpx").count(b"green cloak"), many, "all of them are replaced")


def verbs(tap, folder):
    import subprocess
    from quire import QUIRE

    def run(*args):
        return subprocess.run([QUIRE, "hnpx", *args, "--root", folder.path], capture_output=True, text=True)
    done = run("outline", "deep/a b.hnpx")
    tap.ok(done.returncode == 0 and "Chapter 1: The Extra Hour (POV: Ines)" in done.stdout, "quire hnpx outline", done)
    done = run("render", "deep/a b.hnpx")
    tap.ok(done.returncode == 0 and "=== The Thirtieth ===" in done.stdout, "quire hnpx render", done)
    done = run("stats", "deep/a b.hnpx")
    tap.ok(done.returncode == 0 and "complete: true" in done.stdout, "quire hnpx stats", done)
    done = run("validate", "broken.hnpx")
    tap.ok(done.returncode == 1 and "broken.hnpx:1: <book> has no <summary>" in done.stdout, "quire hnpx validate", done)
    done = run("export", "deep/a b.hnpx", "out.md", "--title", "Hour")
    tap.ok(done.returncode == 0 and folder.read("out.md").startswith(b"# Hour\n"), "quire hnpx export", done)
    done = run("export", "deep/a b.hnpx")
    tap.ok(done.returncode == 2 and "usage" in done.stderr, "a wrong command line shows the right one", done)


def main():
    tap = Tap()
    with open(os.path.join(TOP, "examples/lighthouse.hnpx"), encoding="utf-8") as f:
        example = f.read()
    files = {"deep/a b.hnpx": example, "small.hnpx": book([paragraph(0, "x")]), "broken.hnpx": '<book id="bbbbbb"/>',
             "long.hnpx": book([paragraph(i, "word " * 2000) for i in range(600)])}
    with Folder(files) as folder, Stdio("hnpx", root=folder.path) as server:
        tables(tap, server)
        resources(tap, server, folder)
        long_answers(tap, server)
        refusals(tap, server, folder)
        verbs(tap, folder)
    limits(tap)
    mass_edits(tap)
    tap.done()


main()
