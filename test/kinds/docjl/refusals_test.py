#!/usr/bin/env python3
"""The advice of every error is followed and works: undo, levels, numbers, positions, storage, odd files."""
import json
import os
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Http, Stdio, Tap

t = Tap()


def para(words, label=None):
    return {"type": "paragraph", "content": [{"type": "text", "content": words}], **({"label": label} if label else {})}


def ref(label, target):
    return {"type": "paragraph", "label": label, "content": [{"type": "ref", "target": target}]}


def section(title, label, *children):
    return {"type": "section", "title": title, "label": label, "children": list(children)}


def heading(level, label, *children):
    return {"type": "heading", "level": level, "content": label, "label": label, "children": list(children)}


def document(*blocks, id="d", **metadata):
    return {"id": id, "metadata": {"title": "Manual", "version": "1.0", **metadata}, "docjll": list(blocks)}


class Manual:
    """One document on a server of its own."""

    def __init__(self, *blocks, args=()):
        self.folder = Folder()
        self.s = Stdio("docjl", "--tools", "all", *args, root=self.folder.path)
        self("create_document", document=document(*blocks))

    def __call__(self, name, **arguments):
        if name not in ("create_document", "list_documents", "rollback"):
            arguments.setdefault("document_id", "d")
        got = self.s.call("mcp_docjl_" + name, arguments)
        result = got.get("result", got)
        return json.loads(result["content"][0]["text"]) if result.get("isError") else result.get("structuredContent", got)

    def blocks(self):
        return self("get_document")["document"]["docjll"]

    def undo(self, done):
        return self("rollback", audit_id=done["audit_id"] if isinstance(done, dict) else done)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.s.close()
        self.folder.__exit__(None, None, None)


def message(got):
    return got.get("error", {}).get("message", "")


def refused(got, claim, *words):
    t.ok(all(w in message(got) for w in words) and message(got), claim, got)


def done(got, claim):
    t.ok(got.get("success"), claim, got)


with Manual(section("A", "sec:1", para("a", "para:1.1")), para("x", "note:old")) as m:
    rename = m("update_block", block_label="note:old", updates={"label": "note:new"})
    m("insert_block", block=para("other", "note:old"))
    refused(m.undo(rename), "a rename whose old label was given to another block is not undone", "note:old", "rename that block first")
    done(m("update_block", block_label="note:old", updates={"label": "note:third"}), "the other block is renamed, as advised")
    done(m.undo(rename), "and the rename is undone")
    t.same([b["label"] for b in m.blocks()], ["sec:1", "note:old", "note:third"], "with the old label")

with Manual(section("A", "sec:1", para("a", "para:1.1"), para("b", "para:1.2")), section("B", "sec:2")) as m:
    before = m.blocks()
    move = m("move_block", block_label="para:1.2", target_parent="sec:2")
    taken = m("insert_block", parent_label="sec:1", block=para("c"))
    t.same(taken["block_label"], "para:1.2", "a new block takes the number that a moved one left")
    got = m.undo(move)
    if "error" in got:
        refused(got, "the move is not undone while its number is taken", "para:1.2", "move that block away first")
        done(m("move_block", block_label="para:1.2", target_parent="sec:2"), "the other block is moved away, as advised")
        done(m.undo(move), "and the move is undone")
    t.same([c["label"] for c in m.blocks()[0]["children"]][:2], ["para:1.1", "para:1.2"], "its number is its own again")

with Manual(section("A", "sec:1", section("In", "sec:1.1", para("deep", "para:1.1.1"))), section("B", "sec:2")) as m:
    before = m.blocks()
    leaf = m("delete_block", block_label="para:1.1.1")
    whole = m("delete_block", block_label="sec:1.1", cascade=True)
    refused(m.undo(leaf), "a block whose parent was deleted later does not come back alone", whole["audit_id"], "roll")
    done(m.undo(whole), "the later deletion is rolled back, as advised")
    done(m.undo(leaf), "and then the earlier one")
    t.same(m.blocks(), before, "the manual is the one it was")

with Manual(section("A", "sec:1", section("In", "sec:1.1", para("deep", "para:1.1.1"))), section("B", "sec:2")) as m:
    before = m.blocks()
    move = m("move_block", block_label="para:1.1.1", target_parent="sec:2")
    gone = m("delete_block", block_label="sec:1.1", cascade=True)
    refused(m.undo(move), "a move out of a section that is gone is not undone", gone["audit_id"])
    done(m.undo(gone), "the deletion that the message names is rolled back")
    done(m.undo(move), "and then the move")
    t.same(m.blocks(), before, "the manual is the one it was")

with Manual(section("A", "sec:1", para("a", "para:1.1")), section("B", "sec:2")) as m:
    before = m.blocks()
    new = m("insert_block", block={"type": "section", "title": "New", "children": []})
    m("move_block", block_label="para:1.1", target_parent=new["block_label"])
    got = m.undo(new)
    refused(got, "an insert is not undone while its section holds other blocks", new["block_label"], "move or delete them first")
    done(m("move_block", block_label="para:3.1", target_parent="sec:1"), "they are moved, as advised")
    done(m.undo(new), "and the insert is undone")
    t.same(m.blocks(), before, "the manual is the one it was")

with Manual(section("A", "sec:1", para("a", "para:1.1")), section("B", "sec:2")) as m:
    first = m("update_block", block_label="para:1.1", updates={"content": "b"})
    second = m("update_block", block_label="para:1.1", updates={"content": "c"})
    refused(m.undo(first), "an earlier change of a block is not undone past a later one", second["audit_id"], "roll that back first")
    done(m.undo(second), "the later one is rolled back, as advised")
    back = m.undo(first)
    done(back, "and then the earlier one")
    refused(m.undo(first), "twice is once too often", back["audit_id"], "to redo")
    done(m.undo(back), "rolling that one back does the change again")
    t.same(m.blocks()[0]["children"][0]["content"][0]["content"], "b", "as it was")
    gone = m("delete_block", block_label="para:1.1")
    refused(m.undo(back), "a block that is gone has nothing to undo", gone["audit_id"])
    done(m.undo(gone), "its deletion is rolled back, as advised")
    refused(m.undo("audit_d_1"), "an import is not rolled back", "--replace")

with Manual(section("A", "sec:1", section("In", "sec:1.1")), section("B", "sec:2")) as m:
    before = m.blocks()
    out = m("move_block", block_label="sec:1.1", target_parent="sec:2")
    under = m("move_block", block_label="sec:1", target_parent="sec:2.1")
    t.ok("error" not in under, "the former parent goes below the block", under)
    got = m.undo(out)
    refused(got, "a block does not go back below itself")
    later = [w.strip("(),;") for w in message(got).split() if w.startswith("audit_d_")]
    if later:
        done(m.undo(later[0]), "the change that the message names is rolled back")
    else:
        done(m("move_block", block_label="sec:2.1.1", position="before", anchor_label="sec:2"), "the former parent is moved out, as advised")
    done(m.undo(out), "and then the move is undone")

with Manual(heading(1, "sec:1", heading(2, "sec:1.1", heading(3, "sec:1.1.1", heading(4, "sec:1.1.1.1", heading(5, "sec:1.1.1.1.1"))))),
            heading(1, "sec:2", heading(2, "sec:2.1"))) as m:
    before = m.blocks()
    refused(m("move_block", block_label="sec:2", target_parent="sec:1.1.1.1.1"), "a heading below level 6 is refused", "level 7", "closer to the top")
    t.same(m.blocks(), before, "and nothing moved")
    done(m("move_block", block_label="sec:2", target_parent="sec:1.1.1.1"), "a target closer to the top works, as advised")

with Manual(section("A", "sec:1", para("a", "para:1.1"), para("b", "para:1.2"), para("c", "para:1.3")), ref("para:9", "para:1.2")) as m:
    refused(m("delete_block", block_label="para:1.2", renumber=True), "renumbering is refused while references point to what goes",
            "para:9 -> para:1.2", "change these references first", "leave renumber out")
    done(m("update_references", label_changes=[{"old": "para:1.2", "new": "para:1.3"}]), "the references are changed, as advised")
    got = m("delete_block", block_label="para:1.2", renumber=True)
    done(got, "and the gap is closed")
    t.same((m.blocks()[0]["children"][-1]["label"], m.blocks()[1]["content"][0]["target"]), ("para:1.2", "para:1.2"), "and the reference follows")
    m("update_references", label_changes=[{"old": "para:1.2", "new": "para:1.1"}])
    refused(m("delete_block", block_label="para:1.1", renumber=True), "refused again")
    got = m("delete_block", block_label="para:1.1")
    t.same(got.get("broken_references"), ["para:9 -> para:1.1"], "without renumber it is deleted, as advised, and told what broke")

with Manual(section("A", "sec:1", para("a", "para:1.1"), para("b", "para:1.2"))) as m:
    refused(m("insert_block", parent_label="sec:1", block=para("x", "para:1.2")), "a taken label is refused", "para:1.2 is taken", "leave label out")
    done(m("insert_block", parent_label="sec:1", block=para("x")), "without a label it works, as advised")
    refused(m("update_block", block_label="para:1.1", updates={"label": "para:1.2"}), "so is a rename to one", "choose another")
    done(m("update_block", block_label="para:1.1", updates={"label": "para:7"}), "another works")
    refused(m("move_block", block_label="sec:1", target_parent="sec:1"), "nothing moves into itself", "into itself")
    refused(m("insert_block", parent_label="para:7", block=para("x")), "a paragraph holds no blocks", "position after with anchor_label para:7")
    done(m("insert_block", position="after", anchor_label="para:7", block=para("x")), "after it works, as advised")

with Manual(section("A", "sec:1", para("a", "para:1.1"))) as m:
    for wrong in (0, 1.5, True, [], {"after": "sec:1"}, "first"):
        for tool, words in (("insert_block", {"block": para("x"), "parent_label": "sec:1"}),
                            ("move_block", {"block_label": "para:1.1", "target_parent": "sec:1"})):
            refused(m(tool, position=wrong, **words), f"{tool} with position {wrong!r} is refused with the words there are",
                    "before", "after", "inside", "start", "end")
    for right in ("before", "after", "inside", "start", "end"):
        done(m("insert_block", position=right, parent_label="sec:1", block=para("x")), f"position {right} works")
    got = m("apply", operations=[{"op": "insert_block", "block": para("x"), "position": 0}])
    refused(got, "in apply too", "before", "end")
with Folder() as f:
    f.write("quire.toml", "[mcp_server.validation]\nstrict_mode = false\n")
    with Manual(para("a", "para:1"), args=("--config", os.path.join(f.path, "quire.toml"))) as m:
        for block in ({"type": "note\0", "content": "x"}, {"type": "paragraph\0", "content": "x"}):
            refused(m("insert_block", block=block), "a type with U+0000 is refused in every mode", "U+0000")
        done(m("insert_block", block={"type": "note", "content": "x"}), "without it works")

with Manual(para("a", "para:1")) as m:
    path = os.path.join(m.folder.path, "docjl.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    t.same(m.blocks()[0]["label"], "para:1", "while another program writes, reads go on")
    got = m("update_block", block_label="para:1", updates={"content": "b"})
    refused(got, "a write is refused after a wait", "locked", "try again in a moment")
    other.execute("ROLLBACK")
    done(m("update_block", block_label="para:1", updates={"content": "b"}), "tried again, as advised, it works")
    t.same(len(m("get_audit_log")["entries"]), 2, "and stands once in the trail")
    other.close()

with Folder() as f:
    def server(name):
        f.write("quire.toml", f"[mcp_server.storage]\nironbase_path = '{name}'\n")
        with Stdio("docjl", "--config", os.path.join(f.path, "quire.toml")) as s:
            got = s.call("mcp_docjl_create_document", {"document": document(para("a", "para:1"))})["result"]
            return json.loads(got["content"][0]["text"]) if got.get("isError") else got["structuredContent"]
    db = sqlite3.connect(os.path.join(f.path, "bank.db"))
    db.execute("CREATE TABLE account (n)")
    db.commit()
    db.close()
    f.write("notes.txt", "no database at all\n" * 100)
    refused(server("bank.db"), "a database of another program is refused", "another program", "name another file")
    refused(server("notes.txt"), "so is a file that is none", "not a database", "save what can be read")
    os.replace(os.path.join(f.path, "notes.txt"), os.path.join(f.path, "kept.txt"))
    done(server("notes.txt"), "moved away, as advised, it gives its place to a new one")
    done(server("manuals.db"), "another name works, as advised")
    t.same([r[0] for r in sqlite3.connect(os.path.join(f.path, "bank.db")).execute("SELECT name FROM sqlite_schema")], ["account"],
           "and the other program's file is as it was")
    db = sqlite3.connect(os.path.join(f.path, "manuals.db"))
    db.execute("PRAGMA user_version = 99")
    db.close()
    refused(server("manuals.db"), "tables of a later version are refused", "version 99", "newer quire")

with Manual(section("A", "sec:1", para("a", "para:1.1")), para("Őrzés", "para:1")) as m:
    m("update_block", block_label="para:1.1", updates={"content": "b"})
    before = m.blocks()
    m.s.close()
    path, fresh = os.path.join(m.folder.path, "docjl.db"), os.path.join(m.folder.path, "fresh.db")
    db = sqlite3.connect(path)
    db.execute("DROP INDEX node_container")
    db.commit()
    db.close()
    m.s = Stdio("docjl", "--tools", "all", root=m.folder.path)
    got = m("get_document")
    refused(got, "an older text of the tables is refused, with the command that saves the rows", "rescue")
    words = message(got).split("fresh file: quire ", 1)[-1].replace("NEW.db", fresh).split()
    saved = subprocess.run([QUIRE, *words, "--root", m.folder.path], capture_output=True, text=True)
    t.ok(saved.returncode == 0 and "rows saved in" in saved.stdout, "which it does", (words, saved))
    again = subprocess.run([QUIRE, *words, "--root", m.folder.path], capture_output=True, text=True)
    t.ok(again.returncode == 1 and "give the name of a new file" in again.stderr, "never over a file that is there", again)
    m.s.close()
    os.replace(fresh, path)
    m.s = Stdio("docjl", "--tools", "all", root=m.folder.path)
    t.same(m.blocks(), before, "the manual is whole in the fresh file")
    t.ok(m("verify_audit")["valid"] and len(m("get_audit_log")["entries"]) == 2, "and so is its trail")
    done(m("insert_block", parent_label="sec:1", block=para("c")), "and the work goes on")

# --- a script's POST: bad JSON and a missing method ---
with Folder() as f, Http("docjl", root=f.path) as h:
    for body, words in (("{bad", "not JSON: line 1, column 2"), ("{}", "method must be a string"), ('{"params":{}}', "method must be a string")):
        status, _, said = h.raw(body=body, headers={"Accept": "*/*"})
        error = json.loads(said).get("error", {})
        t.ok(status == 400 and error.get("code") == "INVALID_COMMAND" and words in error.get("message", ""), f"{body} is refused in the plain form", said)
        status, _, said = h.raw(body=body)
        t.ok(status == 400 and json.loads(said)["error"]["code"] < -32000, "a client of the protocol gets the protocol's error", said)
t.done()
