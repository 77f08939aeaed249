#!/usr/bin/env python3
"""Reading a part of a manual gives what reading the whole and picking the part would give, on irregular documents too: sections,
depth, the outline, and a search by label. On a server each takes three round trips.

DOCUMENTS (12 on each store) and SEED may be set."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster, Proxy
from quire import QUIRE, Folder, Stdio, Tap

t = Tap()
DOCUMENTS = int(os.environ.get("DOCUMENTS", "12"))
SEED = int(os.environ.get("SEED", "3"))


def made(r, name):
    """A document whose labels are of every kind: positional, plain, named, dotted names far from their stems, containers with several
    prefixes, none at all; some flat."""
    labels, blocks = [], []

    def label(kind, above):
        choice = r.random()
        number = above.split(":", 1)[1] if above and above.split(":", 1)[1].replace(".", "").isdigit() else None
        prefix = {"paragraph": "para", "table": "tab", "list": "list"}.get(kind, r.choice(["sec", "sec", "sec", "app"]))
        if number and choice < 0.6:
            new = f"{prefix}:{number}.{r.randint(1, 400)}"
        elif choice < 0.7:
            new = f"{prefix}:{r.randint(1, 40)}"
        elif choice < 0.8:
            new = f"{prefix}:{r.randint(1, 9)}.{r.randint(1, 9)}"  # of a container elsewhere, or of none
        elif choice < 0.9:
            new = f"{prefix}:name{r.randint(1, 90)}"
        else:
            return None
        if new in labels:
            return None
        labels.append(new)
        return new

    def block(depth, above):
        kind = r.choice(["paragraph"] * 4 + ["heading"] * 3 + ["section", "table", "list"])
        own = label(kind, above)
        if kind == "paragraph":
            b = {"type": kind, "content": [{"type": "text", "content": "w" * r.randint(1, 9)}]}
            for _ in range(r.choice([0, 0, 1, 2])):
                b["content"].append({"type": "ref", "target": r.choice(labels) if labels and r.random() < 0.8 else "sec:99.99"})
        elif kind == "table":
            b = {"type": kind, "headers": ["a"], "rows": [["1"]]}
        elif kind == "list":
            b = {"type": kind, "ordered": False, "items": [[{"type": "ref", "target": r.choice(labels or ["x:1"])}]]}
        else:
            b = {"type": kind, "children": []}
            b.update({"title": "T"} if kind == "section" else {"level": r.randint(1, 6), "content": [{"type": "text", "content": "H"}]})
            if depth < 5 and not flat:
                b["children"] = [block(depth + 1, own or above) for _ in range(r.choice([0, 1, 2, 5]))]
        if own:
            b["label"] = own
        return b
    flat = r.random() < 0.25
    for _ in range(r.choice([3, 12, 30])):
        blocks.append(block(1, None))
    return {"id": name, "metadata": {"title": "T", "version": "1"}, "docjll": blocks}


def cut(block, depth):
    """The block as get_document writes it with so many levels."""
    if "children" not in block:
        return block
    if depth != 1:
        return {**block, "children": [cut(b, depth - 1) for b in block["children"]]}
    short = {k: v for k, v in block.items() if k != "children"}
    return {**short, "children_omitted": len(block["children"])} if block["children"] else short


def sections(blocks, wanted):
    for b in blocks:
        if b.get("label") in wanted:
            yield b
        else:
            yield from sections(b.get("children", []), wanted)


def all_blocks(blocks, above=()):
    for b in blocks:
        path = (*above, b.get("label", "(no label)"))
        yield b, list(path)
        yield from all_blocks(b.get("children", []), path)


def outline(blocks, depth, most, above=0):
    """The outline of a list of siblings; containers of a flat document are nested by level. Takes from the list what it used."""
    found = []
    while blocks:
        b = blocks[0]
        level = b.get("level", depth)
        if b["type"] == "heading" and level <= above:
            break
        blocks.pop(0)
        one = {"level": level, "label": b.get("label"), "title": b.get("title", "H")}
        below = [c for c in b.get("children", []) if "children" in c]
        deeper = lambda: blocks and blocks[0]["type"] == "heading" and blocks[0]["level"] > level
        nests = not below and b["type"] == "heading" and deeper()
        if (below or nests) and depth < most:
            one["children"] = outline(blocks if nests else below, depth + 1, most, level if nests else 0)
        while nests and deeper():
            blocks.pop(0)
        found.append(one)
    return found


def check(s, r, name, given):
    def call(tool, **more):
        got = s.call("mcp_docjl_" + tool, {"document_id": name, **more})["result"]
        return json.loads(got["content"][0]["text"]) if got.get("isError") else got["structuredContent"]
    whole = call("get_document")["document"]["docjll"]
    known = [(b, p) for b, p in all_blocks(whole)]
    labelled = [b["label"] for b, _ in known if "label" in b]
    for _ in range(14):
        wanted = r.sample(labelled, min(len(labelled), r.choice([1, 1, 2, 5, 20])))
        depth = r.choice([0, 0, 1, 2, 3, 9])
        got = call("get_document", sections=wanted + wanted[:1], **({"depth": depth} if depth else {}))["document"]["docjll"]
        want = [cut(b, depth) for b in sections(whole, wanted)]
        if got != want:
            return f"sections {wanted} depth {depth}: want {want} have {got}"
    for depth in (1, 2, 3, 50):
        got, want = call("get_document", depth=depth)["document"]["docjll"], [cut(b, depth) for b in whole]
        if got != want:
            return f"depth {depth}: want {want} have {got}"
        got, want = call("list_headings", max_depth=depth)["outline"], outline([b for b in whole if "children" in b], 1, depth)
        if got != want:
            return f"outline {depth}: want {want} have {got}"
    for b, path in r.sample(known, min(len(known), 12)):
        bare = {k: v for k, v in b.items() if k != "children"}
        query = {"label": b.get("label", "nothing:0")}
        for key, value in (("type", r.choice([b["type"], "table"])), ("level", r.randint(1, 6)), ("has_label", r.random() < 0.5),
                           ("content_contains", "W"), ("has_compliance_note", False), ("label_prefix", b.get("label", "")[:5] or "x")):
            if r.random() < 0.25:
                query[key] = value
        holds = "label" in b and all({"type": lambda v: b["type"] == v, "level": lambda v: b.get("level") == v, "label": lambda v: True,
                 "has_label": lambda v: v == (b["label"] in given), "content_contains": lambda v: "w" in json.dumps(b.get("content", "")),
                 "has_compliance_note": lambda v: True, "label_prefix": lambda v: True}[k](v) for k, v in query.items())
        got = call("search_blocks", query=query)
        want = [{"label": b["label"], "block": bare, "path": path}] if holds else []
        if got["results"] != want or got["total"] != len(want):
            return f"{query}: want {want} have {got}"
    got = call("get_document", sections=["sec:no-such"])
    return "" if got.get("error", {}).get("code") == "BLOCK_NOT_FOUND" else f"a missing section: {got}"


def compare(where, *args):
    r, fault, n, given = random.Random(SEED), "", 0, []
    with Folder() as f:
        for i in range(DOCUMENTS):
            document = made(r, f"m{i}")
            given.append({b["label"] for b, _ in all_blocks(document["docjll"]) if "label" in b})
            f.write(f"m{i}.json", json.dumps(document))
            more = ["--keep-unlabelled"] if i % 3 == 0 else []
            done = subprocess.run([QUIRE, "import", "docjl", os.path.join(f.path, f"m{i}.json"), "--root", f.path, *more, *args], capture_output=True, text=True)
            assert not done.returncode, done
        with Stdio("docjl", "--tools", "all", *args, root=f.path) as s:
            for n in range(DOCUMENTS):
                fault = fault or check(s, r, f"m{n}", given[n])
    t.ok(not fault, f"parts of {DOCUMENTS} documents are as in the whole, {where}", f"SEED {SEED}: {fault}")


compare("on SQLite")
if not Cluster.available():
    t.skip("parts on a server", "no PostgreSQL here")
    t.done()
with Cluster() as pg:
    compare("on PostgreSQL", "--store", pg.url)
    chapters = [{"type": "section", "title": f"C{c}", "label": f"sec:{c}", "children": [
        {"type": "section", "title": "S", "label": f"sec:{c}.{i}", "children": [
            {"type": "paragraph", "label": f"para:{c}.{i}.{k}", "content": [{"type": "ref", "target": f"para:{3 - c}.{i}.{k}"}]} for k in range(1, 9)]}
        for i in range(1, 9)]} for c in (1, 2)]
    with Folder() as f, Proxy(pg) as proxy, Stdio("docjl", "--store", proxy.url, root=f.path) as s:
        s.call("mcp_docjl_create_document", {"document": {"id": "d", "metadata": {"title": "T", "version": "1"}, "docjll": chapters}})
        reads = {
            "a leaf": ("get_document", {"sections": ["para:1.3.5"]}),
            "several sections": ("get_document", {"sections": ["sec:2.3", "para:1.7.1", "sec:1.2", "sec:1"]}),
            "two levels": ("get_document", {"depth": 2}),
            "the outline": ("list_headings", {}),
            "a search by label": ("search_blocks", {"query": {"label": "para:2.8.8"}}),
        }
        for what, (tool, more) in reads.items():
            s.call("mcp_docjl_" + tool, {"document_id": "d", **more})
            before = proxy.trips()
            got = s.call("mcp_docjl_" + tool, {"document_id": "d", **more})["result"]
            t.ok(not got.get("isError") and 0 < proxy.trips() - before <= 3, f"{what} takes at most three round trips", (proxy.trips() - before, got))
t.done()
