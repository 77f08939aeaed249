#!/usr/bin/env python3
"""Edits of Word documents over the wire: drafts replayed after a kill, refusals whose advice works, bad arguments, every
real document through every editing tool."""
import glob
import json
import os
import re
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docx  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def run(text, more=""):
    return f"<w:r>{more}<w:t xml:space=\"preserve\">{text}</w:t></w:r>"


def paragraph(number, inside, properties=""):
    return f'<w:p w14:paraId="{number:08X}">{properties}{inside}</w:p>'


def anchor(number):
    return f"{number:08X}"


def mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


FIELD = mark("begin") + "<w:r><w:instrText> REF x </w:instrText></w:r>" + mark("separate") + run("1.2") + mark("end")


def call(server, tool, **arguments):
    """(structuredContent, None), or (None, the error)."""
    result = server.call(tool, {"file_path": "a.docx", **arguments})["result"]
    if result.get("isError"):
        return None, json.loads(result["content"][0]["text"])["error"]
    return result["structuredContent"], None


def saved(server, folder, name):
    done, error = call(server, "save", save_to_local_path=name, save_format="clean", allow_overwrite=True)
    return docx.body(folder.read(name)) if done else error


def drafts_are_replayed():
    body = paragraph(1, run("one")) + paragraph(2, run("two")) + paragraph(3, run("three"))
    with Folder({"a.docx": docx.docx(body)}) as folder:
        first = Stdio("docx", root=folder.path)
        call(first, "smart_edit", target_paragraph_id=anchor(1), old_string="one", new_string="<b>1</b>")
        new, _ = call(first, "smart_insert", positional_anchor_node_id=anchor(2), new_string="2a\n\n2b")
        call(first, "delete_paragraph", target_paragraph_id=anchor(3))
        call(first, "smart_insert", positional_anchor_node_id=anchor(2), new_string="gone again")
        call(first, "undo")
        again, _ = call(first, "smart_insert", positional_anchor_node_id=new["new_paragraph_ids"][1], new_string="2c")
        before = saved(first, folder, "before.docx")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        with Stdio("docx", root=folder.path) as second:
            after = saved(second, folder, "after.docx")
            tap.same(after, before, "a killed program's edits are there again, byte for byte")
            edited, error = call(second, "smart_edit", target_paragraph_id=again["new_paragraph_id"], old_string="2c", new_string="2d")
            tap.ok(edited and edited["edit_count"] == 5, "ids given before the kill still name their paragraphs", error)
            call(second, "undo", steps=5)
            tap.same(saved(second, folder, "none.docx"), body, "undone, the body is the original")
            tap.ok(folder.read("a.docx") == docx.docx(body), "the opened file was never touched")


def advice_works():
    link = f'<w:hyperlink w:anchor="x">{run("here")}</w:hyperlink>'
    body = (paragraph(1, run("Click ") + link + run("afterwards")) + paragraph(2, run("see ") + FIELD + run(" and more"))
            + paragraph(3, run("one and one")) + f"<w:tbl><w:tr><w:tc>{paragraph(4, run('cell'))}</w:tc></w:tr></w:tbl>"
            + paragraph(5, run("needle in here")))
    with Folder({"a.docx": docx.docx(body)}) as folder, Stdio("docx", root=folder.path) as s:
        _, e = call(s, "smart_edit", target_paragraph_id=anchor(1), old_string="hereafterwards", new_string="x")
        part = re.search(r'can be changed is "([^"]*)"', e["hint"]).group(1)
        done, e = call(s, "smart_edit", target_paragraph_id=anchor(1), old_string=part, new_string="x")
        tap.ok(done, f"the part that a refused change across a link names can be changed: {part}", e)
        _, e = call(s, "smart_edit", target_paragraph_id=anchor(2), old_string="see 1.2", new_string="x")
        part = re.search(r'can be changed is "([^"]*)"', json.dumps(e).replace('\\"', '"')).group(1)
        done, e = call(s, "smart_edit", target_paragraph_id=anchor(2), old_string=part, new_string="look at ")
        tap.ok(done, f"... and the one beside a field: {part}", e)
        _, e = call(s, "smart_edit", target_paragraph_id=anchor(2), old_string="1.2", new_string="1.3")
        tap.ok("allow_field_result=true" in e["hint"], "a field's result is refused with the argument that allows it", e)
        done, e = call(s, "smart_edit", target_paragraph_id=anchor(2), old_string="1.2", new_string="1.3", allow_field_result=True)
        tap.ok(done and "<w:t xml:space=\"preserve\">1.3</w:t>" in saved(s, folder, "o.docx"), "... which does", e)
        _, e = call(s, "smart_edit", target_paragraph_id=anchor(3), old_string="one", new_string="two")
        tap.ok("replace_all=true" in e["hint"], "several matches are refused with both ways on", e)
        done, e = call(s, "smart_edit", target_paragraph_id=anchor(3), old_string="one", new_string="two", replace_all=True)
        tap.ok(done and done["replacements_made"] == 2, "... and replace_all works", e)
        _, e = call(s, "delete_paragraph", target_paragraph_id=anchor(4))
        done, e2 = call(s, "smart_edit", target_paragraph_id=anchor(4), old_string="cell", new_string="")
        tap.ok('new_string=""' in e["hint"] and done, "a cell's only paragraph is emptied as the refusal says", e2)
        _, e = call(s, "smart_edit", target_paragraph_id=anchor(3), old_string="needle", new_string="x")
        where = re.search(r"target_paragraph_id=(\S+)", e["hint"]).group(1)
        done, e = call(s, "smart_edit", target_paragraph_id=where, old_string="needle", new_string="x")
        tap.ok(done, "text that stands elsewhere is refused with its paragraph", e)


def long_advice_works():
    """An error shows the whole part that can be edited, and its occurrence. Editing exactly that works."""
    long, longer = "every notice under this Agreement is in writing, and " * 5, "the parties agree; they said “so” and " * 40
    body = (paragraph(1, run("Under ") + FIELD + run(" " + long + "so on.")) + paragraph(2, run(longer) + FIELD + run(" end.")) +
            paragraph(3, run("one day ") + FIELD + run("one day ") + FIELD))
    texts = ["Under 1.2 " + long + "so on.", longer + "1.2 end.", "one day 1.2one day 1.2"]
    with Folder({"a.docx": docx.docx(body)}) as folder, Stdio("docx", root=folder.path) as server:
        for number, text in enumerate(texts, 1):
            _, error = call(server, "smart_edit", target_paragraph_id=anchor(number), old_string=text, new_string="Nothing")
            named = re.search(r'part that can be changed is "(.*)"(?: with occurrence=(\d+))?$', error["hint"])
            more = {"occurrence": int(named[2])} if named and named[2] else {}
            done, why = call(server, "smart_edit", target_paragraph_id=anchor(number), old_string=named[1] if named else "", new_string="Z", **more)
            tap.ok(done and done["after_text"] != text, f"the part named by refusal {number} can be changed", [error, why])
            tap.ok(len(error["hint"]) < 1000, f"refusal {number} stays short")
    tap.ok(more.get("occurrence") in (1, 2), "and it says which of several", error)


def ends_stay():
    """Deleting the paragraph that Word requires after a table is refused with advice that works. One between tables may be deleted."""
    table = lambda *inside: f'<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>{"".join(inside)}</w:tc></w:tr></w:tbl>'
    body = (table(paragraph(1, run("cell")), table(paragraph(2, run("inner"))), paragraph(3, run("ends cell"))) + paragraph(4, run("between")) +
            table(paragraph(5, run("a"))) + paragraph(6, run("near the end")) + paragraph(7, run("end")))
    with Folder({"a.docx": docx.docx(body)}) as folder, Stdio("docx", root=folder.path) as server:
        for number, goes in ((7, True), (6, False), (3, False), (4, True)):
            done, error = call(server, "delete_paragraph", target_paragraph_id=anchor(number))
            tap.ok(bool(done) == goes and (goes or 'new_string=""' in error["hint"]), f"paragraph {number} " + ("may go" if goes else "has to stay"), error)
        done, error = call(server, "smart_edit", target_paragraph_id=anchor(6), old_string="near the end", new_string="")
        tap.ok(done and not done["paragraph_deleted"], "the last one is emptied instead", error)
        tap.ok(re.search(r"</w:tbl><w:p [^>]*></w:p>$", saved(server, folder, "o.docx")), "and stands behind its table")


def bad_arguments():
    with Folder({"a.docx": docx.docx(paragraph(1, run("text")))}) as folder, Stdio("docx", root=folder.path) as s:
        good = {"target_paragraph_id": anchor(1), "old_string": "text", "new_string": "x"}
        for name, value in (("old_string", 5), ("new_string", None), ("target_paragraph_id", ""), ("target_paragraph_id", []),
                            ("occurrence", 0), ("occurrence", "a"), ("replace_all", "yes"), ("unknown", 1),
                            ("new_string", "a\x00b"), ("new_string", "a\ufffe"), ("new_string", "<font size='x'>a</font>"),
                            ("target_paragraph_id", "x" * 100000), ("old_string", "y" * 200000)):
            done, e = call(s, "smart_edit", **{**good, name: value})
            tap.ok(not done and e["message"], f"smart_edit with {name}={str(value)[:20]!r} is refused: {e and e['code']}", done)
        for steps in ([], "x", [{"operation": "explode"}], [{"operation": "smart_edit"}], [5]):
            done, e = call(s, "apply_plan", steps=steps)
            tap.ok(not done and e["message"], f"apply_plan with steps={steps!r} is refused", done)
        for plan in ("a.docx", "../out.json", "none.json"):
            done, e = call(s, "apply_plan", plan_file_path=plan)
            tap.ok(not done, f"apply_plan with plan_file_path={plan} is refused: {e and e['code']}", done)
        folder.write("deep.json", "[" * 5000)
        done, e = call(s, "apply_plan", plan_file_path="deep.json")
        tap.ok(not done, "... and with JSON that is too deep", done)
        done, e = call(s, "smart_edit", **{**good, "new_string": "z" * 300000})
        tap.ok(done or e["message"], "a huge text is taken or refused", e)
        call(s, "undo")
        tap.same(saved(s, folder, "o.docx"), paragraph(1, run("text")), "none of it changed the document")


def other_stories():
    """Headers, footnotes and text boxes are edited by the same tools, each in its own part."""
    head = docx.HEAD
    rels = (f'{head}<Relationships xmlns="{docx.PACKAGE}relationships"><Relationship Id="r1" Type="{docx.R}/header" Target="header1.xml"/>'
            f'<Relationship Id="r2" Type="{docx.R}/footnotes" Target="footnotes.xml"/></Relationships>')
    header = f'{head}<x:hdr xmlns:x="{docx.W}"><x:p><x:r><x:t>Draft of Acme</x:t></x:r></x:p></x:hdr>'
    notes = (f'{head}<w:footnotes xmlns:w="{docx.W}"><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2">'
             f'<w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> See Acme.</w:t></w:r></w:p></w:footnote></w:footnotes>')
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    inner = "<w:txbxContent><w:p><w:r><w:t>Acme in a box</w:t></w:r></w:p></w:txbxContent>"
    box = (f'<w:r><mc:AlternateContent {mc}><mc:Choice Requires="wps"><w:drawing>{inner}</w:drawing></mc:Choice><mc:Fallback><w:pict>'
           f"{inner}</w:pict></mc:Fallback></mc:AlternateContent></w:r>")
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    content = docx.docx(paragraph(1, run("Acme text") + note + box), parts={
        "word/_rels/document.xml.rels": rels, "word/header1.xml": header, "word/footnotes.xml": notes})
    with Folder({"a.docx": content}) as folder, Stdio("docx", root=folder.path) as s:
        rows, error = call(s, "read_file", format="json", scope="all")
        tap.ok(rows and len(rows["nodes"]) == 4, "body, box, header and note are read", error or rows["nodes"])
        for row in rows["nodes"]:
            done, e = call(s, "smart_edit", target_paragraph_id=row["id"], old_string="Acme", new_string="Nimbus")
            tap.ok(done and "Nimbus" in done["after_text"], f"{row['clean_text']!r} is edited", e)
        call(s, "save", save_to_local_path="o.docx", save_format="clean")
        out = folder.read("o.docx")
        tap.same(docx.part(out, "word/header1.xml"), header.replace("<x:t>Draft of Acme", '<x:t xml:space="preserve">Draft of Nimbus'),
                 "a header keeps its own prefixes and every other byte")
        tap.same(docx.part(out, "word/footnotes.xml"), notes.replace("Acme", "Nimbus"), "so does a footnote")
        body = docx.body(out)
        tap.ok(body.count("Nimbus in a box") == 2 and "Acme" not in body, "a box changes in both of its copies", body)
        box_id = next(r["id"] for r in rows["nodes"] if "box" in r["clean_text"])
        _, e = call(s, "smart_insert", positional_anchor_node_id=box_id, new_string="x")
        tap.ok(e and e["code"] == "UNSUPPORTED_EDIT" and "smart_edit" in e["hint"], "a box takes no new paragraphs, and the refusal says what works", e)
        noted = next(r["id"] for r in rows["nodes"] if "See" in r["clean_text"])
        done, e = call(s, "smart_insert", positional_anchor_node_id=noted, new_string="More of the note.")
        tap.ok(done, "a footnote takes another paragraph", e)
        call(s, "save", save_to_local_path="p.docx", save_format="clean")
        tap.ok("More of the note." in docx.part(folder.read("p.docx"), "word/footnotes.xml"), "... in its own part")


LISTS = ('<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
         '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum>'
         '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:numIdMacAtCleanup w:val="1"/>')
STYLES = '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'


def numbering_changes():
    """Level, list and start of numbers: labels change, a redline shows it, undo reverts it."""
    direct = '<w:pPr><w:keepNext/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:jc w:val="both"/></w:pPr>'
    styled = '<w:pPr><w:pStyle w:val="L"/></w:pPr>'
    body = (paragraph(1, run("One"), direct) + paragraph(2, run("Two"), styled) + paragraph(3, run("Three"), direct) +
            paragraph(4, run("Plain")) + paragraph(5, run("Five"), styled))
    content = docx.docx(body, numbering=LISTS, styles=STYLES)
    with Folder({"a.docx": content}) as folder, Stdio("docx", root=folder.path) as s:
        labels = lambda: [n["list_label"] for n in call(s, "read_file", format="json")[0]["nodes"]]
        change = lambda ids, **more: call(s, "format_numbering", paragraph_ids=[anchor(i) for i in ids], **more)
        tap.same(labels(), ["1.", "2.", "3.", "", "4."], "the labels before")
        done, e = change([2, 3], level=1)
        tap.same((done or e).get("list_labels"), ["(a)", "(b)"], "a deeper level has its own numbers")
        tap.same(labels(), ["1.", "(a)", "(b)", "", "2."], "... and the later labels follow")
        done, e = change([4], like=anchor(3))
        tap.same((done or e).get("list_labels"), ["(c)"], "a paragraph joins the list of another")
        done, e = change([5], restart_at=7)
        tap.same((done or e).get("list_labels"), ["7."], "a number starts where it is told")
        done, e = change([1], remove=True)
        tap.same((done or e).get("list_labels"), [""], "a number is taken away")
        want = labels()
        tap.same(want, ["", "(a)", "(b)", "(c)", "7."], "all of it together")
        call(s, "save", save_to_local_path="b.docx", tracked_save_to_local_path="r.docx")
        for name, how in (("b.docx", "a fresh look at the clean file"), ("r.docx", "... and at the redline")):
            rows = s.call("read_file", {"file_path": name, "format": "json"})["result"]["structuredContent"]["nodes"]
            tap.same([n["list_label"] for n in rows], want, how + " gives the same labels")
        red, numbers = docx.part(folder.read("r.docx")), docx.part(folder.read("b.docx"), "word/numbering.xml")
        tap.same(red.count("<w:pPrChange"), 5, "the redline shows each change")
        tap.ok('<w:keepNext/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr><w:jc w:val="both"/>' in docx.part(folder.read("b.docx")), "properties keep their order")
        tap.ok(numbers.index('w:numId="2"') < numbers.index("numIdMacAtCleanup"), "the new list stands where the schema wants it", numbers)
        call(s, "undo", steps=2)
        tap.same(labels(), ["1.", "(a)", "(b)", "(c)", "2."], "undo takes the start back")
        call(s, "redo")
        tap.same(labels()[-1], "7.", "redo starts it again")
        call(s, "undo", steps=3)
        call(s, "save", save_to_local_path="c.docx", save_format="clean")
        tap.ok(folder.read("c.docx") == content, "undone, every byte is as it was")
        for args, code, advice in [
            ({"paragraph_ids": [anchor(4)], "level": 1}, "NOT_NUMBERED", {"paragraph_ids": [anchor(4)], "like": anchor(1)}),
            ({"paragraph_ids": [anchor(4)], "remove": True}, "NOT_NUMBERED", None),
            ({"paragraph_ids": [anchor(1)], "like": anchor(4)}, "NOT_NUMBERED", None),
            ({"paragraph_ids": [anchor(1)], "level": 5}, "INVALID_ARGUMENT", {"paragraph_ids": [anchor(1)], "level": 1}),
            ({"paragraph_ids": [anchor(1)]}, "INVALID_ARGUMENT", {"paragraph_ids": [anchor(1)], "restart_at": 3}),
            ({"paragraph_ids": [anchor(1)], "remove": True, "level": 1}, "INVALID_ARGUMENT", {"paragraph_ids": [anchor(1)], "remove": True}),
            ({"paragraph_ids": []}, "INVALID_ARGUMENT", None), ({"paragraph_ids": ["none"], "level": 1}, "ANCHOR_NOT_FOUND", None),
            ({"paragraph_ids": [anchor(1)], "restart_at": -1}, "INVALID_ARGUMENT", None),
        ]:
            done, e = call(s, "format_numbering", **args)
            tap.ok(not done and e["code"] == code and e.get("hint"), f"{args} is refused as {code}", done or e)
            if advice:
                done, e = call(s, "format_numbering", **advice)
                tap.ok(done, "... and what is advised works", e)
                call(s, "undo")
    with Folder({"a.docx": docx.docx(paragraph(1, run("No lists here")))}) as folder, Stdio("docx", root=folder.path) as s:
        done, e = call(s, "format_numbering", paragraph_ids=[anchor(1)], level=0)
        tap.ok(not done and e["code"] == "NOT_NUMBERED", "a document without lists is refused", done or e)


def separated_clauses():
    """Clauses whose heading and text are two paragraphs in one line, as style separators make them."""
    mark = '<w:rPr><w:vanish/><w:specVanish/></w:rPr>'
    head = lambda i, t: paragraph(i, f'<w:r><w:rPr><w:u w:val="single"/></w:rPr><w:t>{t}</w:t></w:r>', f'<w:pPr><w:pStyle w:val="L"/>{mark}</w:pPr>')
    text = lambda i, t: paragraph(i, run(t), '<w:pPr><w:pStyle w:val="T"/></w:pPr>')
    body = head(1, "First") + text(2, ". The first text.") + head(3, "Second") + text(4, ". The second text.")
    for position, at, name in (("BEFORE", 3, "before a heading"), ("AFTER", 1, "behind a heading"), ("AFTER", 2, "behind its text"), ("BEFORE", 4, "before the text")):
        with Folder({"a.docx": docx.docx(body, numbering=LISTS, styles=STYLES)}) as folder, Stdio("docx", root=folder.path) as s:
            done, e = call(s, "smart_insert", positional_anchor_node_id=anchor(at), position=position, new_string="<header>New.</header> Some new text.")
            rows = call(s, "read_file", format="json", show_formatting=True)[0]["nodes"]
            tap.same([(n["list_label"], n["text"]) for n in rows][2:4], [("2.", "<u>New</u>"), ("", ". Some new text.")], f"{name}: a heading and its text, in their own styles")
            tap.same([n["clean_text"] for n in rows], ["First", ". The first text.", "New", ". Some new text.", "Second", ". The second text."], f"{name}: never between the two parts")
            tap.same((done or e)["inserted_text"], "New. Some new text.", f"{name}: one clause to the caller")
            call(s, "undo")
            call(s, "smart_insert", positional_anchor_node_id=anchor(3), position="BEFORE", new_string="Only text.")
            call(s, "save", save_to_local_path="b.docx", save_format="clean")
            new = docx.part(folder.read("b.docx")).split("Only text.")[0].rsplit("<w:p ", 1)[1]
            tap.ok("anish" not in new and "<w:u " not in new and 'w:val="L"' in new, f"{name}: without a heading it is numbered, plain, and ends its line", new)


def saves_are_kept():
    """The same revision saved again is not packed again, and the bytes are the same. An edit or an undo packs it again."""
    with Folder({"a.docx": docx.docx(paragraph(1, run("One clause here.")) + paragraph(2, run("Another clause.")))}) as folder, Stdio("docx", root=folder.path) as s:
        rows, _ = call(s, "read_file", format="json")
        save = lambda name, **more: call(s, "save", save_to_local_path=name, tracked_save_to_local_path="red-" + name, **more)[0]
        call(s, "smart_edit", target_paragraph_id=rows["nodes"][0]["id"], old_string="One", new_string="Some")
        tap.same([save("1.docx")["cache_hit"], save("2.docx")["cache_hit"]], [False, True], "the second save of a revision is from the cache")
        tap.ok(folder.read("1.docx") == folder.read("2.docx") and folder.read("red-1.docx") == folder.read("red-2.docx"), "both files are the same to the byte")
        tap.same(save("3.docx", tracked_changes_author="Jane")["cache_hit"], False, "another author is another redline")
        tap.ok(b"Jane" in docx.part(folder.read("red-3.docx")).encode(), "... with that author")
        call(s, "smart_edit", target_paragraph_id=rows["nodes"][1]["id"], old_string="Another", new_string="Any")
        tap.same(save("4.docx")["cache_hit"], False, "an edit makes it anew")
        tap.ok(">Any" in docx.part(folder.read("4.docx")), "... and is in it", docx.part(folder.read("4.docx")))
        call(s, "undo")
        tap.same(save("5.docx")["cache_hit"], False, "so does an undo")
        tap.same(docx.part(folder.read("5.docx")), docx.part(folder.read("1.docx")), "... and gives what it was")


def real_documents():
    files = sorted(glob.glob(os.path.join(DATA, "docx/*.docx")))
    for path in files:
        name = os.path.basename(path)
        with open(path, "rb") as f:
            content = f.read()
        with Folder({"a.docx": content}) as folder, Stdio("docx", root=folder.path) as s:
            rows, error = call(s, "read_file", format="json", limit=40)
            if error:
                tap.same(error["code"], "INVALID_DOCX_ARCHIVE", f"{name} is refused when it is opened")
                continue
            done = refused = 0
            for row in rows["nodes"]:
                words = row["clean_text"].split()
                tries = [("smart_insert", {"positional_anchor_node_id": row["id"], "new_string": "<header>New</header> Clause."})]
                if words:
                    tries.append(("smart_edit", {"target_paragraph_id": row["id"], "old_string": words[0], "new_string": "Changed",
                                                 "occurrence": 1}))
                    tries.append(("clear_formatting", {"paragraph_ids": [row["id"]]}))
                tries.append(("format_layout", {"paragraph_spacing": {"paragraph_ids": [row["id"]], "after_twips": 60}}))
                for tool, arguments in tries:
                    ok, e = call(s, tool, **arguments)
                    done += ok is not None
                    refused += ok is None
                    if not ok and e["code"] not in ("UNSUPPORTED_EDIT", "UNSAFE_CONTAINER_BOUNDARY"):
                        tap.ok(False, f"{name}: {tool} {arguments}", e)
            for row in rows["nodes"]:
                ok, e = call(s, "delete_paragraph", target_paragraph_id=row["id"])
                done += ok is not None
                # A box is deleted with its paragraph.
                if not ok and e["code"] not in ("UNSUPPORTED_EDIT", "ANCHOR_NOT_FOUND"):
                    tap.ok(False, f"{name}: delete_paragraph {row['id']}", e)
            call(s, "save", save_to_local_path="out.docx", save_format="clean")
            out = folder.read("out.docx") if os.path.exists(os.path.join(folder.path, "out.docx")) else b""
            with Stdio("docx", root=folder.path) as other:
                again = other.call("read_file", {"file_path": "out.docx"})["result"]
            tap.ok(not again.get("isError") and (done > 0 or not rows["nodes"]),
                   f"{name}: {done} edits, {refused} refused, and the result opens")
            if done:
                call(s, "undo", steps=done)
            call(s, "save", save_to_local_path="same.docx", save_format="clean")
            tap.ok(folder.read("same.docx") == content and out != b"", f"{name}: undone, every byte is as it was")


drafts_are_replayed()
advice_works()
long_advice_works()
ends_stay()
bad_arguments()
other_stories()
numbering_changes()
separated_clauses()
saves_are_kept()
real_documents()
tap.done()
