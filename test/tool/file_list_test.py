#!/usr/bin/env python3
"""file_list: an agent that does not know any path finds the documents."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
BOOK = '<book id="aaaaaa">\n  <summary>One</summary>\n</book>\n'
FILES = {"b.hnpx": BOOK, "novels/a.hnpx": BOOK, "novels/deep/c.hnpx": BOOK, "flat.floorplan": "floorplan\n", ".hidden.hnpx": BOOK,
         ".git/x.hnpx": BOOK, "Makefile": "all:\n"}

with Folder(FILES) as folder, Stdio(root=folder.path) as q:
    def listed(**arguments):
        return q.call("file_list", arguments)["result"].get("structuredContent", {})

    def paths(**arguments):
        return [f["path"] for f in listed(**arguments).get("files", [])]

    tap.same(sorted(paths()), ["b.hnpx", "flat.floorplan", "novels/a.hnpx", "novels/deep/c.hnpx"], "documents of all kinds, and nothing else")
    tap.same(sorted(paths(kind="hnpx")), ["b.hnpx", "novels/a.hnpx", "novels/deep/c.hnpx"], "by kind")
    tap.same(sorted(paths(folder="novels")), ["novels/a.hnpx", "novels/deep/c.hnpx"], "by folder")
    tap.same(paths(pattern="**/c*"), ["novels/deep/c.hnpx"], "by pattern")
    one = listed(pattern="b.hnpx")["files"][0]
    revision = q.call("hnpx_get_next_empty_container", {"file_path": "b.hnpx"})["result"]["structuredContent"]["revision"]
    tap.same((one["kind"], one["size"], one["revision"]), ("hnpx", len(BOOK), revision), "with kind, size and the revision that tools return")
    seen, after = [], None
    for _ in range(9):
        page = listed(limit=1, **({"after": after} if after else {}))
        seen += [f["path"] for f in page["files"]]
        tap.same(page["total"], 4, "each page tells how many there are")
        after = page.get("next")
        if not after:
            break
    tap.same(sorted(seen), sorted(paths()), "pages hold each file once")
    for bad in ({"kind": "nosuch"}, {"folder": "../x"}, {"folder": "nosuch"}, {"limit": 0}, {"kind": 3}):
        tap.ok(q.call("file_list", bad)["result"].get("isError"), f"{bad} is refused")

FILES |= {"a.book": BOOK, "n.md": "# N\n", "w.docx": "PK", "w.dotm": "PK"}
with Folder(FILES) as folder:
    for kinds, want in ((["hnpx"], ["b.hnpx", "novels/a.hnpx", "novels/deep/c.hnpx"]), (["notes"], ["n.md"]), (["docx"], ["w.docx", "w.dotm"]),
                        (["hnpx", "--extensions", ".book"], ["a.book", "b.hnpx", "novels/a.hnpx", "novels/deep/c.hnpx"]),
                        (["floorplan", "docx"], ["flat.floorplan", "w.docx", "w.dotm"])):
        with Stdio(*kinds, root=folder.path) as q:
            have = q.call("file_list")["result"]["structuredContent"]["files"]
            tap.same(sorted(f["path"] for f in have), want, f"{' '.join(kinds)}: the documents that its tools open")
            tap.ok({f["kind"] for f in have} <= set(kinds), "of the kinds served", have)
            tap.ok(q.call("file_list", {"kind": "nosuch"})["result"].get("isError"), "another kind is refused")
        if len(kinds) != 2 or kinds[1] != "docx":
            done = subprocess.run([QUIRE, "call", kinds[0], "file_list", "--root", folder.path, *kinds[1:]], capture_output=True)
            tap.same(sorted(f["path"] for f in json.loads(done.stdout or b'{"files": []}')["files"]), want, "in the shell too")

# Long results come in parts that clients accept.
deep = "/".join("d" * 200 for _ in range(3))
with Folder({f"{deep}/{n:03}.hnpx": BOOK for n in range(150)}) as folder, Stdio("hnpx", root=folder.path) as q:
    seen, after, pages = [], None, 0
    while pages == 0 or (after and pages < 9):
        answer = q.call("file_list", {"limit": 500, **({"after": after} if after else {})})["result"]
        tap.ok(len(answer["content"][0]["text"]) <= 60000, "a page of long paths is bounded", len(answer["content"][0]["text"]))
        seen += [f["path"] for f in answer["structuredContent"]["files"]]
        after, pages = answer["structuredContent"].get("next"), pages + 1
    tap.ok(pages > 1 and sorted(seen) == [f"{deep}/{n:03}.hnpx" for n in range(150)], "and next leads through all of them", (pages, len(seen)))
    q.call("create_document", {"file_path": "a.hnpx"})
    for n in range(180):
        q.call("create_chapter", {"file_path": "a.hnpx", "parent_id": "book", "title": f"{n} " + "long " * 40, "summary": "s"})
    seen, before = [], None
    while not seen or (before and len(seen) < 1000):
        answer = q.call("file_history", {"file_path": "a.hnpx", "limit": 200, **({"before": before} if before else {})})["result"]
        tap.ok(len(answer["content"][0]["text"]) <= 60000, "a page of a long history is bounded", len(answer["content"][0]["text"]))
        seen += [c["commit"] for c in answer["structuredContent"]["commits"]]
        before = answer["structuredContent"].get("next")
    tap.same(seen, list(range(181, 0, -1)), "and next leads through all of it")

tap.done()
