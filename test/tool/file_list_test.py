#!/usr/bin/env python3
"""file_list: an agent that knows no path finds the documents."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

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
    revision = q.call("hnpx_get_root_id", {"file_path": "b.hnpx"})["result"]["structuredContent"]["revision"]
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

tap.done()
