#!/usr/bin/env python3
"""Every tool for editing, comments and looks on every document of the collection and one of our own: each call succeeds or fails with
a code and the next step, ids stay unique, and undo restores every byte."""
import glob
import os
import re
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import W, docx, part  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
CELL = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>{}</w:tc></w:tr></w:tbl>"
HUGE = 2147483647


def para(i, text, mark=""):
    return f'<w:p w14:paraId="{i:08X}">{mark}<w:r><w:t>{text}</w:t></w:r></w:p>'


def comments(*ids):
    """The parts of a document with comments of these ids."""
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
    rows = "".join(f'<w:comment w:id="{i}" w:author="A" w:initials="A"><w:p><w:r><w:t>Remark</w:t></w:r></w:p></w:comment>' for i in ids)
    return {"word/comments.xml": f'<w:comments xmlns:w="{W}">{rows}</w:comments>',
            "[Content_Types].xml": part(docx(""), "[Content_Types].xml").replace("</Types>", f'<Override PartName="/word/comments.xml" ContentType="{kind}"/></Types>'),
            "word/_rels/document.xml.rels": part(docx(""), "word/_rels/document.xml.rels").replace(
                "</Relationships>", '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" '
                'Target="comments.xml"/></Relationships>')}


OWN = docx(para(1, "The term lasts thirty days.") + CELL.format(para(2, "A cell of four words")) + para(3, "See Section 9 of this."))
documents = {os.path.basename(f): open(f, "rb").read() for f in sorted(glob.glob(os.path.join(DATA, "docx/*.docx")))}
documents["own.docx"] = OWN
documents["huge.docx"] = docx(para(1, "The term lasts thirty days.", f'<w:commentRangeStart w:id="{HUGE}"/>') + para(2, "More of it is here."),
                              parts=comments(HUGE, 5, "99999999999999999999", "x"))


def sound(folder, name):
    """The faults of a saved file: XML that does not parse, comments or revisions with the same id."""
    xml, faults = part(folder.read(name)), []
    try:
        tree = ElementTree.fromstring(xml)
    except ElementTree.ParseError as e:
        return [str(e)]
    for tags in (("commentRangeStart",), ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange")):
        ids = [n.get(f"{{{W}}}id") for t in tags for n in tree.iter(f"{{{W}}}{t}")]
        faults += [(tags, i) for i in set(ids) if ids.count(i) > 1]
    return faults


def sweep(server, folder, name):
    bare, done, before = [], {}, set(map(str, sound(folder, name)))

    def call(tool, **args):
        result = server.call(tool, {"file_path": name, **args})["result"]
        if result.get("isError"):
            error = re.search(r'"code":"([A-Z_]+)".*"message":"(.+?)".*"hint":"(.+?)"', result["content"][0]["text"])
            bare.extend([] if error else [(tool, args, result["content"][0]["text"][:300])])
            return {}
        done[tool] = done.get(tool, 0) + 1
        return result["structuredContent"]

    nodes = call("read_file", format="json", limit=200).get("nodes", [])
    chosen = [n for n in nodes if len(n["clean_text"].split(" ")) > 3][:200:17][:8]
    call("get_document_outline")
    call("check_document")
    call("grep", patterns=["the", "(\\w+) \\1"])
    call("has_tracked_changes")
    call("extract_revisions")
    for n, node in enumerate(chosen):
        words, at = node["clean_text"].split(" "), {"target_paragraph_id": node["id"]}
        call("add_comment", **at, author="Ä & <B>", text=f"Remark {n}", anchor_text=words[1])
        call("add_footnote", **at, text=f"Note {n}")
        call("smart_edit", **at, old_string=words[2], new_string="REPLACED", occurrence=1)
        call("smart_insert", positional_anchor_node_id=node["id"], new_string=f"New {n}")
        for change in ({"level": 1}, {"restart_at": 3}, {"like": nodes[0]["id"]}, {"remove": True}):
            call("format_numbering", paragraph_ids=[node["id"]], **change)
        call("apply_plan", steps=[{"step_id": "1", "operation": "smart_edit", "target_paragraph_id": node["id"], "old_string": words[3], "new_string": "PLANNED"}])
        call("clear_formatting", paragraph_ids=[node["id"]], properties=["bold"])
    for row in (call("get_comments").get("comments") or [])[:3]:
        call("add_comment", parent_comment_id=row["comment_id"], author="K", text="A reply.")
        call("delete_comment", comment_id=row["comment_id"])
    for row in (call("get_footnotes").get("footnotes") or [])[:3]:
        call("update_footnote", note_id=row["note_id"], text="All new.")
        call("delete_footnote", note_id=row["note_id"])
    for tool, args in (("delete_comment", {"comment_id": HUGE + 1}), ("delete_comment", {"comment_id": -HUGE}), ("delete_comment", {"comment_id": 1 << 53}),
                       ("update_footnote", {"note_id": 1 << 40, "text": "x"}), ("delete_footnote", {"note_id": -1}), ("add_comment", {"parent_comment_id": 1 << 52, "author": "K", "text": "x"}),
                       ("delete_paragraph", {"target_paragraph_id": "FFFFFFFF"}), ("smart_edit", {"target_paragraph_id": "00000001", "old_string": "\x7fno", "new_string": "x"}),
                       ("smart_insert", {"positional_anchor_node_id": "nowhere", "new_string": "x"}), ("format_numbering", {"paragraph_ids": ["nowhere"], "level": 99}),
                       ("apply_plan", {"steps": []}), ("undo", {"steps": 100000}), ("redo", {"steps": 100000}), ("grep", {"patterns": ["("]}), ("read_file", {"offset": 1 << 40}),
                       ("save", {"save_to_local_path": name}), ("save", {"save_to_local_path": "x.txt"}), ("add_footnote", {"target_paragraph_id": "nowhere", "text": ""})):
        call(tool, **args)
    if chosen:
        call("accept_changes")
    saved = call("save", save_to_local_path="out." + name, tracked_save_to_local_path="red." + name)
    tap.same(bare[:2], [], f"{name}: every refusal has a code and a hint")
    tap.ok(name == "no-paragraphs.docx" or name.startswith("malformed") or len(done) > 8, f"{name}: {sum(done.values())} calls of {len(done)} tools are done", done)
    if not saved:
        return
    faults = [(out, f) for out in ("out.", "red.") for f in sound(folder, out + name) if str(f) not in before]
    tap.same(faults, [], f"{name}: what was saved is sound")
    if call("get_session_status").get("edit_count"):
        call("undo", steps=call("get_session_status")["edit_count"])
    call("save", save_to_local_path="back." + name, save_format="clean")
    tap.ok(folder.read("back." + name) == documents[name], f"{name}: undo brings back every byte")


with Folder(documents) as folder, Stdio("docx", root=folder.path) as server:
    for name in documents:
        sweep(server, folder, name)
tap.done()
