#!/usr/bin/env python3
"""Reading Word documents: rows, pages, labels, sessions, drafts, saves, and hostile packages."""
import glob
import io
import json
import os
import sqlite3
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docx  # noqa: E402
from quire import DATA, TOP, Folder, Http, Stdio, Tap, schema_faults  # noqa: E402

tap = Tap()


def p(text, properties="", run=""):
    return f'<w:p>{properties}<w:r>{run}<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def answer(reply):
    result = reply["result"]
    if result.get("isError"):
        return json.loads(result["content"][0]["text"])["error"]
    return result["structuredContent"]


def rows(content):
    """Cells of the rows of a TOON page."""
    return [line.split(" | ", 4) for line in content.splitlines() if line and not line.startswith("#")]


def texts(found):
    return [row[4] for row in rows(found["content"])]


def refused(reply, code, words=""):
    error = answer(reply)
    return reply["result"].get("isError") and error.get("code") == code and words in json.dumps(error) and \
        "structuredContent" not in reply["result"]


def whole(server, path, **more):
    """All pages of a document, joined: (rows, longest page)."""
    out, longest, offset = [], 0, 1
    while True:
        found = answer(server.call("read_file", {"file_path": path, "offset": offset, **more}))
        longest = max(longest, len(json.dumps(found)))
        out += rows(found["content"]) if "content" in found else found["nodes"]
        if not found["has_more"]:
            return out, longest, found["total_paragraphs"]
        offset = found["next_offset"]


def repacked(change, data=None):
    """A document whose entries {name: bytes} were changed."""
    with zipfile.ZipFile(io.BytesIO(data or docx.docx(p("text")))) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    change(entries)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in entries.items():
            z.writestr(name, content)
    return out.getvalue()


def check_document(server, schemas, path):
    faults = []
    toon, longest, total = whole(server, path)
    nodes, longest_json, _ = whole(server, path, format="json")
    plain, _, _ = whole(server, path, format="json", show_formatting=False)
    if len(toon) != total or len(nodes) != total:
        faults.append(f"{len(toon)} and {len(nodes)} rows of {total}")
    if len({row[0] for row in toon}) != len(toon):
        faults.append("ids stand twice")
    if max(longest, longest_json) > 130000:
        faults.append(f"a page of {max(longest, longest_json)} bytes")
    for row, node, bare in zip(toon, nodes, plain):
        if len(row) != 5 or row[0] != node["id"]:
            faults.append(f"row {row}")
        rest = bare["clean_text"]
        if bare["list_label"] and bare["list_metadata"]["source"] == "typed":
            if not rest.startswith(bare["list_label"]):
                faults.append(f"label {bare['list_label']!r} is not at the start of {rest!r}")
        if bare["header"] and bare["header"] not in rest:
            faults.append(f"header {bare['header']!r} is not in {rest!r}")
        import re
        if not rest.endswith(re.sub(r"\[\^\d+\]", "", bare["text"])):
            faults.append(f"text {bare['text']!r} is not the end of {rest!r}")
        if not bare["header"] and not bare["list_label"] and re.sub(r"\[\^\d+\]", "", bare["text"]) != rest:
            faults.append(f"characters are lost: {bare['text']!r} of {rest!r}")
    for tool, more in (("read_file", {"format": "simple"}), ("grep", {"patterns": ["the", "a+"], "scope": "all"}),
                       ("get_document_outline", {"max_level": 9}), ("get_session_status", {}),
                       ("read_file", {"scope": "all", "limit": 20, "offset": -20})):
        reply = server.call(tool, {"file_path": path, **more})
        if reply["result"].get("isError"):
            faults.append(f"{tool} {more}: {reply['result']['content'][0]['text'][:300]}")
        else:
            faults += [f"{tool}: {f}" for f in schema_faults(answer(reply), schemas[tool])]
    return faults


documents = sorted(glob.glob(os.path.join(DATA, "docx/*.docx")))
files = {os.path.basename(d): open(d, "rb").read() for d in documents}
with Folder(files) as folder, Stdio("docx", "--structured", root=folder.path) as server:
    schemas = {t["name"]: t["outputSchema"] for t in server.request("tools/list")["result"]["tools"] if "outputSchema" in t}
    for name in files:
        if name.startswith("malformed"):
            line = "line 2," if name == "malformed.docx" else "line 779"
            tap.ok(refused(server.call("read_file", {"file_path": name}), "INVALID_DOCX_ARCHIVE", line),
                   f"{name} is refused with the place of its fault")
            continue
        faults = check_document(server, schemas, name)
        tap.ok(not faults, f"{name} is read by every tool without losing a character", "\n".join(faults[:10]))
        first = answer(server.call("save", {"file_path": name, "save_to_local_path": "copy.docx", "save_format": "clean",
                                            "allow_overwrite": True}))
        tap.ok(folder.read("copy.docx") == files[name], f"{name} saved without edits is the same file", first)

LEVELS = "".join(
    f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{f}"/><w:lvlText w:val="{t}"/></w:lvl>'
    for i, (f, t) in enumerate((("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)"))))
NUMBERING = f'<w:abstractNum w:abstractNumId="7">{LEVELS}</w:abstractNum>' \
            '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num>' \
            '<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>' \
            '</w:lvlOverride></w:num>'
STYLES = '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>' \
         '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="N"/><w:pPr><w:numPr>' \
         '<w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' \
         '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/><w:pPr><w:numPr>' \
         '<w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>'


def listed(text, level, num=1):
    return p(text, f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr></w:pPr>')


def styled(text, style):
    return p(text, f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>')


def labels(server, body, numbering=NUMBERING, styles=STYLES, folder=None, name="labels.docx"):
    folder.write(name, docx.docx(body, styles, numbering))
    return [row[1] for row in rows(answer(server.call("read_file", {"file_path": name}))["content"])]


with Folder() as folder, Stdio("docx", root=folder.path) as server:
    tap.same(labels(server, styled("a", "H1") + styled("b", "H2") + styled("c", "H2") + styled("d", "H1") + styled("e", "H2"),
                    folder=folder, name="1.docx"), ["1.", "1.1", "1.2", "2.", "2.1"], "styles number their paragraphs")
    tap.same(labels(server, listed("a", 0) + listed("b", 0, 2) + listed("c", 0, 3) + listed("d", 0, 3) + listed("e", 0),
                    folder=folder, name="2.docx"), ["1.", "2.", "1.", "2.", "3."],
             "lists of one abstract list continue one another, and startOverride applies once")
    tap.same(labels(server, listed("a", 0) + listed("b", 2) + listed("c", 3) + listed("d", 3) + listed("e", 1) + listed("f", 2),
                    folder=folder, name="3.docx"), ["1.", "(a)", "(i)", "(ii)", "1.1", "(a)"],
             "a higher level restarts the deeper ones")
    tap.same(labels(server, listed("a", 0) + '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:p>'
                    + listed("c", 0), folder=folder, name="4.docx"), ["1.", "3."], "an empty paragraph counts in its list")
    deleted = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="1" w:author="a"/></w:rPr>' \
              '</w:pPr><w:r><w:t>x</w:t></w:r></w:p>'
    tap.same(labels(server, listed("a", 0) + deleted + listed("c", 0), folder=folder, name="5.docx"), ["1.", "", "2."],
             "a paragraph whose mark is deleted does not count")
    tap.same(labels(server, p("(a) one two") + p("1.1 Foo bar") + p("Section 3.1(a) Some text") + p("Article IV Next") +
                    p("(ii) more") + p("2026 was a year") + p("(see above) text") + p("Section of it"),
                    folder=folder, name="6.docx"), ["(a)", "1.1", "Section 3.1(a)", "Article IV", "(ii)", "", "", ""],
             "typed labels are told from text")
    zoo = os.path.join(TOP, "test/data/docx/numbering-zoo.docx")
    want = [line.split("\t") for line in open(zoo.replace(".docx", ".labels.txt"), encoding="utf-8").read().splitlines()]
    folder.write("zoo.docx", open(zoo, "rb").read())
    have = [[r[1], r[4]] for r in rows(answer(server.call("read_file", {"file_path": "zoo.docx"}))["content"])]
    tap.same(have, want, "every list of the zoo prints what Word prints")
    found = answer(server.call("read_file", {"file_path": "1.docx", "node_ids": ["Section 1.2", "2.1"]}))
    tap.same(texts(found), ["c", "e"], "a label path names a paragraph")

BOLD, UNDERLINE = "<w:rPr><w:b/></w:rPr>", '<w:rPr><w:u w:val="single"/></w:rPr>'


def runs(*pieces):
    return "<w:p>" + "".join(f'<w:r>{r}<w:t xml:space="preserve">{t}</w:t></w:r>' for t, r in pieces) + "</w:p>"


with Folder() as folder, Stdio("docx", root=folder.path) as server:
    folder.write("a.docx", docx.docx(
        runs(("“Security Incidents:”", BOLD), (" Tell us.", "")) + runs(("Notice", UNDERLINE), (". In writing.", "")) +
        runs(("All of it is bold.", BOLD)) + runs(("Amount: ", ""), ("100", BOLD), (" due.", "")) +
        p("TERM. It ends.") + runs(("x" * 90 + ".", BOLD), (" too long", "")) + p("a | b\\c", run="") +
        "<w:p><w:r><w:t>x</w:t><w:tab/><w:t>y</w:t><w:br/><w:t>z</w:t></w:r></w:p>" + p("Plain text. " * 40)))
    got = rows(answer(server.call("read_file", {"file_path": "a.docx"}))["content"])
    tap.same([(r[2], r[4]) for r in got[:6]],
             [("Security Incidents", "Tell us."), ("Notice", "In writing."), ("", "<b>All of it is bold.</b>"),
              ("", "Amount: <b>100</b> due."), ("TERM", "It ends."), ("", "<b>" + "x" * 90 + ".</b> too long")],
             "a header is short, stands out, ends, and has text behind it")
    tap.same([r[4] for r in got[6:8]], ["a | b\\\\c", "x\\ty\\nz"], "cells are escaped; the last one keeps its pipes")
    node = answer(server.call("read_file", {"file_path": "a.docx", "format": "json", "limit": 1}))["nodes"][0]
    tap.same(node["header_formatting"], {"bold": True, "italic": False, "underline": False}, "a header tells its look")
    noisy = docx.docx('<w:p w:rsidR="00112233"><w:pPr><w:jc w:val="center"/></w:pPr><w:proofErr w:type="spellStart"/>'
                      '<w:r w:rsidRPr="00AA"><w:t>sa</w:t></w:r><w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t>me</w:t></w:r></w:p>')
    calm = docx.docx('<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>same</w:t></w:r></w:p>')
    folder.write("noisy.docx", noisy)
    folder.write("calm.docx", calm)
    one, two = (answer(server.call("read_file", {"file_path": n, "format": "json"}))["nodes"][0] for n in ("noisy.docx", "calm.docx"))
    tap.ok(one["style_fingerprint"] == two["style_fingerprint"] and one["style"] == two["style"],
           "what changes with every save does not change a fingerprint")
    folder.write("many.docx", docx.docx("".join(p(f"Paragraph {i} " + "word " * 60) for i in range(1, 601))))
    zero = answer(server.call("read_file", {"file_path": "many.docx", "offset": 0}))
    none = answer(server.call("read_file", {"file_path": "many.docx"}))
    tap.ok(zero["content"] == none["content"] and none["has_more"] and len(none["content"]) < 60000,
           "offset 0 is the start, and a page ends at the budget")
    joined, _, total = whole(server, "many.docx")
    tap.ok(len(joined) == total == 600 and [r[4].split()[1] for r in joined] == [str(i) for i in range(1, 601)],
           "pages give every row once")
    tap.same([t.split()[1] for t in texts(answer(server.call("read_file", {"file_path": "many.docx", "offset": -2})))],
             ["599", "600"], "a negative offset counts from the end")
    hints = [answer(server.call("read_file", {"file_path": "many.docx", **a}))["pagination_hint"] for a in ({}, {"format": "json"}, {"scope": "all"})]
    tap.same(["same format and scope" in h for h in hints], [False, True, True], "the hint tells what to repeat")
    tap.ok(refused(server.call("read_file", {"file_path": "many.docx", "offset": 601}), "INVALID_ARGUMENT", "600 rows"),
           "an offset behind the end is refused with the number of rows")
    tap.ok(refused(server.call("read_file", {"file_path": "many.docx", "format": "xml"}), "INVALID_FORMAT", "simple"),
           "an unknown format is refused with those there are")
    tap.ok(refused(server.call("read_file", {"file_path": "many.docx", "node_ids": ["jr_para_000000000000"]}),
                   "ANCHOR_NOT_FOUND", "grep"), "an unknown id is refused")
    found = answer(server.call("grep", {"file_path": "many.docx", "patterns": ["paragraph 59\\d"], "max_results": 3}))
    tap.ok(found["total_matches"] == 10 and len(found["matches"]) == 3 and found["matches_truncated"],
           "grep counts all and lists as many as asked")
    for arguments, code in (({"patterns": ["("]}, "INVALID_PATTERN"), ({}, "MISSING_PATTERN"), ({"patterns": [""]}, "MISSING_PATTERN")):
        tap.ok(refused(server.call("grep", {"file_path": "many.docx", **arguments}), code), f"grep with {arguments} is refused")
    split = '<w:p><w:r><w:t>thir</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ty</w:t></w:r><w:r><w:t xml:space="preserve"> days</w:t></w:r></w:p>'
    folder.write("split.docx", docx.docx(split))
    found = answer(server.call("grep", {"file_path": "split.docx", "pattern": "thirty days", "case_sensitive": True}))
    tap.ok(found["total_matches"] == 1, "grep finds words that runs divide")
    listing = server.request("tools/list")["result"]["tools"]
    sizes = [len(json.dumps({k: t[k] for k in ("name", "description", "inputSchema")}, separators=(",", ":"))) for t in listing
             if not t["name"].startswith("file_")]
    tap.ok(sum(sizes) / len(sizes) <= 600, "the list of tools has at most 600 bytes a tool", sum(sizes) / len(sizes))

with Folder() as folder, Stdio("docx", root=folder.path) as server:
    ref = '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:fldSimple w:instr=" REF _Gone \\h "><w:r><w:t>4</w:t></w:r></w:fldSimple></w:p>'
    good = '<w:p><w:bookmarkStart w:id="1" w:name="_Here"/><w:r><w:t xml:space="preserve">Here </w:t></w:r><w:bookmarkEnd w:id="1"/>' \
           '<w:fldSimple w:instr=" REF _Here "><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>'
    folder.write("check.docx", docx.docx(
        styled("Terms", "H1") + styled("“Buyer” means A. “Orphan” means B.", "H2") +
        styled("The Buyer pays under Section 1.1, Section 9.9(a) and Section 1.704-1 of the Code (the “Buyer”).", "H2") + ref + good +
        '<w:p><w:r><w:t>Error! Reference source not found.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>'
        '<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>white</w:t></w:r><w:r><w:rPr><w:sz w:val="0"/></w:rPr><w:t>tiny</w:t></w:r></w:p>',
        STYLES, NUMBERING))
    found = answer(server.call("check_document", {"file_path": "check.docx"}))
    tap.same(sorted((x["problem"], x["detail"].split(":")[0]) for x in found["problems"]),
             sorted([("term_defined_twice", found["problems"][0]["detail"]), ("dangling_reference", "Section 9.9(a)"),
                     ("dangling_field", "REF _Gone \\h"), ("broken_reference", "Error! Reference source not found"),
                     ("hidden_text", "secret"), ("white_text", "white"), ("tiny_text", "tiny"), ("unused_term", "Orphan")]), "terms and references are checked")
    tap.same([(t["term"], t["uses"]) for t in found["terms"]], [("Buyer", 2), ("Orphan", 0)], "uses of a term are counted")

    found = answer(server.call("read_file", {"file_path": "check.docx", "format": "json"}))
    tap.same([n["hidden_text"] for n in found["nodes"] if "hidden_text" in n], ["secret"], "hidden text is in the json")
    typed = p("1. Terms") + p("1.1 Payment, as Section\u00a01.1(a)(ii), clause 1.1(b), Section 9.9 and Clauses 7.1 say") + p("(a) first") + \
        p("(i) of a") + p("(ii) second of a") + p("(b) last") + p("(i) of b") + p("1.2 § 8.1, the Transection 5.5 and Section 1.704-1")
    folder.write("typed.docx", docx.docx(typed, STYLES))
    found = answer(server.call("check_document", {"file_path": "typed.docx"}))
    tap.same([x["detail"].split(":")[0] for x in found["problems"]], ["Section 9.9", "Clauses 7.1"],
             "typed labels count as labels, and clauses as references; § cites laws")
    found = answer(server.call("read_file", {"file_path": "typed.docx", "node_ids": ["Section 1.1(a)(ii)", "1.1(b)(i)", "(b)"]}))
    tap.same(texts(found), ["second of a", "last", "of b"], "a path of typed labels names a paragraph, and so does a label that stands once")
    tap.ok(refused(server.call("read_file", {"file_path": "typed.docx", "node_ids": ["(i)"]}), "ANCHOR_NOT_FOUND", "whole path"),
           "one that stands twice does not")
    folder.write("pointers.docx", docx.docx(p("“Fee” has the meaning set forth in Section 2. “Day” shall have the meaning given below.") +
                                            p("The fee (the “Fee”).") + p("“Day” means 24 hours. The Fee is due on that Day.")))
    found = answer(server.call("check_document", {"file_path": "pointers.docx"}))
    ids = [r[0] for r in rows(answer(server.call("read_file", {"file_path": "pointers.docx"}))["content"])]
    tap.same([found["problems"], [(t["term"], t["para_id"]) for t in found["terms"]]], [[], [("Fee", ids[1]), ("Day", ids[2])]],
             "a definition that points to another is no second one")
    many = "".join(p(f"“Term{i}” means {i}.") for i in range(400))
    folder.write("terms.docx", docx.docx(many))
    pages = [answer(server.call("check_document", {"file_path": "terms.docx", "offset": o})) for o in (0, 150, 300)]
    tap.ok([len(x["terms"]) for x in pages] == [len(x["problems"]) for x in pages] == [150, 150, 100] and
           [x.get("next_offset") for x in pages] == [150, 300, None] and pages[0]["total_terms"] == 400,
           "terms and problems come in pages", [(len(x["terms"]), x.get("next_offset")) for x in pages])
    tap.same([t["term"] for x in pages for t in x["terms"]], [f"Term{i}" for i in range(400)], "which hold each term once")

HIDE, WHITE = "<w:rPr><w:vanish/></w:rPr>", '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
HIDING = STYLES + '<w:style w:type="paragraph" w:styleId="PH"><w:name w:val="p"/><w:rPr><w:vanish/></w:rPr></w:style>' \
    '<w:style w:type="paragraph" w:styleId="PC"><w:name w:val="child"/><w:basedOn w:val="PH"/></w:style>' \
    '<w:style w:type="character" w:styleId="CH"><w:name w:val="c"/><w:rPr><w:vanish/></w:rPr></w:style>' \
    '<w:style w:type="table" w:styleId="TH"><w:name w:val="t"/><w:rPr><w:vanish/></w:rPr></w:style>'
BOX = '<w:p><w:r><w:t>host</w:t></w:r><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>{}' \
      '</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>'


def with_parts(data, **parts):
    """The document with other stories: header, footnotes, comments, each given by its inner XML."""
    roots = {"header": "hdr", "footnotes": "footnotes", "comments": "comments"}

    def change(entries):
        rels = entries["word/_rels/document.xml.rels"].decode()
        extra = "".join(f'<Relationship Id="x{k}" Type="{docx.R}/{k}" Target="{k}9.xml"/>' for k in parts)
        entries["word/_rels/document.xml.rels"] = rels.replace("</Relationships>", extra + "</Relationships>").encode()
        for k, xml in parts.items():
            entries[f"word/{k}9.xml"] = f'<w:{roots[k]} xmlns:w="{docx.W}">{xml}</w:{roots[k]}>'.encode()
    return repacked(change, data)


with Folder() as folder, Stdio("docx", root=folder.path) as server:
    body = p("plain") + p("direct", run=HIDE) + styled("by style", "PH") + styled("by child", "PC") + \
        p("said not", '<w:pPr><w:pStyle w:val="PH"/></w:pPr>', '<w:rPr><w:vanish w:val="0"/></w:rPr>') + \
        p("by run style", run='<w:rPr><w:rStyle w:val="CH"/></w:rPr>') + \
        p("both cancel", '<w:pPr><w:pStyle w:val="PH"/></w:pPr>', '<w:rPr><w:rStyle w:val="CH"/></w:rPr>') + \
        p("theme", run='<w:rPr><w:color w:val="auto" w:themeColor="background1"/></w:rPr>') + \
        BOX.format(p("in a box", run=HIDE) + p("white box", run=WHITE)) + \
        f'<w:tbl><w:tblPr><w:tblStyle w:val="TH"/></w:tblPr><w:tr><w:tc>{p("in a table")}</w:tc></w:tr></w:tbl>' + p("   ", run=HIDE)
    folder.write("hidden.docx", with_parts(docx.docx(body, HIDING), header=p("shown") + p("in a header", run=HIDE) + p("white header", run=WHITE),
                                           footnotes=f'<w:footnote w:id="2">{p("in a note", run=HIDE)}</w:footnote>',
                                           comments=f'<w:comment w:id="3" w:author="a">{p("in a comment", run=HIDE)}</w:comment>'))
    seen = ["direct", "by style", "by child", "by run style", "in a box", "in a table"]
    found = answer(server.call("read_file", {"file_path": "hidden.docx", "format": "json"}))
    tap.same([n["hidden_text"] for n in found["nodes"] if "hidden_text" in n], seen,
             "hidden paragraphs are rows, whatever style hides them")
    tap.same([n["clean_text"] for n in found["nodes"] if n["clean_text"]], ["plain", "said not", "both cancel", "theme", "host", "white box"],
             "and their text is not what a reader sees")
    reply = server.call("read_file", {"file_path": "hidden.docx"})
    tap.ok(sum("6 rows here" in b["text"] for b in reply["result"]["content"]) == 1 and len(reply["result"]["content"]) == 3,
           "a page tells in one sentence how many rows hide text", reply["result"]["content"][1:])
    found = answer(server.call("check_document", {"file_path": "hidden.docx"}))
    tap.same([x["detail"] for x in found["problems"] if x["problem"] == "hidden_text"], seen + ["in a header", "in a note", "in a comment"],
             "check_document lists it, in every story")
    tap.same([x["detail"] for x in found["problems"] if x["problem"] == "white_text"], ["theme", "white box", "white header"], "and white text")
    long = p("a secret word " * 20000, run=HIDE) + p("word " * 20000)
    folder.write("long.docx", docx.docx(long))
    longest = max(len(json.dumps(answer(server.call("read_file", {"file_path": "long.docx", "format": f, "offset": o}))))
                  for f in ("json", "toon", "simple") for o in (1, 2))
    tap.ok(longest < 60000, "a row of 100,000 characters, hidden or not, leaves an answer bounded", longest)

# What people do not see and a model reads: said beside the text, listed by check_document.
DARK = '<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr>{}</w:tc><w:tc><w:tcPr/>{}</w:tc></w:tr></w:tbl>'
UNSEEN = [
    (p("white words", run=WHITE), "white_text"),
    (p("nearly white", run='<w:rPr><w:color w:val="FEFEFE"/></w:rPr>'), "white_text"),
    (p("shaded", run='<w:rPr><w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000000"/></w:rPr>'), None),
    (p("marked", run='<w:rPr><w:color w:val="FFFFFF"/><w:highlight w:val="black"/></w:rPr>'), None),
    (p("tiny words", run='<w:rPr><w:sz w:val="2"/></w:rPr>'), "tiny_text"),
    (p("pay\u200b now"), "zero_width"),
    (p("\u202etxet desrever\u202c"), "reordered_text"),
    (p("tags" + "".join(chr(0xe0000 + ord(c)) for c in "obey")), "tag_characters"),
    (p("flag \U0001f3f4" + "".join(chr(0xe0000 + ord(c)) for c in "gbeng") + "\U000e007f"), None),
    (p("family \U0001f468\u200d\U0001f469 and \u0645\u200c\u0646"), None),
    (p("far away", '<w:pPr><w:ind w:left="30000"/></w:pPr>'), "off_page_text"),
    (p("indented", '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr>'), None),
    (DARK.format(p("on dark", run=WHITE), p("on light", run=WHITE)), "white_text"),
]
with Folder({"unseen.docx": docx.docx("".join(x for x, _ in UNSEEN) + "".join(p(f"more {i}", run=WHITE) for i in range(5)))}) as folder, Stdio("docx", root=folder.path) as server:
    want = [sort for _, sort in UNSEEN if sort] + ["white_text"] * 5
    found = answer(server.call("check_document", {"file_path": "unseen.docx"}))
    tap.same([x["problem"] for x in found["problems"]], want, "check_document lists every piece of text that people do not see")
    tap.same([x["detail"] for x in found["problems"] if x["problem"] in ("zero_width", "tag_characters")], ["1 character", "4 characters"], "characters are counted, not repeated")
    said = [w for w in answer(server.call("read_file", {"file_path": "unseen.docx"}))["_warnings"] if "people do not see" in w]
    tap.ok(len(said) == 1 and "13 pieces" in said[0] and said[0].count("jr_para_") == 10 and "and more" in said[0], "read_file tells ten places and how many", said)
    said = answer(server.call("grep", {"file_path": "unseen.docx", "pattern": "white words"}))["_warnings"]
    tap.ok("1 piece" in said[0] and "(white_text)" in said[0], "grep tells of what it found", said)
    tap.ok("_warnings" not in answer(server.call("grep", {"file_path": "unseen.docx", "pattern": "indented"})), "and only of that")

with Folder({"a.docx": docx.docx(p("Thirty days.") + p("Second.")), "b.docx": docx.docx(p("Other."))}) as folder:
    with Stdio("docx", root=folder.path) as server:
        first = answer(server.call("read_file", {"file_path": "a.docx"}))
        again = answer(server.call("read_file", {"file_path": "./a.docx"}))
        tap.ok(first["session_resolution"] == "opened_new_session" and again["session_resolution"] == "reused_existing_session"
               and first["session_id"] == again["session_id"] and first["content"] == again["content"],
               "a second call on a file reuses its session")
        session = first["session_id"]
        tap.same([f["path"] for f in answer(server.call("file_list"))["files"]], ["a.docx", "b.docx"], "the files there are can be listed")
        old = answer(server.call("open_document", {"file_path": "a.docx"}))
        tap.ok(old["content"] == first["content"] and "read_file" in old["deprecation_warning"], "an older name opens too, and says what to call", old)
        for arguments, code in (({"save_format": "pdf"}, "INVALID_SAVE_FORMAT"), ({"tracked_save_to_local_path": "./x.docx"}, "INVALID_ARGUMENT"),
                                ({"tracked_save_to_local_path": "x.doc"}, "INVALID_FILE_TYPE")):
            tap.ok(refused(server.call("save", {"session_id": session, "save_to_local_path": "x.docx", **arguments}), code),
                   f"save with {arguments} is {code}")
        for arguments, code in (({}, "MISSING_SESSION_CONTEXT"), ({"session_id": "x"}, "INVALID_SESSION_ID"),
                                ({"session_id": "ses_000000000000"}, "SESSION_NOT_FOUND"),
                                ({"session_id": session, "file_path": "b.docx"}, "SESSION_FILE_CONFLICT"),
                                ({"file_path": "none.docx"}, "FILE_NOT_FOUND"), ({"file_path": "../a.docx"}, "PATH_NOT_ALLOWED"),
                                ({"file_path": "a.txt"}, "INVALID_FILE_TYPE")):
            tap.ok(refused(server.call("read_file", arguments), code), f"{arguments} is {code}")
        target = rows(first["content"])[0][0]
        edited = answer(server.call("smart_edit", {"session_id": session, "target_paragraph_id": target,
                                                   "old_string": "Thirty", "new_string": "Forty-five"}))
        tap.ok(edited.get("edit_count") == 1, "an edit is counted", edited)
        server.process.kill()
        server.process.wait()
    with Stdio("docx", root=folder.path) as server:
        found = answer(server.call("read_file", {"session_id": session}))
        tap.same(texts(found), ["Forty-five days.", "Second."], "an acknowledged edit survives kill -9, by its session id")
        by_path = answer(server.call("read_file", {"file_path": "a.docx"}))
        tap.ok(by_path["session_id"] == session and "with 1 edit (" in by_path["warning"], "and is found by the file's path")
        undone = answer(server.call("undo", {"session_id": session}))
        tap.ok(undone["edit_count"] == 0 and undone["redo_count"] == 1 and undone["edits"] == ["smart_edit"], "undo takes it back", undone)
        with Stdio("docx", root=folder.path) as other:
            tap.same(texts(answer(other.call("read_file", {"session_id": session})))[0], "Thirty days.",
                     "another process sees that it was taken back")
            answer(other.call("redo", {"session_id": session}))
        tap.same(texts(answer(server.call("read_file", {"session_id": session})))[0], "Forty-five days.",
                 "and this one sees that the other did it again")
        tap.ok(refused(server.call("redo", {"session_id": session}), "NOTHING_TO_REDO"), "redo without undo is refused")
        tap.ok(refused(server.call("undo", {"session_id": session, "steps": 2}), "NOTHING_TO_UNDO", "1 edits"),
               "undo of more than there is is refused")
        tap.ok(refused(server.call("save", {"session_id": session, "save_to_local_path": "a.docx", "save_format": "clean"}),
                       "OVERWRITE_BLOCKED", "allow_overwrite"), "the opened file is not replaced unasked")
        saved = answer(server.call("save", {"session_id": session, "save_to_local_path": "out/new.docx", "save_format": "clean"}))
        tap.ok(docx.body(folder.read("out/new.docx")) == p("Forty-five days.") + p("Second."),
               "save writes the edit and leaves the rest", docx.body(folder.read("out/new.docx")))
        with zipfile.ZipFile(io.BytesIO(folder.read("out/new.docx"))) as z:
            tap.ok(z.testzip() is None and z.namelist() == zipfile.ZipFile(io.BytesIO(folder.read("a.docx"))).namelist(),
                   "the archive has the same entries in the same order")
        folder.write("a.docx", docx.docx(p("Changed by a person.")))
        reply = server.call("read_file", {"session_id": session})
        tap.ok("changed on disk" in json.dumps(reply), "a change by another program is told")
        tap.ok(refused(server.call("save", {"session_id": session, "save_to_local_path": "a.docx", "save_format": "clean",
                                            "allow_overwrite": True}), "CONFLICT", "another path"),
               "and is not overwritten, even with allow_overwrite")
        tap.ok(refused(server.call("clear_session", {"clear_all": True}), "CONFIRMATION_REQUIRED", "confirm"),
               "clear_all asks for confirm")
        cleared = answer(server.call("clear_session", {"session_id": session}))
        tap.same(cleared["cleared_session_ids"], [session], "a session is cleared")
        tap.ok(refused(server.call("read_file", {"session_id": session}), "SESSION_NOT_FOUND", "file_path"), "and is gone")
        tap.same(texts(answer(server.call("read_file", {"file_path": "a.docx"}))), ["Changed by a person."],
                 "the advice of the refusals works: file_path opens it anew")
    with Stdio("docx", "--read-only", root=folder.path) as server:
        tap.same(texts(answer(server.call("read_file", {"file_path": "b.docx"}))), ["Other."], "a read-only server opens sessions")
    with Http("docx", root=folder.path) as server:
        tap.same(texts(answer(server.call("read_file", {"file_path": "b.docx"}))), ["Other."], "the same over HTTP")

with Folder({"a.docx": docx.docx(p("One.") + p("Two."))}) as folder:
    with Stdio("docx", root=folder.path) as server:
        first = answer(server.call("read_file", {"file_path": "a.docx"}))
        session, ids = first["session_id"], [r[0] for r in rows(first["content"])]
        for old, new in (("One", "Eins"), ("Eins", "Uno")):
            answer(server.call("smart_edit", {"session_id": session, "target_paragraph_id": ids[0], "old_string": old, "new_string": new}))
        answer(server.call("save", {"session_id": session, "save_to_local_path": "a.docx", "save_format": "clean", "allow_overwrite": True}))
        tap.ok(docx.body(folder.read("a.docx")) == p("Uno.") + p("Two."), "save replaces the opened file when it may")
        answer(server.call("smart_edit", {"session_id": session, "target_paragraph_id": ids[1], "old_string": "Two", "new_string": "Due"}))
        again = answer(server.call("save", {"session_id": session, "save_to_local_path": "a.docx", "save_format": "clean", "allow_overwrite": True}))
        tap.ok(docx.body(folder.read("a.docx")) == p("Uno.") + p("Due."), "and again after more edits", again)
    with Stdio("docx", root=folder.path) as server:
        found = answer(server.call("read_file", {"session_id": session}))
        tap.same(texts(found), ["Uno.", "Due."], "the session goes on in another process, although its base was replaced")
        tap.ok("changed on disk" not in json.dumps(server.call("read_file", {"session_id": session})), "which is no change by others")
        answer(server.call("smart_edit", {"session_id": session, "target_paragraph_id": ids[1], "old_string": "Due", "new_string": "Zwei"}))
        again = answer(server.call("save", {"session_id": session, "save_to_local_path": "a.docx", "save_format": "clean", "allow_overwrite": True}))
        tap.ok(docx.body(folder.read("a.docx")) == p("Uno.") + p("Zwei."), "nor in the way of the next save", again)
        undone = answer(server.call("undo", {"session_id": session, "steps": 4}))
        tap.same(texts(answer(server.call("read_file", {"session_id": session}))), ["One.", "Two."], "and is undone to its beginning")

with Folder({"a.docx": docx.docx(p("One.") + p("Two."))}) as folder:
    with Stdio("docx", root=folder.path) as server:
        first = answer(server.call("read_file", {"file_path": "a.docx"}))
        folder.write("a.docx", docx.docx(p("One.") + p("By a person.")))
        reply = server.call("read_file", {"file_path": "a.docx"})
        again = answer(reply)
        tap.ok(texts(again) == ["One.", "By a person."] and again["session_resolution"] == "opened_new_session" and
               "changed on disk" in json.dumps(reply),
               "a file that was changed is opened anew where its session has no edits", again)
        session, ids = again["session_id"], [r[0] for r in rows(again["content"])]
        edit = {"session_id": session, "target_paragraph_id": ids[0]}
        answer(server.call("smart_edit", {**edit, "old_string": "One", "new_string": "Uno"}))
        os.rename(os.path.join(folder.path, "a.docx"), os.path.join(folder.path, "moved.docx"))
        reply = server.call("smart_edit", {**edit, "old_string": "Uno", "new_string": "Eins"})
        tap.ok(answer(reply).get("edit_count") == 2 and "removed" in json.dumps(reply), "a session goes on when its file is renamed", reply)
        tap.ok(refused(server.call("smart_edit", {"session_id": first["session_id"], "target_paragraph_id": rows(first["content"])[0][0],
                                                  "old_string": "One", "new_string": "x"}),
                       "FILE_NOT_FOUND", "where the file is now"), "but nothing is begun on a file that is gone")
    with Stdio("docx", root=folder.path) as server:
        tap.ok(refused(server.call("read_file", {"session_id": session}), "FILE_NOT_FOUND", "together with the file_path"),
               "another process asks where the file is")
        found = answer(server.call("read_file", {"session_id": session, "file_path": "moved.docx"}))
        tap.same(texts(found), ["Eins.", "By a person."], "and goes on when it is told")
        answer(server.call("save", {"session_id": session, "save_to_local_path": "moved.docx", "save_format": "clean", "allow_overwrite": True}))
        tap.ok(docx.body(folder.read("moved.docx")) == p("Eins.") + p("By a person."), "and saves there")
        with Stdio("docx", root=folder.path) as other:
            cleared = answer(other.call("clear_session", {"session_id": session}))
            tap.same(cleared.get("cleared_session_ids"), [session], "a session whose file is gone can be cleared")
        tap.ok(refused(server.call("read_file", {"session_id": session}), "SESSION_NOT_FOUND", "file_path"), "which the first process sees")
        found = answer(server.call("read_file", {"file_path": "moved.docx"}))
        tap.same(texts(found), ["Eins.", "By a person."], "and its advice works")
        target = rows(found["content"])[0][0]
        answer(server.call("smart_edit", {"file_path": "moved.docx", "target_paragraph_id": target, "old_string": "Eins", "new_string": "One"}))
        with Stdio("docx", root=folder.path) as other:
            answer(other.call("clear_session", {"file_path": "moved.docx"}))
        replies = [server.call("read_file", {"file_path": "moved.docx"}) for _ in range(2)]
        tap.ok(refused(replies[0], "SESSION_NOT_FOUND") and texts(answer(replies[1])) == ["Eins.", "By a person."],
               "a session that another process cleared does not stay in the way", replies)

for damage, words in ((b"{not json", "damaged"), (b'{"tool":"nope","at":1,"in":{}}', "another version"),
                      (b'{"tool":"smart_edit","at":1,"in":{"target_paragraph_id":5}}', "must be a string"),
                      (b'{"tool":"smart_edit","at":1,"in":{"target_paragraph_id":"x","old_string":"a","new_string":"b"}}', "no paragraph has")):
    with Folder({"a.docx": docx.docx(p("One."))}) as folder, Folder() as state:
        with Stdio("docx", "--state", state.path, root=folder.path) as server:
            first = answer(server.call("read_file", {"file_path": "a.docx"}))
            answer(server.call("smart_edit", {"file_path": "a.docx", "target_paragraph_id": rows(first["content"])[0][0],
                                              "old_string": "One", "new_string": "Uno"}))
        store = sqlite3.connect(state.path + "/history.db")
        store.execute("UPDATE requests SET request = ?", (damage,))
        store.commit()
        store.close()
        with Stdio("docx", "--state", state.path, root=folder.path) as server:
            replies = [server.call("read_file", a) for a in ({"session_id": first["session_id"]}, {"file_path": "a.docx"})]
            tap.ok(all(refused(r, "SESSION_NOT_FOUND", words) and "clear_session" in answer(r)["hint"] for r in replies),
                   f"an edit that cannot be repeated ({words}) is told as such", [answer(r) for r in replies])
            answer(server.call("clear_session", {"session_id": first["session_id"]}))
            tap.same(texts(answer(server.call("read_file", {"file_path": "a.docx"}))), ["One."], "and the advice works")

GRANTS = {"kinds": ["*"], "tools": ["*"]}
with Folder({"a/a.docx": docx.docx(p("Secret.")), "b/b.docx": docx.docx(p("Other."))}) as folder, Folder() as outside:
    outside.write("keys.json", json.dumps({"keys": [
        {"name": "writer", "key": "writer-secret", "grants": {**GRANTS, "documents": ["a/**"], "write": ["a/**"]}},
        {"name": "reader", "key": "reader-secret", "grants": {**GRANTS, "documents": ["a/**"], "write": []}},
        {"name": "other", "key": "other-secret", "grants": {**GRANTS, "documents": ["b/**"], "write": ["b/**"]}}]}))
    os.chmod(outside.path + "/keys.json", 0o600)
    with Http("docx", "--keys", outside.path + "/keys.json", root=folder.path) as server:
        def by(name, tool, **arguments):
            server.key = name + "-secret"
            return server.call(tool, arguments)
        first = answer(by("writer", "read_file", file_path="a/a.docx"))
        session = first["session_id"]
        edit = {"session_id": session, "target_paragraph_id": rows(first["content"])[0][0], "old_string": "Secret", "new_string": "Hidden"}
        for tool, arguments in (("read_file", {}), ("grep", {"patterns": ["Secret"]}), ("undo", {}), ("clear_session", {}),
                                ("save", {"save_to_local_path": "b/stolen.docx", "save_format": "clean"})):
            tap.ok(refused(by("other", tool, session_id=session, **arguments), "SESSION_NOT_FOUND"),
                   f"{tool}: a session on a file that a key may not see is not there for that key")
        tap.ok(refused(by("other", "smart_edit", **edit), "SESSION_NOT_FOUND"), "nor can it be edited")
        tap.ok(refused(by("reader", "smart_edit", **edit), "PATH_NOT_ALLOWED"), "a key that may only read does not edit")
        tap.ok(answer(by("writer", "smart_edit", **edit)).get("edit_count") == 1, "one that may write does")
        tap.ok(refused(by("reader", "smart_edit", **{**edit, "old_string": "Hidden"}), "PATH_NOT_ALLOWED"), "also where others have edited")
        tap.ok(refused(by("reader", "clear_session", session_id=session), "PATH_NOT_ALLOWED"), "nor does it drop their edits")
        tap.same([answer(by(k, "clear_session", clear_all=True, confirm=True))["cleared_session_ids"] for k in ("other", "reader", "writer")],
                 [[], [], [session]], "clear_all ends the sessions that the key may change")

with Folder({"a.docx": docx.docx(p("One."))}) as folder:
    with Http("docx", root=folder.path) as server:
        import threading
        seen = []
        threads = [threading.Thread(target=lambda: seen.append(answer(server.call("read_file", {"file_path": "a.docx"}))["session_id"]))
                   for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        tap.ok(len(seen) == 8 and len(set(seen)) == 1, "first calls at the same time end in one session", seen)
    with Stdio("docx", root=folder.path, env={"QUIRE_NOW": "1800000000"}) as server:
        first = answer(server.call("read_file", {"file_path": "a.docx"}))
        answer(server.call("smart_edit", {"file_path": "a.docx", "target_paragraph_id": rows(first["content"])[0][0],
                                          "old_string": "One", "new_string": "Two"}))
    with Stdio("docx", root=folder.path, env={"QUIRE_NOW": "1800003000"}) as server:
        tap.same(texts(answer(server.call("read_file", {"session_id": first["session_id"]}))), ["Two."], "a session lives for an hour")
    with Stdio("docx", "--read-only", root=folder.path, env={"QUIRE_NOW": "1800003500"}) as server:
        tap.same(texts(answer(server.call("read_file", {"session_id": first["session_id"]}))), ["Two."], "also on a read-only server")
    with Stdio("docx", root=folder.path, env={"QUIRE_NOW": "1800006500"}) as server:
        tap.same(texts(answer(server.call("read_file", {"session_id": first["session_id"]}))), ["Two."], "counted from its last use")
    with Stdio("docx", root=folder.path, env={"QUIRE_NOW": "1800010200"}) as server:
        tap.ok(refused(server.call("read_file", {"session_id": first["session_id"]}), "SESSION_EXPIRED", "a.docx"),
               "and then has expired, with the file to open again")
        tap.same(texts(answer(server.call("read_file", {"file_path": "a.docx"}))), ["One."], "which works")

with Folder({"a.docx": docx.docx(p("One.") + p("Two.") + p("One."))}) as folder, Stdio("docx", root=folder.path) as server:
    first = answer(server.call("read_file", {"file_path": "a.docx"}))
    ids = [r[0] for r in rows(first["content"])]
    answer(server.call("smart_edit", {"file_path": "a.docx", "target_paragraph_id": ids[1], "old_string": "Two", "new_string": "Dos"}))
    new = answer(server.call("smart_insert", {"file_path": "a.docx", "positional_anchor_node_id": ids[1], "new_string": "New."}))
    saved = answer(server.call("save", {"file_path": "a.docx", "save_to_local_path": "m.docx", "save_format": "clean", "clean_bookmarks": False}))
    again = rows(answer(server.call("read_file", {"file_path": "m.docx"}))["content"])
    tap.same([(r[0], r[4]) for r in again], [(ids[0], "One."), (ids[1], "Dos."), (new.get("new_paragraph_id"), "New."), (ids[2], "One.")],
             "ids written as bookmarks are found again in the saved file")

LOOSE = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
with Folder() as folder, Stdio("docx", root=folder.path) as server:
    for name, body, words in (
            ("sound", '<w:p><w:bookmarkStart w:id="1" w:name="a"/>' + LOOSE.format("begin") + LOOSE.format("end") + '<w:bookmarkEnd w:id="1"/>'
             '<w:ins w:id="2" w:author="A" w:date="2026-01-01T00:00:00Z"><w:r><w:t>x</w:t></w:r></w:ins></w:p>', None),
            ("mark", '<w:p><w:bookmarkStart w:id="1" w:name="a"/><w:r><w:t>x</w:t></w:r></w:p>', "1 bookmark starts and 0 ends"),
            ("open", f'<w:p>{LOOSE.format("begin")}<w:r><w:t>x</w:t></w:r></w:p>', "1 fields without"),
            ("end", f'<w:p><w:r><w:t>x</w:t></w:r>{LOOSE.format("end")}{LOOSE.format("end")}</w:p>', "2 fields without"),
            ("bare", '<w:p><w:ins w:id="2" w:author="A"><w:r><w:t>x</w:t></w:r></w:ins><w:del w:id="3" w:author="A" w:date="2026-01-01T00:00:00Z"/>'
             '<w:r><w:t>y</w:t></w:r></w:p>', "2 tracked changes without")):
        folder.write(name + ".docx", docx.docx(body))
        said = json.dumps(server.call("save", {"file_path": name + ".docx", "save_to_local_path": f"out-{name}.docx", "save_format": "clean"}))
        tap.ok(words in said if words else "opened document has" not in said, f"save tells what was {name} in the opened document", said)


def with_document(xml):
    return repacked(lambda e: e.update({"word/document.xml": xml}))


def twice():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, content in (("word/document.xml", b"<a/>"), ("WORD/document.xml", b"<b/>")):
            z.writestr(name, content)
    return out.getvalue()


def strict(entries):
    for name in entries:
        entries[name] = entries[name].replace(b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                                              b"http://purl.oclc.org/ooxml/wordprocessingml/main")
        entries[name] = entries[name].replace(b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
                                              b"http://purl.oclc.org/ooxml/officeDocument/relationships")


def moved(entries):
    entries["elsewhere/main.xml"] = entries.pop("word/document.xml").replace(b"w:", b"v:").replace(b"xmlns:w=", b"xmlns:v=")
    entries["elsewhere/_rels/main.xml.rels"] = entries.pop("word/_rels/document.xml.rels").replace(b'"styles', b'"../word/styles')
    entries["_rels/.rels"] = entries["_rels/.rels"].replace(b"word/document.xml", b"/elsewhere/main.xml")


def utf16(entries):
    text = entries["word/document.xml"].decode().replace("UTF-8", "UTF-16").replace("text", "täxt ☃")
    entries["word/document.xml"] = text.encode("utf-16")


deep = b"<w:document xmlns:w='" + docx.W.encode() + b"'><w:body>" + b"<w:sdt><w:sdtContent>" * 5000
bomb = b"<w:document xmlns:w='" + docx.W.encode() + b"'><w:body>" + b" " * (300 << 20)
hostile = {
    "not a zip": (b"nothing at all", "INVALID_DOCX_ARCHIVE"),
    "empty": (b"", "INVALID_DOCX_ARCHIVE"),
    "an old .doc": (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "INVALID_DOCX_ARCHIVE"),
    "cut off": (docx.docx(p("x"))[:-30], "INVALID_DOCX_ARCHIVE"),
    "no main part": (repacked(lambda e: e.pop("word/document.xml")), "INVALID_DOCX_ARCHIVE"),
    "no relationships": (repacked(lambda e: e.pop("_rels/.rels")), "INVALID_DOCX_ARCHIVE"),
    "a DOCTYPE": (with_document(b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), "INVALID_DOCX_ARCHIVE"),
    "a DOCTYPE in styles": (repacked(lambda e: e.update({"word/styles.xml": b"<!DOCTYPE a><a/>"})), "INVALID_DOCX_ARCHIVE"),
    "broken XML": (with_document(b"<w:document><w:body></w:document>"), "INVALID_DOCX_ARCHIVE"),
    "not WordprocessingML": (with_document(b"<html/>"), "INVALID_DOCX_ARCHIVE"),
    "bad UTF-8": (with_document(b"<a>\xff</a>"), "INVALID_DOCX_ARCHIVE"),
    "too deep": (with_document(deep), "INVALID_DOCX_ARCHIVE"),
    "two entries of one name": (twice(), "INVALID_DOCX_ARCHIVE"),
    "a way out": (repacked(lambda e: e.update({"../../evil": b"x"})), "INVALID_DOCX_ARCHIVE"),
    "a bomb": (with_document(bomb), "DOCX_ARCHIVE_ENTRY_TOO_LARGE"),
    "a smaller bomb": (with_document(bomb[:100 << 20]), "DOCX_ARCHIVE_COMPRESSION_RATIO_TOO_HIGH"),
    "too many paragraphs": (docx.docx("<w:p/>" * 1000001), "INVALID_DOCX_ARCHIVE"),
    "too many entries": (repacked(lambda e: e.update({f"x/{i}": b"" for i in range(10001)})), "DOCX_ARCHIVE_TOO_MANY_ENTRIES"),
}
with Folder({n.replace(" ", "_") + ".docx": d for n, (d, _) in hostile.items()}) as folder, \
        Stdio("docx", root=folder.path) as server:
    for name, (_, code) in hostile.items():
        reply = server.call("read_file", {"file_path": name.replace(" ", "_") + ".docx"})
        tap.ok(refused(reply, code), f"{name}: {code}", reply)
    folder.write("good.docx", docx.docx(p("still here")))
    tap.same(texts(answer(server.call("read_file", {"file_path": "good.docx"}))), ["still here"], "the server goes on after all of them")
    for name, change, want in (("strict", strict, "text"), ("moved", moved, "text"), ("utf16", utf16, "täxt ☃")):
        folder.write(name + ".docx", repacked(change))
        tap.same(texts(answer(server.call("read_file", {"file_path": name + ".docx"}))), [want], f"a {name} document is read")
    target = rows(answer(server.call("read_file", {"file_path": "utf16.docx"}))["content"])[0][0]
    answer(server.call("smart_edit", {"file_path": "utf16.docx", "target_paragraph_id": target, "old_string": "täxt", "new_string": "word"}))
    answer(server.call("save", {"file_path": "utf16.docx", "save_to_local_path": "u8.docx", "save_format": "clean"}))
    tap.ok("word ☃" in docx.part(folder.read("u8.docx")) and 'encoding="UTF-8"' in docx.part(folder.read("u8.docx")),
           "an edited UTF-16 part is saved as UTF-8")
    giant = repacked(lambda e: e.update({f"word/media/image{i}.png": b"png%d" % i for i in range(3500)}))
    folder.write("giant.docx", giant)
    tap.same(texts(answer(server.call("read_file", {"file_path": "giant.docx"}))), ["text"], "3,500 parts are no attack")

    def headers(entries):
        extra = "".join(f'<Relationship Id="h{i}" Type="{docx.R}/header" Target="header{i % 1200}.xml"/>' for i in range(1201))
        entries["word/_rels/document.xml.rels"] = entries["word/_rels/document.xml.rels"].replace(b"</Relationships>", extra.encode() + b"</Relationships>")
        for i in range(1200):
            entries[f"word/header{i}.xml"] = f'<w:hdr xmlns:w="{docx.W}">{p(f"Header {i}")}</w:hdr>'.encode()

    folder.write("headers.docx", repacked(headers))
    found = answer(server.call("read_file", {"file_path": "headers.docx", "scope": "headers", "offset": -1}))
    tap.ok(texts(found) == ["Header 1199"] and found["total_paragraphs"] == 1200, "1,200 headers are read, each once", found)
    notes = f'<w:footnotes xmlns:w="{docx.W}"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>sep</w:t></w:r></w:p></w:footnote>' \
            f'<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    head = f'<w:hdr xmlns:w="{docx.W}"><w:p><w:r><w:t>Party of the first part</w:t></w:r></w:p></w:hdr>'

    def stories(entries):
        rels = entries["word/_rels/document.xml.rels"].decode()
        extra = f'<Relationship Id="f" Type="{docx.R}/footnotes" Target="footnotes.xml"/>' \
                f'<Relationship Id="h" Type="{docx.R}/header" Target="header1.xml"/></Relationships>'
        entries["word/_rels/document.xml.rels"] = rels.replace("</Relationships>", extra).encode()
        entries["word/footnotes.xml"] = notes.encode()
        entries["word/header1.xml"] = head.encode()

    body = '<w:p><w:r><w:t>See</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t xml:space="preserve"> it.</w:t></w:r></w:p>'
    folder.write("stories.docx", repacked(stories, docx.docx(body)))
    tap.same([texts(answer(server.call("read_file", {"file_path": "stories.docx", "scope": s})))
              for s in ("body", "headers", "footnotes", "all")],
             [["See[^1] it."], ["Party of the first part"], ["A note."], ["See[^1] it.", "Party of the first part", "A note."]],
             "each story is read by its scope, separators are not shown, notes are numbered in place")
    found = answer(server.call("grep", {"file_path": "stories.docx", "patterns": ["first part"], "scope": "all"}))
    tap.ok(found["total_matches"] == 1, "grep looks into headers")
    target = found["matches"][0]["para_id"]
    answer(server.call("smart_edit", {"file_path": "stories.docx", "target_paragraph_id": target, "old_string": "first", "new_string": "second"}))
    answer(server.call("save", {"file_path": "stories.docx", "save_to_local_path": "s2.docx", "save_format": "clean"}))
    tap.ok("Party of the second part" in docx.part(folder.read("s2.docx"), "word/header1.xml") and docx.body(folder.read("s2.docx")) == body,
           "an edit in a header is saved there and nowhere else")

HEADING = '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
HALF = '<w:rPr><w:vanish/><w:specVanish/></w:rPr>'


def outlined(number, inside, mark=""):
    return f'<w:p w14:paraId="{number:08X}"><w:pPr><w:pStyle w:val="H2"/>{mark}</w:pPr>{inside}</w:p>'


def words(text, look=""):
    return f'<w:r>{look and f"<w:rPr>{look}</w:rPr>"}<w:t xml:space="preserve">{text}</w:t></w:r>'


with Folder({"a.docx": docx.docx(
        outlined(1, words("Defined Terms"), HALF) + outlined(2, words(". In addition to the terms defined above, these are used.")) +
        outlined(3, words("Closings", "<w:u w:val=\"single\"/>") + words(". The closing takes place on Monday.")) +
        outlined(4, words("The Company shall have adopted the certificate.")) + outlined(5, words("Special Mandatory Conversion.")) +
        outlined(6, words("“Code” means the Internal Revenue Code.")) + outlined(7, words("Notices and more of this sort;")) +
        outlined(8, words("Sale and issuance", "<w:u w:val=\"single\"/>") + words(".")), styles=HEADING)}) as folder, Stdio("docx", root=folder.path) as server:
    rows = answer(server.call("get_document_outline", {"file_path": "a.docx"}))
    tap.same([(e["row"], e["title"], e.get("text")) for e in rows["entries"]],
             [(1, "Defined Terms", None), (3, "Closings", None), (4, "", "The Company shall have adopted the certificate."), (5, "Special Mandatory Conversion.", None),
              (6, "", "“Code” means the Internal Revenue Code."), (7, "", "Notices and more of this sort;"), (8, "Sale and issuance.", None)],
             "titles of the outline are headings only, and a clause that a style separator divides is one row")
    tap.same(rows["total"], 7, "and is counted once")

with Folder({"a.docx": docx.docx(outlined(1, words("Words"))) + b"\n"}) as folder, Stdio("docx", root=folder.path) as server:
    got = answer(server.call("read_file", {"file_path": "a.docx"}))
    tap.ok("Words" in got["content"] and any("1 byte after the end" in w for w in got["_warnings"]), "a file with a newline behind its archive opens, with a warning", got)
    server.call("smart_edit", {"file_path": "a.docx", "target_paragraph_id": "00000001", "old_string": "Words", "new_string": "More"})
    server.call("save", {"file_path": "a.docx", "save_to_local_path": "b.docx", "save_format": "clean"})
    tap.ok("More" in answer(server.call("read_file", {"file_path": "b.docx"}))["content"], "and what is saved opens too")
tap.done()
