#!/usr/bin/env python3
"""Manuals of 8,000 and 80,000 blocks: single edits compared with a bare one-row commit of the same store and
durability.

Medians of interleaved pairs, wall time of one call over stdio; prints ratios and their limits, asserts nothing.
SIZES, PAIRS and STORES may be set."""
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "test/support"))
from postgres import Cluster
from quire import Stdio

QUIRE = os.environ.get("QUIRE", os.path.join(TOP, "build/quire"))
SIZES = [int(n) for n in os.environ.get("SIZES", "8000 80000").split()]
PAIRS = int(os.environ.get("PAIRS", "30"))
STORES = os.environ.get("STORES", "sqlite postgres").split()
PARA = {"type": "paragraph", "content": "calibration record"}


def text(words):
    return [{"type": "text", "content": words}]


def nested(n):
    top, left, c = [], n, 0
    while left > 0:
        c += 1
        chapter = {"type": "heading", "level": 1, "content": text(f"Chapter {c}"), "label": f"sec:{c}", "children": []}
        left -= 1
        for s in range(1, 11):
            if left <= 0:
                break
            left -= 1
            section = {"type": "heading", "level": 2, "content": text(f"Section {s}"), "label": f"sec:{c}.{s}", "children": []}
            for p in range(1, min(100, left) + 1):
                section["children"].append({"type": "paragraph", "label": f"para:{c}.{s}.{p}", "content": text("calibration of the balance " * 5)})
            left -= len(section["children"])
            chapter["children"].append(section)
        top.append(chapter)
    return top


def flat(n):
    return [{"type": "section", "title": "All", "label": "sec:1", "children": [
        {"type": "paragraph", "label": f"para:1.{i}", "content": text("calibration of the balance " * 5)} for i in range(1, n)]}]


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Sqlite:
    """The cost of the database itself: a one-row commit, and one scan of the rows that a call reads."""
    name = "SQLite"

    def __init__(self, folder):
        self.folder, self.args = folder, []
        self.bare = sqlite3.connect(os.path.join(folder, "bare.db"), isolation_level=None)
        self.bare.execute("PRAGMA journal_mode=WAL")
        self.bare.execute("PRAGMA synchronous=FULL")
        self.bare.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")

    def commit(self):
        self.bare.execute("INSERT INTO t (x) VALUES (?)", ("x" * 300,))

    def scan(self, sql):
        db = sqlite3.connect(os.path.join(self.folder, "docjl.db"))
        return lambda: db.execute(sql).fetchall()


class Postgres:
    """The same through an open psql; one statement is one round trip."""
    name = "PostgreSQL"

    def __init__(self, folder, pg):
        self.folder, self.args = folder, ["--store", pg.url]
        self.psql = subprocess.Popen([pg.bin + "/psql", "-X", "-q", "-A", "-t", pg.url], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True, bufsize=1)
        pg.sql("CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, x TEXT)")

    def ask(self, sql):
        self.psql.stdin.write(sql + ";\n")
        self.psql.stdin.flush()
        return self.psql.stdout.readline()

    def commit(self):
        self.ask("INSERT INTO bare (x) VALUES (repeat('x', 300)) RETURNING 1")

    def scan(self, sql):
        return lambda: self.ask(sql)


# limits of a call's cost, in bare commits or, if `scan` has rows, in scans of them
COMMITS = {"insert": 4, "update": 4, "delete": 4, "move 1,011 blocks": 50, "front insert": 20}
SCANS = {
    "outline": (2, "SELECT count(name), sum(length(json)) FROM node JOIN body ON body.doc = node.doc AND body.uid = node.uid "
                   "WHERE node.doc = (SELECT doc FROM doc WHERE id = '{}') AND container = 1"),
    "search": (2, "SELECT count(*) FROM body WHERE doc = (SELECT doc FROM doc WHERE id = '{}') AND folded LIKE '%temperature%'"),
}


# parts of a document; answers have the same size in every nested document
PARTS = {
    "a leaf": ("get_document", {"sections": ["para:1.2.3"]}),
    "101 blocks": ("get_document", {"sections": ["sec:1.2"]}),
    "a page": ("get_document", {}),
    "by label": ("search_blocks", {"query": {"label": "para:1.2.3"}}),
}


def edits(call, shape):
    """name -> work; each keeps the size of the document, except for insert and delete."""
    last = {}

    def insert(**more):
        last["label"] = call("insert_block", block=PARA, **more)["structuredContent"]["block_label"]
    leaf = {"parent_label": "sec:1.1" if shape == "nested" else "sec:1"}
    work = {"insert": lambda: insert(**leaf),
            "update": lambda: call("update_block", block_label=last["label"], updates={"content": "changed"}),
            "delete": lambda: call("delete_block", block_label=last["label"])}
    if shape == "flat":
        work["front insert"] = lambda: insert(parent_label="sec:1", position="start")
    else:
        chapter = {"label": "sec:3", "to": ["sec:2", None]}

        def move():
            chapter["to"].reverse()
            to = {"target_parent": chapter["to"][1]} if chapter["to"][1] else {}
            chapter["label"] = call("move_block", block_label=chapter["label"], **to)["structuredContent"]["new_label"]
        work["move 1,011 blocks"] = move
    work["outline"] = lambda: call("list_headings", max_depth=1)
    work["search"] = lambda: call("search_blocks", query={"content_contains": "temperature"})
    return work


def line(what, cost, unit, limit, name):
    over = "" if cost / unit <= limit else f"   OVER {limit}"
    print(f"  {what:18} {cost * 1000:8.2f} ms {cost / unit:6.2f} {name} (limit {limit}){over}", flush=True)


def export(db, name, document):
    """CPU time of the program from its start to its end, and of Python's C encoder for the same JSON in memory."""
    costs, dumps = [], []
    for _ in range(5):
        before = time.process_time()
        json.dumps(document, ensure_ascii=False)
        dumps.append(time.process_time() - before)
        before = children_cpu()
        subprocess.run([QUIRE, "docjl", "export", name, "--root", db.folder, *db.args], check=True, stdout=subprocess.DEVNULL)
        costs.append(children_cpu() - before)
    line("export", statistics.median(costs), statistics.median(dumps), 3, "dumps")


class Manual:
    """One document and its measurements: the cost of each call, with the cost of the database just before."""

    def __init__(self, db, shape, make, size, purpose=""):
        self.db, self.shape, self.name = db, shape, f"{shape}{size}{purpose}"
        self.document = {"id": self.name, "metadata": {"title": "B", "version": "1"}, "docjll": make(size)}
        self.costs, self.units = {}, {}
        path = os.path.join(db.folder, self.name + ".json")
        with open(path, "w") as f:
            json.dump(self.document, f)
        self.imported = timed(lambda: subprocess.run([QUIRE, "docjl", "import", path, "--root", db.folder, *db.args], check=True,
                                                     stdout=subprocess.DEVNULL))

    def call(self, tool, **more):
        got = self.server.call("mcp_docjl_" + tool, {"document_id": self.name, **more})["result"]
        if got.get("isError"):
            raise RuntimeError(got["content"][0]["text"])
        return got

    def measure(self, what, unit, work):
        self.units.setdefault(what, []).append(timed(unit))
        self.costs.setdefault(what, []).append(timed(work))

    def cost(self, what):
        return statistics.median(self.costs[what])

    def unit(self, what):
        return statistics.median(self.units[what])

    def report(self):
        print(f"{self.db.name} {self.name}: import {self.imported:.1f} s, a bare commit {self.unit('insert') * 1000:.2f} ms")
        for what in self.costs:
            limit, name = (SCANS[what][0], "scans") if what in SCANS else (COMMITS[what], "commits")
            line(what, self.cost(what), self.unit(what), limit, name)
        export(self.db, self.name, self.document)


def run(db, shape, make):
    manuals = [Manual(db, shape, make, size) for size in SIZES]
    with Stdio("docjl", *db.args, root=db.folder, quire=QUIRE) as s:
        work = {}
        for m in manuals:
            m.server = s
            work[m] = edits(m.call, shape)
        # The sizes take turns, so that a busy moment affects all of them. Reads come later, because a scan empties
        # every cache.
        for i in range(PAIRS + 1):
            for m in manuals:
                for what in COMMITS:
                    if what in work[m]:
                        m.measure(what, db.commit, work[m][what])
            if i == 0:  # the first round prepares the statements
                for m in manuals:
                    m.costs, m.units = {}, {}
        for m in manuals:
            scan = {what: db.scan(sql.format(m.name)) for what, (_, sql) in SCANS.items()}
            for _ in range(PAIRS):
                for what in SCANS:
                    m.measure(what, scan[what], work[m][what])
    for m in manuals:
        m.report()
    for what in ("insert", "update", "delete") if len(manuals) > 1 else ():
        grows = manuals[-1].cost(what) / manuals[0].cost(what)
        print(f"  {what:18} grows by {grows:.2f} from {SIZES[0]} to {SIZES[-1]} blocks (limit 1.3)"
              + ("" if grows <= 1.3 else "   OVER"), flush=True)


def server_cpu(s):
    with open(f"/proc/{s.process.pid}/stat", encoding="ascii", errors="replace") as f:
        used = f.read().rsplit(")", 1)[1].split()[11:13]
    return (int(used[0]) + int(used[1])) / os.sysconf("SC_CLK_TCK")


def parts(db):
    """Reading a part costs the part: small and large documents take turns."""
    manuals = [Manual(db, "nested", nested, size, "parts") for size in SIZES]
    cpu = {}
    with Stdio("docjl", *db.args, root=db.folder, quire=QUIRE) as s:
        for m in manuals:
            m.server = s
        for _ in range(5 * PAIRS):
            for m in manuals:
                for what, (tool, more) in PARTS.items():
                    m.measure(what, lambda: None, lambda: m.call(tool, **more))
        for what, n, more in (("101 blocks", 200, PARTS["101 blocks"][1]), ("whole", 4, {"answer_whole": True})):
            before = server_cpu(s)
            for _ in range(n):  # the whole may be too large for one answer; it is read all the same
                s.call("mcp_docjl_get_document", {"document_id": manuals[-1].name, **more})
            cpu[what] = (server_cpu(s) - before) / n
    for what in PARTS:
        grows = manuals[-1].cost(what) / manuals[0].cost(what)
        print(f"  {what:18} {manuals[-1].cost(what) * 1000:8.2f} ms, grows by {grows:.2f} from {SIZES[0]} to {SIZES[-1]} blocks (limit 1.3)"
              + ("" if grows <= 1.3 else "   OVER"), flush=True)
    share = cpu["101 blocks"] / cpu["whole"]
    print(f"  101 blocks of {SIZES[-1]} take {share:.4f} of the CPU time of the whole (limit 0.02)" + ("" if share <= 0.02 else "   OVER"), flush=True)


def all_sizes(db):
    parts(db)
    for shape, make in (("nested", nested), ("flat", flat)):
        run(db, shape, make)


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="quire-bench.")
    try:
        if "sqlite" in STORES:
            all_sizes(Sqlite(folder))
        if "postgres" in STORES and Cluster.available():
            with Cluster("-c fsync=on") as pg:
                all_sizes(Postgres(folder, pg))
    finally:
        shutil.rmtree(folder)
