#!/usr/bin/env python3
"""On a server an edit of one block waits for three answers: the document's row, what is around the block, the commit."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import Stdio, Tap

t = Tap()
if not Cluster.available():
    t.skip("edits on a server read twice", "no PostgreSQL here")
    t.done()
PARA = {"type": "paragraph", "content": "x"}
DOCUMENT = {"id": "m", "metadata": {"title": "M", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": "C", "label": "sec:1", "children": [
        {"type": "heading", "level": 2, "content": "S", "label": "sec:1.1", "children": [
            dict(PARA, label=f"para:1.1.{i}") for i in range(1, 9)]}]}]}


def read_since(pg, at):
    """Statements that return rows, of the log from a place on; the log's writer may be behind."""
    with open(os.path.join(pg.folder, "log"), encoding="utf-8", errors="replace") as f:
        f.seek(at)
        return re.findall(r"LOG:  execute q\d+: ((?:SELECT|WITH) .{0,60})", f.read())


with tempfile.TemporaryDirectory() as root, Cluster("-c fsync=off -c log_statement=all") as pg:
    with Stdio("docjl", "--store", pg.url, root=root) as s:
        def call(tool, **more):
            got = s.call("mcp_docjl_" + tool, more)["result"]
            assert not got.get("isError"), got
            return got["structuredContent"]
        call("create_document", document=DOCUMENT)
        edits = {
            "insert_block": lambda: call("insert_block", document_id="m", parent_label="sec:1.1", block=PARA),
            "update_block": lambda: call("update_block", document_id="m", block_label="para:1.1.9", updates={"content": "y"}),
            "delete_block": lambda: call("delete_block", document_id="m", block_label="para:1.1.9"),
        }
        for name, edit in edits.items():
            at = os.path.getsize(os.path.join(pg.folder, "log"))
            edit()
            reads = read_since(pg, at)
            t.ok(len(reads) == 2 and reads[0].startswith("SELECT doc, ") and reads[1].startswith("WITH RECURSIVE"),
               f"{name} of a leaf reads twice", reads)
        keys = pg.sql("SELECT t.relname || ' ' || c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON "
                      "t.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0] WHERE "
                      "t.relnamespace = 'public'::regnamespace AND a.attname <> 'doc' ORDER BY 1").split("\n")
        t.ok(set(keys) <= {"doc doc_id", "quire_schema quire_schema_pkey"}, "the document is first in every key, but for the list of documents", keys)
        t.ok(pg.sql("SELECT count(*) FROM pg_class WHERE relkind = 'S'") == "0", "there is no sequence over all documents")
        left = call("get_document", document_id="m", sections=["sec:1.1"])["document"]["docjll"][0]["children"]
        t.ok([b["label"] for b in left] == [f"para:1.1.{i}" for i in range(1, 9)], "and the document is as it was", left)
t.done()
