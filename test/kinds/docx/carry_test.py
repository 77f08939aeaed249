#!/usr/bin/env python3
"""The redline of a comparison has the charts of new text, and its notes with links and pictures, with all parts that they refer to."""
import io
import os
import posixpath
import re
import sys
import zipfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import HEAD, PACKAGE, R, W, docx, part  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402

RELS, CHART = PACKAGE + "relationships", "http://schemas.openxmlformats.org/drawingml/2006/chart"
MAIN, WP = "http://schemas.openxmlformats.org/drawingml/2006/main", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
OFFICE, WORD = "application/vnd.openxmlformats-officedocument.", "word/document.xml"
SHEET, CHARTS = OFFICE + "spreadsheetml.sheet", OFFICE + "drawingml.chart+xml"
GONE = {"accept": "del", "reject": "ins"}


def para(*inside):
    return f"<w:p>{''.join(inside)}</w:p>"


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def drawn(inside):
    return (f'<w:r><w:drawing><wp:inline xmlns:wp="{WP}"><wp:extent cx="3600000" cy="1800000"/><wp:docPr id="1" name="One"/>'
            f'<a:graphic xmlns:a="{MAIN}"><a:graphicData uri="{CHART}">{inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>')


def chart(rid):
    return drawn(f'<c:chart xmlns:c="{CHART}" r:id="{rid}"/>')


def picture(rid):
    return drawn(f'<a:blip r:embed="{rid}"/>')


def link(rid, text):
    return f'<w:hyperlink r:id="{rid}">{run(text)}</w:hyperlink>'


def note(number, inside):
    return f'<w:footnote w:id="{number}">{para(inside)}</w:footnote>'


def footnotes(*notes):
    return (f'{HEAD}<w:footnotes xmlns:w="{W}" xmlns:r="{R}"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p>'
            f'</w:footnote>{"".join(notes)}</w:footnotes>').encode()


def made(text, relations, parts):
    """A file: relations are {part: {id: (type, target)}}, parts are {name: (bytes, type)}. An external address begins with "!"."""
    entries = {name: data for name, (data, _) in parts.items()}
    for of, rows in relations.items():
        inside = "".join(f'<Relationship Id="{i}" Type="{kind if ":" in kind else R + "/" + kind}" Target="{to.lstrip("!")}"'
                         + (' TargetMode="External"/>' if to[0] == "!" else "/>") for i, (kind, to) in rows.items())
        folder, name = posixpath.split(of)
        entries[f"{folder}/_rels/{name}.rels"] = f'{HEAD}<Relationships xmlns="{RELS}">{inside}</Relationships>'
    types = "".join(f'<Override PartName="/{n}" ContentType="{t}"/>' for n, (_, t) in parts.items())
    entries["[Content_Types].xml"] = part(docx(""), "[Content_Types].xml").replace("</Types>", types + "</Types>")
    return docx(text, parts=entries)


class Package:
    """A file, with the targets of its elements' relationships, followed to the end."""

    def __init__(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            self.names = z.namelist()
            self.entries = {n: z.read(n) for n in self.names}
        types = ElementTree.fromstring(self.entries["[Content_Types].xml"])
        self.types = {row.get("PartName") or row.get("Extension"): row.get("ContentType") for row in types}
        self.rows = len(types)

    def relations(self, of):
        folder, name = posixpath.split(of)
        bytes_ = self.entries.get(f"{folder}/_rels/{name}.rels")
        return {row.get("Id"): row for row in ElementTree.fromstring(bytes_)} if bytes_ else {}

    def lead(self, of, rid, depth=0):
        row = self.relations(of)[rid]
        kind, to = row.get("Type"), row.get("Target")
        if row.get("TargetMode") == "External":
            return kind, to
        name = posixpath.normpath(posixpath.join("/", posixpath.dirname(of), to)).lstrip("/")
        if depth > 6:
            return kind, "deeper"
        inside = {i: self.lead(name, i, depth + 1) for i in self.relations(name)}
        return kind, self.entries[name], self.types.get("/" + name, self.types.get(name.rsplit(".", 1)[1])), inside

    def leads(self, how, of=WORD, node=None):
        """All targets in the order of the text. A note's targets are at the place of its reference."""
        out = []
        node = ElementTree.fromstring(self.entries[of]) if node is None else node
        mark = node.find(f"{{{W}}}pPr/{{{W}}}rPr/{{{W}}}{GONE[how]}")
        if node.tag == f"{{{W}}}{GONE[how]}":
            return out
        if mark is not None:  # the section is removed with the mark
            node.remove(node.find(f"{{{W}}}pPr"))
        out += [self.lead(of, v) for k, v in node.attrib.items() if k.startswith("{" + R + "}")]
        if node.tag == f"{{{W}}}footnoteReference":
            notes = next(posixpath.join("word", r.get("Target")) for r in self.relations(WORD).values() if r.get("Type") == R + "/footnotes")
            found = [n for n in ElementTree.fromstring(self.entries[notes]) if n.get(f"{{{W}}}id") == node.get(f"{{{W}}}id")]
            assert len(found) == 1
            out.append("".join(found[0].itertext()))
            out += self.leads(how, notes, found[0])
        for child in node:
            out += self.leads(how, of, child)
        return out


def compare(tap, claim, first, second, warned=None):
    with Folder({"a.docx": first, "b.docx": second}) as folder, Stdio("docx", root=folder.path) as server:
        def once(to):
            args = {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": to}
            return server.call("compare_documents", args)["result"]
        answer = once("c.docx")
        if "isError" in answer:
            tap.ok(False, claim + ": is compared", answer)
            return None
        red, told = Package(folder.read("c.docx")), str(answer["structuredContent"].get("_warnings", ""))
        tap.ok(warned in told if warned else not told, f"{claim}: {'what stays out is told' if warned else 'nothing is left out'}", told)
        if not warned:
            tap.ok(red.leads("accept") == Package(second).leads("accept"), f"{claim}: accepted, all leads to what the revised document has",
                   red.leads("accept"))
        tap.ok(red.leads("reject") == Package(first).leads("accept"), f"{claim}: rejected, to what the original has", red.leads("reject"))
        tap.same(len(set(red.names)), len(red.names), f"{claim}: no name stands twice")
        tap.same(len(red.types), red.rows, f"{claim}: nor a content type")
        once("d.docx")
        other = Package(folder.read("d.docx"))
        dates = lambda p: {n: re.sub(rb'w:date="[^"]*"', b"", b) for n, b in p.entries.items()}
        tap.ok(dates(other) == dates(red), f"{claim}: and the same bytes each time")
        server.call("accept_changes", {"file_path": "c.docx"})
        server.call("save", {"file_path": "c.docx", "save_to_local_path": "e.docx", "save_format": "clean"})
        if not warned:
            tap.ok(Package(folder.read("e.docx")).leads("accept") == Package(second).leads("accept"), f"{claim}: accept_changes keeps it")
        return red


START, END = para(run("It begins.")), para(run("The end."))
STYLE = "http://schemas.microsoft.com/office/2011/relationships/"
STYLED = "application/vnd.ms-office."


def charted(name="chart1", data=b"one"):
    """A chart with all the parts that Word writes, as relations and parts."""
    at = f"word/charts/{name}.xml"
    relations = {at: {"rId1": (STYLE + "chartStyle", "style1.xml"), "rId2": (STYLE + "chartColorStyle", "colors1.xml"),
                      "rId3": ("package", "../embeddings/Sheet.xlsx"), "rId4": ("chartUserShapes", "../drawings/drawing1.xml")},
                 "word/drawings/drawing1.xml": {"rId1": ("image", "../media/logo.png"), "rId2": ("hyperlink", "!https://one.example/?a=1&amp;b=2")}}
    parts = {at: (f'<c:chartSpace xmlns:c="{CHART}"><c:externalData r:id="rId3" xmlns:r="{R}"/></c:chartSpace>'.encode(), CHARTS),
             "word/charts/style1.xml": (b"<style/>", STYLED + "chartstyle+xml"), "word/charts/colors1.xml": (b"<colors/>", STYLED + "chartcolorstyle+xml"),
             "word/embeddings/Sheet.xlsx": (b"PK" + data, SHEET), "word/drawings/drawing1.xml": (b"<shapes/>", OFFICE + "drawingml.chartshapes+xml"),
             "word/media/logo.png": (b"\x89PNG", "image/png")}
    return relations, parts


def charts(tap):
    relations, parts = charted()
    new = made(START + para(run("A chart: "), chart("rId7")) + END, {WORD: {"rId7": ("chart", "charts/chart1.xml")}, **relations}, parts)
    red = compare(tap, "a new chart", made(START + END, {WORD: {}}, {}), new)
    tap.same(sorted(n for n in red.names if "compared" in n and "_rels" not in n),
             ["word/charts/compared1.xml", "word/charts/compared2.xml", "word/charts/compared3.xml", "word/drawings/compared5.xml",
              "word/embeddings/compared4.xlsx", "word/media/compared6.png"], "its parts have names of their own")
    taken = {f"word/charts/compared{i}.xml": (b"<taken/>", CHARTS) for i in (1, 2)}
    old = made(START + para(run("Mine "), chart("rIdCompared1")) + END, {WORD: {"rIdCompared1": ("chart", "charts/compared1.xml")}}, taken)
    red = compare(tap, "a chart where its names are taken", old, new)
    tap.same(red.entries["word/charts/compared1.xml"], b"<taken/>", "what was there stays")
    twice = made(START + para(chart("rId7"), run(" and again "), chart("rId7")) + END, {WORD: {"rId7": ("chart", "charts/chart1.xml")}, **relations}, parts)
    red = compare(tap, "one chart twice", made(START + END, {WORD: {}}, {}), twice)
    tap.same(len([n for n in red.names if "/charts/" in n and "_rels" not in n]), 3, "is one part")
    same = made(START + para(run("A chart: "), chart("rId9")) + para(run("More.")) + END, {WORD: {"rId9": ("chart", "charts/other.xml")}, **charted("other")[0]},
                charted("other")[1])
    red = compare(tap, "the same chart under another name", new, same)
    tap.ok(not any("compared" in n for n in red.names), "is no change", red.names)
    relations, parts = charted(data=b"two")
    other = made(START + para(run("A chart: "), chart("rId7")) + END, {WORD: {"rId7": ("chart", "charts/chart1.xml")}, **relations}, parts)
    compare(tap, "a chart with other numbers in its workbook", new, other)


def notes(tap):
    kinds = {"word/footnotes.xml": OFFICE + "wordprocessingml.footnotes+xml"}

    def noted(text, relations, *rows, media=()):
        parts = {"word/footnotes.xml": (footnotes(*rows), kinds["word/footnotes.xml"]), **{"word/media/" + n: (d, "image/png") for n, d in media}}
        return made(text, {WORD: {"rId3": ("footnotes", "footnotes.xml")}, "word/footnotes.xml": relations}, parts)

    def refer(number):
        return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'
    new = noted(START + para(run("See below"), refer(2)) + para(run("And this"), refer(3)) + END,
                {"rId1": ("hyperlink", "!https://two.example/"), "rId2": ("image", "media/n.png")},
                note(2, run("At ") + link("rId1", "two")), note(3, run("Look: ") + picture("rId2")), media=[("n.png", b"\x89PNGn")])
    red = compare(tap, "notes with a link and a picture, and no notes before", made(START + END, {WORD: {}}, {}), new)
    tap.ok("word/_rels/footnotes.xml.rels" in red.names, "the new part of notes has its relationships", red.names)
    old = noted(START + para(run("Old one"), refer(2)) + END, {"rId1": ("hyperlink", "!https://one.example/")}, note(2, link("rId1", "one")))
    compare(tap, "notes whose ids mean something else", old, new)
    new = noted(START + para(run("Old one"), refer(2)) + para(run("Again"), refer(3)) + END, {"rId8": ("hyperlink", "!https://one.example/")},
                note(2, link("rId8", "one")), note(3, run("As in ") + link("rId8", "one")))
    red = compare(tap, "a link that the notes have already", old, new)
    tap.same(len(red.relations("word/footnotes.xml")), 1, "has one relationship")


def sections(tap):
    """A section that ends in new text keeps its headers. Without them the file cannot be opened."""
    head = f'{HEAD}<w:hdr xmlns:w="{W}" xmlns:r="{R}">{para(run("Of the section "), picture("rId4"))}</w:hdr>'.encode()
    kind = OFFICE + "wordprocessingml."

    def ends(rid, to):
        return f'<w:pPr><w:sectPr><w:headerReference w:type="default" r:id="{rid}"/><w:footerReference w:type="default" r:id="{to}"/></w:sectPr></w:pPr>'
    rows = {WORD: {"rId1": ("header", "header1.xml"), "rId2": ("footer", "footer1.xml")}, "word/header1.xml": {"rId4": ("image", "media/h.png")}}
    parts = {"word/header1.xml": (head, kind + "header+xml"), "word/media/h.png": (b"\x89PNGh", "image/png"),
             "word/footer1.xml": (f'<w:ftr xmlns:w="{W}"><w:p/></w:ftr>'.encode(), kind + "footer+xml")}
    new = made(START + para(ends("rId1", "rId2"), run("A section ends.")) + para(run("Another begins.")) + END, rows, parts)
    old = made(START + END, {WORD: {"rId2": ("styles", "styles.xml")}}, {})
    compare(tap, "a new section", old, new)
    mine = made(START + para(ends("rId1", "rId2"), run("My section.")) + END, rows, parts)
    red = compare(tap, "a new section with the headers of another", mine, new)
    tap.ok(not any("compared" in n for n in red.names), "has the same ones", red.names)
    broken = made(START + para(ends("rId1", "rId9"), run("A section ends.")) + END, rows, parts)
    red = compare(tap, "a section whose footer is not there", old, broken, "1 diagrams, linked objects, broken links")
    tap.ok("Reference" not in red.entries[WORD].decode(), "is left out")


def refused(tap):
    """Objects that cannot or should not be copied produce a warning. Their words stay, but the package contains nothing of them."""
    cases = {
        "a chart on a workbook elsewhere": ({"word/charts/chart1.xml": {"rId1": ("oleObject", "!file:///C:/secret.xlsx")}}, {}),
        "a workbook with macros": ({"word/charts/chart1.xml": {"rId1": ("package", "../embeddings/m.xlsm")}},
                                   {"word/embeddings/m.xlsm": (b"PK", "application/vnd.ms-excel.sheet.macroEnabled.12")}),
        "a workbook that is not there": ({"word/charts/chart1.xml": {"rId1": ("package", "../embeddings/gone.xlsx")}}, {}),
        "a target above the package": ({"word/charts/chart1.xml": {"rId1": ("image", "../../../../etc/passwd")}}, {}),
        "a relationship of no known type": ({"word/charts/chart1.xml": {"rId1": ("vbaProject", "v.bin")}}, {"word/charts/v.bin": (b"V", "application/x")}),
        "relationships that cannot be read": ({}, {"word/charts/_rels/chart1.xml.rels": (b"<Relationships", "application/xml")}),
        "parts that lead ever deeper": ({f"word/charts/chart{i}.xml": {"rId1": ("chart", f"chart{i + 1}.xml")} for i in range(1, 9)},
                                        {f"word/charts/chart{i}.xml": (b"<c%d/>" % i, CHARTS) for i in range(2, 10)}),
    }
    old = made(START + END, {WORD: {}}, {})
    for claim, (relations, parts) in cases.items():
        new = made(START + para(run("A chart "), chart("rId7"), run(" here")) + END, {WORD: {"rId7": ("chart", "charts/chart1.xml")}, **relations},
                   {"word/charts/chart1.xml": (b"<c/>", CHARTS), **parts})
        red = compare(tap, claim, old, new, "1 diagrams, linked objects, broken links")
        tap.ok(red and not any("compared" in n for n in red.names) and "A chart " in red.entries[WORD].decode(), claim + ": only its words are there",
               red and red.names)
    circle = {"word/charts/chart1.xml": {"rId1": ("chart", "chart2.xml")}, "word/charts/chart2.xml": {"rId1": ("chart", "chart1.xml")}}
    new = made(START + para(chart("rId7")) + END, {WORD: {"rId7": ("chart", "charts/chart1.xml")}, **circle},
               {f"word/charts/chart{i}.xml": (b"<c%d/>" % i, CHARTS) for i in (1, 2)})
    red = compare(tap, "charts that lead to each other", old, new)
    tap.same(len([n for n in red.names if "compared" in n]), 4, "are copied once")
    linked = made(START + para(run("Linked "), drawn('<a:x r:id="rId7"/>')) + END, {WORD: {"rId7": ("oleObject", "!file:///C:/secret.xlsx")}}, {})
    compare(tap, "an object that is linked", old, linked, "1 diagrams, linked objects")


def quoted_ids(tap):
    """Ids are found however they are quoted: single quotes, blanks around the sign."""
    ids = "".join(f"<w:bookmarkStart w:id{sign}{quote}{n}{quote} w:name=\"b{n}\"/><w:bookmarkEnd w:id{sign}{quote}{n}{quote}/>"
                  for n, sign, quote in ((1, "=", "'"), (2, " = ", '"'), (3, "\n=\t", "'")))
    quoted = drawn("").replace('docPr id="1"', "docPr\tid = '7'")
    with Folder({"a.docx": docx(para(ids, run("one"), quoted)), "b.docx": docx(para(ids, run("two"), quoted) + para(quoted))}) as folder, \
            Stdio("docx", root=folder.path) as server:
        server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})
        tree = ElementTree.fromstring(Package(folder.read("c.docx")).entries[WORD])
        marks = [n.get(f"{{{W}}}id") for n in tree.iter() if n.get(f"{{{W}}}id") and not n.tag.endswith("bookmarkEnd")]
        tap.ok(len(marks) > 3 and len(set(marks)) == len(marks), "new ids of changes are free, however the others are quoted", marks)
        drawings = [n.get("id") for n in tree.iter() if n.tag.endswith("docPr")]
        tap.ok(len(drawings) > 1 and len(set(drawings)) == len(drawings), "so are those of drawings", drawings)


def malformed(tap):
    """A comparison refuses what a session refuses to open, on either side, and writes nothing."""
    good = docx(para(run("one")) + para(run("two")))
    for name, bad in {"bytes that are not UTF-8": b"\x98", "a control character": b"\x01", "an unknown entity": b"&nosuch;",
                      "a tag that is not closed": b"<w:r>", "an end tag of another name": b"<w:r></w:t>",
                      "an attribute twice": b'<w:r w:a="1" w:a="2"/>'}.items():
        broken = docx(para(run("one")) + para(run("two"), "@@"))
        with zipfile.ZipFile(io.BytesIO(broken)) as z:
            entries = {n: z.read(n).replace(b"@@", bad) for n in z.namelist()}
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as z:
            for n, b in entries.items():
                z.writestr(n, b)
        with Folder({"good.docx": good, "bad.docx": data.getvalue()}) as folder, Stdio("docx", root=folder.path) as server:
            for first, second in (("good", "bad"), ("bad", "good")):
                answer = server.call("compare_documents", {"original_file_path": first + ".docx", "revised_file_path": second + ".docx",
                                                           "save_to_local_path": "c.docx"})["result"]
                tap.ok(answer.get("isError") and "INVALID_DOCX_ARCHIVE" in str(answer) and not os.path.exists(folder.path + "/c.docx"),
                       f"{name}, {first} to {second}: refused", answer)


def main():
    tap = Tap()
    charts(tap)
    notes(tap)
    sections(tap)
    refused(tap)
    quoted_ids(tap)
    malformed(tap)
    tap.done()


main()
