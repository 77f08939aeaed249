#!/usr/bin/env python3
"""On a server an edit of one block waits for six replies at most: the document's row, the rows around the block, the rows
that it changes before and after the change (for the hashes of the text), the commit. An edit
of one block costs the same in a large document as in a small one: the same number of statements and rows on PostgreSQL, and of
pages on SQLite. Only an insert at the front moves runs of 256 numbers, with one statement."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import QUIRE, Folder, Stdio, Tap

t = Tap()
PARA = {"type": "paragraph", "content": "x"}
SIZES = (8000, 80000)
FEW = 40  # blocks of a chapter


def large(n):
    """Half of the blocks are in small chapters, half are side by side in one chapter."""
    chapters = [{"type": "section", "title": f"C{c}", "label": f"sec:{c}", "children": [
        dict(PARA, label=f"para:{c}.{i}") for i in range(1, FEW)]} for c in range(1, n // 2 // FEW + 1)]
    wide = {"type": "section", "title": "Wide", "label": "sec:9000", "children": [
        dict(PARA, label=f"para:9000.{i}") for i in range(1, n // 2)]}
    return {"id": "m", "metadata": {"title": "M", "version": "1"}, "docjll": chapters + [wide]}


EDITS = {
    "insert_block": {"parent_label": "sec:50", "position": "end", "block": PARA},
    "update_block": {"block_label": "para:50.7", "updates": {"content": "y"}},
    "delete_block": {"block_label": f"para:50.{FEW}"},
    "move_block": {"block_label": "para:51.3", "target_parent": "sec:52", "position": "after", "anchor_label": "para:52.5"},
    "insert_block at the front": {"parent_label": "sec:9000", "position": "start", "block": PARA},
}


def edited(server, name):
    got = server.call("mcp_docjl_" + name.split()[0], {"document_id": "m", **EDITS[name]})["result"]
    assert not got.get("isError"), got


def imported(folder, n, *args):
    folder.write("m.json", json.dumps(large(n)))
    done = subprocess.run([QUIRE, "import", "docjl", os.path.join(folder.path, "m.json"), "--root", folder.path, *args], capture_output=True, text=True)
    assert not done.returncode, done


def pages_written(path):
    """Frames of the write-ahead log since its last restart, up to the last commit."""
    with open(path, "rb") as f:
        log = f.read()
    size, salts, n, last = struct.unpack(">I", log[8:12])[0], log[16:24], 0, 0
    for at in range(32, len(log) - 24 - size + 1, 24 + size):
        if log[at + 8:at + 16] != salts:
            break
        n += 1
        last = n if log[at + 4:at + 8] != bytes(4) else last
    return last


def cost_on_sqlite(n):
    costs = {}
    with Folder() as f:
        imported(f, n)
        with Stdio("docjl", root=f.path) as s:
            edited(s, "update_block")  # what a first call does besides
            for name in EDITS:
                before = pages_written(os.path.join(f.path, "docjl.db-wal"))
                edited(s, name)
                costs[name] = pages_written(os.path.join(f.path, "docjl.db-wal")) - before
    return costs


def cost_on_postgres(pg, n):
    """Statements and rows, read and written. A backend reports its rows at the end of a transaction, once a second."""
    rows = ("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del), sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) FROM pg_stat_user_tables "
            "WHERE relname <> 'quire_schema'")
    costs = {}
    with Folder() as f:
        pg.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        imported(f, n, "--store", pg.url)
        pg.sql("ANALYZE")
        with Stdio("docjl", "--store", pg.url, root=f.path) as s:
            edited(s, "update_block")  # what a first call does besides
            time.sleep(1.1)
            edited(s, "update_block")  # reports it
            for name in EDITS:
                time.sleep(1.1)
                at, before = os.path.getsize(pg.folder + "/log"), pg.sql(rows).split("|")
                edited(s, name)
                after = pg.sql(rows).split("|")
                with open(pg.folder + "/log", encoding="utf-8", errors="replace") as log:
                    log.seek(at)
                    statements = len(re.findall(r"LOG:  execute q\d+:", log.read()))
                costs[name] = (statements, *[int(b) - int(a) for a, b in zip(before, after)])
    return costs


small, big = [cost_on_sqlite(n) for n in SIZES]
for name in EDITS:
    runs = SIZES[1] // 2 // 256 if "front" in name else 0
    # At most two more levels of a few trees. Runs are short rows, many on a page.
    t.ok(0 < big[name] <= small[name] + 10 + runs // 20, f"{name} writes as many pages at {SIZES[1]} blocks as at {SIZES[0]} on SQLite",
         (small[name], big[name]))
if not Cluster.available():
    t.skip("edits on a server read twice", "no PostgreSQL here")
    t.done()
with Cluster("-c fsync=off -c log_statement=all -c stats_fetch_consistency=none") as pg:
    small, big = [cost_on_postgres(pg, n) for n in SIZES]
    for name in EDITS:
        runs = SIZES[1] // 2 // 256 + 2 if "front" in name else 0
        # Pages of hashes have 32 leaves; neighbours may be on one page or on two.
        t.ok(0 < big[name][0] <= small[name][0] + 2 + runs // 16, f"{name} takes as many statements at {SIZES[1]} blocks as at {SIZES[0]} on PostgreSQL",
             (small[name], big[name]))
        # PostgreSQL scans small tables whole.
        t.ok(0 < big[name][1] <= small[name][1] + runs + 2 and big[name][2] <= 600 + 2 * runs, "writes as many rows, and reads few",
             (small[name], big[name]))
DOCUMENT = {"id": "m", "metadata": {"title": "M", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": "C", "label": "sec:1", "children": [
        {"type": "heading", "level": 2, "content": "S", "label": "sec:1.1", "children": [
            dict(PARA, label=f"para:1.1.{i}") for i in range(1, 9)]}]}]}


def read_since(pg, at):
    """Statements that return rows, from this place in the log on. The log may be written with a delay."""
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
            t.ok(len(reads) <= 5 and reads[0].startswith("SELECT doc, ") and reads[1].startswith("WITH RECURSIVE") and
                 all(r.startswith("WITH given") for r in reads[2:]), f"{name} of a leaf reads at most five times", reads)
        keys = pg.sql("SELECT t.relname || ' ' || c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON "
                      "t.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0] WHERE "
                      "t.relnamespace = 'public'::regnamespace AND a.attname <> 'doc' ORDER BY 1").split("\n")
        t.ok(set(keys) <= {"doc doc_id", "quire_schema quire_schema_pkey"}, "the document is first in every key, but for the list of documents", keys)
        t.ok(pg.sql("SELECT count(*) FROM pg_class WHERE relkind = 'S'") == "0", "there is no sequence over all documents")
        left = call("get_document", document_id="m", sections=["sec:1.1"])["document"]["docjll"][0]["children"]
        t.ok([b["label"] for b in left] == [f"para:1.1.{i}" for i in range(1, 9)], "and the document is as it was", left)
t.done()
