#!/usr/bin/env python3
"""The trail protects the text: after every edit the stored rows match the hash in the newest entry; every change of one
byte in the tables is found; an edit cannot take over what another program changed; anchors show a rewritten chain.
ALTERATIONS sets how many random changes are tried."""
import hashlib
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import QUIRE, Folder, Stdio, Tap

t = Tap()
ALTERATIONS = int(os.environ.get("ALTERATIONS", "300"))
chance = random.Random(int(os.environ.get("SEED", "27")))


def paragraph(words, *targets):
    return {"type": "paragraph", "content": [{"type": "text", "content": words}] + [{"type": "ref", "target": x} for x in targets]}


DOCUMENT = {"id": "d", "metadata": {"title": "Manual", "version": "1", "laboratory": "Böhm"}, "docjll": [
    {"type": "heading", "level": 1, "content": "Pártatlanság", "label": "sec:4", "children": [
        {"type": "heading", "level": 2, "content": f"Part {s}", "label": f"sec:4.{s}", "children": [
            dict(paragraph(f"Words {i}", "tab:1", f"sec:4.{s}"), label=f"para:4.{s}.{i}") for i in range(1, 30)]} for s in range(1, 6)]},
    {"type": "table", "headers": ["a"], "rows": [["b"]], "label": "tab:1"},
    {"type": "section", "title": "Annex", "label": "app:risk", "children": [dict(paragraph("r", "app:none"), compliance_note="8.3")]}]}


def caller(server):
    def call(tool, **arguments):
        if tool not in ("create_document", "rollback", "search"):
            arguments.setdefault("document_id", "d")
        got = server.call("mcp_docjl_" + tool, arguments)["result"]
        return json.loads(got["content"][0]["text"]) if got.get("isError") else got["structuredContent"]
    return call


def quire(folder, *args):
    done = subprocess.run([QUIRE, "docjl", *args, "--root", folder.path, "--state", folder.path + "/.state"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def labels(call):
    out = []

    def walk(blocks):
        for b in blocks:
            out.append((b["label"], b["type"]))
            walk(b.get("children", []))
    walk(call("get_document")["document"]["docjll"])
    return out


def random_edit(call):
    """One edit at random; most succeed."""
    have = labels(call)
    label, kind = chance.choice(have)
    holders = [x for x, k in have if k in ("heading", "section")]
    what = chance.randrange(7)
    if what == 0:
        return call("insert_block", block=paragraph("new", chance.choice(have)[0]), parent_label=chance.choice(holders),
                    position=chance.choice(["start", "end"]))
    if what == 1:
        return call("insert_block", block=paragraph("new"), position=chance.choice(["before", "after"]), anchor_label=label)
    if what == 2 and kind == "paragraph":
        return call("update_block", block_label=label, updates={"content": paragraph("other", chance.choice(have)[0], "fig:9")["content"]})
    if what == 3 and kind == "paragraph":
        return call("update_block", block_label=label, updates={"label": f"para:x{chance.randrange(1000)}"})
    if what == 4:
        return call("move_block", block_label=label, target_parent=chance.choice(holders), position=chance.choice(["start", "end"]))
    if what == 5 and kind != "heading":
        return call("delete_block", block_label=label, cascade=chance.random() < 0.5, renumber=chance.random() < 0.3)
    newest = call("get_audit_log", limit=1)["entries"][0]["audit_id"]
    return call("rollback", audit_id=newest)


def is_whole_after_edits(call, n, where):
    bad, done = None, 0
    for i in range(n):
        got = random_edit(call)
        done += "error" not in got
        if i % 5 == 0 or i == n - 1:
            verdict = call("verify_audit")
            if not verdict["valid"]:
                bad = (i, got, verdict)
                break
    t.ok(not bad and done > n // 3, f"after every edit the text is as the trail says, on {where}", bad or done)


with Folder() as f:
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        is_whole_after_edits(call, 120, "SQLite")
        ops = call("apply", operations=[
            {"op": "insert_block", "block": paragraph("a"), "position": "start"}, {"op": "update_block", "block_label": "tab:1", "updates": {"caption": "C"}},
            {"op": "update_block", "block_label": "tab:1", "updates": {"caption": "D"}}])
        t.ok(ops.get("success") and call("verify_audit")["valid"], "and after several edits in one transaction", ops)
        dry = call("update_block", block_label="tab:1", updates={"caption": "dry"}, dry_run=True)
        t.ok("error" not in dry and call("verify_audit")["valid"], "a dry run changes no hash", dry)

# --- every altered byte ---------------------------------------------------------------------------------
TABLES = {"doc": "doc", "node": "doc, uid", "body": "doc, uid", "run": "doc, run", "ref": "doc, src, k", "counter": "doc, prefix",
          "audit": "doc, seq", "seal": "doc, level, number"}


def altered(value):
    if value is None:
        return 7
    if isinstance(value, int):
        return value + chance.choice([1, -1, 256])
    if isinstance(value, bytes):
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << chance.randrange(8))]) + value[at + 1:]
    if not value:
        return "x"
    at = chance.randrange(len(value))
    return value[:at] + ("y" if value[at] == "x" else "x") + value[at + 1:]


def alter(db):
    """Changes one value of one row, or removes the row. Returns what it did."""
    table = chance.choice(list(TABLES))
    keys = TABLES[table].split(", ")
    rows = db.execute(f"SELECT * FROM {table}")
    names = [x[0] for x in rows.description]
    row = chance.choice(rows.fetchall())
    where = " AND ".join(f"{k} = ?" for k in keys)
    at = tuple(row[names.index(k)] for k in keys)
    if chance.random() < 0.1:
        db.execute(f"DELETE FROM {table} WHERE {where}", at)
        return table, "a row is gone", at
    column = chance.randrange(len(names))
    db.execute(f"UPDATE {table} SET {names[column]} = ? WHERE {where}", (altered(row[column]), *at))
    return table, names[column], at


with Folder() as f:
    path = os.path.join(f.path, "docjl.db")
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        for _ in range(10):
            random_edit(call)
        t.ok(call("verify_audit")["valid"], "a document with a trail is valid")
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=DELETE")
    db.close()
    with open(path, "rb") as file:
        whole = file.read()
    missed, tried, unlike, named = [], 0, 0, 0
    while tried < ALTERATIONS:
        with open(path, "wb") as file:
            file.write(whole)
        db = sqlite3.connect(path, isolation_level=None)
        with Stdio("docjl", "--tools", "all", "--read-only", root=f.path) as s:
            call = caller(s)
            for _ in range(50):
                db.execute("BEGIN")
                try:
                    did = alter(db)
                    db.execute("COMMIT")
                except sqlite3.Error:
                    db.execute("ROLLBACK")
                    continue
                tried += 1
                name = db.execute("SELECT id FROM doc").fetchone()
                got = call("verify_audit", document_id=name[0] if name else "d")
                if got.get("valid", False):
                    missed.append(did)
                named += "altered" in got
                # the database as it was
                db.execute("BEGIN")
                for table in TABLES:
                    db.execute(f"DELETE FROM {table}")
                old = sqlite3.connect(":memory:")
                old.deserialize(whole)
                for table in TABLES:
                    for row in old.execute(f"SELECT * FROM {table}"):
                        db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)
                old.close()
                db.execute("COMMIT")
        db.close()
    t.ok(not missed, f"each of {tried} altered bytes and rows is found", missed[:5])
    t.ok(named > tried // 4, "and the block is named", named)

# --- what an edit meets, and what a person accepts --------------------------------------------------------
with Folder() as f:
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        db = sqlite3.connect(os.path.join(f.path, "docjl.db"))
        uid = db.execute("SELECT uid FROM body WHERE json LIKE '%Words 7%'").fetchone()[0]
        db.execute("UPDATE body SET json = replace(json, 'Words 7', 'Forged') WHERE uid = ?", (uid,))
        db.commit()
        got = call("verify_audit")
        t.ok(not got["valid"] and got["altered"] == ["para:4.1.7"] and got["altered_count"] == 1, "altered text is found and named", got)
        call("update_block", block_label="para:4.1.8", updates={"content": "an honest edit beside it"})
        t.same(call("verify_audit").get("altered"), ["para:4.1.7"], "also after an edit of another block")
        got = call("update_block", block_label="para:4.1.7", updates={"compliance_note": "8.3"})
        t.ok(any("changed outside of quire" in w for w in got.get("_warnings", [])), "an edit of the altered block is told", got)
        got = call("verify_audit")
        t.ok(not got["valid"] and got["bad_entry"] == "audit_d_3" and "altered_outside" in got["reason"], "and does not hide it", got)
    status, said = quire(f, "audit", "verify", "d")
    t.ok(status == 1 and "BROKEN at audit_d_3" in said, "the command says the same", said)
    status, said = quire(f, "audit", "seal", "d")
    t.ok(status == 0 and "audit_d_4" in said, "a person can accept the text as it is", said)
    status, said = quire(f, "audit", "verify", "d")
    t.ok(status == 0 and "accepted by audit_d_4" in said and "protected from audit_d_4" in said, "and verify says so from then on", said)

    # --- the whole chain forged ---
    keep = os.path.join(f.path, "anchors")
    status, said = quire(f, "audit", "anchor", "d", "-o", keep)
    t.ok(status == 0 and os.path.exists(keep), "an anchor is appended to a file", said)
    with Stdio("docjl", "--tools", "all", "--state", os.path.join(f.path, ".state"), root=f.path) as s:
        call = caller(s)
        call("update_block", block_label="tab:1", updates={"caption": "C"})
        got = call("verify_audit", anchor=open(keep).read())
        t.ok(got.get("valid"), "the tool takes the signed line", got)
    t.same(quire(f, "audit", "anchor", "d", "-o", keep)[0], 0, "a second one too")
    status, said = quire(f, "audit", "verify", "d", "--anchor", keep)
    t.ok(status == 0, "both hold", said)
    lines = open(keep).read().split("\n")
    status, said = quire(f, "audit", "verify", "d", "--anchor", lines[0].replace('"entry":4', '"entry":3'))
    t.ok(status == 1 and "signature" in said, "an altered line is refused", said)
    key = quire(f, "audit", "key")[1].strip()
    status, said = subprocess.getstatusoutput(f"{QUIRE} docjl audit verify d --anchor {keep} --root {f.path} --state {f.path}/.other")
    t.ok(status == 1 and key in said and "anchor_keys" in said, "elsewhere the key is not trusted", said)
    f.write("quire.toml", f'[kinds.docjl]\nanchor_keys = ["{key}"]\n')
    status, said = subprocess.getstatusoutput(
        f"{QUIRE} docjl audit verify d --anchor {keep} --root {f.path} --state {f.path}/.other --config {f.path}/quire.toml")
    t.ok(status == 0, "unless anchor_keys lists it", said)
    t.ok(not [x for x in (0, 1) if (os.stat(f.path + "/.state/docjl-anchor.key").st_mode & 0o077)], "the key's file is private")
    os.unlink(os.path.join(f.path, "docjl.db"))
    for end in ("-wal", "-shm"):
        if os.path.exists(os.path.join(f.path, "docjl.db" + end)):
            os.unlink(os.path.join(f.path, "docjl.db" + end))
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        for i in range(8):
            call("update_block", block_label="tab:1", updates={"caption": f"C{i}"})
        t.ok(call("verify_audit")["valid"], "a chain that was made again is valid by itself")
    status, said = quire(f, "audit", "verify", "d", "--anchor", keep)
    t.ok(status == 1 and "rewritten" in said, "but not against the anchor", said)

# --- a database of version 1 ------------------------------------------------------------------------------


def to_version_1(path, log):
    """The same document as version 1 stored it: no states, no hashes of the text, accents in the words for searching."""
    db = sqlite3.connect(path, isolation_level=None)
    chain = []
    for line in open(log, encoding="utf-8"):
        head = re.sub(r',"state":"[0-9a-f]{64}"', "", line[:line.index(',"prev_hash"')]) + "}"
        head = head.replace('"touched":', '"touched":', 1)
        before = chain[-1][1] if chain else bytes(32)
        chain.append((before, hashlib.sha256(before + head.encode()).digest()))
    sql = db.execute("SELECT sql FROM sqlite_master WHERE name = 'audit'").fetchone()[0]
    rows = db.execute("SELECT doc, seq, ts, op, usr, uid, label, details, touched FROM audit ORDER BY seq").fetchall()
    db.execute("DROP TABLE audit")
    db.execute(sql.replace(" state BLOB,", ""))
    db.execute("CREATE INDEX audit_uid ON audit (doc, uid)")
    db.execute("CREATE INDEX audit_label ON audit (doc, label)")
    for row, (before, own) in zip(rows, chain):
        db.execute("INSERT INTO audit VALUES (?,?,?,?,?,?,?,?,?,?,?)", (*row, before, own))
    db.execute("UPDATE doc SET audit_hash = ?", (chain[-1][1],))
    db.execute("DROP TABLE seal")
    db.execute("UPDATE body SET folded = replace(folded, 'partatlansag', 'pártatlanság')")
    db.execute("PRAGMA user_version = 1")
    db.close()


with Folder() as f:
    log, path = os.path.join(f.path, "log.jsonl"), os.path.join(f.path, "docjl.db")
    f.write("quire.toml", f'[kinds.docjl]\naudit_log_path = "{log}"\n')
    with Stdio("docjl", "--tools", "all", "--config", os.path.join(f.path, "quire.toml"), root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        call("update_block", block_label="tab:1", updates={"caption": "C"})
    mode = lambda name: os.stat(os.path.join(f.path, name)).st_mode & 0o777
    t.same(mode("docjl.db"), mode("log.jsonl"), "the database has the mode of its audit file")
    to_version_1(path, log)
    status, said = quire(f, "rescue", path, os.path.join(f.path, "saved.db"))
    f.write("saved.toml", f"[kinds.docjl]\nironbase_path = \"{os.path.join(f.path, 'saved.db')}\"\n")
    verdict = subprocess.run([QUIRE, "docjl", "audit", "verify", "--config", os.path.join(f.path, "saved.toml"), "--root", f.path], capture_output=True, text=True)
    t.ok(status == 0 and "d: 2 entries, valid" in verdict.stdout, "rescue saves a database of version 1 too", (said, verdict))
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        got = call("verify_audit")
        t.ok(got["valid"] and got["entries"] == 2 and "protected_from" not in got, "the trail of version 1 holds, and protects no text yet", got)
        t.same([r["label"] for r in call("search", words="Pártatlanság")["results"]], ["sec:4"], "its words are found")
        t.same(call("search_blocks", query={"content_contains": "PÁRTATLANSÁG"})["total"], 1, "in the document too")
        call("update_block", block_label="tab:1", updates={"caption": "D"})
        got = call("verify_audit")
        t.ok(got["valid"] and got["entries"] == 4 and got["protected_from"] == "audit_d_3", "the first write seals it by an entry of its own", got)
        t.same(call("get_audit_log", limit=2)["entries"][1]["operation"], "seal_document", "which the trail shows")
        t.same(call("search_blocks", query={"content_contains": "partatlansag"})["total"], 1, "from then on words are found without accents")
        t.same(call("search", words="partatlansag")["results"][0]["snippet"], "Pártatlanság", "and shown with them")
    db = sqlite3.connect(path)
    db.execute("DELETE FROM seal")
    db.execute("UPDATE body SET json = replace(json, 'Words 7', 'Forged')")
    db.commit()
    db.close()
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        call = caller(s)
        t.ok(not call("verify_audit")["valid"], "deleting the hashes is found")
        call("update_block", block_label="tab:1", updates={"caption": "E"})
        t.ok(not call("verify_audit")["valid"], "also after the next write")

if not Cluster.available():
    t.skip("the same on a server", "no PostgreSQL here")
    t.done()
with Cluster() as pg, Folder() as f:
    with Stdio("docjl", "--tools", "all", "--store", pg.url, root=f.path) as s:
        call = caller(s)
        call("create_document", document=DOCUMENT)
        is_whole_after_edits(call, 60, "PostgreSQL")
        pg.sql("UPDATE body SET json = replace(json, 'Annex', 'Forged')")
        got = call("verify_audit")
        t.ok(not got["valid"] and got["altered"] == ["app:risk"], "altered text is found and named there", got)
t.done()
