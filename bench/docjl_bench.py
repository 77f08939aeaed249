#!/usr/bin/env python3
"""Manuals of 8,000 and 80,000 blocks: single edits beside a bare one-row commit of the same store and durability.

Medians of interleaved pairs, wall time of one call over stdio; prints ratios, asserts nothing. SIZES and PAIRS may be set."""
import json
import os
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

QUIRE = os.path.join(TOP, "build/quire")
SIZES = [int(n) for n in os.environ.get("SIZES", "8000 80000").split()]
PAIRS = int(os.environ.get("PAIRS", "30"))
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


def bare_sqlite(folder):
    db = sqlite3.connect(os.path.join(folder, "bare.db"), isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
    return lambda: db.execute("INSERT INTO t (x) VALUES (?)", ("x" * 300,))


def bare_postgres(pg):
    """psql kept open; one INSERT a round trip."""
    p = subprocess.Popen([pg.bin + "/psql", "-X", "-q", "-A", "-t", pg.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def commit():
        p.stdin.write("INSERT INTO bare (x) VALUES (repeat('x', 300)) RETURNING 1;\n")
        p.stdin.flush()
        p.stdout.readline()
    pg.sql("CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, x TEXT)")
    return commit


def run(where, shape, make, size, args, folder, bare):
    name = f"{shape}{size}"
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as f:
        json.dump({"id": name, "metadata": {"title": "B", "version": "1"}, "docjll": make(size)}, f)
    start = time.perf_counter()
    subprocess.run([QUIRE, "docjl", "import", path, "--root", folder, *args], check=True, stdout=subprocess.DEVNULL)
    imported = time.perf_counter() - start
    costs = {}
    with Stdio("docjl", *args, root=folder, quire=QUIRE) as s:
        def call(tool, **more):
            got = s.call("mcp_docjl_" + tool, {"document_id": name, **more})["result"]
            if got.get("isError"):
                raise RuntimeError(got["content"][0]["text"])
            return got
        last = {}

        def insert(**more):
            last["label"] = call("insert_block", block=PARA, **more)["structuredContent"]["block_label"]
        leaf = {"parent_label": "sec:1.1" if shape == "nested" else "sec:1"}
        work = {"insert": lambda: insert(**leaf), "update": lambda: call("update_block", block_label=last["label"], updates={"content": "changed"}),
                "delete": lambda: call("delete_block", block_label=last["label"])}
        if shape == "flat":
            work["front insert"] = lambda: insert(parent_label="sec:1", position="start")
        else:
            spots = ["sec:1", "sec:2"]
            section = {"label": "sec:1.2"}

            def move():
                spots.reverse()
                section["label"] = call("move_block", block_label=section["label"], target_parent=spots[0])["structuredContent"]["new_label"]
            work["move 101 blocks"] = move
        work["outline"] = lambda: call("list_headings", max_depth=1)
        work["search"] = lambda: call("search_blocks", query={"content_contains": "temperature"})
        base = []
        for _ in range(PAIRS):
            for what, do in work.items():
                base.append(timed(bare))
                costs.setdefault(what, []).append(timed(do))
    unit = statistics.median(base)
    print(f"{where} {name}: import {imported:.1f} s, a bare commit {unit * 1000:.2f} ms")
    for what, list_ in costs.items():
        print(f"  {what:16} {statistics.median(list_) * 1000:8.2f} ms  {statistics.median(list_) / unit:6.1f} bare commits")
    return {what: statistics.median(list_) for what, list_ in costs.items()}


def all_sizes(where, args, folder, bare):
    for shape, make in (("nested", nested), ("flat", flat)):
        results = [run(where, shape, make, n, args, folder, bare) for n in SIZES]
        for what in results[0]:
            if len(results) > 1 and what in ("insert", "update", "delete"):
                print(f"  {what:16} grows by {results[-1][what] / results[0][what]:.2f} from {SIZES[0]} to {SIZES[-1]}")


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="quire-bench.")
    try:
        all_sizes("SQLite", [], folder, bare_sqlite(folder))
    finally:
        shutil.rmtree(folder)
    if Cluster.available():
        with Cluster("-c fsync=on") as pg:
            folder = tempfile.mkdtemp(prefix="quire-bench.")
            try:
                all_sizes("PostgreSQL", ["--store", pg.url], folder, bare_postgres(pg))
            finally:
                shutil.rmtree(folder)
