#!/usr/bin/env python3
"""Comparisons never miss a change, wherever it is: in any element that can hold paragraphs, and in any part with text. An
independent reader (test/support/redline.py) settles the redline: accepting everything gives the revised document, rejecting
everything the original, as text, structure and properties."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import W, W14, R, docx, part  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402
from redline import first_difference, read  # noqa: E402

MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
SPACES = f'xmlns:w="{W}" xmlns:w14="{W14}" xmlns:r="{R}"'
BOX = ('xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
       'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"')


def run(text, look=""):
    return f'<w:r>{f"<w:rPr>{look}</w:rPr>" if look else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def para(i, *runs, ppr=""):
    return f'<w:p w14:paraId="{i:08X}">{f"<w:pPr>{ppr}</w:pPr>" if ppr else ""}{"".join(runs)}</w:p>'


def control(inside, properties='<w:tag w:val="price"/>'):
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"


def custom(inside):
    return f'<w:customXml w:element="price"><w:customXmlPr/>{inside}</w:customXml>'


def either(inside):
    return f'<mc:AlternateContent {MC}><mc:Choice Requires="w14">{inside}</mc:Choice><mc:Fallback>{inside}</mc:Fallback></mc:AlternateContent>'


def cell(inside, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def row(*cells, properties=""):
    return f'<w:tr>{f"<w:trPr>{properties}</w:trPr>" if properties else ""}{"".join(cells)}</w:tr>'


def table(*rows, properties=""):
    return f'<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid><w:gridCol w:w="900"/><w:gridCol w:w="900"/></w:tblGrid>{"".join(rows)}</w:tbl>'


def box(inside):
    shape = f'<wp:inline><wp:docPr id="7" name="Box"/><a:graphic><a:graphicData uri="u"><wps:wsp><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline>'
    old = f'<w:pict><v:shape id="s"><v:textbox><w:txbxContent>{inside}</w:txbxContent></v:textbox></v:shape></w:pict>'
    return f'<w:r><mc:AlternateContent {MC} {BOX}><mc:Choice Requires="wps"><w:drawing>{shape}</w:drawing></mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent></w:r>'


def price(amount):
    return para(2, run(f"The price is {amount} dollars, "), run("net", "<w:b/>"), run(" of tax."))


OTHER = cell(para(5, run("Price")))
AROUND = {
    "a content control": lambda p: control(price(p)),
    "two content controls": lambda p: control(control(price(p))),
    "a content control around a cell": lambda p: table(row(OTHER, control(cell(price(p))))),
    "a content control around a row": lambda p: table(control(row(OTHER, cell(price(p))))),
    "a content control around a table": lambda p: control(table(row(OTHER, cell(price(p))))),
    "a content control in a cell": lambda p: table(row(OTHER, cell(control(price(p)) + para(6)))),
    "a content control in a line": lambda p: para(2, run("It costs "), control(run(f"{p} dollars")), run(" net.")),
    "custom XML": lambda p: custom(price(p)),
    "custom XML around a cell": lambda p: table(row(OTHER, custom(cell(price(p))))),
    "custom XML around a row": lambda p: table(custom(row(OTHER, cell(price(p))))),
    "custom XML in a line": lambda p: para(2, run("It costs "), custom(run(f"{p} dollars")), run(" net.")),
    "alternate content": lambda p: either(price(p)),
    "alternate content around a table": lambda p: either(table(row(OTHER, cell(price(p))))),
    "all of them": lambda p: control(custom(either(price(p)))),
    "a table in a table": lambda p: table(row(cell(table(row(OTHER, cell(price(p)))) + para(6)))),
    "a control around a cell of a table in a table": lambda p: table(row(cell(table(row(OTHER, control(cell(price(p))))) + para(6)))),
    "a text box": lambda p: para(4, run("See the box."), box(price(p))),
    "a table in a text box": lambda p: para(4, box(table(row(OTHER, cell(price(p)))) + para(6))),
    "a text box in a control around a cell": lambda p: table(row(OTHER, control(cell(para(4, box(price(p))))))),
    "an unknown element": lambda p: f'<x:block xmlns:x="urn:unknown">{price(p)}</x:block>',
}


def package(body, header="", footnotes="", endnotes="", section="", comments=""):
    """A file with a header and notes."""
    rows = types = ""
    parts = {}
    for number, (name, root, inside) in enumerate([("header", "hdr", header), ("footnotes", "footnotes", footnotes), ("endnotes", "endnotes", endnotes), ("comments", "comments", comments)]):
        if inside:
            parts[f"word/{name}.xml"] = f"<w:{root} {SPACES}>{inside}</w:{root}>"
            rows += f'<Relationship Id="rId{10 + number}" Type="{R}/{name}" Target="{name}.xml"/>'
            types += f'<Override PartName="/word/{name}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml"/>'
    parts["word/_rels/document.xml.rels"] = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'
    parts["[Content_Types].xml"] = part(docx(""), "[Content_Types].xml").replace("</Types>", types + "</Types>")
    place = f'<w:headerReference w:type="default" r:id="rId10"/>' if header else ""
    parts["word/document.xml"] = f"<w:document {SPACES}><w:body>{body}<w:sectPr>{place}{section}</w:sectPr></w:body></w:document>"
    return docx("", parts=parts)


def refer(kind, number):
    return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'


def note(kind, number, *inside):
    return f'<w:{kind} w:id="{number}">{"".join(inside)}</w:{kind}>'


def compared(server, folder, a, b, **more):
    folder.write("a.docx", a)
    folder.write("b.docx", b)
    result = server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx", "allow_overwrite": True, **more})["result"]
    return (None, result) if "isError" in result else (folder.read("c.docx"), result["structuredContent"])


def holds(tap, name, a, b, red, answer, changes=True):
    if not tap.ok(red is not None, f"{name}: compared", answer):
        return
    for how, other in (("accept", b), ("reject", a)):
        have, want = read(red, how), read(other, "accept")
        tap.ok(have == want, f"{name}: {how}ing gives the {'revised document' if how == 'accept' else 'original'}", first_difference(have, want))
    total = answer["insertions"] + answer["deletions"] + answer["format_changes"]
    tap.ok((total > 0) == changes, f"{name}: {'changes are counted' if changes else 'nothing changed'}", answer)


def main():
    tap = Tap()
    with Folder() as folder, Stdio("docx", root=folder.path) as server:
        for name, f in AROUND.items():
            a, b = (docx(para(1, run("Before")) + f(p) + para(9, run("After"))) for p in ("100", "250"))
            red, answer = compared(server, folder, a, b)
            holds(tap, name, a, b, red, answer)
            tap.same([answer.get("insertions"), answer.get("deletions")], [1, 1], f"{name}: one word changed, also if the file has it twice")
            red, answer = compared(server, folder, a, a)
            holds(tap, f"{name}, unchanged", a, a, red, answer, False)
        readers(tap, server, folder)
        looks(tap, server, folder)
        stories(tap, server, folder)
        sessions(tap, server, folder)
        untracked(tap, server, folder)
    tap.done()


BY = 'w:author="Jane" w:date="2026-01-02T03:04:05Z"'


def readers(tap, server, folder):
    """Each tool that reads finds a tracked change wherever it is, once, and accepting it leaves none, also in copies for old readers."""
    change = f'<w:del w:id="90" {BY}><w:r><w:delText>100</w:delText></w:r></w:del><w:ins w:id="91" {BY}>{run("250")}</w:ins>'
    plain = run("777 dollars")
    for i, (name, f) in enumerate(AROUND.items()):
        inside = f("777").replace(plain, change + run(" dollars")).replace(run("The price is 777 dollars, "), run("The price is ") + change + run(" dollars, "))
        data = docx(para(1, run("Before")) + inside + para(9, run("After")))
        folder.write(f"r{i}.docx", data)

        def call(tool, **args):
            result = server.call(tool, {"file_path": f"r{i}.docx", **args})["result"]
            return result.get("structuredContent") or result
        rows = [n["clean_text"] for n in call("read_file", format="json").get("nodes", [])]
        tap.same((sum("250" in t for t in rows), call("grep", patterns=["250"]).get("total_matches")), (1, 1), f"{name}: read_file and grep show its words once")
        has = call("has_tracked_changes")
        tap.same([has.get(k) for k in ("insertions", "deletions", "paragraphs")], [1, 1, 1], f"{name}: has_tracked_changes counts the change once")
        found = call("extract_revisions").get("paragraphs", [])
        tap.same([r["text"] for p in found for r in p["revisions"]], ["100", "250"], f"{name}: extract_revisions lists it once")
        done = call("accept_changes")
        call("save", save_to_local_path="accepted.docx", save_format="clean", allow_overwrite=True)
        out = folder.read("accepted.docx")
        tap.ok("<w:ins" not in part(out) and "<w:del" not in part(out), f"{name}: accept_changes leaves none", part(out))
        tap.same(read(out, "reject"), read(data, "accept"), f"{name}: accept_changes gives the accepted document")
        tap.same([done.get(k) for k in ("insertions", "deletions", "paragraphs")], [1, 1, 1], f"{name}: and counts the change once")
    # The mark of a paragraph that others deleted, in both copies.
    gone = f'<w:p><w:pPr><w:rPr><w:del w:id="90" {BY}/></w:rPr></w:pPr><w:del w:id="91" {BY}><w:r><w:delText>Gone</w:delText></w:r></w:del></w:p>'
    for name, inside in (("before another", gone + para(2, run("Stays"))), ("after another", para(2, run("Stays")) + gone)):
        data = docx(either(inside) + para(9, run("After")))
        folder.write("m.docx", data)
        server.call("accept_changes", {"file_path": "m.docx"})
        server.call("save", {"file_path": "m.docx", "save_to_local_path": "accepted.docx", "save_format": "clean", "allow_overwrite": True})
        tap.same(part(folder.read("accepted.docx")).count("<w:p>") + part(folder.read("accepted.docx")).count("<w:p "), 3, f"a paragraph {name} that others deleted is removed in both copies")
        server.call("clear_session", {"file_path": "m.docx"})


def looks(tap, server, folder):
    """Changes of form alone: page setup, tables, rows, cells."""
    wide = '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>'
    tall = '<w:pgSz w:w="11906" w:h="16838"/>'
    one = table(row(OTHER, cell(price(1))))
    pairs = {
        "page setup": (package(para(1, run("Text")), section=tall), package(para(1, run("Text")), section=wide)),
        "page setup of a section before": tuple(docx(para(1, run("Text"), ppr=f"<w:sectPr>{s}</w:sectPr>") + para(2, run("End"))) for s in (tall, wide)),
        "a table": (docx(one), docx(one.replace("<w:tblPr>", '<w:tblPr><w:tblW w:w="5000" w:type="pct"/>'))),
        "a grid": (docx(one), docx(one.replace('w:w="900"', 'w:w="1800"', 1))),
        "a row": (docx(one), docx(one.replace("<w:tr>", '<w:tr><w:trPr><w:trHeight w:val="700"/></w:trPr>'))),
        "a row that had a height": (docx(one.replace("<w:tr>", '<w:tr><w:trPr><w:trHeight w:val="700"/></w:trPr>')), docx(one)),
        "a cell": (docx(one), docx(one.replace("<w:tcPr>", '<w:tcPr><w:shd w:val="clear" w:fill="FFFF00"/>', 1))),
        "a cell that had a colour": (docx(one.replace("<w:tcPr></w:tcPr>", '<w:tcPr><w:shd w:val="clear" w:fill="FFFF00"/></w:tcPr>', 1)), docx(one.replace("<w:tcPr></w:tcPr>", "", 1))),
        "a paragraph": (docx(para(1, run("Text"))), docx(para(1, run("Text"), ppr='<w:jc w:val="center"/>'))),
        "a word": (docx(para(1, run("Text"))), docx(para(1, run("Text", "<w:i/>")))),
    }
    for name, (a, b) in pairs.items():
        red, answer = compared(server, folder, a, b)
        holds(tap, f"the look of {name}", a, b, red, answer)
        if red:
            tap.ok(answer["format_changes"] and not answer["insertions"] and not answer["deletions"], f"the look of {name}: counted as a change of format", answer)


def stories(tap, server, folder):
    """Changes in headers and notes."""
    body = para(1, run("The price"), refer("footnote", 2), run(" is due"), refer("endnote", 2), run("."))
    notes = lambda kind, *inside: note(kind, -1, para(0x70)).replace("<w:" + kind, f'<w:{kind} w:type="separator"') + note(kind, 2, *inside)
    whole = lambda words, look="", p="100": package(body, header=para(0x20, run(f"Draft of {words}", look)) + control(price(p)),
                                                    footnotes=notes("footnote", para(0x30, run(f"First {words}", look)), table(row(OTHER, cell(price(p))))),
                                                    endnotes=notes("endnote", para(0x40, run(f"Last {words}", look)), control(price(p))))
    for name, a, b, counts in (("words in headers and notes", whole("May"), whole("June"), (3, 3, 0)), ("looks in headers and notes", whole("May"), whole("May", "<w:b/>"), (0, 0, 3)),
                               ("prices in controls and tables of headers and notes", whole("May"), whole("May", p="250"), (3, 3, 0)), ("headers and notes unchanged", whole("May"), whole("May"), (0, 0, 0))):
        red, answer = compared(server, folder, a, b)
        holds(tap, name, a, b, red, answer, any(counts))
        tap.same(tuple(answer.get(k) for k in ("insertions", "deletions", "format_changes")), counts, f"{name}: each is one change")
        for other in ("header", "footnotes", "endnotes"):
            if not any(counts):
                tap.same(part(red, f"word/{other}.xml"), part(a, f"word/{other}.xml"), f"{other} without changes keep their bytes")
    # The ids of the revised file are others, as after a note was inserted before.
    a = package(para(1, run("One"), refer("footnote", 2)) + para(2, run("Two"), refer("footnote", 3)), footnotes=note("footnote", 2, para(3, run("First note."))) + note("footnote", 3, para(4, run("Second note."))))
    b = package(para(8, run("New"), refer("footnote", 2)) + para(1, run("One"), refer("footnote", 3)) + para(2, run("Two"), refer("footnote", 4)),
                footnotes=note("footnote", 2, para(9, run("A new note."))) + note("footnote", 3, para(3, run("First note, changed."))) + note("footnote", 4, para(4, run("Second note."))))
    red, answer = compared(server, folder, a, b)
    holds(tap, "notes with other ids", a, b, red, answer)
    tap.ok("Second note.</w:t>" in part(red, "word/footnotes.xml") and part(red, "word/footnotes.xml").count("First") == 1, "a changed note is changed in place", part(red, "word/footnotes.xml"))


def sessions(tap, server, folder):
    """A session is compared with its file in every part."""
    whole = package(para(1, run("The price"), refer("footnote", 2)), header=para(0x20, run("Draft of May")), footnotes=note("footnote", 2, para(0x30, run("First of May"))))
    folder.write("s.docx", whole)
    for i, (target, old, new) in enumerate([("00000020", "May", "June"), ("00000030", "May", "July")]):
        server.call("smart_edit", {"file_path": "s.docx", "target_paragraph_id": target, "old_string": old, "new_string": new})
        session = server.call("get_session_status", {"file_path": "s.docx"})["result"]["structuredContent"]["session_id"]
        answer = server.call("compare_documents", {"session_id": session, "save_to_local_path": "sc.docx", "allow_overwrite": True})["result"]
        server.call("save", {"session_id": session, "save_to_local_path": "sd.docx", "save_format": "clean", "allow_overwrite": True})
        holds(tap, f"a session with {i + 1} edits outside the body", whole, folder.read("sd.docx"), folder.read("sc.docx") if "isError" not in answer else None, answer.get("structuredContent", answer))


def untracked(tap, server, folder):
    """What cannot be a tracked change is named in the result."""
    text = para(1, run("The price"))
    styled = docx(text, styles='<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/></w:style>')
    _, answer = compared(server, folder, docx(text), styled)
    tap.same(answer.get("untracked"), ["styles"], "other styles are named")
    _, answer = compared(server, folder, docx(text), docx(text))
    tap.same(answer.get("untracked"), [], "nothing else is")
    _, answer = compared(server, folder, docx(text + control(text)), docx(text + control(text, '<w:tag w:val="other"/>')))
    tap.same(answer.get("untracked"), ["properties of content controls, or sections that only one version has"], "properties of a control are named")
    _, answer = compared(server, folder, package(text, header=para(7, run("Draft"))), package(text))
    tap.same(answer.get("untracked"), ["headers or footers that only one version has"], "a header is named that only one has")
    empty, full = package(text, header=" "), package(text, header=para(7, run("Draft")))
    empty = docx("", parts={**{n: part(empty, n) for n in ("word/document.xml", "word/_rels/document.xml.rels", "[Content_Types].xml")}, "word/header.xml": f"<w:hdr {SPACES}/>"})
    red, answer = compared(server, folder, empty, full)
    tap.ok(red and "</w:p></w:hdr>" in part(red, "word/header.xml"), "new paragraphs of an empty header are in it", answer)
    red, answer = compared(server, folder, docx(text), docx(para(1, run("The cost"))), fail_on_rebuild_fallback=True)
    tap.ok(red, "nothing is coarser where it holds word by word", answer)


main()
