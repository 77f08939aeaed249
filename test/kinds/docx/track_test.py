#!/usr/bin/env python3
"""Redlines through the program: rejecting everything gives the original, accepting everything the clean document. Both are
computed here by our own reader, which shares no code with the program."""
import glob
import io
import os
import random
import sys
import zipfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import docx, part  # noqa: E402
from quire import DATA, TOP, Folder, Stdio, Tap  # noqa: E402

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
GONE = {"accept": {W + "del", W + "moveFrom"}, "reject": {W + "ins", W + "moveTo"}}
MARK = {"accept": ("del", "moveFrom"), "reject": ("ins", "moveTo")}


def run(text, bold=False):
    return f'<w:r>{"<w:rPr><w:b/></w:rPr>" if bold else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def para(i, *runs):
    return f'<w:p w14:paraId="{i:08X}">{"".join(runs)}</w:p>'


OWN = docx(
    para(1, run("Term. ", True), run("This agreement lasts thirty (30) days after notice.")) +
    para(2, run("Governed by the laws of "), run("Delaware", True), run(", without regard to conflicts.")) +
    para(3, run("See "), '<w:hyperlink w:anchor="x">', run("the annex"), "</w:hyperlink>", run(" for more.")) +
    "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>" + para(4, run("Cell of a table")) + "</w:tc></w:tr></w:tbl>" +
    para(5, '<w:bookmarkStart w:id="7" w:name="b"/>', run("Marked words"), '<w:bookmarkEnd w:id="7"/>', run(" and the rest.")) +
    para(6, run("The last paragraph.")))


def by(author, name, i, inside):
    return f'<w:{name} w:id="{i}" w:author="{author}" w:date="2026-01-02T03:04:05Z">{inside}</w:{name}>'


def theirs(name, i, text):
    """Words that another author inserted, deleted or moved."""
    return by("Jane", name, i, run(text).replace("w:t", "w:delText") if name == "del" else run(text))


def their_mark(name, i):
    return f'<w:pPr><w:jc w:val="right"/><w:rPr>{by("Jane", name, i, "")}<w:b/></w:rPr></w:pPr>'


CELL = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>{}</w:tc></w:tr></w:tbl>"
THEIRS = docx(
    para(1, run("Term. "), theirs("ins", 11, "It lasts thirty days after notice"), run(" or less.")) +
    para(2, theirs("del", 12, "Governed by "), theirs("ins", 13, "Subject to the laws of Delaware and no other"), run(".")) +
    para(3, their_mark("ins", 14), theirs("ins", 15, "A clause of theirs that stands alone.")) +
    para(4, run("What was "), theirs("moveFrom", 16, "moved away from here"), run("stays, and "), theirs("moveTo", 17, "what came here stays too")) +
    CELL.format(para(5, run("Purpose")) + para(6, run("How it may be used")) + para(7, their_mark("del", 18), theirs("del", 19, "Evaluating"))) +
    para(8, by("Jane", "ins", 20, run("In theirs ") + by("Jack", "del", 21, run("gone").replace("w:t", "w:delText")) + run("and more of theirs"))) +
    para(9, run("The last paragraph.")))


def visible(node, how):
    if node.tag in GONE[how] or node.tag in (W + "pPr", W + "rPr", W + "txbxContent"):
        return ""
    if node.tag == W + "t" or (node.tag == W + "delText" and how == "reject"):
        return node.text or ""
    if node.tag in (W + "tab", W + "br", W + "cr"):
        return " "
    return "".join(visible(child, how) for child in node)


def properties(p, how):
    """A paragraph's properties once everything is settled, as bytes."""
    ppr = p.find(W + "pPr")
    if ppr is None:
        return []
    former = ppr.find(W + "pPrChange")
    if how == "reject" and former is not None:
        ppr = former.find(W + "pPr")
    return [shape(n) for n in ppr if n.tag not in (W + "rPr", W + "sectPr", W + "pPrChange")]


def shape(node):
    """An element without the white space between its children."""
    return node.tag.split("}")[1], sorted((k.split("}")[-1], v) for k, v in node.attrib.items()), [shape(n) for n in node]


def is_out(node, properties, names):
    """Is the row or cell itself removed?"""
    found = node.find(W + properties)
    return found is not None and any(found.find(W + n) is not None for n in names)


def boxes(node, how):
    """The text boxes of a paragraph, without those in removed text."""
    for child in node:
        if child.tag == W + "txbxContent":
            yield child
        elif child.tag not in GONE[how]:
            yield from boxes(child, how)


def paragraphs(node, how, out):
    """The paragraphs of a block container, settled as in Word. One whose mark is removed joins the next, and gets its
    properties. The last mark of a cell, a note or the body cannot be removed."""
    carry, last, goes, inside = "", None, False, []

    def put():
        out.append((carry, properties(last, how)))
        for box in inside:
            paragraphs(box, how, out)
        inside.clear()

    for child in node:
        if child.tag == W + "p":
            marks = child.find(f"{W}pPr/{W}rPr")
            goes = marks is not None and any(marks.find(W + m) is not None for m in MARK[how])
            carry += visible(child, how)
            inside += boxes(child, how)
            last = child
            if not goes:
                put()
                carry = ""
        elif child.tag == W + "tbl":
            if goes and (carry or inside):
                put()
            carry, goes = "", False
            for row in child.iter(W + "tr"):
                if not is_out(row, "trPr", MARK[how]):
                    for cell in row.iter(W + "tc"):
                        if not is_out(cell, "tcPr", ("cellDel",) if how == "accept" else ("cellIns",)):
                            paragraphs(cell, how, out)
        elif child.tag in (W + "sdt", W + "sdtContent", W + "ins", W + "customXml"):
            paragraphs(child, how, out)
            carry, goes = "", False
    if goes and node.tag not in (W + "sdtContent", W + "sdt"):
        put()
    return out


def settled(xml, how):
    return paragraphs(ElementTree.fromstring(xml).find(W + "body"), how, []) or [("", [])]  # every document has one


def texts(xml, how):
    """The paragraphs' texts once everything is accepted or rejected."""
    return [text for text, _ in settled(xml, how)]


def repeated(xml):
    """Ids that two revisions share."""
    names = {W + n for n in ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange")}
    ids = [n.get(W + "id") for n in ElementTree.fromstring(xml).iter() if n.tag in names]
    return {i for i in ids if ids.count(i) > 1}


def edit(server, session, nodes, rng):
    """One random edit of a paragraph; True when it was done."""
    node = rng.choice(nodes)
    words = node["clean_text"].split(" ")
    kind = rng.random()
    if kind < 0.7 and len(words) > 1:
        at = rng.randrange(len(words))
        old = " ".join(words[at:at + rng.randint(1, 3)])
        new = rng.choice(["Nevada", "forty-five (45) days", "", old + " promptly", "<b>bold</b> words"])
        call = ("smart_edit", {"target_paragraph_id": node["id"], "old_string": old, "new_string": new})
    elif kind < 0.85:
        call = ("smart_insert", {"positional_anchor_node_id": node["id"], "position": rng.choice(["BEFORE", "AFTER"]),
                                 "new_string": "A new clause.\n\nAnd another."})
    else:
        call = ("delete_paragraph", {"target_paragraph_id": node["id"]})
    return "isError" not in server.call(call[0], {"session_id": session, **call[1]})["result"]


def check(tap, name, data, rng, rounds):
    with Folder({"in.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
        first = server.call("read_file", {"file_path": "in.docx", "format": "json", "limit": 400})["result"]
        if "isError" in first:
            return tap.ok(name.startswith("malformed"), f"{name} is refused", first)
        session = first["structuredContent"]["session_id"]
        done = 0
        for _ in range(rounds):
            nodes = server.call("read_file", {"session_id": session, "format": "json", "limit": 400})["result"]["structuredContent"]["nodes"]
            nodes = [n for n in nodes if n["clean_text"]]
            if not nodes:
                break
            done += edit(server, session, nodes, rng)
        saved = server.call("save", {"session_id": session, "save_to_local_path": "clean.docx", "tracked_save_to_local_path": "red.docx"})["result"]
        if "isError" in saved:
            return tap.ok(False, f"{name} is saved", saved)
        original, clean, red = part(data), part(folder.read("clean.docx")), part(folder.read("red.docx"))
        # Both files contain other authors' changes, which count as in the clean file.
        tap.same(settled(red, "accept"), settled(clean, "accept"), f"{name}: accepting {done} edits gives the clean document")
        tap.same(settled(red, "reject"), settled(original, "reject"), f"{name}: rejecting {done} edits and theirs gives the original without theirs")
        tap.same(repeated(red) - repeated(original), set(), f"{name}: every new revision has an id of its own")
        compared = server.call("compare_documents", {"original_file_path": "in.docx", "revised_file_path": "clean.docx",
                                                     "save_to_local_path": "compared.docx"})["result"]
        if "isError" in compared:
            return tap.ok(False, f"{name} is compared", compared)
        both = part(folder.read("compared.docx"))
        words = lambda xml, how: [t for t in texts(xml, how) if t]
        tap.same(words(both, "accept"), words(clean, "accept"), f"{name}: accepting the comparison gives the revised document")
        tap.same(words(both, "reject"), words(original, "accept"), f"{name}: rejecting it gives the original")
        if done and "<w:del " not in original and "<w:ins " not in original:
            counted = server.call("has_tracked_changes", {"file_path": "red.docx"})["result"]["structuredContent"]
            tap.ok(counted["has_tracked_changes"], f"{name}: the redline has tracked changes", counted)
            server.call("accept_changes", {"file_path": "red.docx"})
            server.call("save", {"file_path": "red.docx", "save_to_local_path": "accepted.docx", "save_format": "clean"})
            accepted = part(folder.read("accepted.docx"))
            tap.same([t for t in texts(accepted, "accept") if t], [t for t in texts(clean, "accept") if t], f"{name}: accept_changes gives the clean text")
            tap.ok("<w:ins " not in accepted and "<w:del " not in accepted, f"{name}: nothing is tracked any more")


def inner_cells(tap):
    """Paragraphs are inserted at the start of a cell of an inner table: the cell before it stays as it was."""
    row = "<w:tr>" + "".join(f"<w:tc><w:tcPr/>{para(i, run(words))}</w:tc>" for i, words in ((2, "One"), (3, "Two"))) + "</w:tr>"
    data = docx(CELL.format(f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{row}</w:tbl>" + para(4, run("Outer"))) + para(5, run("End")))
    with Folder({"in.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
        red, clean = saved(tap, server, folder, "an inner cell", [("smart_insert", {"positional_anchor_node_id": "00000003", "position": "BEFORE", "new_string": "New"})])
        tap.ok(para(2, run("One")) in red, "an inner cell: the cell before it has no mark", red)
        tap.same(settled(red, "reject"), settled(part(data), "reject"), "an inner cell: rejecting gives the original")
        tap.same(settled(red, "accept"), settled(clean, "accept"), "an inner cell: accepting gives the clean document")


STYLE = '<w:pPr><w:pStyle w:val="{}"/><w:rPr><w:b/></w:rPr></w:pPr>'


def saved(tap, server, folder, name, calls):
    """The main parts of the redline and the clean file after these calls on in.docx."""
    for tool, args in calls:
        result = server.call(tool, {"file_path": "in.docx", **args})["result"]
        tap.ok("isError" not in result, f"{name}: {tool} is done", result)
    server.call("save", {"file_path": "in.docx", "save_to_local_path": "clean.docx", "tracked_save_to_local_path": "red.docx"})
    return part(folder.read("red.docx")), part(folder.read("clean.docx"))


def joined_to_table(xml):
    """Paragraphs before a table whose mark is tracked as inserted. They have no next paragraph to join, so LibreOffice leaves them empty."""
    body = list(ElementTree.fromstring(xml).find(W + "body"))
    return [p for p, t in zip(body, body[1:]) if p.tag == W + "p" and t.tag == W + "tbl" and (p.find(f"{W}pPr/{W}rPr/{W}ins") is not None)]


def ends(tap):
    """Paragraphs are inserted and deleted at the end of a cell and of the body. The last mark there cannot be tracked."""
    data = docx(para(1, run("Before")) +
                CELL.format(para(2, STYLE.format("A"), run("Stays")) + para(3, STYLE.format("B"), run("Goes")) + para(4, run("Goes too"))) +
                CELL.format(para(5, STYLE.format("A"), run("Alone"))) + para(6, STYLE.format("C"), run("Near the end")) +
                para(7, STYLE.format("D"), run("The end")))
    delete = lambda i: ("delete_paragraph", {"target_paragraph_id": f"{i:08X}"})
    insert = lambda i, text, **more: ("smart_insert", {"positional_anchor_node_id": f"{i:08X}", "new_string": text, **more})
    edit = lambda i, old, new: ("smart_edit", {"target_paragraph_id": f"{i:08X}", "old_string": old, "new_string": new})
    for name, calls in {
        "the last of a cell goes": [delete(4)],
        "the last two of a cell go": [delete(4), delete(3)],
        "one comes behind the last of a cell": [insert(5, "Company")],
        "two come, in another style": [insert(5, "One\n\nTwo", style_source_id="00000007")],
        "the last goes and one comes": [delete(4), insert(3, "New")],
        "the one that stays is edited too": [insert(5, "Company"), edit(5, "Alone", "No longer alone")],
        "the last of the body goes": [delete(7)],
        "two come behind the last of the body": [insert(7, "More\n\nAnd more")],
        "both in the body": [insert(7, "More"), delete(7), edit(6, "Near", "Close to")],
        "one comes in front of a table": [insert(1, "Company")],
        "two come there": [insert(1, "Company\n\nAnd more"), edit(1, "Before", "Long before")],
    }.items():
        with Folder({"in.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
            red, clean = saved(tap, server, folder, name, calls)
            tap.same(settled(red, "accept"), settled(clean, "accept"), f"{name}: accepting leaves nothing behind")
            tap.same(settled(red, "reject"), settled(part(data), "accept"), f"{name}: rejecting leaves nothing behind")
            tap.same(repeated(red), set(), f"{name}: ids differ")
            tap.ok(not joined_to_table(red), f"{name}: no mark that may go stands in front of a table", red)
            server.call("compare_documents", {"original_file_path": "in.docx", "revised_file_path": "clean.docx", "save_to_local_path": "compared.docx"})
            both = part(folder.read("compared.docx"))
            tap.same(texts(both, "accept"), texts(clean, "accept"), f"{name}: accepting the comparison leaves nothing behind")
            tap.same(texts(both, "reject"), texts(part(data), "accept"), f"{name}: rejecting it leaves nothing behind")
            server.call("accept_changes", {"file_path": "red.docx"})
            server.call("save", {"file_path": "red.docx", "save_to_local_path": "accepted.docx", "save_format": "clean"})
            tap.same(settled(part(folder.read("accepted.docx")), "accept"), settled(clean, "accept"), f"{name}: accept_changes agrees")


def controls(tap):
    """The only paragraph of a content control is emptied, because Word requires one there. The redline gives it back."""
    control = lambda inside: f"<w:sdt><w:sdtPr/><w:sdtContent>{inside}</w:sdtContent></w:sdt>"
    only = para(2, STYLE.format("A"), '<w:bookmarkStart w:id="7" w:name="b"/>', run("Only"), '<w:bookmarkEnd w:id="7"/>')
    for name, body in {
        "in a control": para(1, run("Before")) + control(only) + para(9, run("After")),
        "in custom XML": para(1, run("Before")) + f'<w:customXml w:element="x">{only}</w:customXml>' + para(9, run("After")),
        "in a control in a cell": CELL.format(control(only)) + para(9, run("After")),
        "in a control that ends the document": CELL.format(para(1, run("Before"))) + control(only),
    }.items():
        data = docx(body)
        with Folder({"in.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
            red, clean = saved(tap, server, folder, f"the only paragraph {name}", [("delete_paragraph", {"target_paragraph_id": "00000002"})])
            tap.same(texts(clean, "accept").count(""), 1, f"the only paragraph {name}: an empty one stays")
            tap.ok('w:name="b"' in clean and 'w:val="A"' in clean, f"the only paragraph {name}: with its properties and bookmark", clean)
            tap.same(settled(red, "accept"), settled(clean, "accept"), f"the only paragraph {name}: accepting leaves nothing behind")
            tap.same(settled(red, "reject"), settled(part(data), "accept"), f"the only paragraph {name}: rejecting gives it back")
            server.call("undo", {"file_path": "in.docx"})
            server.call("save", {"file_path": "in.docx", "save_to_local_path": "back.docx", "save_format": "clean"})
            tap.ok(folder.read("back.docx") == data, f"the only paragraph {name}: undo brings back every byte")


def without_ours(xml):
    """The paragraphs after all changes of quire are rejected, with the changes of others to their words and marks."""
    out = []

    def joined(pieces):
        """Joins the insertions that we divided."""
        whole = ""
        for piece in pieces:
            sign = piece.split(" ")[0] + " "
            start = whole.rfind("[")
            whole = whole[:-1] + piece[len(sign):] if piece[:1] == "[" and whole[-1:] == "]" and whole[start:].startswith(sign) else whole + piece
        return whole

    def words(node):
        ours = node.get(W + "author") == "quire"
        name = node.tag.split("}")[1]
        if name in ("pPr", "rPr") or (name == "ins" and ours):
            return ""
        inside = node.text or "" if name in ("t", "delText") else joined(words(n) for n in node)
        return f"[{name} {inside}]" if name in ("ins", "del", "moveFrom", "moveTo") and not ours else inside

    def walk(node):
        carry = ""
        for child in node:
            if child.tag == W + "p":
                marks = [(n.tag.split("}")[1], n.get(W + "author")) for n in child.findall(f"{W}pPr/{W}rPr/*") if n.get(W + "author")]
                carry += words(child)
                if ("ins", "quire") not in marks:
                    out.append((carry, [m for m in marks if m[1] != "quire"], properties(child, "reject")))
                    carry = ""
            else:
                walk(child)

    walk(ElementTree.fromstring(xml).find(W + "body"))
    return out


def beside_theirs(tap):
    """Edits inside and next to another author's tracked changes. Accepting or rejecting ours does not affect theirs."""
    edit = lambda i, old, new: ("smart_edit", {"target_paragraph_id": f"{i:08X}", "old_string": old, "new_string": new})
    delete = lambda i: ("delete_paragraph", {"target_paragraph_id": f"{i:08X}"})
    insert = lambda i, where: ("smart_insert", {"positional_anchor_node_id": f"{i:08X}", "new_string": "New", "position": where})
    for name, calls in {
        "a word of an insertion is replaced": [edit(1, "thirty", "sixty")],
        "words come into an insertion, in two places": [edit(1, "It lasts thirty", "It surely lasts about thirty")],
        "a word of an insertion goes": [edit(2, " and no other", "")],
        "all of an insertion is replaced": [edit(2, "Subject to the laws of Delaware and no other", "Without law")],
        "a clause of theirs is edited": [edit(3, "stands", "now stands")],
        "a clause of theirs goes": [delete(3)],
        "moved words are edited": [edit(4, "came here", "came right here")],
        "words come beside those moved away": [edit(4, "What was stays", "What was here stays")],
        "words come into an insertion with a deletion": [edit(8, "In theirs and", "In theirs here and")],
        "the deleted last of a cell goes": [delete(7)],
        "it and the one before go": [delete(6), delete(7)],
        "it goes and one comes": [delete(7), insert(6, "AFTER")],
        "one comes behind it": [insert(7, "AFTER")],
        "one comes before it": [insert(7, "BEFORE")],
        "it gets words": [edit(7, "", "Words")],
    }.items():
        with Folder({"in.docx": THEIRS}) as folder, Stdio("docx", root=folder.path) as server:
            (red, clean), original = saved(tap, server, folder, name, calls), part(THEIRS)
            tap.same(settled(red, "accept"), settled(clean, "accept"), f"{name}: accepting all gives the clean document's words")
            tap.same(settled(red, "reject"), settled(original, "reject"), f"{name}: rejecting all gives the original's")
            tap.same(without_ours(red), without_ours(original), f"{name}: rejecting ours leaves theirs")
            tap.same(repeated(red), set(), f"{name}: ids differ")
            root = ElementTree.fromstring(red)
            tap.ok(not any(n.find(f".//{W}ins") is not None for n in root.iter(W + "ins")), f"{name}: no insertion is inside of another", red)
            twice = [n for n in root.iter(W + "rPr") for m in ("ins", "del") if len(n.findall(W + m)) > 1]
            tap.same(twice, [], f"{name}: no mark is inserted or deleted twice")
            tap.ok("quire" not in clean, f"{name}: the clean document has nothing of ours", clean)
            for file in ("red", "clean"):
                server.call("accept_changes", {"file_path": file + ".docx"})
                server.call("save", {"file_path": file + ".docx", "save_to_local_path": file + "-accepted.docx", "save_format": "clean"})
            tap.same(settled(part(folder.read("red-accepted.docx")), "accept"), settled(part(folder.read("clean-accepted.docx")), "accept"),
                     f"{name}: accept_changes agrees")


def moves(tap):
    """A paragraph that is deleted in one place and inserted in another was moved. Short and different ones were not."""
    first = [para(1, run("The Company shall notify each Purchaser of any breach.")), para(2, run("Two words")), para(3, run("This stays where it is, for good.")),
             para(4, run("Here something else is said.")), para(5, run("The end."))]
    second = [first[2], first[3], para(6, run("The Company shall promptly notify each Purchaser of any breach.")), para(7, run("An entirely new idea of ours.")), first[1], first[4]]
    with Folder({"a.docx": docx("".join(first)), "b.docx": docx("".join(second))}) as folder, Stdio("docx", root=folder.path) as server:
        answer = server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})["result"]["structuredContent"]
        red = part(folder.read("c.docx"))
        tree = ElementTree.fromstring(red)
        tap.same(answer["paragraphs_moved"], 1, "one paragraph was moved, the short one and the new one were not")
        names = [[n.get(W + "name") for n in tree.iter(W + f"move{way}RangeStart")] for way in ("From", "To")]
        tap.same(names, [["move1"], ["move1"]], "both ends of the move have one name")
        for way in ("From", "To"):
            tap.same([n.get(W + "id") for n in tree.iter(W + f"move{way}RangeStart")], [n.get(W + "id") for n in tree.iter(W + f"move{way}RangeEnd")], f"the range of move{way} ends")
        tap.ok("<w:delText" not in red.split("<w:moveFrom ")[1].split("</w:moveFrom>")[0], "moved text is text")
        tap.same(settled(red, "accept"), settled(part(folder.read("b.docx")), "accept"), "accepting the move gives the revised document")
        tap.same(settled(red, "reject"), settled(part(folder.read("a.docx")), "accept"), "rejecting it gives the original")
        counted = server.call("has_tracked_changes", {"file_path": "c.docx"})["result"]["structuredContent"]
        tap.same(counted["moves"], 1, "has_tracked_changes counts it")
        server.call("accept_changes", {"file_path": "c.docx"})
        server.call("save", {"file_path": "c.docx", "save_to_local_path": "d.docx", "save_format": "clean"})
        accepted = part(folder.read("d.docx"))
        tap.same(settled(accepted, "accept"), settled(part(folder.read("b.docx")), "accept"), "accept_changes carries it out")
        tap.ok("RangeEnd" not in accepted and "RangeStart" not in accepted, "and leaves no mark of it", accepted)


RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
PLACES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWN = ("http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "http://schemas.openxmlformats.org/drawingml/2006/main",
         "http://schemas.openxmlformats.org/drawingml/2006/picture")
DOT = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301"
                    "0100c9fe92ef0000000049454e44ae426082")


def drawing(rid, number=1):
    return (f'<w:r><w:drawing><wp:inline xmlns:wp="{DRAWN[0]}"><wp:extent cx="360000" cy="360000"/><wp:docPr id="{number}" name="Picture"/>'
            f'<a:graphic xmlns:a="{DRAWN[1]}"><a:graphicData uri="{DRAWN[2]}"><pic:pic xmlns:pic="{DRAWN[2]}"><pic:nvPicPr><pic:cNvPr id="0" name="p"/>'
            f'<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{rid}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>'
            '<a:off x="0" y="0"/><a:ext cx="360000" cy="360000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>'
            '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>')


def link(rid, text):
    return f'<w:hyperlink r:id="{rid}">{run(text)}</w:hyperlink>'


def packed(text, relations, media):
    """A file with relationships (id: what, target) and media of its own."""
    rows = "".join(f'<Relationship Id="{i}" Type="{PLACES}/{what}" Target="{to}"' + (' TargetMode="External"/>' if what == "hyperlink" else "/>")
                   for i, (what, to) in relations.items())
    parts = {"word/_rels/document.xml.rels": f'<Relationships xmlns="{RELS}">{rows}</Relationships>', **{"word/" + n: d for n, d in media.items()}}
    if media:
        types = "".join(f'<Override PartName="/word/{n}" ContentType="image/png"/>' for n in media)
        parts["[Content_Types].xml"] = part(docx(""), "[Content_Types].xml").replace("</Types>", types + "</Types>")
    return docx(text, parts=parts)


def leads(data, how):
    """The targets of the settled body's links and pictures: addresses, and bytes of pictures."""
    tree, out = ElementTree.fromstring(part(data)), []
    rels = {r.get("Id"): r for r in ElementTree.fromstring(part(data, "word/_rels/document.xml.rels"))}
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        names, types = z.namelist(), z.read("[Content_Types].xml").decode()

        def walk(node):
            if node.tag in GONE[how]:
                return
            for key, value in node.attrib.items():
                if key.startswith("{" + PLACES + "}"):
                    row = rels[value]
                    if row.get("TargetMode") == "External":
                        if any(n.tag in (W + "t", W + "delText") for n in node.iter()) and visible(node, how):
                            out.append(row.get("Target"))
                    else:
                        assert f'"/word/{row.get("Target")}"' in types
                        out.append(z.read("word/" + row.get("Target")))
            for child in node:
                walk(child)
        walk(tree)
    assert len(names) == len(set(names))
    return out


def carried(tap):
    """Pictures and links of new text are copied, although ids of the two packages have different meanings."""
    other = DOT[:-1] + b"\x83"
    old = para(1, run("See "), link("rId5", "our site"), run(" for more.")) + para(2, run("A picture: "), drawing("rId6")) + para(3, run("It stays. "), drawing("rId7")) + para(9, run("The end."))
    new = (para(1, run("See "), link("rId5", "our site"), run(" for more.")) + para(2, run("A picture: "), drawing("rId6")) + para(3, run("It stays. "), drawing("rId8")) +
           para(4, run("New, with "), link("rId9", "a link of it"), drawing("rId6"), drawing("rId7")) + para(5, run("And "), link("rId5", "the first"), run(" again.")) + para(9, run("The end.")))
    first = packed(old, {"rId5": ("hyperlink", "https://one.example/?a=1&amp;b=2"), "rId6": ("image", "media/a.png"), "rId7": ("image", "media/b.png")},
                   {"media/a.png": DOT, "media/b.png": DOT + b"b"})
    second = packed(new, {"rId5": ("hyperlink", "https://two.example/"), "rId6": ("image", "media/a.png"), "rId7": ("image", "media/c.png"), "rId8": ("image", "media/d.png"),
                          "rId9": ("hyperlink", "https://three.example/&quot;x&quot;")},
                    {"media/a.png": other, "media/c.png": DOT + b"c", "media/d.png": DOT + b"b"})
    with Folder({"a.docx": first, "b.docx": second}) as folder, Stdio("docx", root=folder.path) as server:
        answer = server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})["result"]
        red = folder.read("c.docx")
        tap.ok("_warnings" not in answer["structuredContent"], "nothing is left out", answer)
        tap.same(leads(red, "accept"), leads(second, "accept"), "accepted, links and pictures lead to what the revised document has")
        tap.same(leads(red, "reject"), leads(first, "accept"), "rejected, they lead to what the original has")
        tap.same(texts(part(red), "accept"), texts(part(second), "accept"), "the words are those of the revised document")
        tap.same(texts(part(red), "reject"), texts(part(first), "accept"), "and of the original")
        stays = [p for p in ElementTree.fromstring(part(red)).iter(W + "p") if visible(p, "accept").startswith("It stays")][0]
        tap.ok(not any(n.tag in (W + "ins", W + "del") for n in stays.iter()), "a picture with another id but the same bytes is no change")
        numbers = [n.get("id") for n in ElementTree.fromstring(part(red)).iter() if n.tag.endswith("}docPr")]
        tap.same(len(set(numbers)), len(numbers) - 1, "new drawings have numbers of their own; two of the original had the same")
        with zipfile.ZipFile(io.BytesIO(red)) as z:
            tap.same(sorted(n for n in z.namelist() if "media/" in n), ["word/media/a.png", "word/media/b.png", "word/media/compared1.png", "word/media/compared2.png"],
                     "only new pictures are copied")
        server.call("accept_changes", {"file_path": "c.docx"})
        server.call("save", {"file_path": "c.docx", "save_to_local_path": "d.docx", "save_format": "clean"})
        tap.same(leads(folder.read("d.docx"), "accept"), leads(second, "accept"), "accept_changes keeps them")


NOTED = {"footnoteReference": "footnotes", "endnoteReference": "endnotes", "commentReference": "comments"}


def noted(text, notes=None, link=False):
    """A file with notes and comments: part: {id: words}."""
    rows, parts, types = "", {}, ""
    for i, (name, of) in enumerate((notes or {}).items()):
        one = name[:-1]
        inside = "".join(f'<w:{one} w:id="{n}" w:author="O">{para(0x900 + n, run(words) if not link else f"<w:hyperlink r:id={chr(34)}rId1{chr(34)}>{run(words)}</w:hyperlink>")}</w:{one}>' for n, words in of.items())
        if name != "comments":
            inside = f'<w:{one} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:{one}>' + inside
        spaces = part(docx("")).split("<w:document ")[1].split(">")[0]
        parts[f"word/{name}.xml"] = f"<w:{name} {spaces}>{inside}</w:{name}>"
        rows += f'<Relationship Id="rId{20 + i}" Type="{PLACES}/{name}" Target="{name}.xml"/>'
        types += f'<Override PartName="/word/{name}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml"/>'
    parts["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{RELS}">{rows}</Relationships>'
    parts["[Content_Types].xml"] = part(docx(""), "[Content_Types].xml").replace("</Types>", types + "</Types>")
    return docx(text, parts=parts)


def refer(to, number):
    return f'<w:r><w:{to}Reference w:id="{number}"/></w:r>'


def read_notes(data, how):
    """Text with each reference replaced by the words of its note, once everything is accepted or rejected."""
    words = {}
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        rels = {r.get("Type").rsplit("/", 1)[1]: r.get("Target") for r in ElementTree.fromstring(z.read("word/_rels/document.xml.rels"))}
        types = z.read("[Content_Types].xml").decode()
        for reference, name in NOTED.items():
            if name in rels:
                assert types.count(f'"/word/{rels[name]}"') == 1
                for note in ElementTree.fromstring(z.read("word/" + rels[name])):
                    assert (reference, note.get(W + "id")) not in words
                    words[reference, note.get(W + "id")] = "".join(visible(p, how) for p in note.iter(W + "p"))

    def walk(node):
        if node.tag in GONE[how]:
            return ""
        name = node.tag[len(W):]
        if name in NOTED:
            return f"[{name[:-9]}: {words[name, node.get(W + 'id')]}]"
        here = node.text or "" if name in ("t", "delText") else ""
        return here + "".join(map(walk, node))
    return [walk(p) for p in ElementTree.fromstring(part(data)).iter(W + "p")]


def notes_carried(tap):
    """Footnotes, endnotes and comments of new text are copied, although ids of the two files mean different notes."""
    stays = lambda n: para(1, run("It stays"), refer("footnote", n), run(" here."))
    old = stays(2) + para(2, run("Edited"), refer("footnote", 3), run(" note.")) + para(3, run("This one goes away"), refer("footnote", 4), run(" for good.")) + para(9, run("The end."))
    new = (stays(7) + para(2, run("Edited"), refer("footnote", 3), run(" note.")) +
           para(4, run("Something new"), refer("footnote", 2), '<w:commentRangeStart w:id="5"/>', run(" is said"), '<w:commentRangeEnd w:id="5"/>', refer("comment", 5),
                run(" in it"), refer("endnote", 2)) + para(9, run("The end."), refer("footnote", 8)))
    first = noted(old, {"footnotes": {2: "First note.", 3: "As of 2025.", 4: "Going."}})
    second = noted(new, {"footnotes": {2: "Brand new.", 3: "As of 2026.", 7: "First note.", 8: "Last."}, "comments": {5: "Why &amp; how?"}, "endnotes": {2: "At the end."}})
    plain = noted(para(9, run("The end.")))
    with Folder({"a.docx": first, "b.docx": second, "p.docx": plain}) as folder, Stdio("docx", root=folder.path) as server:
        for before, data in (("a", first), ("p", plain)):
            answer = server.call("compare_documents", {"original_file_path": before + ".docx", "revised_file_path": "b.docx", "save_to_local_path": f"{before}c.docx"})["result"]["structuredContent"]
            red = folder.read(f"{before}c.docx")
            tap.ok("_warnings" not in answer, "nothing is left out", answer)
            tap.same([t for t in read_notes(red, "accept") if t], read_notes(second, "accept"), "accepted, every note says what it says in the revised document")
            tap.same([t for t in read_notes(red, "reject") if t], read_notes(data, "accept"), "rejected, what it says in the original")
            marks = [n.get(W + "id") for n in ElementTree.fromstring(part(red)).iter() if "commentR" in n.tag]
            tap.same((len(marks), len(set(marks))), (3, 1), "a comment's words are marked")
            shown = server.call("get_comments", {"file_path": f"{before}c.docx"})["result"]["structuredContent"]["comments"]
            tap.same([(c["text"], bool(c["para_id"])) for c in shown], [("Why & how?", True)], "and the file is read again")
        one = [p for p in ElementTree.fromstring(part(folder.read("ac.docx"))).iter(W + "p") if visible(p, "accept").startswith("It stays")][0]
        tap.ok(not any(n.tag in (W + "ins", W + "del") for n in one.iter()), "the same note under another id is no change")
        for tool, args in (("add_footnote", {"text": "Of the session."}), ("add_comment", {"author": "Q", "text": "Remark"})):
            server.call(tool, {"file_path": "a.docx", "target_paragraph_id": "00000009", **args})
        session = server.call("smart_edit", {"file_path": "a.docx", "target_paragraph_id": "00000003", "old_string": "goes", "new_string": "went"})["result"]["structuredContent"]["session_id"]
        answer = server.call("compare_documents", {"session_id": session, "save_to_local_path": "s.docx"})["result"]["structuredContent"]
        server.call("save", {"session_id": session, "save_to_local_path": "clean.docx", "save_format": "clean"})
        tap.ok("_warnings" not in answer, "nor of a session", answer)
        tap.same(read_notes(folder.read("s.docx"), "accept"), read_notes(folder.read("clean.docx"), "accept"), "a session's notes and comments come along")
        # The original refers to notes that it does not have. A copied note never gets such an id.
        lost = noted(para(1, run("Lost"), refer("footnote", 3), refer("endnote", 2), refer("comment", 6)) + para(9, run("The end.")))
        folder.write("lost.docx", lost)
        server.call("compare_documents", {"original_file_path": "lost.docx", "revised_file_path": "b.docx", "save_to_local_path": "lostc.docx"})
        red = ElementTree.fromstring(part(folder.read("lostc.docx")))
        held = [{n.tag[len(W):-9] + n.get(W + "id") for d in red.iter(kind) for n in d.iter() if n.tag in {W + r for r in NOTED}} for kind in (W + "del", W + "ins")]
        tap.same((held[0], held[0] & held[1]), ({"footnote3", "endnote2", "comment6"}, set()), "a reference that leads nowhere gets no note")
        folder.write("l.docx", noted(para(1, run("New with a note"), refer("footnote", 2)) + para(9, run("The end.")), {"footnotes": {2: "See there."}}, link=True))
        answer = server.call("compare_documents", {"original_file_path": "p.docx", "revised_file_path": "l.docx", "save_to_local_path": "lc.docx"})["result"]["structuredContent"]
        tap.ok("1 diagrams, linked objects, broken links" in str(answer.get("_warnings")), "a note that leads nowhere is told", answer)


def not_carried(tap):
    """Content with further or broken relationships is left out with a warning; the words stay."""
    old = para(1, run("Here.")) + para(9, run("The end."))
    diagram = drawing("rId5").replace("a:blip r:embed", "a:relIds r:dm")
    new = para(1, run("Here.")) + para(4, run("A diagram "), diagram, run(" and "), link("rId77", "a dead link")) + para(9, run("The end."))
    with Folder({"a.docx": packed(old, {}, {}), "b.docx": packed(new, {"rId5": ("diagramData", "diagrams/data1.xml")}, {"diagrams/data1.xml": b"<d/>"})}) as folder, \
            Stdio("docx", root=folder.path) as server:
        answer = server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})["result"]["structuredContent"]
        tap.ok("2 diagrams, linked objects, broken links" in str(answer.get("_warnings")), "what cannot come along is told", answer)
        tap.same(texts(part(folder.read("c.docx")), "accept"), ["Here.", "A diagram  and a dead link", "The end."], "the words come along")
        tap.ok("r:dm" not in part(folder.read("c.docx")) and "r:id" not in part(folder.read("c.docx")), "no id leads nowhere")


WHO = 'w:author="O" w:date="2026-01-01T00:00:00Z"'


def tables(tap):
    """Rows, cells and properties of tables that others tracked are accepted."""
    cell = lambda i, text, pr="": f"<w:tc><w:tcPr>{pr}</w:tcPr>{para(i, run(text))}</w:tc>"
    row = lambda pr, *cells: f"<w:tr><w:trPr>{pr}</w:trPr>{''.join(cells)}</w:tr>"
    table = lambda *rows: f'<w:tbl><w:tblPr><w:tblW w:w="0"/><w:tblPrChange w:id="90" {WHO}><w:tblPr/></w:tblPrChange></w:tblPr><w:tblGrid><w:gridCol/></w:tblGrid>{"".join(rows)}</w:tbl>'
    data = docx(para(1, run("Before")) + table(
        row("", cell(2, "stays"), cell(3, "goes", f'<w:cellDel w:id="91" {WHO}/>'), cell(4, "comes", f'<w:cellIns w:id="92" {WHO}/>')),
        row(f'<w:del w:id="93" {WHO}/>', cell(5, "row goes"), cell(6, "all of it")),
        row(f'<w:trHeight w:val="9"/><w:ins w:id="94" {WHO}/><w:trPrChange w:id="95" {WHO}><w:trPr/></w:trPrChange>', cell(7, "row comes"))) +
        para(8, run("Between")) + table(row(f'<w:del w:id="96" {WHO}/>', cell(9, "a whole table"))) + para(10, run("After")))
    want = ["Before", "stays", "comes", "row comes", "Between", "After"]
    with Folder({"in.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
        counted = server.call("has_tracked_changes", {"file_path": "in.docx"})["result"]["structuredContent"]
        tap.ok(counted["has_tracked_changes"] and counted["table_changes"] == 7, "changes of tables count", counted)
        server.call("format_layout", {"file_path": "in.docx", "row_height": {"value_twips": 400}})
        done = server.call("accept_changes", {"file_path": "in.docx"})["result"]
        tap.ok("isError" not in done and done["structuredContent"]["table_changes"] == 7, "they are accepted", done)
        shown = [n["clean_text"] for n in server.call("read_file", {"file_path": "in.docx", "format": "json"})["result"]["structuredContent"]["nodes"]]
        tap.same(shown, want, "rows and cells that went are not shown")
        again = server.call("format_layout", {"file_path": "in.docx", "row_height": {"value_twips": 500}})["result"]
        tap.ok("isError" not in again, "rows that are left can be formatted", again)
        server.call("save", {"file_path": "in.docx", "save_to_local_path": "clean.docx", "tracked_save_to_local_path": "red.docx"})
        for name in ("clean.docx", "red.docx"):
            xml = part(folder.read(name))
            tap.same([t for t in texts(xml, "accept") if t], want, f"{name} has what is left")
            tap.ok(not any(m in xml for m in ("Change", "cellDel", "cellIns", "<w:ins", "<w:del")), f"{name} tracks nothing", xml)
            tap.same(xml.count("<w:tbl>"), 1, f"{name}: the table without rows is gone")
        server.call("undo", {"file_path": "in.docx", "steps": 3})
        server.call("save", {"file_path": "in.docx", "save_to_local_path": "back.docx", "save_format": "clean"})
        tap.same(part(folder.read("back.docx")), part(data), "undo brings everything back")


def filled_in(tap):
    """A form that was filled in is one table with changed cells, not a deleted and an inserted table."""
    form = lambda *cells: ('<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="900"/><w:gridCol w:w="9000"/></w:tblGrid>' + "".join(
        f"<w:tr><w:tc><w:tcPr/>{para(16 + i, run(name))}</w:tc><w:tc><w:tcPr/>{para(32 + i, run(words))}</w:tc></w:tr>" for i, (name, words) in enumerate(cells)) + "</w:tbl>")
    first = docx(para(1, run("Signed by")) + form(("Name", "____"), ("Date", "____")) + para(9, run("The end.")))
    second = docx(para(1, run("Signed by")) + form(("Name", "Ann Author of Acme Incorporated"), ("Date", "the third of March in the year two thousand")) + para(9, run("The end.")))
    with Folder({"a.docx": first, "b.docx": second}) as folder, Stdio("docx", root=folder.path) as server:
        server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})
        red = part(folder.read("c.docx"))
        tap.same(red.count("<w:tbl>"), 1, "a form that was filled in stays one table")
        tap.same([texts(red, "accept"), texts(red, "reject")], [texts(part(second), "accept"), texts(part(first), "accept")], "with its words before and after")


def long_ones(tap):
    """Comparing needs little more memory than reading both versions: 20,000 paragraphs, every tenth changed, within 96 MB."""
    clause = lambda i, days: f'<w:p><w:pPr><w:jc w:val="both"/></w:pPr>{run(f"Clause {i} lasts {days} days after ")}{run("written notice", True)}{run(" of either party.")}</w:p>'
    first, second = (docx("".join(clause(i, days if i % 10 == 7 else "thirty (30)") for i in range(20000))) for days in ("thirty (30)", "forty-five (45)"))
    with Folder({"a.docx": first, "b.docx": second, "small.toml": "[mcp_server]\ncall_memory_mb = 96\n"}) as folder, \
            Stdio("docx", "--config", os.path.join(folder.path, "small.toml"), root=folder.path) as server:
        answer = server.call("compare_documents", {"original_file_path": "a.docx", "revised_file_path": "b.docx", "save_to_local_path": "c.docx"})["result"]
        tap.same(answer.get("structuredContent", answer).get("paragraphs_modified"), 2000, "a long document is compared")


def told(tap):
    """Tracked changes of others are reported everywhere: words moved to another paragraph, headers, and comments."""
    rows = f'<Relationship Id="rId5" Type="{PLACES}/header" Target="header1.xml"/><Relationship Id="rId6" Type="{PLACES}/comments" Target="comments.xml"/>'
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts = {"word/_rels/document.xml.rels": f'<Relationships xmlns="{RELS}">{rows}</Relationships>',
             "word/header1.xml": f'<w:hdr {space}><w:p><w:ins w:id="7" {WHO}>{run("Draft of today")}</w:ins></w:p></w:hdr>',
             "word/comments.xml": f'<w:comments {space}><w:comment w:id="3" {WHO}><w:p>{run("Why here?")}</w:p></w:comment></w:comments>'}
    moved = docx(para(1, f'<w:moveFrom w:id="20" {WHO}>', run("wandering"), "</w:moveFrom>", run(" away")) +
                 para(2, '<w:commentRangeStart w:id="3"/>', f'<w:moveTo w:id="21" {WHO}>', run("wandering"), '</w:moveTo><w:commentRangeEnd w:id="3"/>'
                         '<w:r><w:commentReference w:id="3"/></w:r>', run(" home")), parts=parts)
    with Folder({"in.docx": moved}) as folder, Stdio("docx", root=folder.path) as server:
        call = lambda tool, **args: server.call(tool, {"file_path": "in.docx", **args})["result"]["structuredContent"]
        counted = call("has_tracked_changes")
        tap.same([counted[k] for k in ("moves", "insertions", "paragraphs")], [1, 1, 3], "both ends of a move, and the header, have changes")
        listed = call("extract_revisions")["paragraphs"]
        tap.same([(p["before_text"], p["after_text"]) for p in listed], [("wandering away", " away"), (" home", "wandering home"), ("", "Draft of today")], "all are listed")
        tap.same([p.get("comments") for p in listed], [None, [{"comment_id": 3, "author": "O", "text": "Why here?"}], None], "with the comments on them")
        call("accept_changes")
        tap.same(call("has_tracked_changes")["has_tracked_changes"], False, "nothing is left after accepting")
        call("save", save_to_local_path="out.docx", save_format="clean")
        tap.ok("move" not in part(folder.read("out.docx")), "the words are no more where they went from")


def main():
    tap = Tap()
    told(tap)
    filled_in(tap)
    long_ones(tap)
    tables(tap)
    moves(tap)
    carried(tap)
    notes_carried(tap)
    not_carried(tap)
    ends(tap)
    inner_cells(tap)
    controls(tap)
    beside_theirs(tap)
    for seed in range(6):
        check(tap, f"own document, seed {seed}", OWN, random.Random(seed), 8)
        check(tap, f"document with changes of others, seed {seed}", THEIRS, random.Random(seed), 8)
    files = sorted(glob.glob(os.path.join(DATA, "docx/*.docx")))
    for number, path in enumerate(files):
        with open(path, "rb") as f:
            check(tap, os.path.basename(path), f.read(), random.Random(number), 12)
    tap.done()


main()
