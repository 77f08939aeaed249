#!/usr/bin/env python3
"""Lists of changes give the net effect, keep references that have no words, and show tables row by row."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Stdio, Tap

t = Tap()


def para(label, *content):
    return {"type": "paragraph", "label": label, "content": [c if isinstance(c, dict) else {"type": "text", "content": c} for c in content]}


DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    {"type": "section", "title": "One", "label": "sec:1", "children": [
        para("para:1.1", "see ", {"type": "ref", "target": "tab:1"}), para("para:1.2", "b", {"type": "ref", "target": "tab:1"}), para("para:1.3", "c")]},
    {"type": "section", "title": "Two", "label": "sec:2", "children": []},
    {"type": "table", "label": "tab:1", "caption": "Limits", "headers": ["what", "limit"], "rows": [["mass", "1 g"], ["time", "2 s"], ["length", "3 m"]]}]}

with Folder() as f:
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        def call(tool, **more):
            if tool not in ("create_document", "rollback"):
                more.setdefault("document_id", "d")
            got = s.call("mcp_docjl_" + tool, more)["result"]
            return json.loads(got["content"][0]["text"])

        def changes(since):
            got = call("diff", **{"from": since})["changes"]
            return {k: v for k, v in got.items() if k in ("added", "removed", "moved", "changed", "redirected") and v}

        def revision():
            return call("get_document", depth=1)["revision"]

        call("create_document", document=DOCUMENT)
        start = revision()
        moved = call("move_block", block_label="para:1.3", target_parent="sec:2")
        t.same([m["to"] for m in changes(start)["moved"]], ["sec:2"], "a move is a change")
        call("rollback", audit_id=moved["audit_id"])
        t.same(changes(start), {}, "a move and its rollback are none")
        call("move_block", block_label="para:1.3", position="start", target_parent="sec:1")
        t.same([(m["from"], m["to"]) for m in changes(start)["moved"]], [("sec:1", "sec:1")], "a move among siblings is one")
        call("move_block", block_label="para:1.1", position="end", target_parent="sec:1")
        t.same(changes(start), {}, "and moved back by hand it is none")
        call("update_references", label_changes=[{"old": "tab:1", "new": "sec:2"}])
        got = changes(start)["redirected"]
        t.same(sorted((r["label"], r["from"], r["to"]) for r in got), [("para:1.1", "tab:1", "sec:2"), ("para:1.2", "tab:1", "sec:2")],
               "every redirected reference is listed")
        call("update_references", label_changes=[{"old": "sec:2", "new": "tab:1"}])
        t.same(changes(start), {}, "redirected back they are as before")

        since = revision()
        call("update_block", block_label="para:1.1", updates={"content": para("x", "see ", {"type": "ref", "target": "sec:2"})["content"]})
        t.same(changes(since)["changed"][0]["text"], "see [-[tab:1]-] {+[sec:2]+}", "a reference without words shows its target")
        since = revision()
        call("update_block", block_label="tab:1", updates={"rows": [["mass", "1 g"], ["time", "4 s"], ["length", "3 m"]]})
        t.same(changes(since)["changed"][0]["text"], "Limits\nwhat | limit\nmass | 1 g\n[-time | 2 s-]\n{+time | 4 s+}\nlength | 3 m",
               "a table is compared row by row")
    page = subprocess.run([QUIRE, "docjl", "changes", "d", since, "--format", "html", "--root", f.path], capture_output=True, text=True).stdout
    t.ok("mass | 1 g<br>\n<del>time | 2 s</del><br>\n<ins>time | 4 s</ins><br>\nlength" in page, "on the page too", page)
t.done()
