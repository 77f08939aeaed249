#!/usr/bin/env python3
"""Nothing deletes blocks without the consent that the configuration requires: not delete_block, apply, rollback or --replace."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Http, Stdio, Tap

t = Tap()


def para(words, label):
    return {"type": "paragraph", "content": [{"type": "text", "content": words}], "label": label}


DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    {"type": "section", "title": "One", "label": "sec:1", "children": [para("a", "para:1.1"), para("b", "para:1.2")]},
    {"type": "paragraph", "content": [{"type": "ref", "target": "para:1.2"}], "label": "para:9"}]}
NEW = {"op": "insert_block", "parent_label": "sec:1", "block": {"type": "paragraph", "content": "c"}}


def drop(label, **more):
    return {"op": "delete_block", "block_label": label, **more}


def call(s, tool, **arguments):
    if tool not in ("create_document", "rollback"):
        arguments.setdefault("document_id", "d")
    got = s.call("mcp_docjl_" + tool, arguments)["result"]
    return json.loads(got["content"][0]["text"]) if got.get("isError") else got["structuredContent"]


def code(got):
    return got.get("error", {}).get("code")


def body(s):
    got = call(s, "get_document")
    return got["document"]["docjll"], got["revision"]


CONFIG = {"quire.toml": "[kinds.docjl]\nconfirm_delete = 'flag'\n", "d.json": json.dumps(DOCUMENT)}
with Folder(CONFIG) as f:
    config = ["--config", os.path.join(f.path, "quire.toml")]
    with Stdio("docjl", "--tools", "all", *config, root=f.path) as s:
        call(s, "create_document", document=DOCUMENT)
        put = call(s, "insert_block", parent_label="sec:1", block={"type": "paragraph", "content": "c"})
        before = body(s)
        undo = {"audit_id": put["audit_id"]}
        ways = {
            "delete_block": ("delete_block", {"block_label": "sec:1", "cascade": True}, 4, ["sec:1"], ["para:9 -> para:1.2"]),
            "apply": ("apply", {"operations": [NEW, drop("para:1.1"), drop("para:1.2")]}, 2, ["para:1.1", "para:1.2"], ["para:9 -> para:1.2"]),
            "apply with consent to one of two": ("apply", {"operations": [drop("para:1.1", confirm=True), drop("para:9")]}, 2, ["para:1.1", "para:9"], []),
            "the rollback of an insert": ("rollback", undo, 1, ["para:1.3"], []),
        }
        for way, (tool, arguments, n, labels, broken) in ways.items():
            got = call(s, tool, **arguments)
            t.same(code(got), "CONFIRMATION_REQUIRED", f"{way} is refused without consent")
            details = got["error"]["details"]
            t.same((details["deleted_count"], details["deleted"], details["broken_references"]), (n, labels, broken), "details show what would go")
            t.ok("confirm: true" in got["error"]["message"], "the message says how to go on", got)
            t.same(body(s), before, "nothing was changed")
            t.ok(call(s, tool, dry_run=True, **arguments).get("dry_run"), "a dry run needs no consent")
        t.same(body(s), before, "nor does it change anything")
        t.same(code(call(s, "apply", operations=[NEW], confirm="yes")), "INVALID_COMMAND", "confirm must be true or false")
        t.same(code(call(s, "rollback", confirm=1, **undo)), "INVALID_COMMAND", "for rollback too")
        t.ok(call(s, "apply", operations=[NEW]).get("success"), "operations that delete nothing need no consent")
        t.ok(call(s, "apply", operations=[drop("para:1.4")], confirm=True).get("success"), "confirm of apply holds for all its operations")
        t.ok(call(s, "apply", operations=[drop("para:1.1", confirm=True)]).get("success"), "so does consent given by each")
        t.ok(call(s, "rollback", confirm=True, **undo).get("success"), "rollback takes confirm: true")
        gone = call(s, "delete_block", block_label="para:9", confirm=True)
        back = call(s, "rollback", audit_id=gone["audit_id"])
        t.ok(back.get("success"), "a rollback that brings blocks back needs no consent", back)
        t.same(code(call(s, "rollback", audit_id=back["audit_id"])), "CONFIRMATION_REQUIRED", "undoing that deletes again")
        log = call(s, "get_audit_log", include_refused=True)["entries"]
        refused = [e for e in log if e.get("result") == "refused"]
        t.ok({e["details"]["code"] for e in refused} == {"CONFIRMATION_REQUIRED"}, "the auditor sees what was refused", refused)
    done = subprocess.run([QUIRE, "import", "docjl", os.path.join(f.path, "d.json"), "--replace", "--root", f.path, *config], capture_output=True, text=True)
    t.ok(done.returncode == 0, "in the shell --replace is the consent", done)
    with Http("docjl", "--tools", "all", *config, root=f.path) as s:
        for tool, params in (("delete_block", {"block_label": "para:9"}), ("apply", {"operations": [drop("para:9")]})):
            status, _, got = s.raw(body=json.dumps({"method": "mcp_docjl_" + tool, "params": {"document_id": "d", **params}}))
            t.same((status, code(json.loads(got))), (409, "CONFIRMATION_REQUIRED"), f"{tool}: 409 in the plain form")

with Folder() as f, Stdio("docjl", "--tools", "all", root=f.path, capabilities={"elicitation": {}}) as s:
    def asked(tool, answer, **arguments):
        s.send({"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": {"name": "mcp_docjl_" + tool, "arguments": arguments}})
        question = s.receive()
        s.send({"jsonrpc": "2.0", "id": question["id"], "result": answer})
        return question["params"]["message"], json.loads(s.receive()["result"]["content"][0]["text"])
    yes, no = {"action": "accept", "content": {"confirm": True}}, {"action": "decline"}
    call(s, "create_document", document=DOCUMENT)
    put = call(s, "insert_block", parent_label="sec:1", block={"type": "paragraph", "content": "c"})
    before = body(s)
    operations = [drop("para:1.2"), NEW]
    words, got = asked("apply", no, document_id="d", operations=operations)
    t.ok("2 changes in d" in words and "1 block " in words and "1 reference." in words, "apply asks, with the counts", words)
    t.same((code(got), body(s)), ("CONFIRMATION_REQUIRED", before), "declined: nothing is changed")
    words, got = asked("apply", {"action": "accept", "content": {"confirm": False}}, document_id="d", operations=operations)
    t.same((code(got), body(s)), ("CONFIRMATION_REQUIRED", before), "so it is with a form that says no")
    words, got = asked("rollback", no, audit_id=put["audit_id"])
    t.ok("insert_block" in words and "1 block " in words, "the rollback of an insert asks", words)
    t.same((code(got), body(s)), ("CONFIRMATION_REQUIRED", before), "declined: nothing is changed")
    t.ok(asked("rollback", yes, audit_id=put["audit_id"])[1].get("success"), "agreed: done")
    t.ok(asked("apply", yes, document_id="d", operations=operations)[1].get("success"), "apply too")
    t.ok(call(s, "apply", document_id="d", operations=[drop("para:9", confirm=True)]).get("success"), "who has consent is not asked")
t.done()
