#!/usr/bin/env python3
"""Writes the Word files of our own: examples/contract.docx, and the files in test/data/docx with what contracts of others contain: tables in
tables, content controls, fields, links, bookmarks, text boxes, tracked changes, comments and notes."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from docx import HEAD, PACKAGE, R, W, W14, docx, part  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
SPACES = f'xmlns:w="{W}" xmlns:w14="{W14}" xmlns:r="{R}"'
SOLID = "".join(f'<w:{s} w:val="single" w:sz="4" w:space="0" w:color="808080"/>' for s in ("top", "left", "bottom", "right", "insideH", "insideV"))


def level(i, form, text, left, style=""):
    return (f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{style and f"""<w:pStyle w:val="{style}"/>"""}<w:lvlText w:val="{text}"/>'
            f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{left}" w:hanging="567"/></w:pPr></w:lvl>')


NUMBERING = ('<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="multilevel"/>' + level(0, "decimal", "%1.", 567, "Heading1") +
             level(1, "decimal", "%1.%2", 567, "Clause") + level(2, "lowerLetter", "(%3)", 1134, "Item") +
             '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>')


def style(name, title, based="", look="", numbered="", more=""):
    return (f'<w:style w:type="paragraph" w:styleId="{name}"{more}><w:name w:val="{title}"/>{based and f"""<w:basedOn w:val="{based}"/>"""}<w:pPr>'
            f'{numbered}<w:spacing w:after="120"/></w:pPr><w:rPr>{look}</w:rPr></w:style>')


def numbered(i):
    return f'<w:numPr><w:ilvl w:val="{i}"/><w:numId w:val="1"/></w:numPr>'


STYLES = ('<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia"/><w:sz w:val="21"/></w:rPr></w:rPrDefault></w:docDefaults>' +
          style("Normal", "Normal", more=' w:default="1"') + style("Title", "Title", "Normal", '<w:b/><w:sz w:val="34"/>') +
          style("Heading1", "heading 1", "Normal", '<w:b/><w:sz w:val="24"/>', "<w:keepNext/>" + numbered(0)) +
          style("Clause", "Clause", "Normal", "", numbered(1)) + style("Item", "Item", "Normal", "", numbered(2)) +
          '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>')
COUNT = [0]


def run(text, look=""):
    return f'<w:r>{look and f"<w:rPr>{look}</w:rPr>"}<w:t xml:space="preserve">{text}</w:t></w:r>'


def term(text):
    return run("“") + run(text, "<w:b/>") + run("”")


def p(kind, *inside):
    COUNT[0] += 1
    return (f'<w:p w14:paraId="{0x10000000 + COUNT[0] * 257:08X}">{kind and f"""<w:pPr><w:pStyle w:val="{kind}"/></w:pPr>"""}' +
            "".join(i if i.startswith("<") else run(i) for i in inside) + "</w:p>")


def mark(name, i, *inside):
    return f'<w:bookmarkStart w:id="{i}" w:name="{name}"/>' + "".join(i if i.startswith("<") else run(i) for i in inside) + f'<w:bookmarkEnd w:id="{i}"/>'


def reference(name, shown):
    piece = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    return piece("begin") + f'<w:r><w:instrText xml:space="preserve"> REF {name} \\r \\h </w:instrText></w:r>' + piece("separate") + run(shown) + piece("end")


def table(*rows):
    width = len(rows[0])
    cell = lambda inside: f'<w:tc><w:tcPr><w:tcW w:w="{9000 // width}" w:type="dxa"/></w:tcPr>{inside if inside.startswith("<w:") else p("", inside)}</w:tc>'
    return (f'<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblBorders>{SOLID}</w:tblBorders></w:tblPr><w:tblGrid>' + f'<w:gridCol w:w="{9000 // width}"/>' * width +
            "</w:tblGrid>" + "".join("<w:tr>" + "".join(cell(c) for c in row) + "</w:tr>" for row in rows) + "</w:tbl>")


def with_parts(body, section, parts):
    """A file with more parts: (name, type of relationship and content, XML, target's id)."""
    plain = docx("")
    kinds = "".join(f'<Override PartName="/word/{name}.xml" ContentType="{OFFICE}{kind}+xml"/>' for name, kind, _ in parts)
    links = "".join(f'<Relationship Id="rId{10 + n}" Type="{R}/{kind}" Target="{name}.xml"/>' for n, (name, kind, _) in enumerate(parts))
    links += f'<Relationship Id="rId30" Type="{R}/hyperlink" Target="https://example.org/rates" TargetMode="External"/>'
    entries = {f"word/{name}.xml": f"{HEAD}<w:{tag} {SPACES}>{xml}</w:{tag}>" for (name, kind, xml), tag in
               ((q, {"header": "hdr", "footer": "ftr"}.get(q[1], q[1])) for q in parts)}
    entries["[Content_Types].xml"] = part(plain, "[Content_Types].xml").replace("</Types>", kinds + "</Types>")
    entries["word/_rels/document.xml.rels"] = part(plain, "word/_rels/document.xml.rels").replace("</Relationships>", links + "</Relationships>")
    entries["word/document.xml"] = f"{HEAD}<w:document {SPACES}><w:body>{body}<w:sectPr>{section}</w:sectPr></w:body></w:document>"
    return docx("", STYLES, NUMBERING, entries)


def note(i, text):
    return (f'<w:footnote w:id="{i}"><w:p><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>{run(" " + text)}</w:p></w:footnote>')


NOTES = ('<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
         '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>')
PAGE = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'


def contract():
    cite = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="1"/></w:r>'
    remark = ('<w:commentRangeStart w:id="0"/>' + run("sixty (60) days") + '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>')
    body = (p("Title", "Boat Yard Services Agreement") +
            p("", "This agreement is made on 3 March 2026 between ", run("Tern &amp; Sons Boat Yard", "<w:b/>"), " (the ", term("Yard"), ") and ",
              run("Sorrel Point Lighthouse Trust", "<w:b/>"), " (the ", term("Client"), ").") +
            p("Heading1", "Definitions") +
            p("Clause", term("Boat"), " means the wooden tender ", run("Ines", "<w:i/>"), ", built in 1961, with her engine and gear.") +
            p("Clause", term("Services"), " means the work that Schedule A lists, and what the parties add to it in writing.") +
            p("Clause", term("Fees"), " means the amounts in Schedule A.") +
            p("Heading1", mark("services", 1, "Services")) +
            p("Clause", "The Yard shall perform the Services with the skill and care of an experienced boat builder.") +
            p("Clause", "The Yard shall tell the Client at once if it finds:") +
            p("Item", "rot in a plank or a frame;") + p("Item", "a crack in the engine's mounting; or") + p("Item", "any defect that makes the Boat unsafe at sea.") +
            p("Clause", "The Client may inspect the Boat at the Yard on any working day.") +
            p("Heading1", mark("payment", 2, "Payment")) +
            p("Clause", "The Client shall pay each invoice within ", run("thirty (30) days"), " after it receives the invoice.", cite) +
            p("Clause", "Interest on late payments is two percent (2%) above the base rate, as published at ",
              '<w:hyperlink r:id="rId30">' + run("example.org/rates", '<w:u w:val="single"/>') + "</w:hyperlink>", ".") +
            p("Heading1", mark("term", 3, "Term and termination")) +
            p("Clause", "This agreement lasts until the Services are complete. Either party may end it by a notice of ", remark, ".") +
            p("Clause", "If the Client does not pay under Section ", reference("payment", "3"), ", the Yard may stop the Services under Section ", reference("services", "2"), ".") +
            p("Heading1", "Liability") +
            p("Clause", "The Yard's liability is limited to the Fees. This limit does not apply to intent or gross negligence.") +
            p("Heading1", "General") +
            p("Clause", "This agreement is governed by the law of the place where the Yard is.") +
            p("Clause", "Changes to this agreement, and to this Section, must be in writing.") +
            p("Title", "Schedule A") +
            table(("Work", "By", "Fee"), ("Replace the garboard planks", "30 April 2026", "4,200"), ("Paint the hull", "15 May 2026", "1,150"),
                  ("Overhaul the engine", "31 May 2026", "2,800")) +
            p("") + table(("For the Yard: __________", "For the Client: __________")) + p(""))
    parts = [("footnotes", "footnotes", NOTES + note(1, "An invoice that arrives after 17:00 is received on the next working day.")),
             ("comments", "comments", '<w:comment w:id="0" w:author="Vera Holm" w:date="2026-03-01T09:00:00Z" w:initials="VH"><w:p><w:pPr/>' +
              run("The Trust asked for ninety. Can we agree?") + "</w:p></w:comment>"),
             ("header1", "header", p("", "Boat Yard Services Agreement")), ("footer1", "footer", p("", "Page ", PAGE))]
    section = ('<w:headerReference w:type="default" r:id="rId12"/><w:footerReference w:type="default" r:id="rId13"/><w:pgSz w:w="11906" w:h="16838"/>'
               '<w:pgMar w:top="1418" w:right="1418" w:bottom="1418" w:left="1418" w:header="709" w:footer="709" w:gutter="0"/>')
    return with_parts(body, section, parts)


def by(name, i, inside, author="Jane Roe"):
    return f'<w:{name} w:id="{i}" w:author="{author}" w:date="2026-02-01T10:00:00Z">{inside}</w:{name}>'


def gone(text):
    return run(text).replace("w:t ", "w:delText ").replace("w:t>", "w:delText>")


def redline():
    """A draft with changes of others: words, a paragraph, a move, a cell, one author inside another."""
    inserted = "<w:p w14:paraId=\"20000101\"><w:pPr>" + f'<w:pStyle w:val="Clause"/><w:rPr>{by("ins", 11, "")}</w:rPr></w:pPr>' + by("ins", 12, run("A clause that the other side added.")) + "</w:p>"
    body = (p("Title", "Draft with changes") + p("Heading1", "Term") +
            p("Clause", "The term lasts ", by("del", 13, gone("thirty (30)")), by("ins", 14, run("sixty (60)")), " days after notice.") + inserted +
            p("Clause", "Governed by the laws of ", by("ins", 15, run("Norway ") + by("del", 16, gone("and Sweden "), "John Doe") + run("alone")), ".") +
            p("Clause", "What was ", by("moveFrom", 17, run("moved away from here")), " and stays; ", by("moveTo", 18, run("what came here")), " too.") +
            table(("Name", "Purpose"), ("Anna", p("", by("del", 20, gone("To evaluate")), by("ins", 21, run("To use")))))) + p("", "The end.")
    return docx(body, STYLES, NUMBERING)


def forms():
    """Content controls, tables in tables, a text box, symbols, breaks, tabs and special characters."""
    control = lambda inside, block=False: f'<w:sdt><w:sdtPr><w:alias w:val="Field"/></w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>'
    inner = table(("Signed by", "Date"), ("__________", "__________"))
    body = (p("Title", "Cover", "<w:r><w:br/></w:r>", "Page") + table(("Party", p("", control(run("Name of the party")))), ("Term", inner + p("", "One year"))) +
            control(p("", "A block that a form contains with several words.")) +
            p("", "Tabs", "<w:r><w:tab/></w:r>", "between", "<w:r><w:noBreakHyphen/></w:r>", "words") +
            p("", '<w:fldSimple w:instr=" DATE ">' + run("1 May 2026") + "</w:fldSimple>", " is the date of ", '<w:smartTag w:element="place">' + run("Bergen") + "</w:smartTag>", ".") +
            p("", run("Hidden ", "<w:vanish/>"), run("and shown words", '<w:highlight w:val="yellow"/>'), " &amp; &lt;signs&gt; — “quoted”, ½, 日本語.") +
            p("Item", "first", mark("item", 7, " item")) + p("Item", "second item, see ", reference("item", "(a)")) + p("", "The last paragraph of the form."))
    return docx(body, STYLES, NUMBERING)


def plain(*lines):
    return docx("".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines))


CONTRACT = contract()
for name, data in (("../../examples/contract.docx", CONTRACT), ("docx/contract.docx", CONTRACT), ("docx/redline.docx", redline()), ("docx/forms.docx", forms()),
                   ("docx/no-paragraphs.docx", docx("")), ("docx/malformed.docx", docx('<w:p><w:r><w:t>open</w:r></w:p>')),
                   ("docx/before.docx", plain("One fox runs.", "The second line stays.", "Three lines.")),
                   ("docx/after.docx", plain("One quick fox runs.", "The second line stays.", "A new line.", "Three lines!"))):
    with open(os.path.join(HERE, name), "wb") as f:
        f.write(data)
