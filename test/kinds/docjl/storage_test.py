#!/usr/bin/env python3
"""Errors of the store: a full disk, permissions, tables of a later version, rows that another session has locked. Each time the
advice is followed and the same call works. With --read-only nothing is created."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import QUIRE, Folder, Http, Stdio, Tap, quire_for_all

t = Tap()
PARA = {"type": "paragraph", "content": "x"}
DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [{**PARA, "label": "para:1"}]}
KEY = "k" * 40


def call(server, tool, **arguments):
    if tool not in ("create_document", "list_documents", "rollback"):
        arguments.setdefault("document_id", "d")
    result = server.call("mcp_docjl_" + tool, arguments)["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


def refused(got, claim, *words):
    message = got.get("error", {}).get("message", "")
    t.ok(message and all(w in message for w in words), claim, got)


def update(server, words="y"):
    return call(server, "update_block", block_label="para:1", updates={"content": words})


# --- read-only -----------------------------------------------------------------------------------------
with Folder() as f:
    with Stdio("docjl", "--read-only", root=f.path) as s:
        t.same(call(s, "list_documents"), {"documents": []}, "with --read-only a missing database is an empty list")
        refused(call(s, "get_document"), "and holds no document", "mcp_docjl_list_documents")
    t.same(os.listdir(f.path), [], "and no file is made")

# --- an import is not rolled back, it is repeated ------------------------------------------------------
with Folder({"d.json": json.dumps(DOCUMENT)}) as f:
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call(s, "create_document", document=DOCUMENT)
        update(s)
        refused(call(s, "rollback", audit_id="audit_d_1"), "an import is not rolled back", "quire docjl import FILE --replace")
        done = subprocess.run([QUIRE, "docjl", "import", os.path.join(f.path, "d.json"), "--replace", "--root", f.path],
                              capture_output=True, text=True)
        t.ok(done.returncode == 0, "the command that the refusal names works beside the server", done)
        t.same(call(s, "get_document")["document"]["docjll"][0]["content"][0]["content"], "x", "and brings the first words back")
        t.ok(call(s, "verify_audit")["valid"], "the trail goes on")


# --- a disk that is full: a small file system of its own, in a namespace that ends with the server --------
def small_disk(folder):
    inner = os.path.join(folder, "disk")
    os.mkdir(inner)
    script = os.path.join(folder, "quire")
    with open(script, "w", encoding="utf-8") as out:
        out.write(f"#!/bin/sh\nmount -t tmpfs -o size=1m none {inner} || exit 1\nexec {QUIRE} \"$@\"\n")
    os.chmod(script, 0o755)
    wrapped = os.path.join(folder, "wrapped")
    with open(wrapped, "w", encoding="utf-8") as out:
        out.write(f"#!/bin/sh\nexec unshare {'' if os.getuid() == 0 else '-r'} -m {script} \"$@\"\n")
    os.chmod(wrapped, 0o755)
    probe = subprocess.run([wrapped, "version"], capture_output=True)
    return (wrapped, inner) if not probe.returncode else (None, None)


with Folder() as f:
    wrapped, disk = small_disk(f.path)
    if not wrapped:
        t.skip("a full disk is told", "no file system can be mounted here")
    else:
        with Stdio("docjl", "--tools", "all", root=disk, quire=wrapped) as s:
            t.ok(call(s, "create_document", document=DOCUMENT).get("success"), "a manual on a small disk")
            filler = f"/proc/{s.process.pid}/root{disk}/filler"
            with open(filler, "wb", buffering=0) as out:
                try:
                    while out.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            got = {}
            for i in range(50):  # the log has some space left
                got = update(s, "z" * 20000 + str(i))
                if "error" in got:
                    break
            refused(got, "a write to a full disk is refused", "disk is full", "free some space")
            before = call(s, "get_audit_log")["entries"][0]["audit_id"]
            os.unlink(filler)
            got = update(s, "small")
            t.ok(got.get("success"), "after freeing some space the same call works", got)
            t.same(int(got["audit_id"].rsplit("_", 1)[1]), int(before.rsplit("_", 1)[1]) + 1, "the refused one left no trace in the chain")
            t.ok(call(s, "verify_audit")["valid"], "which is sound")

# --- permissions ----------------------------------------------------------------------------------------
with Folder() as f:
    with Stdio("docjl", root=f.path) as s:
        call(s, "create_document", document=DOCUMENT)
    path = os.path.join(f.path, "docjl.db")
    os.chmod(path, 0o444)
    os.chmod(f.path, 0o555)
    nobody = os.path.join(f.path + ".nobody")
    if os.getuid() == 0 and shutil.which("setpriv"):
        with open(nobody, "w", encoding="utf-8") as out:
            out.write(f"#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent {quire_for_all()} \"$@\" --state {f.path}.state\n")
        os.chmod(nobody, 0o755)
        os.makedirs(f.path + ".state")
        os.chown(f.path + ".state", 65534, 65534)
    if os.getuid() != 0 or not os.path.exists(nobody):
        t.skip("a file that may not be written is told", "needs root, to become somebody else")
    else:
        with Stdio("docjl", root=f.path, quire=nobody) as s:
            refused(update(s), "a file that this process may not write is told", "permission")
        os.chmod(f.path, 0o777)
        os.chmod(path, 0o666)
        with Stdio("docjl", root=f.path, quire=nobody) as s:
            got = update(s)
            t.ok(got.get("success"), "with the permissions mended the same call works", got)
    os.chmod(f.path, 0o755)
    shutil.rmtree(f.path + ".state", ignore_errors=True)
    if os.path.exists(nobody):
        os.unlink(nobody)

if not Cluster.available():
    t.skip("a server's locks and versions", "no PostgreSQL here")
    t.done()

with Cluster() as pg, Folder() as f:
    with Stdio("docjl", "--tools", "all", "--store", pg.url, root=f.path) as s:
        call(s, "create_document", document=DOCUMENT)
        # --- another session locks the document's row ---
        psql = subprocess.Popen([pg.bin + "/psql", "-X", "-q", "-A", "-t", pg.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        psql.stdin.write("BEGIN; SELECT 1 FROM doc FOR UPDATE;\n")
        psql.stdin.flush()
        psql.stdout.readline()
        t.same(call(s, "get_document")["document"]["id"], "d", "while a session keeps the row locked, reads go on")
        refused(update(s), "a write is refused after a wait", "locked", "try again in a moment")
        psql.stdin.write("ROLLBACK;\n")
        psql.stdin.close()
        psql.wait()
        t.ok(update(s).get("success"), "tried again, as advised, it works")
        t.same(len(call(s, "get_audit_log")["entries"]), 2, "and stands once in the trail")
    # --- tables of a later version ---
    pg.sql("UPDATE quire_schema SET version = version + 97 WHERE name = 'docjl'")
    with Stdio("docjl", "--store", pg.url, root=f.path) as s:
        refused(call(s, "list_documents"), "tables of a later version are refused", "version 99", "newer quire")
        pg.sql("UPDATE quire_schema SET version = version - 97 WHERE name = 'docjl'")
        t.same(len(call(s, "list_documents")["documents"]), 1, "with a quire of that version the same call works")
    # --- notifications do not count, over all servers ---
    f.write("keys.json", json.dumps([{"api_key": KEY, "name": "lab", "allowed_documents": ["*"]}]))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    args = ["docjl", "--store", pg.url, "--keys", os.path.join(f.path, "keys.json")]
    with Http(*args, root=f.path, key=KEY) as a, Http(*args, root=f.path, key=KEY) as b:
        hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}})
        notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
        sessions = [{"Mcp-Session-Id": x.raw(body=hello)[1]["mcp-session-id"]} for x in (a, b)]
        told = {(a, b)[i % 2].raw(body=notice, headers=sessions[i % 2])[0] for i in range(110)}
        t.same(told, {202}, "110 notifications are taken")
        ask = json.dumps({"method": "mcp_docjl_list_documents", "params": {}})
        statuses = [(a, b)[i % 2].raw(body=ask)[0] for i in range(99)]
        t.same((statuses.count(200), statuses[-1]), (98, 429), "and do not count: with the two initialize 98 requests pass on two servers, the next does not")
t.done()
