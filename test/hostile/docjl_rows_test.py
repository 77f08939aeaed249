#!/usr/bin/env python3
"""Rows that no honest program writes: cycles, wild numbers, bodies that are not JSON. The server responds and stays
up."""
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Stdio, Tap

t = Tap()
DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": "One", "label": "sec:1", "children": [
        {"type": "heading", "level": 2, "content": "Two", "label": "sec:1.1", "children": [
            {"type": "paragraph", "content": [{"type": "text", "content": "x"}, {"type": "ref", "target": "sec:1"}], "label": "para:1.1.1"}]}]},
    {"type": "section", "title": "Three", "label": "sec:2", "children": []}]}
ATTACKS = {
    "a block is its own parent": "UPDATE node SET parent = uid WHERE uid = 2",
    "two blocks hold each other": "UPDATE node SET parent = 2 WHERE uid = 1",
    "a label is computed from itself": "UPDATE run SET stem = 2 WHERE run = 1",
    "two labels are computed from each other": "UPDATE node SET name = NULL, run = 2, slot = 0 WHERE uid = 1; UPDATE run SET stem = 2",
    "numbers are wild": "UPDATE run SET base = 9223372036854775807, n = -5; UPDATE node SET slot = 9223372036854775807 WHERE run IS NOT NULL",
    "places are wild": "UPDATE node SET ord = 9223372036854775807",
    "places are all one": "UPDATE node SET ord = -9223372036854775807 - 1",
    "bodies are no JSON": "UPDATE body SET json = '[[[', folded = ''",
    "bodies are something else": "UPDATE body SET json = '[1,{\"type\":\"ref\",\"target\":7}]'",
    "bodies are gone": "DELETE FROM body",
    "references lead to nothing": "UPDATE ref SET dst = 99, k = 7",
    "a reference's number is wild": "UPDATE body SET json = '{\"type\":\"paragraph\",\"content\":[{\"type\":\"ref\",\"target\":999999}]}'",
    "the document's counts are wild": "UPDATE doc SET blocks = -1, next_uid = 1, next_run = 0, revision = -9, audit_seq = 0",
    "the metadata is no object": "UPDATE doc SET metadata = '7'",
    "the metadata is no JSON": "UPDATE doc SET metadata = '{'",
    "the trail's details are no JSON": "UPDATE audit SET details = '{', touched = '1 2 g', hash = x'00', prev = x''",
    "the text is not UTF-8": "UPDATE node SET name = CAST(x'7365633aff' AS TEXT) WHERE uid = 1; UPDATE body SET folded = CAST(x'ff' AS TEXT)",
}
CALLS = [("list_documents", {}), ("get_document", {}), ("get_document", {"sections": ["sec:1"], "depth": 2}), ("list_headings", {}),
         ("search_blocks", {"query": {"content_contains": "x"}}), ("search_blocks", {"query": {"type": "heading"}}), ("validate_references", {}),
         ("validate_schema", {}), ("get_audit_log", {}), ("verify_audit", {}), ("where_used", {"label": "sec:1"}), ("diff", {"from": "r0"}),
         ("search", {"words": "x"}), ("export_document", {}), ("export_document", {"format": "html"}),
         ("insert_block", {"block": {"type": "paragraph", "content": "new"}, "parent_label": "sec:1.1", "position": "start"}),
         ("insert_block", {"block": {"type": "paragraph", "content": "new"}, "position": "start"}),
         ("update_block", {"block_label": "sec:1", "updates": {"content": "y"}}), ("move_block", {"block_label": "sec:1.1", "target_parent": "sec:2"}),
         ("delete_block", {"block_label": "sec:1", "cascade": True}), ("rollback", {"audit_id": "audit_d_2"}), ("delete_block", {"block_label": "sec:2"})]
WITHOUT_ID = ("list_documents", "search", "rollback")
for claim, sql in ATTACKS.items():
    with Folder() as f:
        with Stdio("docjl", root=f.path) as s:
            s.call("mcp_docjl_create_document", {"document": DOCUMENT})
            s.call("mcp_docjl_insert_block", {"document_id": "d", "parent_label": "sec:1.1", "block": {"type": "paragraph", "content": "z"}})
        db = sqlite3.connect(os.path.join(f.path, "docjl.db"))
        db.executescript(sql)
        db.commit()
        db.close()
        with Stdio("docjl", "--tools", "all", root=f.path) as s:
            answered = 0
            try:
                for tool, args in CALLS:
                    got = s.call("mcp_docjl_" + tool, {**({} if tool in WITHOUT_ID else {"document_id": "d"}), **args})
                    answered += "result" in got or "error" in got
            except Exception as e:
                t.ok(False, f"every call is answered although {claim}", f"{tool}: {e!r}\n" + "".join(map(str, getattr(s, 'errors', [])))[-3000:])
                continue
            t.same(answered, len(CALLS), f"every call is answered although {claim}")
t.done()
