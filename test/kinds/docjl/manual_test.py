#!/usr/bin/env python3
"""The tools with the requests and results of the specification. The advice of every error is followed."""
import json
import os
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from postgres import Cluster
from quire import DATA, QUIRE, Folder, Http, Stdio, Tap

t = Tap()


def text(words):
    return [{"type": "text", "content": words}]


def para(words, label=None, **more):
    return {"type": "paragraph", "content": text(words), **({"label": label} if label else {}), **more}


def manual():
    return {"id": "doc_123", "metadata": {"title": "ISO17025 Quality Manual", "version": "1.0", "lab": {"city": "Győr"}}, "docjll": [
        {"type": "heading", "level": 1, "content": text("General"), "label": "sec:4", "children": [
            para("Impartiality", "para:4.1"), para("Calibration ŐRZÉS of balances", "para:4.2", compliance_note="clause 6.4"),
            para("Third", "para:4.3"),
            {"type": "heading", "level": 2, "content": text("Sub"), "label": "sec:4.1", "children": [para("Deep", "para:4.1.1")]}]},
        {"type": "section", "title": "Structure", "label": "sec:5", "children": [para("p%d" % i, "para:5.%d" % i) for i in range(1, 8)]},
        {"type": "heading", "level": 1, "content": text("Resources"), "label": "sec:6", "children": [
            para("first", "para:6.1"),
            {"type": "paragraph", "label": "para:6.2", "content": text("see ") + [{"type": "ref", "target": "sec:4"},
                                                                                  {"type": "ref", "target": "sec:99"}]},
            {"type": "list", "ordered": True, "label": "list:1",
             "items": ["plain", [{"type": "ref", "target": "para:4.3", "content": "third"}], {"content": "x", "items": ["y"]}]},
            {"type": "table", "headers": ["a", "b"], "rows": [["1", "Szükséges"]], "label": "tab:5"}]}]}


class Tools:
    def __init__(self, server):
        self.s = server

    def __call__(self, tool, **args):
        got = self.s.call("mcp_docjl_" + tool, {"document_id": "doc_123", **args} if "document_id" not in args else args)["result"]
        if got.get("isError"):
            assert "structuredContent" not in got
            return json.loads(got["content"][0]["text"])
        return got["structuredContent"]

    def bare(self, tool, **args):
        got = self.s.call("mcp_docjl_" + tool, args)["result"]
        return json.loads(got["content"][0]["text"]) if got.get("isError") else got["structuredContent"]


def code(answer):
    return answer.get("error", {}).get("code")


def core(call, where):
    make = call.bare("create_document", document=manual())
    t.same((make["success"], make["document_id"], make["blocks_count"]), (True, "doc_123", 19), f"a document is made, {where}")
    got = call("get_document")["document"]
    t.same(got, manual(), f"and comes back as it was given, {where}")
    docs = call.bare("list_documents", filter={"lab.city": "Győr", "blocks_count": {"$gte": 19}})["documents"]
    t.same([(d["id"], d["title"], d["version"], d["blocks_count"]) for d in docs], [("doc_123", "ISO17025 Quality Manual", "1.0", 19)],
           f"a filter over metadata finds it, {where}")
    t.same(call.bare("list_documents", filter={"title": "other"})["documents"], [], f"another does not, {where}")
    t.same(code(call.bare("list_documents", filter={"title": {"$near": 1}})), "INVALID_COMMAND", f"an unknown operator is refused, {where}")
    got = call("insert_block", parent_label="sec:4", position="after", anchor_label="para:4.2", block={"type": "paragraph", "content": text("New")})
    t.same((got["block_label"], got["affected_labels"]), ("para:4.3", ["para:4.3", "para:4.4"]), f"an insert renumbers as the specification shows, {where}")
    items = call("search_blocks", query={"label": "list:1"})["results"][0]["block"]["items"]
    t.same(items[1][0]["target"], "para:4.4", f"a reference in a list item follows, {where}")
    got = call("update_block", block_label="para:4.3", updates={"content": text("Updated text"), "compliance_note": "Revised"})
    t.same(got["previous_version"], {"type": "paragraph", "content": text("New"), "label": "para:4.3"}, f"an update returns the block before, {where}")
    got = call("move_block", block_label="para:4.2", target_parent="sec:5", position="end")
    t.same((got["new_label"], got["affected_labels"]), ("para:5.8", [{"old": "para:4.2", "new": "para:5.8"}, {"old": "para:4.3", "new": "para:4.2"},
                                                                    {"old": "para:4.4", "new": "para:4.3"}]), f"a move closes the gap, {where}")
    preview = call("delete_block", block_label="sec:4", cascade=True, dry_run=True)
    t.same((preview["deleted_count"], preview["broken_references"], preview.get("dry_run")), (6, ["para:6.2 -> sec:4", "list:1 -> para:4.3"], True),
           f"a dry run of a delete tells what would break, {where}")
    t.ok("audit_id" not in preview and call("validate_references")["issues"] == [
        {"source_label": "para:6.2", "target_label": "sec:99", "error": "Target does not exist"}], f"and changes nothing, {where}")
    rev = call("get_document", depth=1)["revision"]
    t.same(code(call("delete_block", block_label="sec:4", if_revision="r1")), "INVALID_COMMAND", f"a stale revision is refused, {where}")
    got = call("delete_block", block_label="sec:4", cascade=True, if_revision=rev)
    t.same(got["deleted_count"], 6, f"with the current one it is deleted, {where}")
    issues = call("validate_references")["issues"]
    t.same([i["target_label"] for i in issues], ["sec:4", "sec:99", "para:4.3"], f"broken references are reported, {where}")
    t.same(code(call("update_references", label_changes=[{"old": "sec:99", "new": "sec:77"}])), "REFERENCE_ERROR", f"none is led to nowhere, {where}")
    got = call("update_references", label_changes=[{"old": "sec:99", "new": "sec:5"}, {"old": "sec:4", "new": "sec:6"}])
    t.same(got["updated_count"], 2, f"broken references are redirected, {where}")
    t.same(call("where_used", label="sec:5")["sources"], ["para:6.2"], f"where_used names the source, {where}")
    log = call("get_audit_log", block_label="sec:4")["entries"]
    t.same([e["operation"] for e in log], ["delete_block"], f"the history of a deleted block is found by its label, {where}")
    undone = call.bare("rollback", audit_id=log[0]["audit_id"])
    t.ok(undone.get("success"), f"the delete is rolled back though others came later, {where}", undone)
    t.same([i["target_label"] for i in call("validate_references")["issues"]], [], f"and its references point to it again, {where}")
    diff = call("diff", **{"from": "r1"})["changes"]
    t.same(([x["label"] for x in diff["added"]], diff["removed"], [x["label"] for x in diff["moved"]]), (["para:4.2"], [], ["para:5.8"]),
           f"the list of changes tells what was added and moved, {where}")
    outline = call("list_headings", max_depth=1)["outline"]
    t.same([(o["label"], o["title"], o["level"], "children" in o) for o in outline],
           [("sec:4", "General", 1, False), ("sec:5", "Structure", 1, False), ("sec:6", "Resources", 1, False)], f"the outline has headings and sections, {where}")
    found = call("search_blocks", query={"content_contains": "őrzés", "type": "paragraph", "has_compliance_note": True})["results"]
    t.same([(r["label"], r["path"]) for r in found], [("para:5.8", ["sec:5", "para:5.8"])], f"search folds case beyond ASCII, {where}")
    t.same(call("search_blocks", query={"content_contains": "szükséges"})["results"][0]["label"], "tab:5", f"cells count, {where}")
    t.same(code(call("search_blocks", query={"block_type": "paragraph"})), "INVALID_COMMAND", f"an unknown key of a query is refused, {where}")
    schema = call("validate_schema")
    t.ok(schema["valid"] and {"block_label": "tab:5", "message": "Table caption missing"} in schema["warnings"], f"the schema's warnings have labels, {where}", schema)
    got = call("get_document", sections=["sec:5"], depth=1)["document"]["docjll"]
    t.same((len(got), got[0]["label"], got[0]["children_omitted"], "children" in got[0]), (1, "sec:5", 8, False), f"sections and depth cut, {where}")
    everything = call.bare("search", words="calibration balances")
    t.same([(r["document_id"], r["label"]) for r in everything["results"]], [("doc_123", "para:5.8")], f"all documents are searched, {where}")
    batch = call("apply", operations=[{"op": "insert_block", "parent_label": "sec:6", "block": {"type": "paragraph", "content": "one"}},
                                      {"op": "update_block", "block_label": "para:6.3", "updates": {"content": "two"}},
                                      {"op": "delete_block", "block_label": "tab:5"}])
    t.same([r.get("block_label") for r in batch["results"]], ["para:6.3", None, None], f"many changes are one transaction, {where}")
    before = call("get_document")
    bad = call("apply", operations=[{"op": "delete_block", "block_label": "para:6.3"}, {"op": "delete_block", "block_label": "para:6.9"}])
    t.ok(code(bad) == "BLOCK_NOT_FOUND" and "operations[1]" in bad["error"]["message"] and call("get_document") == before,
         f"when one fails, none is done, {where}", bad)


def refusals(call):
    def refused(want, words, tool, **args):
        before = call("get_document")
        got = call(tool, **args)
        message = json.dumps(got, ensure_ascii=False)
        t.ok(code(got) == want and words in message and call("get_document") == before, f"refused and unchanged: {words}", got)
    refused("DOCUMENT_NOT_FOUND", "did you mean doc_123?", "insert_block", document_id="doc_12", block=para("x"))
    refused("BLOCK_NOT_FOUND", "the last one there is para:5.8", "update_block", block_label="para:5.80", updates={"content": "x"})
    refused("SCHEMA_VALIDATION_FAILED", "it must be one of: paragraph, heading", "insert_block", block={"type": "warning", "content": "x"})
    refused("SCHEMA_VALIDATION_FAILED", "text, bold, italic, code, link, ref", "insert_block", block={"type": "paragraph", "content": [{"type": "underline", "content": "x"}]})
    refused("SCHEMA_VALIDATION_FAILED", "rows[0] has 1 cells and headers has 2", "insert_block", block={"type": "table", "headers": ["a", "b"], "rows": [["1"]]})
    refused("SCHEMA_VALIDATION_FAILED", "children[0].content", "insert_block", block={"type": "section", "title": "t", "children": [{"type": "paragraph"}]})
    refused("SCHEMA_VALIDATION_FAILED", "is taken", "insert_block", block=para("x", "sec:5"))
    refused("SCHEMA_VALIDATION_FAILED", "cannot hold blocks", "insert_block", parent_label="para:5.1", block=para("x"))
    refused("SCHEMA_VALIDATION_FAILED", "into itself", "move_block", block_label="sec:4", target_parent="sec:4.1", position="end")
    refused("SCHEMA_VALIDATION_FAILED", "updates.children", "update_block", block_label="sec:5", updates={"children": []})
    refused("SCHEMA_VALIDATION_FAILED", "type of a block", "update_block", block_label="sec:5", updates={"type": "heading"})
    refused("INVALID_COMMAND", "updates is empty", "update_block", block_label="sec:5", updates={})
    refused("INVALID_COMMAND", "before, after, inside, start, end", "insert_block", position="0", block=para("x"))
    refused("INVALID_COMMAND", "does not lie inside", "insert_block", parent_label="sec:5", anchor_label="para:6.1", position="after", block=para("x"))
    refused("INVALID_COMMAND", "there is no argument", "insert_block", parent="sec:5", block=para("x"))
    t.ok("mcp_docjl_get_audit_log" in call.bare("rollback", audit_id="x")["error"]["message"], "what is no audit_id is told where to find one")
    got = call("insert_block", position="after:para:5.1", block={"type": "paragraph", "content": "bare string"})
    t.same(got["block_label"], "para:5.2", "position and anchor in one string are accepted")
    got = call("insert_block", parent_label="sec:4.1", block={"type": "heading", "content": "no level"})
    t.same(call("search_blocks", query={"label": got["block_label"]})["results"][0]["block"]["level"], 3, "a heading without level gets that of its depth")
    log = call("get_audit_log", include_refused=True, limit=100)["entries"]
    t.ok(sum(e.get("result") == "refused" for e in log) >= 10, "refused writes are events of their own for the auditor")
    t.ok(not any(e.get("result") for e in call("get_audit_log", limit=100)["entries"]), "and hidden unless asked for")


for where, args in [("on SQLite", None), ("on PostgreSQL", Cluster)]:
    if args and not Cluster.available():
        t.skip("the tools on PostgreSQL", "skipped: no PostgreSQL here")
        continue
    if args:
        with Cluster() as pg, Folder() as f, Stdio("docjl", "--tools", "all", "--store", pg.url, root=f.path) as s:
            core(Tools(s), where)
            t.same(os.listdir(f.path), [], "and no file is made in the root")
    else:
        with Folder() as f, Stdio("docjl", "--tools", "all", root=f.path) as s:
            core(Tools(s), where)
            refusals(Tools(s))

with Folder() as f:
    with Stdio("docjl", "--read-only", root=f.path) as s:
        t.same(Tools(s).bare("list_documents")["documents"], [], "a read-only server without a database has no documents")
    t.same(os.listdir(f.path), [], "and makes none")
    with Stdio("docjl", root=f.path) as s:
        t.same(Tools(s).bare("list_documents")["documents"], [], "reading makes no database either")
        t.same(code(Tools(s)("insert_block", block=para("x"))), "DOCUMENT_NOT_FOUND", "nor does a refused write")
    t.same(os.listdir(f.path), [], "the folder is still empty")

with Folder() as f:
    with Stdio("docjl", root=f.path, capabilities={"elicitation": {}}) as s:
        Tools(s).bare("create_document", document=manual())

        def delete(answer):
            s.id = getattr(s, "id", 100) + 1
            s.send({"jsonrpc": "2.0", "id": "del", "method": "tools/call", "params": {
                "name": "mcp_docjl_delete_block", "arguments": {"document_id": "doc_123", "block_label": "sec:4", "cascade": True}}})
            asked = s.receive()
            words = asked.get("params", {}).get("message", "")
            s.send({"jsonrpc": "2.0", "id": asked["id"], "result": answer})
            return words, s.receive()["result"]
        words, got = delete({"action": "decline"})
        t.ok("sec:4" in words and "6 blocks" in words and "2 references" in words, "the question names block, count and references", words)
        t.ok(got.get("isError"), "declined: refused", got)
        t.same(Tools(s)("get_document")["document"], manual(), "and nothing changed")
        words, got = delete({"action": "accept", "content": {"confirm": True}})
        t.same(json.loads(got["content"][0]["text"]).get("deleted_count"), 6, "agreed: deleted")

with Folder() as f:
    f.write("quire.toml", "[mcp_server.storage]\nironbase_path = './docjl_storage.mlite'\naudit_log_path = './docjl_audit.log'\n"
                          "[mcp_server.validation]\nstrict_mode = false\nschema_file = 'docjl_schema.json'\n[kinds.docjl]\nconfirm_delete = 'flag'\n")
    f.write("docjl_schema.json", json.dumps({"not": {"properties": {"compliance_note": {"const": "forbidden"}}, "required": ["compliance_note"]}}))
    config = ["--config", os.path.join(f.path, "quire.toml")]
    database = os.path.join(f.path, "docjl_storage.mlite")
    with Stdio("docjl", "--tools", "all", *config, root=f.path) as s:
        call = Tools(s)
        call.bare("create_document", document=manual())
        t.ok(os.path.exists(database), "ironbase_path names the database")
        t.ok(call("insert_block", block={"type": "equation", "content": "E=mc^2"}).get("success"), "strict_mode = false lets extension types in")
        t.same(code(call("insert_block", block=para("x", compliance_note="forbidden"))), "SCHEMA_VALIDATION_FAILED", "schema_file is asked besides")
        got = call("delete_block", block_label="para:5.1")
        t.ok(got.get("error", {}).get("details", {}).get("deleted_count") == 1, "confirm_delete = flag refuses with a preview", got)
        t.ok(call("delete_block", block_label="para:5.1", confirm=True).get("success"), "and takes confirm: true")
        head = call("verify_audit")
    with open(os.path.join(f.path, "docjl_audit.log")) as log:
        lines = [json.loads(x) for x in log]
    t.same([x["operation"] for x in lines], ["create_document", "insert_block", "delete_block"], "the JSON lines file has every entry")
    os.truncate(os.path.join(f.path, "docjl_audit.log"), 100)
    with Stdio("docjl", *config, root=f.path) as s:
        Tools(s).bare("list_documents")
    with open(os.path.join(f.path, "docjl_audit.log")) as log:
        kept = [x for x in log.read().splitlines() if x.endswith("}")]
    t.same(len(kept), 3, "lines that a crash kept from it are caught up at the next start")

    def verify(*more):
        done = subprocess.run([QUIRE, "audit", "verify", *more, *config, "--root", f.path], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    t.ok(verify()[0] == 0, "quire audit verify finds the trail sound", verify())
    db = sqlite3.connect(database)
    db.execute("UPDATE audit SET usr = 'somebody else' WHERE seq = 2")
    db.commit()
    status, words = verify()
    t.ok(status == 1 and "audit_doc_123_2" in words and "altered" in words, "an altered entry is named", words)
    db.execute("UPDATE audit SET usr = 'test' WHERE seq = 2")
    db.execute("DELETE FROM audit WHERE seq = 3")
    db.execute("UPDATE doc SET audit_seq = 2, audit_hash = (SELECT hash FROM audit WHERE seq = 2)")
    db.commit()
    db.close()
    status, words = verify("doc_123", "--anchor", head["head"])
    t.ok(status == 1 and "anchor" in words, "a trail that was cut is seen against the anchor", words)

with Folder() as f:
    with Stdio("docjl", root=f.path) as s:
        Tools(s).bare("create_document", document=manual())
    db = sqlite3.connect(os.path.join(f.path, "docjl.db"))
    db.execute("CREATE TRIGGER evil AFTER INSERT ON node BEGIN DELETE FROM audit; END")
    db.commit()
    db.close()
    with Stdio("docjl", root=f.path) as s:
        got = Tools(s).bare("list_documents")
        t.ok(code(got) == "INTERNAL_ERROR" and "evil" in got["error"]["message"], "a planted trigger is refused by name", got)
    words = got["error"]["message"].split("fresh file: quire ", 1)[1].replace("NEW.db", os.path.join(f.path, "new.db")).split()
    done = subprocess.run([QUIRE, *words, "--root", f.path], capture_output=True, text=True)
    t.ok(done.returncode == 0, "the command that the refusal names saves the rows", done.stderr)
    os.replace(os.path.join(f.path, "new.db"), os.path.join(f.path, "docjl.db"))
    with Stdio("docjl", root=f.path) as s:
        t.same(Tools(s)("get_document")["document"], manual(), "and the document is whole in the fresh file")

with Folder() as f, Stdio("docjl", root=f.path) as s:
    Tools(s).bare("create_document", document=manual())
    listed = s.request("resources/list")["result"]["resources"]
    t.same([r["uri"] for r in listed], ["docjl://document/doc_123"], "documents are resources")
    got = s.request("resources/read", {"uri": "docjl://document/doc_123"})["result"]["contents"][0]["text"]
    t.same(json.loads(got), manual(), "and can be read")

try:
    import requests  # noqa: F401
    python = sys.executable
except ImportError:
    python = "/usr/bin/python3" if subprocess.run(["/usr/bin/python3", "-c", "import requests"], capture_output=True).returncode == 0 else None
EXAMPLE = '''
import requests

mcp = requests.Session()
mcp.headers.update({"Authorization": "Bearer your_api_key"})
response = mcp.post("http://localhost:PORT/mcp", json={"method": "mcp_docjl_list_documents", "params": {}})
docs = response.json()["documents"]
response = mcp.post("http://localhost:PORT/mcp", json={
    "method": "mcp_docjl_insert_block",
    "params": {
        "document_id": "doc_123",
        "parent_label": "sec:4",
        "position": "end",
        "block": {"type": "paragraph", "content": [{"type": "text", "content": "New compliance requirement"}]}
    }
})
print(f"Inserted block: {response.json()['block_label']}")
'''
with Folder() as f:
    f.write("api_keys.json", json.dumps([{"api_key": "your_api_key", "name": "lab", "allowed_documents": ["doc_*"]},
                                         {"api_key": "other_key_9", "name": "other", "allowed_documents": ["sop_*"]}]))
    os.chmod(os.path.join(f.path, "api_keys.json"), 0o600)
    with Stdio("docjl", root=f.path) as s:
        Tools(s).bare("create_document", document=manual())
    with Http("docjl", "--keys", os.path.join(f.path, "api_keys.json"), root=f.path) as h:
        if python:
            done = subprocess.run([python, "-c", EXAMPLE.replace("PORT", str(h.port))], capture_output=True, text=True)
            t.same(done.stdout, "Inserted block: para:4.4\n", "the specification's Python example runs as printed")
        else:
            t.skip("the specification's Python example", "skipped: no requests here")

        def plain(tool, key="your_api_key", **params):
            status, head, body = h.raw("POST", "/mcp", json.dumps({"method": "mcp_docjl_" + tool, "params": params}),
                                       {"Authorization": "Bearer " + key} if key else None)
            return status, json.loads(body), head
        status, got, head = plain("list_documents", key=None)
        t.ok(status == 401 and code(got) == "UNAUTHORIZED" and "www-authenticate" in head, "without a key: 401 with the kind's error", (status, got))
        t.same(plain("list_documents", "other_key_9")[1]["documents"], [], "a key sees only its documents")
        t.same(plain("get_document", "other_key_9", document_id="doc_123")[:2][0], 404, "and others do not exist for it")
        t.same((plain("get_document", document_id="doc_124")[0], plain("update_block", document_id="doc_123", block_label="sec:9", updates={"x": 1})[0],
                plain("insert_block", document_id="doc_123", block={"type": "x"})[0], plain("insert_block", document_id="doc_123")[0]),
               (404, 404, 422, 400), "statuses are those of the specification")
        t.same(plain("create_document", document=manual())[0], 422, "422 for an id that is taken, as the specification has it for this code")
        status, head, body = h.raw("POST", "/mcp", b" " * (1048576 + 1), {"Authorization": "Bearer your_api_key"})
        t.ok(status == 413 and code(json.loads(body)) == "INVALID_COMMAND", "more than 1 MB is refused with 413", (status, body[:200]))
        codes = [plain("insert_block", document_id="doc_123", parent_label="sec:5", block=para("x"))[0] for _ in range(10)]
        t.ok(codes.count(429) >= 1 and codes[0] == 200, "the writes of a minute are bounded", codes)

# A manual as it was before: shorthands, no id, no labels, broken references. (What import says, broken references, one of them with its
# repair and the number of repaired places, a label that the exported pages have.)
for name, kept, said, broken, old, new, repaired, label in (
        ("", "canonical", "20 blocks, 13 labels given, 3 broken references", 3, "app:gone", "sec:27", 2, "sec:4.2"),
        ("iso17025_", "iso17025_canonical", "2641 blocks, 2071 labels given, 20 broken references", 20, "app:sop-doc-001", "sec:27", 7, "sec:7.2.2")):
    shape = os.path.join(DATA, f"docjl/{name}shape.json")
    if not os.path.exists(shape):
        continue
    with Folder() as f:
        quire = lambda *words: subprocess.run([QUIRE, *words, "--root", f.path], capture_output=True, text=True)
        done = quire("import", "docjl", shape, "--id", kept)
        t.ok(said in done.stdout, "a real manual is imported", done)
        with open(os.path.join(DATA, f"docjl/{name}canonical.json")) as want:
            t.ok(quire("export", "docjl", kept).stdout == want.read(), "and exported in its canonical form, byte for byte")
        t.ok("already" in quire("import", "docjl", shape, "--id", kept).stderr, "an id that is taken is refused")
        t.same(quire("import", "docjl", shape, "--id", kept, "--replace").returncode, 0, "--replace takes its place")
        with Stdio("docjl", root=f.path) as s:
            call = Tools(s)
            t.same(call("validate_references", document_id=kept)["total"], broken, f"{broken} references are broken")
            t.same(call("update_references", document_id=kept, label_changes=[{"old": old, "new": new}])["updated_count"], repaired,
                   f"{repaired} of them are repaired in one call")
        for other in sorted(os.listdir(os.path.join(DATA, "docjl"))):
            if other.startswith("agent_") and other.endswith(".json"):
                done = quire("import", "docjl", os.path.join(DATA, "docjl", other), "--id", other[:-5])
                t.ok(done.returncode == 0, f"{other} is imported", done.stderr)
        html = quire("export", "docjl", kept, "--format", "html").stdout
        t.ok(html.startswith("<!doctype html>") and f'id="{label}"' in html and "<script" not in html, "a manual is exported as HTML")
        md = quire("export", "docjl", kept, "--format", "md").stdout
        t.ok("## Contents" in md and f"](#{label})" in md, "and as Markdown with a table of contents")
t.done()
