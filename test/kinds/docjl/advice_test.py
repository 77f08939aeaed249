#!/usr/bin/env python3
"""Each error says what to do, and that works: for arguments, files to import, obstacles to the database, and errors of a
PostgreSQL server."""
import contextlib
import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import QUIRE, Folder, Http, Stdio, Tap, wait_for

t = Tap()
KEY = "k" * 40


def para(words, label=None):
    return {"type": "paragraph", "content": words, **({"label": label} if label else {})}


def section(title, label, *children):
    return {"type": "section", "title": title, "label": label, "children": list(children)}


def document(*blocks, **more):
    return {"id": "d", "metadata": {"title": "D", "version": "1"}, "docjll": list(blocks), **more}


def call(server, tool, **arguments):
    if tool not in ("create_document", "list_documents", "rollback", "search"):
        arguments.setdefault("document_id", "d")
    answer = server.call("mcp_docjl_" + tool, arguments)
    result = answer.get("result", answer)
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result.get("structuredContent", result)


def refused(got, *words):
    message = got if isinstance(got, str) else got.get("error", {}).get("message", "")
    t.ok(message and all(w in message for w in words), f"refused: {words[0]}", got)


def done(got, claim):
    t.ok(got and "error" not in got, f"as advised: {claim}", got)


def update(server, words="y"):
    return call(server, "update_block", block_label="para:1", updates={"content": words})


@contextlib.contextmanager
def served(*blocks, args=(), files=None):
    with Folder(files) as f, Stdio("docjl", "--tools", "all", *args, root=f.path) as s:
        if blocks:
            call(s, "create_document", document=document(*blocks))
        yield s, f


# --- arguments ---
with served(section("A", "sec:1", para("a", "para:1.1"), para("b", "para:1.2")), section("B", "sec:2"), para("c", "para:1")) as (s, f):
    for wrong, right, words in (
            (dict(filter={"title": {"$near": 1}}), dict(filter={"title": {"$regex": "D"}}), ("$near is an unknown operator", "$regex")),
            (dict(filter={"title": {"$in": "D"}}), dict(filter={"title": {"$in": ["D"]}}), ("$in takes a list",)),
            (dict(filter={"$or": {}}), dict(filter={"$or": [{"id": "d"}]}), ("$or takes a list of filters",)),
            (dict(filter={"title": {"$exists": 1}}), dict(filter={"title": {"$exists": True}}), ("takes true or false",)),
            (dict(filter={"title": {"$options": "i"}}), dict(filter={"title": {"$regex": "d", "$options": "i"}}), ("stands beside $regex",)),
            (dict(cursor="x"), {}, ("not one that this tool returned", "leave it out"))):
        refused(call(s, "list_documents", **wrong), *words)
        t.same([d["id"] for d in call(s, "list_documents", **right)["documents"]], ["d"], "as advised: the document is found")
    refused(call(s, "search", words="  "), "has no word", "such as")
    done(call(s, "search", words="a"), "with a word")
    refused(call(s, "search_blocks", query={}), "query is empty", "content_contains")
    done(call(s, "search_blocks", query={"content_contains": "a"}), "with a condition")
    refused(call(s, "apply", operations=[]), "1 to 500")
    refused(call(s, "apply", operations=[{"op": "insert", "block": para("x")}]), "op insert is unknown", "insert_block")
    done(call(s, "apply", operations=[{"op": "insert_block", "block": para("x")}]), "with an operation there is")
    refused(call(s, "update_block", block_label="para:1", updates={}), "updates is empty", "content")
    refused(call(s, "update_block", block_label="para:1", updates={"label": 5}), "such as sec:4.2")
    refused(call(s, "update_block", block_label="para:1", updates={"type": "heading"}), "insert a new block and delete this one")
    done(call(s, "insert_block", position="after", anchor_label="para:1", block={"type": "heading", "content": "c"}), "a new block")
    done(call(s, "delete_block", block_label="para:1"), "and the old one deleted")
    refused(call(s, "move_block", block_label="sec:1", target_parent="sec:1"), "into itself", "target outside")
    done(call(s, "move_block", block_label="sec:1", target_parent="sec:2"), "another target")
    refused(call(s, "rollback", audit_id="audit_d_99"), "there is no entry", "mcp_docjl_get_audit_log")
    newest = call(s, "get_audit_log")["entries"][0]["audit_id"]
    done(call(s, "rollback", audit_id=newest), "an entry that the log lists")
    refused(call(s, "update_references", label_changes=[{"old": "sec:1", "new": "sec:77"}]), "is no label of this document", "exist")
    refused(call(s, "get_document", document_id="nothing at all"), "mcp_docjl_list_documents lists all documents")
    refused(call(s, "get_document", document_id="e"), "did you mean d?")

# --- rollbacks that something blocks ---
with served(section("A", "sec:1", para("a", "para:1.1")), section("B", "sec:2")) as (s, f):
    made = call(s, "insert_block", block=section("C", "sec:3"))
    call(s, "move_block", block_label="para:1.1", target_parent="sec:3")
    refused(call(s, "rollback", audit_id=made["audit_id"]), "now holds other blocks", "move or delete them first")
    done(call(s, "move_block", block_label="para:3.1", target_parent="sec:1"), "moved away")
    done(call(s, "rollback", audit_id=made["audit_id"]), "rolled back")
    renamed = call(s, "update_block", block_label="sec:2", updates={"label": "sec:9"})
    call(s, "insert_block", block=section("D", "sec:2"))
    refused(call(s, "rollback", audit_id=renamed["audit_id"]), "sec:2 now belongs to another block", "rename that block first")
    done(call(s, "update_block", block_label="sec:2", updates={"label": "sec:8"}), "renamed")
    done(call(s, "rollback", audit_id=renamed["audit_id"]), "rolled back")
    call(s, "insert_block", block=section("E", "sec:5"))
    call(s, "insert_block", parent_label="sec:5", block=section("F", "sec:5.1"))
    moved = call(s, "move_block", block_label="sec:5.1", position="start")
    call(s, "move_block", block_label="sec:5", target_parent=moved["new_label"])
    refused(call(s, "rollback", audit_id=moved["audit_id"]), "now below the block itself", "move that out first")
    inner = call(s, "list_headings")["outline"][0]["children"][0]["label"]
    done(call(s, "move_block", block_label=inner, position="end"), "moved out")
    done(call(s, "rollback", audit_id=moved["audit_id"]), "rolled back")

with served(section("A", "sec:1", section("X", "sec:1.1")), section("B", "sec:2", section("Y", "sec:2.1")), para("x", "para:2.1.1")) as (s, f):
    call(s, "insert_block", parent_label="sec:1.1", block=para("deep"))
    got = call(s, "move_block", block_label="sec:1.1", target_parent="sec:2", position="start")
    if "error" in got:
        refused(got, "is the label of another block", "rename that block first")
        done(call(s, "update_block", block_label="para:2.1.1", updates={"label": "para:other"}), "renamed")
        got = call(s, "move_block", block_label="sec:1.1", target_parent="sec:2", position="start")
    done(got, "no two blocks have one label")

# --- files to import ---
with Folder() as f:
    def imported(value, *options):
        f.write("m.json", value if isinstance(value, str) else json.dumps(value))
        ran = subprocess.run([QUIRE, "import", "docjl", os.path.join(f.path, "m.json"), "--root", f.path, "--replace", *options],
                             capture_output=True, text=True)
        return ran.stderr if ran.returncode else {"success": ran.stdout}
    deep = para("x")
    for _ in range(60):
        deep = section("s", None, deep)
        del deep["label"]
    for wrong, words in (
            ("{", ("line 1, column",)),
            ([], ("a document is an object",)),
            ({"id": "d"}, ("a list of blocks is needed",)),
            (document(id="x" * 201), ("longer than 200", "shorter")),
            (document(id="a b"), ("has a blank", "choose letters")),
            (document(docjll={}), ("docjll",)),
            (document("x"), ("docjll[0] is no block", "object with a type")),
            (document(para("a", "para:1"), para("b", "para:1")), ("para:1 is used by two blocks", "rename one")),
            (document(para("a", "x" * 300)), ("longer than",)),
            (document({"type": "paragraph", "content": "a", "label": ["x"]}), ("must be a string such as sec:4.2",)),
            (document(para("a", "para:a\0b")), ("U+0000", "remove it in the file")),
            (document(deep), ("nested deeper than",))):
        refused(imported(wrong), *words)
    done(imported(document(para("a", "para:1"), para("b", "para:2"))), "the file mended, it is imported")
    refused(imported(document({"type": "table", "headers": ["a"], "rows": [["1", "2"]]}), "--strict"), "rows[0]")
    done(imported(document({"type": "table", "headers": ["a"], "rows": [["1", "2"]]})), "without --strict")
    out = os.path.join(f.path, "out.json")
    export = lambda: subprocess.run([QUIRE, "export", "docjl", "d", "-o", out, "--root", f.path], capture_output=True, text=True)
    export()
    refused(export().stderr, "out.json", "exists")
    os.unlink(out)
    t.same(export().returncode, 0, "as advised: a name that is free")
    with Stdio("docjl", root=f.path) as s:
        refused(call(s, "create_document", document={"docjll": []}), "has no id", "add")
        refused(call(s, "create_document", document=document()), "there is a document d already", "choose another id")
        done(call(s, "create_document", document=document(id="e")), "another id")

# --- a manual too large for one answer ---
with served(*[section("A", f"sec:{k}", *[para("word " * 400, f"para:{k}.{i}") for i in range(1, 1201)]) for k in (1, 2)]) as (s, f):
    refused(call(s, "get_document", answer_whole=True), "request sections", "a depth such as 2", "quire docjl export")
    done(call(s, "get_document"), "leave out answer_whole")
    done(call(s, "get_document", sections=["sec:1"]), "sections")
    done(call(s, "get_document", depth=1), "a depth")
    refused(call(s, "export_document"), "quire docjl export d --format md")
    got = s.request("resources/read", {"uri": "docjl://document/d"})
    refused(got.get("error", {}).get("message", ""), "limit of a resource", "mcp_docjl_get_document", "quire docjl export")
    ran = subprocess.run([QUIRE, "docjl", "export", "d", "--format", "md", "--root", f.path], capture_output=True, text=True)
    t.ok(ran.returncode == 0 and len(ran.stdout) > 4 << 20, "as advised: the command exports it")

# --- settings ---
with Folder({"quire.toml": "[mcp_server.validation]\nschema_file = 'extra.json'\n[kinds.docjl]\nconfirm_delete = 'flag'\n", "extra.json": "{"}) as f:
    args = ("docjl", "--tools", "all", "--config", os.path.join(f.path, "quire.toml"))
    with Stdio(*args, root=f.path) as s:
        refused(call(s, "list_documents"), "extra.json, line 1")
        f.write("extra.json", '{"required": ["compliance_note"]}')
        done(call(s, "create_document", document=document(para("a", "para:1"))), "the schema mended, the same server goes on")
        refused(call(s, "insert_block", block=para("x")), "schema_file", "compliance_note")
        done(call(s, "insert_block", block={**para("x"), "compliance_note": "n"}), "with what the schema asks for")
        refused(call(s, "delete_block", block_label="para:1"), "confirm: true")
        done(call(s, "delete_block", block_label="para:1", confirm=True), "confirmed")
with Folder() as f:
    f.write("keys.json", json.dumps([{"api_key": KEY, "name": "lab", "allowed_documents": ["sop_*"]}]))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    with Http("docjl", "--keys", os.path.join(f.path, "keys.json"), root=f.path, key=KEY) as h:
        plain = lambda tool, **params: json.loads(h.raw(body=json.dumps({"method": "mcp_docjl_" + tool, "params": params}))[2])
        refused(plain("create_document", document=document()), "may not create the document d")
        done(plain("create_document", document=document(id="sop_1")), "an id that the key may use")

# --- obstacles to the file ---
with Folder() as f:
    def at(path, then=lambda s: None, *options):
        f.write("quire.toml", f"[mcp_server.storage]\nironbase_path = '{path}'\n")
        with Stdio("docjl", "--tools", "all", "--config", os.path.join(f.path, "quire.toml"), *options) as s:
            got = call(s, "create_document", document=document(para("a", "para:1")))
            return got, then(s)
    path = lambda name: os.path.join(f.path, name)
    os.mkdir(path("folder.db"))
    refused(at("folder.db")[0], "not a regular file", "name another file")
    os.symlink("elsewhere.db", path("link.db"))
    refused(at("link.db")[0], "not a regular file")
    t.ok(not os.path.exists(path("elsewhere.db")), "and nothing is made behind a link")
    refused(at("none/x.db")[0], "folder", "cannot be opened")
    os.mkdir(path("none"))
    done(at("none/x.db")[0], "the folder made")
    refused(at("x" * 5000)[0], "too long", "shorter")
    os.mkdir(path("y.db-wal"))
    refused(at("y.db")[0], "y.db-wal is not a regular file", "remove it")
    os.rmdir(path("y.db-wal"))
    done(at("y.db")[0], "removed")
    folder = os.open(f.path, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    refused(at("z.db")[0], "keeps the folder", "try again in a moment")
    os.close(folder)
    done(at("z.db")[0], "tried again")
with Folder() as f:
    database = os.path.join(f.path, "docjl.db")
    s = Stdio("docjl", "--tools", "all", root=f.path)
    call(s, "create_document", document=document(para("a", "para:1")))
    s.process.send_signal(signal.SIGKILL)
    s.process.wait()
    with Stdio("docjl", "--read-only", root=f.path) as s:
        got = call(s, "list_documents")
        if "error" in got:
            refused(got, "-wal file", "open it once without --read-only")
        with Stdio("docjl", root=f.path) as other:
            call(other, "list_documents")
        t.same(len(call(s, "list_documents")["documents"]), 1, "as advised: opened once without --read-only, it can be read")
    with Stdio("docjl", root=f.path) as s:
        call(s, "list_documents")  # its end leaves one file
    backup = open(database, "rb").read()
    with open(database, "r+b") as out:
        out.seek(4096)
        out.write(b"\xff" * (len(backup) - 4096))
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        refused(update(s), "damaged", "restore it from a backup", "save what can be read into a fresh file")
    with open(database, "wb") as out:
        out.write(backup)
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        done(update(s), "restored from a backup")
        os.replace(database, database + ".away")
        done(call(s, "create_document", document=document(para("a", "para:1"))), "moved away to begin anew")
    with Http("docjl", root=f.path) as h:
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        body = json.dumps({"method": "mcp_docjl_update_block", "params": {"document_id": "d", "block_label": "para:1", "updates": {"content": "z"}}})
        said = []
        threads = [threading.Thread(target=lambda: said.append(json.loads(h.raw(body=body)[2])["error"]["message"])) for _ in range(3)]
        [x.start() for x in threads]
        [x.join() for x in threads]
        t.ok(all("try again in a moment" in m for m in said) and any("busy with other writes" in m for m in said),
             "refused: of several writes behind a lock, each is told to try again", said)
        other.execute("ROLLBACK")
        done(json.loads(h.raw(body=body)[2]), "tried again")

# --- errors of a database server ---
if not Cluster.available():
    t.skip("what a server may answer", "no PostgreSQL here")
    t.done()
RAISE = ("CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} RETURN NULL; END $$; "
         "CREATE {} TRIGGER no AFTER INSERT ON audit {} FOR EACH ROW EXECUTE FUNCTION no()")
with Cluster() as pg, Folder() as f:
    with Stdio("docjl", "--read-only", "--store", pg.url, root=f.path) as s:
        t.same(call(s, "list_documents"), {"documents": []}, "with --read-only a server without tables is an empty list")
        refused(call(s, "get_document"), "lists all documents")
    t.same(pg.sql("SELECT count(*) FROM pg_class WHERE relname IN ('doc', 'quire_schema')"), "0", "and no table is made")
    with Stdio("docjl", "--tools", "all", "--store", pg.url, root=f.path) as s:
        done(call(s, "create_document", document=document(para("a", "para:1"))), "without it the tables are made")
        with Stdio("docjl", "--read-only", "--store", pg.url, root=f.path) as r:
            t.same(len(call(r, "list_documents")["documents"]), 1, "and read by the other")
        for state, words in (("40001", ("other writers changed the same rows", "try again")), ("57014", ("took too long", "try again")),
                             ("53100", ("disk is full", "free some space"))):
            pg.sql(RAISE.format(f"RAISE SQLSTATE '{state}';", "", ""))
            refused(update(s, state), *words)
            pg.sql("DROP FUNCTION no() CASCADE")
            done(update(s, state), "tried again, it works")
        entries = len(call(s, "get_audit_log")["entries"])
        pg.sql(RAISE.format("PERFORM pg_terminate_backend(pg_backend_pid());", "CONSTRAINT", "DEFERRABLE INITIALLY DEFERRED"))
        refused(update(s, "doubtful"), "may or may not have happened", "before you repeat it")
        pg.sql("DROP FUNCTION no() CASCADE")
        t.same(len(call(s, "get_audit_log")["entries"]), entries, "as advised: a look shows that it did not")
        done(update(s, "doubtful"), "and it is repeated")
        pg.kill()
        got = update(s, "lost")
        t.ok(any(w in got.get("error", {}).get("message", "") for w in ("try again", "check --store and that the server runs")),
             "refused: while the server is down", got)
        pg.start()
        t.ok(wait_for(lambda: "error" not in update(s, "back")), "as advised: the server runs again, and the same call works")
        t.ok(call(s, "verify_audit")["valid"], "the trail is sound")
    with Stdio("docjl", "--store", pg.url.replace("/postgres?", "/none?"), root=f.path) as s:
        refused(call(s, "list_documents"), "cannot be reached", "check --store")
    pg.sql("UPDATE quire_schema SET version = 99")
    with Stdio("docjl", "--read-only", "--store", pg.url, root=f.path) as s:
        refused(call(s, "list_documents"), "version 99", "newer quire")
        pg.sql("UPDATE quire_schema SET version = 2")
        done(call(s, "list_documents"), "with tables of this version")
    pg.sql("CREATE ROLE reader LOGIN")
    with Stdio("docjl", "--read-only", "--store", pg.url.replace("quire@", "reader@"), root=f.path) as s:
        refused(call(s, "list_documents"), "cannot be read", "grant the user SELECT")
        pg.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        t.same(len(call(s, "list_documents")["documents"]), 1, "as advised: granted, a reader reads")
t.done()
