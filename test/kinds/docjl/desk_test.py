#!/usr/bin/env python3
"""Work with a manual outside the tools: import and export, backups, settings, keys, subscriptions, pages to read."""
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Http, Stdio, Tap

t = Tap()
KEY = "k" * 40


def text(words):
    return [{"type": "text", "content": words}]


def para(words, label=None):
    return {"type": "paragraph", "content": text(words), **({"label": label} if label else {})}


def section(title, label, *children):
    return {"type": "section", "title": title, "label": label, "children": list(children)}


def document(*blocks, id="d", **metadata):
    return {"id": id, "metadata": {"title": "Manual", "version": "1.0", **metadata}, "docjll": list(blocks)}


def shell(folder, *words):
    return subprocess.run([QUIRE, *words, "--root", folder.path], capture_output=True, text=True)


def tool(server, name, **arguments):
    answer = server.call("mcp_docjl_" + name, arguments)
    if "error" in answer:
        return answer
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


def plain(server, name, key=None, **params):
    headers = {"Authorization": "Bearer " + key} if key else None
    status, head, body = server.raw("POST", "/mcp", json.dumps({"method": "mcp_docjl_" + name, "params": params}), headers)[:3]
    return status, json.loads(body), {k.lower(): v for k, v in dict(head).items()}


def dumped(value):
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


with Folder() as f:
    whole = document(section("Őrzés", "sec:1", para("a \"b\" \\ \u2028 é", "para:1.1"), {"type": "heading", "level": 2, "content": text("x"),
                     "label": "sec:1.1", "children": []}), {"type": "equation", "content": "E", "label": "eq:1", "extra": [1, 2.5, None, {}]}, empty={}, n=[])
    f.write("whole.json", json.dumps(whole))
    path = os.path.join(f.path, "whole.json")
    done = shell(f, "import", "docjl", path)
    t.ok(done.returncode == 0 and "imported d: 4 blocks, 0 labels given, 0 broken references" in done.stdout, "an import tells its counts", done)
    t.same(shell(f, "export", "docjl", "d").stdout, dumped(whole), "an export without changes gives the document back byte for byte")
    done = shell(f, "import", "docjl", path)
    t.ok(done.returncode == 1 and "already" in done.stderr and "--replace" in done.stderr, "a taken id is refused, with the option that replaces", done)
    t.same(shell(f, "import", "docjl", path, "--replace").returncode, 0, "which works")
    t.same(shell(f, "import", "docjl", path, "--id", "e", "--replace").returncode, 0, "--replace takes a free id too")
    with Stdio("docjl", root=f.path) as s:
        log = tool(s, "get_audit_log", document_id="d")["entries"]
        t.same([e["operation"] for e in log], ["replace_document", "create_document"], "the trail goes on over a replacement")
        t.same(log[0]["details"]["sha256"], __import__("hashlib").sha256(json.dumps(whole).encode()).hexdigest(), "with the file's SHA-256")
        changes = tool(s, "diff", document_id="d", **{"from": "r1"})["changes"]
        t.same(len(changes["imported"]), 1, "the list of changes tells that everything was replaced")
    done = shell(f, "docjl", "changes", "d", "2020-01-01")
    t.same(done.stdout.count("The whole document was imported by"), 2, "and so does the page")
    f.write("flat.json", json.dumps({"docjll": [{"type": "heading", "level": 1, "content": "A"}, {"type": "paragraph", "content": "a"},
                                                {"type": "heading", "level": 2, "content": "B"}, {"type": "paragraph", "content": "b"},
                                                {"type": "heading", "level": 1, "content": "C"}]}))
    flat = os.path.join(f.path, "flat.json")
    done = shell(f, "import", "docjl", flat, "--nest")
    t.ok("imported flat: 5 blocks, 5 labels given" in done.stdout, "the id comes from the file's name", done)
    nested = json.loads(shell(f, "export", "docjl", "flat", "--all-labels").stdout)["docjll"]
    t.same([(b["label"], [(c["label"], [d["label"] for d in c.get("children", [])]) for c in b.get("children", [])]) for b in nested],
           [("sec:1", [("para:1.1", []), ("sec:1.1", ["para:1.1.1"])]), ("sec:2", [])], "--nest makes a tree of a flat document")
    t.ok("label" not in shell(f, "export", "docjl", "flat").stdout, "labels that the file did not have are left out of an export")
    shell(f, "import", "docjl", flat, "--keep-unlabelled", "--id", "bare")
    t.ok('"label"' not in shell(f, "export", "docjl", "bare", "--all-labels").stdout, "--keep-unlabelled gives none")
    f.write("bad.json", json.dumps(document({"type": "table", "headers": ["a"], "rows": [["1", "2"]]}, id="bad")))
    bad = os.path.join(f.path, "bad.json")
    done = shell(f, "import", "docjl", bad, "--strict")
    t.ok(done.returncode == 1 and "rows[0]" in done.stderr, "--strict refuses what breaks the schema", done)
    t.same(shell(f, "import", "docjl", bad).returncode, 0, "without it the document is taken, to be mended")
    for name, bytes_, words in (("a.json", "{", "line 1"), ("b.json", "[]", "object"), ("none.json", None, "none.json")):
        if bytes_ is not None:
            f.write(name, bytes_)
        done = shell(f, "import", "docjl", os.path.join(f.path, name))
        t.ok(done.returncode == 1 and words in done.stderr, f"{name} is refused with {words}", done)
    out = os.path.join(f.path, "out.md")
    t.ok(shell(f, "export", "docjl", "d", "--format", "md", "-o", out).returncode == 0 and "1 Őrzés" in open(out, encoding="utf-8").read(),
         "-o writes a file")
    t.same(shell(f, "export", "docjl", "nothing").returncode, 1, "an export of nothing fails")
    t.same(shell(f, "export", "docjl", "d", "--format", "docx").returncode, 2, "an unknown format is a mistake of the command line")

with Folder() as f:
    with Stdio("docjl", root=f.path) as s:
        tool(s, "create_document", document=document(section("<Öne>", "sec:1", para("<script>alert(1)</script>", "para:1.1"),
             {"type": "paragraph", "label": "para:1.2", "content": [{"type": "ref", "target": "sec:1"}, {"type": "link", "href": "javascript:x", "content": "l"}]},
             {"type": "image", "src": "http://elsewhere/p.png", "alt": "far", "caption": "c", "label": "fig:1"},
             {"type": "image", "src": "near.png", "alt": "near", "caption": "c", "label": "fig:2"}), language="hu"))
        html = s.call("mcp_docjl_export_document", {"document_id": "d", "format": "html"})["result"]["content"][0]["text"]
        md = s.call("mcp_docjl_export_document", {"document_id": "d"})["result"]["content"][0]["text"]
    t.ok("<script" not in html and "javascript:" not in html and "&lt;Öne&gt;" in html, "the page runs nothing")
    t.ok('<a href="http://elsewhere/p.png">far</a>' in html and '<img src="near.png" alt="near">' in html, "nor does it fetch pictures from elsewhere", html)
    t.ok('<html lang="hu">' in html and '<a href="#sec:1">1 &lt;Öne&gt;</a>' in html and '<h1 id="sec:1">1 ' in html,
         "contents and headings have the numbers of the sections", html)
    t.ok("- [1 " in md and "](#sec:1)" in md, "in Markdown too", md)

with Folder() as f:
    # The manager's list of changes: everything that changed, by whom, with the entry to undo.
    first = document(section("One", "sec:1", para("calibrated every year", "para:1.1"), para("second", "para:1.2"),
                             {"type": "paragraph", "label": "para:1.3", "content": [{"type": "ref", "target": "sec:77", "content": "that"}]}),
                     {"type": "heading", "level": 1, "content": text("Two"), "label": "sec:2", "children": [para("x", "para:2.1")]})
    for user, words in (("anna", "calibrated every <6> months"), ("bela", "always calibrated every <6> months")):
        with Stdio("docjl", "--tools", "all", "--user", user, root=f.path) as s:
            if user == "anna":
                tool(s, "create_document", document=first)
            tool(s, "update_block", document_id="d", block_label="para:1.1", updates={"content": words})
            if user == "bela":
                tool(s, "update_references", document_id="d", label_changes=[{"old": "sec:77", "new": "sec:2"}])
                tool(s, "update_block", document_id="d", block_label="sec:2", updates={"level": 2})
                tool(s, "update_block", document_id="d", block_label="para:2.1", updates={"label": "para:special"})
                undone = tool(s, "update_block", document_id="d", block_label="para:1.2", updates={"content": "gone again"})
                tool(s, "rollback", audit_id=undone["audit_id"])
                found = tool(s, "diff", document_id="d", **{"from": "r1"})["changes"]
                t.same([(x["label"], x["by"], x["text"], x.get("fields")) for x in found["changed"]],
                       [("para:1.1", "anna, bela", "{+always+} calibrated every [-year-] {+<6> months+}", None), ("sec:2", "bela", "Two", ["level"]),
                        ("para:special", "bela", "x", None)], "words, values and labels that changed are told, with everybody who changed them")
                t.same([(x["label"], x["from"], x["to"], x["audit_id"]) for x in found["redirected"]], [("para:1.3", "sec:77", "sec:2", "audit_d_4")],
                       "so are redirected references")
                for date in ("2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00+01:00", "2020-01-01 08:00", "2020-01-01T08:00"):
                    t.same(tool(s, "diff", document_id="d", **{"from": date}).get("changes", {}).get("from"), "r0", f"{date} is a date")
                t.ok("neither a revision" in str(tool(s, "diff", document_id="d", **{"from": "2026-02-31"})), "2026-02-31 is none")
    page = shell(f, "docjl", "changes", "d", "r1", "--format", "html").stdout
    t.ok("<ins>always</ins> calibrated every <del>year</del> <ins>&lt;6&gt; months</ins>" in page and "anna, bela, 20" in page and "audit_d_3" in page,
         "the page shows them", page)
    t.ok("<strong>para:special</strong> (was para:2.1)" in page and "other values in: level" in page and "from sec:77 to sec:2" in page, "all of them", page)
    md = shell(f, "docjl", "changes", "d", "r1").stdout
    t.ok("**always** calibrated every ~~year~~ **\\<6\\> months**" in md and "(was para:2.1)" in md, "in Markdown too", md)
    t.ok("Nothing changed." in shell(f, "docjl", "changes", "d", "2999-01-01").stdout, "or that nothing changed")
    done = shell(f, "docjl", "changes", "d", "monday")
    t.ok(done.returncode == 1 and "such as 2026-11-16" in done.stderr, "what is no date is refused with one that is", done)
    t.same(shell(f, "docjl", "changes", "d", "r1", "--format", "pdf").returncode, 2, "an unknown format is a mistake of the command line")
    many = document(section("A", "sec:1", *[para("word " * 20, f"para:1.{i}") for i in range(1, 1501)]), id="many")
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        tool(s, "create_document", document=many)
        tool(s, "delete_block", document_id="many", block_label="sec:1", cascade=True)
        found = tool(s, "diff", document_id="many", **{"from": "r1"})["changes"]
        t.ok(len(json.dumps(found)) < 80000 and len(found["removed"]) + found["omitted"] == 1501, "a long list is cut and counted", len(json.dumps(found)))
    t.same(shell(f, "docjl", "changes", "many", "r1").stdout.count("**para:1."), 1500, "the command prints all")

with Folder() as f:
    # Long results are bounded. They summarise the rest or say how to get it.
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        tool(s, "create_document", document=document(section("A", "sec:1", *[para("x", f"para:1.{i}") for i in range(1, 1301)])))
        got = tool(s, "insert_block", document_id="d", parent_label="sec:1", position="start", block=para("y"))
        t.same((len(got["affected_labels"]), got["affected_count"], got["label_ranges"]),
               (50, 1301, [{"prefix": "para", "stem": "1", "from": 1, "to": 1300, "by": 1}]), "a long renumbering is told as a range")
        got = tool(s, "move_block", block_label="para:1.1", document_id="d", position="end")
        t.same((len(got["affected_labels"]) <= 50, got["label_ranges"][-1]), (True, {"prefix": "para", "stem": "1", "from": 2, "to": 1301, "by": -1}),
               "so is that of a move")
        for i in range(40):
            tool(s, "create_document", document=document(id=f"e{i:02}", title="t" * 3000))
        page, seen = tool(s, "list_documents"), []
        t.ok("next_cursor" in page and len(json.dumps(page)) < 65000, "a list of long titles has pages", len(json.dumps(page)))
        while page:
            seen += [d["id"] for d in page["documents"]]
            page = tool(s, "list_documents", cursor=page["next_cursor"]) if "next_cursor" in page else None
        t.same(seen, ["d"] + [f"e{i:02}" for i in range(40)], "and they hold all")
        refs = [{"type": "ref", "target": "sec:" + "x" * 190 + str(i)} for i in range(900)]
        tool(s, "create_document", document=document({"type": "paragraph", "content": refs, "label": "para:1"}, id="broken"))
        got = tool(s, "validate_references", document_id="broken")
        t.ok(got["total"] == 900 and 50 < len(got["issues"]) < 900 and len(json.dumps(got)) < 90000, "broken references are counted, and listed in part")
        tool(s, "create_document", document=document(*[para("x") for _ in range(500)], {"type": "table", "headers": ["a"], "rows": [["1"]]}, id="bare"))
        got = tool(s, "validate_schema", document_id="bare")
        t.ok(got["warnings"][0]["message"] == "Table caption missing" and got["warning_count"] == 502, "blocks without a label hide no other warning", got)

with Folder() as f:
    # Real files contain more than the specification. None of it may be missing on a page or in a search.
    odd = document(section("Method", "sec:2",
        {"type": "paragraph", "label": "para:2.1", "content": [{"type": "ref", "target": "sec:2"}, {"type": "ref", "target": "sec:77"}]},
        {"type": "list", "ordered": False, "label": "list:1", "items": [[{"type": "link", "url": "https://x/y", "text": "OldLink"}],
                                                                      {"type": "bold", "content": "AloneItem"}, {"type": "entry", "content": "TypedItem"}]},
        {"type": "table", "label": "tab:1", "headers": ["a"], "rows": [[12.50], [True], [text("InlineCell")]], "footer_rows": [["FooterCell"]]},
        {"type": "code", "label": "code:1", "content": "x", "caption": "CodeCaption"}))
    f.write("odd.json", json.dumps(odd).replace("12.5", "12.50"))
    shell(f, "import", "docjl", os.path.join(f.path, "odd.json"))
    for format in ("html", "md"):
        page = shell(f, "export", "docjl", "d", "--format", format).stdout
        for words in ("OldLink", "https://x/y", "AloneItem", "TypedItem", "12.50", "true", "InlineCell", "FooterCell", "CodeCaption", "2 Method</a>"
                      if format == "html" else "[2 Method](#sec:2)"):
            t.ok(words in page, f"{words} is on the {format} page", page)
    page = shell(f, "export", "docjl", "d", "--format", "html").stdout
    t.ok('title="sec:77">sec:77 (missing)</span>' in page, "a reader sees that a reference is broken", page)
    with Stdio("docjl", root=f.path) as s:
        t.same(tool(s, "search_blocks", document_id="d", query={"content_contains": "oldlink"})["total"], 1, "words of such a link are found")

with Folder() as f:
    f.write("quire.toml", "[mcp_server.storage]\naudit_log_path = 'trail.jsonl'\n")
    config = ["--config", os.path.join(f.path, "quire.toml")]
    database, trail = os.path.join(f.path, "docjl.db"), os.path.join(f.path, "trail.jsonl")
    verify = lambda: shell(f, "audit", "verify", *config)
    with Stdio("docjl", *config, root=f.path) as s:
        tool(s, "create_document", document=document(para("x", "para:1")))
        tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": "monday"})
    shutil.copy(database, database + ".yesterday")
    with Stdio("docjl", *config, root=f.path) as s:
        tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": "tuesday"})
        tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": "wednesday"})
        t.ok(tool(s, "verify_audit", document_id="d")["valid"], "database and audit file agree")
    os.replace(database + ".yesterday", database)
    done = verify()
    t.ok(done.returncode == 1 and "audit_d_3" in done.stdout and "2 entries of the audit file are not in the database" in done.stdout,
         "entries that a restored backup lost are seen by the audit file", done)
    with Stdio("docjl", *config, root=f.path) as s:
        t.ok(tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": "again"}).get("success"), "the work goes on")
        found = tool(s, "verify_audit", document_id="d")
        t.ok(not found["valid"] and found["bad_entry"] == "audit_d_3", "the tool tells the same", found)
    os.replace(trail, trail + ".kept")
    with Stdio("docjl", *config, root=f.path) as s:
        tool(s, "list_documents")
    t.ok(verify().returncode == 0 and len(open(trail).readlines()) == 3, "as advised: the file kept elsewhere, the next start writes a new one",
         verify())

with Folder() as f:
    with Stdio("docjl", root=f.path) as s:
        tool(s, "create_document", document=document(para("x", "para:1")))
        for words in ("monday", "tuesday"):
            tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": words})
    db = sqlite3.connect(os.path.join(f.path, "docjl.db"))
    for column, value in (("ts", "ts + 1"), ("op", "'move_block'"), ("usr", "'other'"), ("uid", "uid + 1"), ("label", "'para:9'"), ("details", "'{}'"),
                          ("touched", "touched || ' 9'"), ("prev", "zeroblob(32)"), ("hash", "zeroblob(32)")):
        kept = db.execute(f"SELECT {column} FROM audit WHERE seq = 2").fetchone()[0]
        db.execute(f"UPDATE audit SET {column} = {value} WHERE seq = 2")
        db.commit()
        done = shell(f, "audit", "verify")
        t.ok(done.returncode == 1 and "BROKEN at audit_d_2" in done.stdout, f"an altered {column} of an entry is found, and the entry named", done)
        db.execute(f"UPDATE audit SET {column} = ? WHERE seq = 2", (kept,))
        db.commit()
    done = shell(f, "audit", "verify")
    t.same(done.returncode, 0, "put back, the trail is sound again")
    anchor = done.stdout.split("head ")[1].strip()
    t.same(shell(f, "audit", "verify", "d", "--anchor", anchor.upper()).returncode, 0, "an anchor may be typed in capitals")
    done = shell(f, "audit", "verify", "d", "--anchor", "yesterday")
    t.ok(done.returncode == 1 and "NUMBER:HASH" in done.stderr, "what is no anchor is refused", done)
    for words in ("DELETE FROM audit", "UPDATE doc SET audit_seq = 0, audit_hash = NULL"):
        db.execute(words)
        db.commit()
        done = shell(f, "audit", "verify")
        t.ok(done.returncode == 1 and "BROKEN at audit_d_1: all entries are missing" in done.stdout, f"an emptied trail is not sound: {words}", done)
    db.close()

with Folder() as f:
    f.write("quire.toml", "[mcp_server.storage]\nironbase_path = 'notes.txt'\n")
    f.write("notes.txt", "these are notes, not a database\n" * 50)
    with Stdio("docjl", "--config", os.path.join(f.path, "quire.toml")) as s:
        got = tool(s, "create_document", document=document())
        t.ok(got.get("error", {}).get("code") == "INTERNAL_ERROR", "a file that is no database is refused", got)
    t.same(f.read("notes.txt"), b"these are notes, not a database\n" * 50, "and never overwritten")
    f.write("quire.toml", "[mcp_server.storage]\nironbase_path = 'sub.mlite'\n[mcp_server.validation]\nschema_file = 'none.json'\nodd = 1\n")
    with Stdio("docjl", "--config", os.path.join(f.path, "quire.toml")) as s:
        made = tool(s, "create_document", document=document())
        t.ok(made.get("success") and os.path.exists(os.path.join(f.path, "sub.mlite")),
             "paths are relative to the configuration file")
        t.same(tool(s, "insert_block", document_id="d", block={"type": "equation", "content": "x"})["error"]["code"], "SCHEMA_VALIDATION_FAILED",
               "strict_mode is the default")
        s.close()
        said = "".join(s.errors)
    t.ok("none.json" in json.dumps(made["_warnings"]), "a missing schema_file is told with the first answer", made)
    t.ok("odd" in said, "an unknown key is told at the start", said)
    t.ok("none.json of docjl cannot be read" in said, "and so is a missing schema_file", said)

with Folder() as f:
    f.write("keys.json", json.dumps([{"api_key": KEY, "name": "lab"}]))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    done = shell(f, "serve", "docjl", "--http", "127.0.0.1:0", "--keys", os.path.join(f.path, "keys.json"))
    t.ok(done.returncode and "no allowed_documents" in done.stderr, "a key without allowed_documents keeps the server from starting", done)
    f.write("keys.json", json.dumps({"api_keys": [
        {"key": KEY, "name": "lab", "allowed_documents": ["d", "sop_*"]}, {"key": "s" * 40, "name": "sop", "allowed_documents": ["sop_*"]},
        {"api_key": "r" * 40, "name": "reader", "allowed_documents": ["*"], "allowed_commands": ["mcp_docjl_list_documents", "mcp_docjl_get_document"]}]}))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    with Stdio("docjl", root=f.path) as s:
        for name in ("d", "other", "sop_1"):
            tool(s, "create_document", document=document(section("A", "sec:1", para("x", "para:1.1")), id=name))
    with Http("docjl", "--keys", os.path.join(f.path, "keys.json"), root=f.path) as h:
        t.same([d["id"] for d in plain(h, "list_documents", KEY)[1]["documents"]], ["d", "sop_1"], "globs of a key filter the list")
        status, got, _ = plain(h, "insert_block", "r" * 40, document_id="d", block=para("x"))
        t.ok(status == 403 and got["error"]["code"] == "UNAUTHORIZED", "a command that the key may not use is 403", (status, got))
        status, got, _ = plain(h, "update_block", "s" * 40, document_id="other", block_label="para:1.1", updates={"content": "x"})
        t.ok(status in (403, 404) and "other" in got["error"]["message"], "so is a document, or it does not exist for it", (status, got))
        writes = [plain(h, "update_block", KEY, document_id="d", block_label="para:1.1", updates={"content": str(i)})[0] for i in range(13)]
        t.same(writes, [200] * 10 + [429] * 3, "the 11th write of a minute is refused")
        reads = [plain(h, "list_documents", KEY)[0] for _ in range(90)]
        t.same((reads.count(200), reads[-1]), (89, 429), "the 101st request too: writes count in both, refused calls in neither")
        status, got, head = plain(h, "list_documents", KEY)
        t.ok(got["error"]["code"] == "RATE_LIMIT_EXCEEDED" and 1 <= int(head["retry-after"]) <= 60, "with Retry-After", (got, head))
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        log = tool(s, "get_audit_log", document_id="d", include_refused=True)["entries"]
        t.same({e["user"] for e in log if e["operation"] == "update_block"}, {"lab"}, "the trail names the key")
        t.ok(not any(KEY in json.dumps(e) for e in log), "and never holds it")
        over = [(e["user"], e["operation"], e["block_label"]) for e in log if e.get("details", {}).get("code") == "RATE_LIMIT_EXCEEDED"]
        t.same([x for x in over if x[1] != "request"], [("lab", "update_block", "para:1.1")],
               "a write over the limit is an event for the auditor, once a minute")
        t.same([x[:2] for x in over if x[1] == "request"], [("lab", "request")], "so is the 101st request, whatever it asked for")
        times = [e["timestamp"] for e in log]
        t.same(times, sorted(times, reverse=True), "newest first, events among the entries")
        denied = [(e["user"], e["operation"]) for e in log if e.get("details", {}).get("code") == "UNAUTHORIZED"]
        t.same(denied, [("reader", "insert_block")], "so is one that the key may not do")
        t.ok(not any("result" in e for e in tool(s, "get_audit_log", document_id="d")["entries"]), "hidden unless include_refused")
    with Http("docjl", "--keys", os.path.join(f.path, "keys.json"), root=f.path) as h:
        t.same([plain(h, "list_documents", key)[0] for key in (None, "wrong" * 8, None)], [401] * 3, "without a key, or with a wrong one: 401")
        t.same([e for e in plain(h, "get_audit_log", KEY, document_id="d", include_refused=True)[1]["entries"] if e["operation"] == "request"], [],
               "a key of some documents does not see the server's events")
    with Stdio("docjl", "--tools", "all", root=f.path) as s:
        log = tool(s, "get_audit_log", document_id="d", include_refused=True)["entries"]
        unknown = [e for e in log if e["user"] == "(no key)"]
        t.same([(e["operation"], e["result"], e["details"]["code"]) for e in unknown], [("request", "refused", "UNAUTHORIZED")],
               "a 401 is an event for the auditor, once a minute")
        t.ok("address 127.0.0.1" in unknown[0]["details"]["message"], "with the address it came from", unknown)
        t.ok("(no key)" not in str(tool(s, "get_audit_log", document_id="d", include_refused=True, block_label="para:1.1")), "but not one of a block")
        pages, cursor = [], {}
        while cursor is not None:
            page = tool(s, "get_audit_log", document_id="d", include_refused=True, limit=4, **cursor)
            pages += page["entries"]
            cursor = {"cursor": page["next_cursor"]} if "next_cursor" in page else None
        t.same(pages, log, "page by page it is the same list")
        t.ok(tool(s, "create_document", document=document(id="d")).get("error") and
             tool(s, "get_audit_log", document_id="d", include_refused=True)["entries"][0]["operation"] == "create_document",
             "a document that would take this one's id is an event too")
    f.write("open.toml", "[mcp_server.auth]\nrequire_auth = false\n[mcp_server.rate_limit]\nrequests_per_minute = 0\nwrites_per_minute = 0\n")
    big = document(section("A", "sec:1", *[para("word " * 400, f"para:1.{i}") for i in range(1, 2301)]), id="big")
    f.write("big.json", json.dumps(big))
    shell(f, "import", "docjl", os.path.join(f.path, "big.json"))
    with Http("docjl", "--config", os.path.join(f.path, "open.toml"), root=f.path) as h:
        plain(h, "update_block", document_id="d", block_label="para:1.1", updates={"content": "nobody"})
        t.same(plain(h, "get_audit_log", document_id="d", limit=1)[1]["entries"][0]["user"], "anonymous", "without keys the user is anonymous")
        t.same(plain(h, "get_document", document_id="big")[1]["document"], big, "the plain form returns a manual of more than 4 MiB whole")
        got = tool(h, "get_document", document_id="big", answer_whole=True)
        words = got["error"]["message"]
        t.ok(got["error"]["code"] == "INVALID_COMMAND" and all(w in words for w in ("bytes", "sections", "depth", "export")),
             "as a message of the protocol it is refused with its size and the ways on", got)
        t.ok(tool(h, "get_document", document_id="big", depth=1)["document"]["docjll"][0]["children_omitted"] == 2300 and
             len(tool(h, "get_document", document_id="big", sections=["para:1.7"])["document"]["docjll"]) == 1, "which work")
        with socket.create_connection(("127.0.0.1", h.port), timeout=30) as wire:
            wire.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n" % h.port)
            answer = b""
            while b"}}" not in answer and (more := wire.recv(4096)):
                answer += more
        t.ok(b" 413 " in answer and b"INVALID_COMMAND" in answer, "more than 1 MB is refused before the body is sent", answer)
        status, got, _ = plain(h, "no_such_tool")
        t.same((status, got["error"]["code"]), (400, "INVALID_COMMAND"), "an unknown method is 400")
        t.ok("documents" in json.loads(h.request("mcp_docjl_list_documents", {}).get("result", {})["content"][0]["text"]),
             "a tool's name is a JSON-RPC method too")
        outline = tool(h, "search_blocks", document_id="big", query={"type": "paragraph"}, limit=1000)
        t.ok(len(json.dumps(outline)) < 70000 and outline["next_cursor"], "long lists are cut and go on at a cursor", len(json.dumps(outline)))

with Folder() as f, Stdio("docjl", root=f.path) as s:
    tool(s, "create_document", document=document(para("x", "para:1")))
    s.request("resources/subscribe", {"uri": "docjl://document/d"})
    with Stdio("docjl", root=f.path) as other:
        tool(other, "update_block", document_id="d", block_label="para:1", updates={"content": "y"})
    tool(s, "update_block", document_id="d", block_label="para:1", updates={"content": "z"})
    while not any(n.get("method") == "notifications/resources/updated" for n in s.notices):
        s.notices.append(s.receive())
    t.same(s.notices[-1]["params"]["uri"], "docjl://document/d", "a subscriber hears of a change")
    t.ok("error" in s.request("resources/read", {"uri": "docjl://document/none"}), "a manual that is not there cannot be read")

with Folder() as f, Stdio("docjl", root=f.path) as s:
    tool(s, "create_document", document=document(para("x", "para:1")))
    s.request("resources/subscribe", {"uri": "docjl://document/d"})
    with Stdio("docjl", root=f.path) as other:
        tool(other, "update_block", document_id="d", block_label="para:1", updates={"content": "y"})
    heard = s.receive()
    t.same((heard.get("method"), heard.get("params", {}).get("uri")), ("notifications/resources/updated", "docjl://document/d"),
           "also of one that another process made, without asking for anything")

with Folder() as f:
    f.write("keys.json", json.dumps([{"api_key": KEY, "name": "lab", "allowed_documents": ["*"], "rate_limit": {"requests_per_minute": 5, "writes_per_minute": 5}},
                                     {"api_key": "w" * 40, "name": "writer", "allowed_documents": ["*"], "rate_limit": {"requests_per_minute": 99, "writes_per_minute": 99}}]))
    os.chmod(os.path.join(f.path, "keys.json"), 0o600)
    with Http("docjl", "--keys", os.path.join(f.path, "keys.json"), root=f.path) as h:
        writer = "w" * 40
        plain(h, "create_document", writer, document=document(para("x", "para:1"), section("A", "sec:1")))
        with sqlite3.connect(os.path.join(f.path, "docjl.db")) as db:
            db.execute("UPDATE doc SET modified_at = 0")
        db.close()
        issued = lambda: (plain(h, "get_document", writer, document_id="d")[1]["document"]["metadata"], plain(h, "list_documents", writer)[1]["documents"][0])
        (before, row), change = issued(), {"document_id": "d", "block_label": "para:1", "updates": {"content": "y"}}
        status, got, _ = plain(h, "update_block", writer, **change, if_revision="r1")
        t.same((status, got.get("success")), (200, True), "a write on the revision that was read is done")
        status, got, _ = plain(h, "update_block", writer, **change, if_revision="r1")
        t.ok(status == 409 and got["error"]["code"] == "INVALID_COMMAND" and "r2, not r1" in got["error"]["message"], "on a stale one it is 409", (status, got))
        t.same(plain(h, "update_block", writer, **change, if_revision="r2")[0], 200, "with the revision that the refusal names it is done")
        for name, words in (("insert_block", {"block": para("z")}), ("move_block", {"block_label": "para:1", "target_parent": "sec:1"}),
                            ("delete_block", {"block_label": "sec:1"})):
            t.same(plain(h, name, writer, document_id="d", **words)[0], 200, name)
        t.same(issued()[0], before, "no write changes metadata, so the version is the one that people issued")
        t.ok(issued()[1]["version"] == "1.0" and issued()[1]["last_modified"] > row["last_modified"] and issued()[1]["blocks_count"] == 2,
             "while the list tells of the change", issued())
        notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}})
        hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                                                         "clientInfo": {"name": "test", "version": "1"}}})
        head = {"Authorization": "Bearer " + KEY, "Accept": "application/json, text/event-stream"}
        head["Mcp-Session-Id"] = h.raw("POST", "/mcp", hello, head)[1]["mcp-session-id"]
        t.same({h.raw("POST", "/mcp", notice, head)[0] for _ in range(20)}, {202}, "notifications are taken")
        t.same([plain(h, "list_documents", KEY)[0] for _ in range(5)], [200] * 4 + [429], "and do not count for the limits, as initialize does")

with Folder() as f:
    for name, block in (("type", {"type": "para\0graph", "content": "x"}), ("label", para("x", "para:\0001"))):
        f.write("nul.json", json.dumps(document(section("A", "sec:1", block))))
        done = shell(f, "import", "docjl", os.path.join(f.path, "nul.json"))
        t.ok(done.returncode == 1 and "U+0000" in done.stderr and "docjll[0].children[0]" in done.stderr, f"U+0000 in a {name} is refused, with its place", done)
    f.write("nul.json", json.dumps(document(section("A\0B", "sec:1", para("x\0y", "para:1.1"), {"type": "paragraph", "label": "para:1.2",
            "content": [{"type": "ref", "target": "sec:\0009"}], "o\0dd": "v\0w"}), note="n\0m")))
    done = shell(f, "import", "docjl", os.path.join(f.path, "nul.json"))
    out = shell(f, "export", "docjl", "d")
    t.ok(done.returncode == 0 and all(w in out.stdout for w in ("A\\u0000B", "x\\u0000y", "v\\u0000w", "n\\u0000m")), "in words it is kept", (done, out))
    t.ok("sec:\ufffd9" in out.stdout and "U+0000 in targets of references became U+FFFD" in done.stdout, "in a target it is replaced, and told", (done, out))

def at_terminal(folder, *words):
    ours, theirs = os.openpty()
    process = subprocess.Popen([QUIRE, *words, "--root", folder.path], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    out, shown = process.communicate()[0], b""
    try:
        while more := os.read(ours, 4096):
            shown += more
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    return process.returncode, out, shown


with Folder() as f:
    f.write("long.json", json.dumps(document(*[section("A", f"sec:{n}", *[para("x") for _ in range(999)]) for n in range(1, 6)])))
    status, _, shown = at_terminal(f, "import", "docjl", os.path.join(f.path, "long.json"))
    percents = [int(p.split(b"%")[0]) for p in shown.split(b"\r") if b"%" in p]
    t.ok(status == 0 and len(percents) >= 4 and percents == sorted(percents), "an import of 5,000 blocks at a terminal shows its progress", shown)
    status, out, shown = at_terminal(f, "export", "docjl", "d")
    percents = [int(p.split(b"%")[0]) for p in shown.split(b"\r") if b"%" in p]
    t.ok(status == 0 and len(percents) >= 4 and percents == sorted(percents), "so does an export", shown)
    t.ok(json.loads(out)["id"] == "d" and b"%" not in out, "which is whole", out[:80])
    quiet = shell(f, "export", "docjl", "d")
    t.same((quiet.stderr, quiet.stdout.encode() == out), ("", True), "without a terminal nothing is shown")

with Folder() as f, Stdio("docjl", root=f.path) as s:
    tool(s, "create_document", document=document(*[section("A", f"{p}:1", section("B", f"{p}:1.1")) for p in ("sec", "app", "part")]))
    deep = "sec:" + ".".join(["1"] * 60)
    got = tool(s, "where_used", document_id="d", label=deep)
    t.same(got["error"]["code"], "BLOCK_NOT_FOUND", "a label of 60 numbers below containers of three prefixes is looked up in no time")
    t.same([tool(s, "where_used", document_id="d", label=f"{p}:1.1")["total"] for p in ("sec", "app", "part")], [0, 0, 0], "and those there are, found")
t.done()
