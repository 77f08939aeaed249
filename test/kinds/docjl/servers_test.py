#!/usr/bin/env python3
"""Three servers on one PostgreSQL database, 16 clients, one document; limits over all servers; crashes during writes."""
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import Folder, Http, Stdio, Tap, wait_for

t = Tap()
PARA = {"type": "paragraph", "content": "x"}
DOCUMENT = {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": "One", "label": "sec:1", "children": []}]}
KEY = "k" * 40


def plain(server, tool, key=None, **params):
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = "Bearer " + key
    status, head, body = server.raw("POST", "/mcp", json.dumps({"method": "mcp_docjl_" + tool, "params": params}), headers)[:3]
    return status, json.loads(body or b"{}"), head


def trail(server, **more):
    entries, cursor = [], None
    while True:
        _, page, _ = plain(server, "get_audit_log", document_id="d", limit=1000, **({"cursor": cursor} if cursor else {}), **more)
        entries += page["entries"]
        cursor = page.get("next_cursor")
        if not cursor:
            return entries


def labels(server):
    _, got, _ = plain(server, "get_document", document_id="d")
    return [b["label"] for b in got["document"]["docjll"][0].get("children", [])], got


def open_limits(folder):
    folder.write("quire.toml", "[mcp_server.rate_limit]\nrequests_per_minute = 0\nwrites_per_minute = 0\n")
    return ["--config", os.path.join(folder.path, "quire.toml")]


def many_writers(args, servers, where, writers=16, each=6):
    """All clients insert at the front at the same time."""
    ids, faults = [], []

    def work(i):
        for _ in range(each):
            status, got, _ = plain(servers[i % len(servers)], "insert_block", document_id="d", parent_label="sec:1",
                                   position="start", block=PARA)
            if status == 200:
                ids.append(got["audit_id"])
            else:
                faults.append(got)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(writers)]
    [x.start() for x in threads]
    [x.join() for x in threads]
    n = writers * each
    t.ok(not faults and len(set(ids)) == n, f"{writers} clients of {len(servers)} servers write {n} times, {where}", faults[:3])
    have, _ = labels(servers[0])
    t.same(have, [f"para:1.{i}" for i in range(1, n + 1)], f"the result is one of writing one after the other, {where}")
    seqs = sorted(int(e["audit_id"].rsplit("_", 1)[1]) for e in trail(servers[-1]))
    t.same(seqs, list(range(1, n + 2)), f"the trail has no gap and no repeat, {where}")


with Folder() as f:
    with Http("docjl", *open_limits(f), root=f.path) as s:
        plain(s, "create_document", document=DOCUMENT)
        many_writers([], [s], "on SQLite")

with Folder() as f:
    acknowledged = []
    for _ in range(4):
        s = Stdio("docjl", root=f.path)
        if not acknowledged:
            s.call("mcp_docjl_create_document", {"document": DOCUMENT})
        threading.Timer(0.25, lambda: s.process.send_signal(signal.SIGKILL)).start()
        try:
            while True:
                got = s.call("mcp_docjl_insert_block", {"document_id": "d", "parent_label": "sec:1", "position": "start",
                                                       "block": PARA})
                acknowledged.append(got["result"]["structuredContent"]["audit_id"])
        except Exception:
            pass
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        seen, more = set(), {}
        while more is not None:
            page = s.call("mcp_docjl_get_audit_log", {"document_id": "d", "limit": 1000, **more})["result"]["structuredContent"]
            seen |= {e["audit_id"] for e in page["entries"]}
            more = {"cursor": page["next_cursor"]} if "next_cursor" in page else None
        t.ok(acknowledged and set(acknowledged) <= seen, f"after kill -9 all {len(acknowledged)} acknowledged writes are there (SQLite)")
        children = s.call("mcp_docjl_get_document", {"document_id": "d", "answer_whole": True})["result"]["structuredContent"]["document"]["docjll"][0][
            "children"]
        t.same(len(children), len(seen) - 1, "and each entry of the trail has its block")
        t.ok(s.call("mcp_docjl_verify_audit", {"document_id": "d"})["result"]["structuredContent"]["valid"], "and the chain is sound")

if not Cluster.available():
    t.skip("servers share a database", "skipped: no PostgreSQL here")
    t.done()

with Cluster("-c fsync=on") as pg, Folder() as f:
    args = ["docjl", "--store", pg.url, *open_limits(f)]
    with Http(*args, root=f.path) as a, Http(*args, root=f.path) as b, Http(*args, root=f.path) as c:
        plain(a, "create_document", document=DOCUMENT)
        many_writers(args, [a, b, c], "on PostgreSQL")
        # --- the database is killed in the middle of writes and comes back ---
        done, refused, stop = [], [], threading.Event()

        def keep_writing(server):
            while not stop.is_set():
                try:
                    status, got, _ = plain(server, "insert_block", document_id="d", parent_label="sec:1", block=PARA)
                except (OSError, http.client.HTTPException):
                    return  # this server was killed
                (done if status == 200 else refused).append(got)
        threads = [threading.Thread(target=keep_writing, args=(s,)) for s in (a, b, c)]
        [x.start() for x in threads]
        wait_for(lambda: len(done) > 20)
        c.process.send_signal(signal.SIGKILL)
        before = len(done)
        t.ok(wait_for(lambda: len(done) > before + 10) and not refused, "a server is killed, and the others write on", refused[:2])
        pg.kill()
        wait_for(lambda: refused)
        time.sleep(0.5)
        pg.start()
        before = len(done)
        t.ok(wait_for(lambda: len(done) > before + 10), "the servers write again once the database is back", refused[-2:])
        stop.set()
        [x.join() for x in threads]
        t.ok(all(r["error"]["code"] == "INTERNAL_ERROR" for r in refused), "meanwhile writes are refused in words", refused[:2])
        seen = {e["audit_id"] for e in trail(a)}
        t.ok({d["audit_id"] for d in done} <= seen, f"all {len(done)} acknowledged writes are there after the crash of PostgreSQL")
        have, _ = labels(b)
        t.same(len(have), len(seen) - 1, "and none is half there")
        # --- yesterday's backup is restored under the running servers ---
        head = plain(a, "verify_audit", document_id="d")[1]["head"]
        backup = os.path.join(f.path, "backup.sql")
        subprocess.run([pg.bin + "/pg_dump", "-f", backup, pg.url], check=True)
        plain(a, "insert_block", document_id="d", parent_label="sec:1", block=PARA)
        later = plain(b, "verify_audit", document_id="d")[1]["head"]
        pg.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        subprocess.run([pg.bin + "/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", pg.url, "-f", backup], check=True, stdout=subprocess.DEVNULL)
        t.same([len(labels(s)[0]) for s in (a, b)], [len(have)] * 2, "after a restore every server shows the restored document")
        t.same(plain(b, "verify_audit", document_id="d", anchor=head)[1]["valid"], True, "the anchor of the backup holds")
        got = plain(b, "verify_audit", document_id="d", anchor=later)[1]
        t.ok(not got["valid"] and "cut or rewritten" in got["reason"], "a later one shows what the restore lost", got)
        t.same(plain(a, "insert_block", document_id="d", parent_label="sec:1", block=PARA)[0], 200, "and the work goes on")
    # --- limits over all servers ---
    f.write("keys.json", json.dumps([{"api_key": KEY, "name": "lab", "allowed_documents": ["*"]}]))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    args = ["docjl", "--store", pg.url, "--keys", os.path.join(f.path, "keys.json")]
    with Http(*args, root=f.path) as a, Http(*args, root=f.path) as b, Http(*args, root=f.path) as c:
        servers = [a, b, c]
        codes = [plain(servers[i % 3], "insert_block", KEY, document_id="d", parent_label="sec:1", block=PARA)[0] for i in range(11)]
        t.same(codes, [200] * 10 + [429], "the 11th write in a minute is refused, whichever server gets it")
        statuses = [plain(servers[i % 3], "list_documents", KEY)[0] for i in range(95)]
        t.same((statuses.count(200), statuses[-1]), (90, 429), "so is the 101st request")
        status, got, head = plain(a, "list_documents", KEY)
        head = {k.lower(): v for k, v in dict(head).items()}
        t.ok(got["error"]["code"] == "RATE_LIMIT_EXCEEDED" and 0 < int(head.get("retry-after", 0)) <= 60, "with Retry-After", (got, head))
t.done()
