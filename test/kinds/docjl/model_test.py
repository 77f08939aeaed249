#!/usr/bin/env python3
"""Random writes compared with a plain model of the rules: same tree, labels and references. Rolled back, the import is the same.

STEPS (500 per store) and SEED may be set. Runs on SQLite and, if installed, on PostgreSQL."""
import copy
import json
import os
import pickle
import random
import sqlite3
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from model import Model, Refused
from postgres import Cluster
from quire import Folder, Stdio, Tap

STEPS = int(os.environ.get("STEPS", "500"))
CROWDED = 120
SEED = int(os.environ.get("SEED", "7"))
sys.setrecursionlimit(10000)
t = Tap()


def normal(v):
    """Containers may or may not have an empty list of children."""
    if isinstance(v, dict):
        return {k: normal(x) for k, x in v.items() if not (k == "children" and x == [])}
    return [normal(x) for x in v] if isinstance(v, list) else v


def difference(want, have, path=""):
    if type(want) is not type(have):
        return f"{path}: want {want!r:.200} have {have!r:.200}"
    if isinstance(want, dict):
        for k in sorted(set(want) | set(have)):
            if want.get(k) != have.get(k):
                return difference(want.get(k), have.get(k), f"{path}.{k}")
    if isinstance(want, list):
        for i, (a, b) in enumerate(zip(want, have)):
            if a != b:
                return difference(a, b, f"{path}[{i}]")
        if len(want) != len(have):
            return f"{path}: {len(want)} items wanted, {len(have)} there"
    return f"{path}: want {want!r:.300} have {have!r:.300}"


class Walk:
    def __init__(self, server, seed, database):
        self.database = database  # an SQLite file to inspect; None: only the results
        self.s, self.r = server, random.Random(seed)
        self.m = Model()
        self.live = []  # (audit_id, model before), newest last

    def words(self):
        return " ".join(self.r.choice("kalibrálás mérés record review ŐRZÉS audit limit".split()) for _ in range(3))

    def nodes(self):
        return list(self.m.nodes())

    def content(self):
        content = [{"type": "text", "content": self.words()}]
        if self.r.random() < 0.3:
            nodes = self.nodes()
            target = self.r.choice(nodes).label() if nodes and self.r.random() < 0.9 else f"sec:{self.r.randint(900, 905)}"
            content.append({"type": "ref", "target": target})
        return content

    def new_block(self, depth=0):
        kind = self.r.choice(["paragraph"] * 5 + ["heading"] * 3 + ["section", "table", "list"])
        if kind == "paragraph":
            b = {"type": kind, "content": self.content()}
        elif kind == "heading":
            b = {"type": kind, "content": self.content(), "children": []}
        elif kind == "section":
            b = {"type": kind, "title": self.words(), "children": []}
        elif kind == "table":
            b = {"type": kind, "headers": ["a", "b"], "rows": [["1", "2"]]}
        else:
            b = {"type": kind, "ordered": False, "items": [self.words()]}
        if "children" in b and depth < 2:
            b["children"] = [self.new_block(depth + 1) for _ in range(self.r.choice([0, 0, 1, 3]))]
        if depth == 0 and self.r.random() < 0.15:
            b["label"] = self.r.choice(["app:risk%d" % self.r.randint(1, 30), "sec:%d" % self.r.randint(1, 20),
                                        "para:%d.%d" % (self.r.randint(1, 6), self.r.randint(1, 9)), "sec:900"])
        return b

    def place(self):
        nodes = self.nodes()
        boxes = [n for n in nodes if n.holds()]
        position = self.r.choice(["before", "after", "inside", "start", "end", "end", "after"])
        if position in ("before", "after"):
            return None, position, self.r.choice(nodes)
        if self.r.random() < 0.1 and position in ("start", "end"):
            return None, position, None
        return self.r.choice(boxes), position, None

    def attempt(self, tool, args, change):
        """Runs the same on both sides. Returns the result, or None if both refuse."""
        before = zlib.compress(pickle.dumps((self.m.top,)), 1)
        counters = dict(self.m.counters)
        try:
            want = change()
        except Refused as e:
            self.m.top, = pickle.loads(zlib.decompress(before))
            self.m.counters = counters
            want = e
        got = self.s.call("mcp_docjl_" + tool, {"document_id": "d", **args})["result"]
        if isinstance(want, Refused):
            if not got.get("isError"):
                raise AssertionError(f"{tool} {args} is done, the model refuses: {want}")
            return None, None
        if got.get("isError"):
            raise AssertionError(f"{tool} {args} is refused: {got['content'][0]['text']}")
        self.live.append((got["structuredContent"]["audit_id"], before))
        return want, got["structuredContent"]

    def step(self):
        nodes = self.nodes()
        safe = [n for n in nodes if n.parent is not self.m.top or n is not self.m.top.children[0]]
        safe = [n for n in safe if n.label() not in ("sec:1", "para:1.1")]
        what = self.r.random()
        if len(nodes) > CROWDED and what < 0.38:
            what = 0.8  # a small tree keeps a step cheap, so that many can be made
        names = lambda p, a: {k: v.label() for k, v in (("parent_label", p), ("anchor_label", a)) if v}
        if what < 0.38 or len(nodes) < 15:
            b = self.new_block()
            parent, position, anchor = self.place()
            args = {"block": copy.deepcopy(b), "position": position, **names(parent, anchor)}
            node, answer = self.attempt("insert_block", args, lambda: self.m.insert(b, parent, position, anchor))
            if node and node.label() != answer["block_label"]:
                raise AssertionError(f"inserted {answer['block_label']}, the model {node.label()}")
        elif what < 0.5:
            n = self.r.choice(safe)
            updates = {"compliance_note": self.words()} if n.type in ("table", "list", "section") else {"content": self.content()}
            if self.r.random() < 0.3:
                updates["label"] = self.r.choice(["sec:%d" % self.r.randint(1, 30), "app:x%d" % self.r.randint(1, 20),
                                                  "para:%d.%d" % (self.r.randint(1, 6), self.r.randint(1, 9))])
            self.attempt("update_block", {"block_label": n.label(), "updates": copy.deepcopy(updates)},
                         lambda: self.m.update(n, updates))
        elif what < 0.72 and safe:
            n = self.r.choice(safe)
            parent, position, anchor = self.place()
            if anchor is n:
                return
            args = {"block_label": n.label(), "position": position}
            args.update({("target_parent" if k == "parent_label" else k): v for k, v in names(parent, anchor).items()})
            done, answer = self.attempt("move_block", args, lambda: (self.m.move(n, parent, position, anchor), 1))
            if done and answer["new_label"] != n.label():
                raise AssertionError(f"moved to {answer['new_label']}, the model {n.label()}")
        elif what < 0.86 and safe and len(nodes) > 40:
            n = self.r.choice(safe)
            cascade = self.r.random() < 0.5
            done, answer = self.attempt("delete_block", {"block_label": n.label(), "cascade": cascade},
                                        lambda: self.m.delete(n, cascade))
            if done and (done[0] != answer["deleted_count"] or done[1] != sorted(answer["broken_references"])):
                raise AssertionError(f"deleted {answer}, the model {done}")
        elif what < 0.92:
            a, b = self.r.choice(nodes).label(), self.r.choice(nodes).label()
            pairs = [(a, b), (b, a)] if a != b and self.r.random() < 0.5 else [("sec:%d" % self.r.randint(900, 905), b)]
            done, answer = self.attempt("update_references", {"label_changes": [{"old": x, "new": y} for x, y in pairs]},
                                        lambda: (self.m.retarget(pairs), 1))
            if done and done[0] != answer["updated_count"]:
                raise AssertionError(f"redirected {answer}, the model {done}")
        elif self.live:
            self.undo()

    def undo(self):
        audit, before = self.live.pop()
        got = self.s.call("mcp_docjl_rollback", {"audit_id": audit})["result"]
        if got.get("isError"):
            raise AssertionError(f"rollback of {audit}: {got['content'][0]['text']}")
        self.m.top, = pickle.loads(zlib.decompress(before))

    def rows_differ(self):
        """Compares which labels are stored and which computed. Later writes depend on it, but no result shows it."""
        if not self.database:
            return ""
        below = {}
        with sqlite3.connect(self.database) as db:
            for uid, parent, name, run in db.execute("SELECT uid, parent, name, run FROM node ORDER BY parent, ord"):
                below.setdefault(parent, []).append((uid, (name, run is not None)))
        db.close()

        def walk(parent):
            for uid, label in below.get(parent, []):
                yield label
                yield from walk(uid)
        for n, have in zip(self.m.nodes(), walk(0)):
            if have != ((None, True) if n.at else (n.name, False)):
                return f"{n.label()}: kept name and run are {have}, the model has {n.name} and {n.at}"
        return ""

    def compare(self):
        have = self.s.call("mcp_docjl_get_document", {"document_id": "d"})["result"]["structuredContent"]["document"]["docjll"]
        want, have = normal(self.m.document()), normal(have)
        return self.rows_differ() if want == have else difference(want, have)


def run(where, args, steps):
    with Folder() as f, Stdio("docjl", "--tools", "all", *args, root=f.path) as s:
        w = Walk(s, SEED, None if args else os.path.join(f.path, "docjl.db"))
        blocks = [{"type": "heading", "level": 1, "content": [{"type": "text", "content": "One"}], "label": "sec:1",
                   "children": [{"type": "paragraph", "content": [{"type": "text", "content": "first"}], "label": "para:1.1"}]}]
        for i in range(2, 5):
            blocks.append({"type": "section", "title": f"Part {i}", "label": f"sec:{i}", "children": [
                {"type": "paragraph", "content": [{"type": "text", "content": "x"}], "label": f"para:{i}.{k}"} for k in (1, 2, 3)]})
        for b in blocks:
            w.m.insert(copy.deepcopy(b), None, "end", None)
        s.call("mcp_docjl_create_document", {"document": {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": blocks}})
        fault, first = w.compare(), normal(w.m.document())
        done = 0
        try:
            for done in range(steps):
                if fault:
                    break
                w.step()
                if done % 20 == 0:
                    fault = w.compare()
            fault = fault or w.compare()
        except AssertionError as e:
            fault = str(e)
        t.ok(not fault, f"{steps} random writes leave the tree, labels and references of the model, on {where}",
             f"step {done}: {fault}")
        if fault:
            return
        log = s.call("mcp_docjl_verify_audit", {"document_id": "d"})["result"]["structuredContent"]
        t.ok(log["valid"], f"the trail of {log['entries']} entries is sound, on {where}", log)
        try:
            while w.live and not fault:
                w.undo()
                if len(w.live) % 20 == 0:
                    fault = w.compare()
        except AssertionError as e:
            fault = str(e)
        t.ok(not fault and normal(w.m.document()) == first, f"rolled back one by one, it is the import again, on {where}", fault)
        errors = s.close()


run("SQLite", [], STEPS)
if Cluster.available():
    with Cluster() as pg:
        run("PostgreSQL", ["--store", pg.url], STEPS)
else:
    t.skip("random writes on PostgreSQL", "skipped: no PostgreSQL here")
t.done()
