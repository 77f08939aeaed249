#!/usr/bin/env python3
"""Answers of manuals over MCP are short: a document comes in pages of one revision, entries of the trail are brief, lists of
changed labels are cut and counted. The plain form returns everything. Both on SQLite and on PostgreSQL."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import Folder, Http, Stdio, Tap

t = Tap()
WORDS = "The calibration of the balance is checked before use and recorded with date and signature. "
MAX = 60000


def para(label, n):
    return {"type": "paragraph", "label": label, "content": [{"type": "text", "content": WORDS * n}]}


DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": [{"type": "text", "content": f"Chapter {c}"}], "label": f"sec:{c}", "children": [
        {"type": "heading", "level": 2, "content": [{"type": "text", "content": f"Part {p}"}], "label": f"sec:{c}.{p}", "children": [
            para(f"para:{c}.{p}.{i}", 1 + (c * p * i) % 5) for i in range(1, 31)]} for p in range(1, 8)]} for c in range(1, 5)] + [
    {"type": "table", "label": "tab:1", "headers": ["a"], "rows": [["b"]]}]}


def merged(pages):
    """The document of all pages: a container that continues gets more children."""
    top = []

    def join(into, blocks):
        for b in blocks:
            b = dict(b)
            b.pop("children_omitted", None)
            if b.pop("continued", False):
                assert into[-1]["label"] == b["label"], (into[-1]["label"], b["label"])
                join(into[-1]["children"], b["children"])
            else:
                children = b.pop("children", None)
                if children is not None:
                    b["children"] = []
                    join(b["children"], children)
                into.append(b)
    for page in pages:
        join(top, page)
    return top


def blocks_of(blocks):
    return sum(1 + blocks_of(b.get("children", [])) for b in blocks)


def reads(call, where):
    whole = call("get_document", answer_whole=True)
    t.ok("next_cursor" not in whole and whole["document"]["docjll"] == DOCUMENT["docjll"], f"asked for whole, the document comes whole, on {where}")
    for name, args, want in (("the document", {}, DOCUMENT["docjll"]), ("sections", {"sections": ["sec:2", "sec:4.3", "sec:4"]}, [DOCUMENT["docjll"][1], DOCUMENT["docjll"][3]])):
        pages, cursor, sizes, n = [], {}, [], 0
        while len(pages) < 50:
            got = call("get_document", **args, **cursor)
            sizes.append(call.size)
            pages.append(got["document"]["docjll"])
            n += got["blocks_returned"]
            if "next_cursor" not in got:
                break
            cursor = {"cursor": got["next_cursor"]}
        t.ok(len(pages) > 1 and max(sizes) <= MAX, f"{name} in pages of at most {MAX} characters, on {where}", sizes)
        t.ok(min(sizes[:-1]) > MAX // 3, "that are not much shorter", sizes)
        t.ok(merged(pages) == want and n == blocks_of(want), "which together are all", (n, blocks_of(want)))
    first = call("get_document")
    t.ok(first["blocks_count"] == blocks_of(DOCUMENT["docjll"]) and first["document"]["docjll"][-1]["children_omitted"] > 0,
         "a page says how much there is, and where it is cut", {k: v for k, v in first.items() if k != "document"})
    depth = call("get_document", depth=2)
    t.ok("next_cursor" not in depth and depth["document"]["docjll"][0]["children"][0]["children_omitted"] == 30, "a depth that fits comes at once")
    call("update_block", block_label="tab:1", updates={"caption": "C"})
    got = call("get_document", cursor=first["next_cursor"])
    t.ok("changed since the page before" in got.get("error", {}).get("message", ""), "after a change the next page says how to begin again", got)
    got = call("get_document", cursor="r2-999999")
    t.ok("begin again" in got.get("error", {}).get("message", ""), "a cursor of another call is refused", got)
    got = call("get_document", cursor="x")
    t.ok("leave it out" in got.get("error", {}).get("message", ""), "and one that is none", got)


def writes(call, where):
    got = call("insert_block", block=para("x", 1) | {"label": None}, parent_label="sec:1.1", position="start")
    t.ok(len(got["affected_labels"]) == 31 and got["affected_count"] == 31, f"a short list of labels comes whole, on {where}", got)
    got = call("insert_block", block={"type": "heading", "level": 2, "content": "new"}, parent_label="sec:1", position="start")
    t.ok(len(got["affected_labels"]) == 50 and len(got["label_changes"]) == 50 and got["affected_count"] == 1 + 7 + 211,
         "a long one is cut at 50, with the count", {k: v for k, v in got.items() if k not in ("affected_labels", "label_changes")})
    t.ok(call.size < 6000, "so the answer is short", call.size)
    for tool, args, gone in (
            ("insert_block", {"block": {"type": "paragraph", "content": "n"}, "parent_label": "sec:2", "position": "start"}, ("affected_labels", "label_changes")),
            ("update_block", {"block_label": "para:3.1.1", "updates": {"content": "n"}}, ("previous_version",)),
            ("move_block", {"block_label": "sec:3.2", "target_parent": "sec:4", "position": "start"}, ("affected_labels",)),
            ("delete_block", {"block_label": "para:3.1.2", "renumber": True}, ("broken_references", "label_changes"))):
        got = call(tool, brief=True, **args)
        t.ok(got.get("success") and not [k for k in gone if k in got] and "affected_count" in got and call.size < 1000, f"{tool} is brief if asked", got)
    log = call("get_audit_log", limit=3)
    t.ok(call.size <= 5000, "three entries of the trail have at most 5,000 characters", call.size)
    t.ok(all(len(json.dumps(e["details"], ensure_ascii=False, separators=(",", ":"))) <= 200 for e in log["entries"]), "each with a summary of at most 200", log)
    t.ok(log["entries"][1]["details"]["from"] == "sec:3" and log["entries"][0]["details"]["block"].startswith("The calibration"),
         "that says what happened", log["entries"])
    whole = call("get_audit_log", limit=1, full_details=True)
    t.ok(whole["entries"][0]["details"]["block"]["label"] == "para:3.1.2", "and whole details on request", whole)


def caller(server):
    def call(tool, **arguments):
        if tool not in ("create_document", "rollback"):
            arguments.setdefault("document_id", "d")
        got = server.call("mcp_docjl_" + tool, arguments)["result"]
        call.size = sum(len(c["text"]) for c in got["content"]) + len(json.dumps(got.get("structuredContent", ""), ensure_ascii=False, separators=(",", ":")))
        return json.loads(got["content"][0]["text"])
    return call


def tried(where, *args):
    with Folder() as f:
        with Stdio("docjl", "--tools", "all", *args, root=f.path) as s:
            call = caller(s)
            call("create_document", document=DOCUMENT)
            reads(call, where)
            writes(call, where)


tried("SQLite")
with Folder() as f:
    with Http("docjl", root=f.path) as h:
        h.raw(body=json.dumps({"method": "mcp_docjl_create_document", "params": {"document": DOCUMENT}}))
        status, _, body = h.raw(body=json.dumps({"method": "mcp_docjl_get_document", "params": {"document_id": "d"}}))
        t.ok(status == 200 and json.loads(body)["document"]["docjll"] == DOCUMENT["docjll"], "the plain form returns the whole document", body[:300])
if Cluster.available():
    with Cluster() as pg:
        tried("PostgreSQL", "--store", pg.url)
else:
    t.skip("the same on a server", "no PostgreSQL here")
t.done()
