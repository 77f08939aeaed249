#!/usr/bin/env python3
"""Comments and footnotes through the program: anchored at the requested place, undone, replayed, deleted. The words of the
document never change."""
import os
import re
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import body, docx, part  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def para(i, inside):
    return f'<w:p w14:paraId="{i:08X}">{inside}</w:p>'


TEXT = '<w:r><w:rPr><w:b/></w:rPr><w:t>Thirty days</w:t></w:r><w:r><w:t xml:space="preserve"> after notice &amp; more.</w:t></w:r>'
FILE = docx(para(1, TEXT) + para(2, "<w:r><w:t>Second.</w:t></w:r>") + '<w:p w14:paraId="00000003"/>')


def words(xml):
    return ["".join(t.text or "" for t in p.iter(W + "t")) for p in ElementTree.fromstring(xml).iter(W + "p")]


def lost(tap):
    """References and marks may have ids of missing notes or comments. New notes and comments never get such an id."""
    data = docx(para(1, '<w:bookmarkStart w:id="3" w:name="b"/><w:r><w:t>First</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r><w:bookmarkEnd w:id="3"/>') +
                para(2, '<w:r><w:t>Second</w:t></w:r><w:del w:id="4" w:author="J" w:date="2026-01-02T03:04:05Z"><w:r><w:footnoteReference w:id="9"/></w:r></w:del>'
                        '<w:r><w:endnoteReference w:id="40"/></w:r><w:r><w:commentReference w:id="20"/></w:r><w:commentRangeEnd w:id="21"/>') +
                para(3, '<w:bookmarkEnd w:id="30"/><w:r><w:t>Third</w:t></w:r><w:r><w:footnoteReference w:id="2147483647"/></w:r>'))
    with Folder({"a.docx": data}) as folder, Stdio("docx", root=folder.path) as server:
        def call(tool, **args):
            result = server.call(tool, {"file_path": "a.docx", **args})["result"]
            return result.get("structuredContent") or result

        tap.same(call("add_footnote", target_paragraph_id="00000001", text="New.").get("note_id"), 10, "a new footnote is none that is referred to")
        tap.same([(r["note_id"], r["text"]) for r in call("get_footnotes")["footnotes"]], [(10, "New.")], "the references that lead nowhere still do")
        tap.same(call("add_comment", target_paragraph_id="00000001", author="A", text="New.").get("comment_id"), 22, "nor is a new comment")
        tap.same(call("add_comment", parent_comment_id=22, author="A", text="Reply.").get("comment_id"), 23, "nor a reply")
        call("undo")
        tap.same(call("add_comment", parent_comment_id=22, author="A", text="Reply.").get("comment_id"), 23, "what is done again gets the same id, so a draft can be replayed")
        call("smart_edit", target_paragraph_id="00000003", old_string="Third", new_string="Fourth")
        call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx")
        red = part(folder.read("red.docx"))
        tap.same(sorted(int(i) for i in re.findall(r'<w:(?:ins|del) w:id="(\d+)" w:author="quire"', red))[:1], [31], "nor a tracked change")


def unnamed(tap):
    """A comment without paraId, as other programs write it, gets one with its first reply. The ids of its paragraphs stay."""
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
    ns = W[1:-1]
    place = '<w:commentRangeStart w:id="5"/><w:r><w:t>Words</w:t></w:r><w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/></w:r>'
    remark = '<w:comment w:id="5" w:author="A"><w:p><w:r><w:t>One.</w:t></w:r></w:p><w:p><w:r><w:t>Two.</w:t></w:r></w:p></w:comment>'
    for name, spaces in (("a part that knows the name", 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'), ("a part that does not", "")):
        data = docx(para(1, place), parts={
            "word/comments.xml": f'<w:comments xmlns:w="{ns}" {spaces}>{remark}</w:comments>',
            "[Content_Types].xml": part(docx(""), "[Content_Types].xml").replace("</Types>", f'<Override PartName="/word/comments.xml" ContentType="{kind}"/></Types>'),
            "word/_rels/document.xml.rels": part(docx(""), "word/_rels/document.xml.rels").replace(
                "</Relationships>", '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/></Relationships>')})
        with Folder({"a.docx": data}) as folder:
            def call(server, tool, **args):
                result = server.call(tool, {"file_path": "a.docx", **args})["result"]
                return result.get("structuredContent") or result

            def rows(server):
                return [(r["comment_id"], r.get("parent_comment_id"), r["text"]) for r in call(server, "get_comments")["comments"]]

            def ids(server):
                return [n["id"] for n in call(server, "read_file", format="json", scope="comments")["nodes"]][:2]
            with Stdio("docx", root=folder.path) as server:
                call(server, "add_comment", parent_comment_id=5, author="B", text="Reply.")
                call(server, "add_comment", parent_comment_id=6, author="C", text="Reply to it.")
                want, named = rows(server), ids(server)
                tap.same(want, [(5, None, "One.\nTwo."), (6, 5, "Reply."), (7, 6, "Reply to it.")], f"a comment without paraId is answered in {name}")
                call(server, "smart_edit", target_paragraph_id=named[1], old_string="Two", new_string="Three")
                call(server, "save", save_to_local_path="out.docx", save_format="clean")
                tree = ElementTree.fromstring(part(folder.read("out.docx"), "word/comments.xml"))
                tap.same(len([p for p in tree.iter(W + "p") if p.get("{http://schemas.microsoft.com/office/word/2010/wordml}paraId")]), 3, "each thread has its paraId in the file")
            with Stdio("docx", root=folder.path) as server:
                tap.same([t.replace("Three", "Two") for *_, t in rows(server)], [t for *_, t in want], "and the next process repeats it")
                tap.same(ids(server), named, "with the ids that its paragraphs had")
                call(server, "undo", steps=3)
                call(server, "save", save_to_local_path="back.docx", save_format="clean")
                tap.ok(folder.read("back.docx") == data, "undo removes the paraId")


def main():
    tap = Tap()
    lost(tap)
    unnamed(tap)
    with Folder({"a.docx": FILE}) as folder, Stdio("docx", root=folder.path) as server:
        def call(tool, **args):
            result = server.call(tool, {"file_path": "a.docx", **args})["result"]
            return result.get("structuredContent") or result

        def saved(name):
            call("save", save_to_local_path=name, save_format="clean")
            return folder.read(name)

        tap.same(call("get_comments")["comments"], [], "a document without comments has none")
        made = call("add_comment", target_paragraph_id="00000001", anchor_text="days after", author="Jane <Counsel>", text="Too & short?\nTwo lines")
        tap.same(made.get("comment_id"), 1, "the first comment has id 1", )
        data = saved("one.docx")
        xml = body(data)
        inside = xml[xml.index("commentRangeStart"):xml.index("commentRangeEnd")]
        tap.same(re.findall(r"<w:t[^>]*>([^<]*)</w:t>", inside), ["days", " after"], "the range holds just the words")
        tap.same(words(part(data)), words(part(FILE)), "no word of the document changed")
        tap.ok('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">days</w:t>' in xml, "both halves of a run keep its look", xml)
        tap.ok("comments.xml" in part(data, "[Content_Types].xml") and "comments.xml" in part(data, "word/_rels/document.xml.rels"),
               "the new part has its content type and relationship")
        ElementTree.fromstring(part(data, "word/comments.xml"))
        reply = call("add_comment", parent_comment_id=1, author="Bob", text="No.")
        rows = call("get_comments")["comments"]
        tap.same([(r["comment_id"], r.get("parent_comment_id"), r["text"], r["author"]) for r in rows],
                 [(1, None, "Too & short?\nTwo lines", "Jane <Counsel>"), (2, 1, "No.", "Bob")], "comments and replies are listed")
        call("undo")
        tap.same(len(call("get_comments")["comments"]), 1, "undo takes the reply back and leaves the comment")
        call("redo")
        tap.same(len(call("get_comments")["comments"]), 2, "redo brings it again")
        tap.same(call("delete_comment", comment_id=1)["deleted"], 2, "deleting a comment deletes its replies")
        data = saved("two.docx")
        tap.ok("omment" not in body(data), "no mark of them is left", body(data))
        tap.same(words(part(data)), words(part(FILE)), "the words are as they were")
        for args, code in [({"target_paragraph_id": "00000001", "anchor_text": "nowhere"}, "TEXT_NOT_FOUND"), ({"target_paragraph_id": "00000001", "anchor_text": "e"}, "MULTIPLE_MATCHES"),
                           ({}, "INVALID_ARGUMENT"), ({"parent_comment_id": 9}, "COMMENT_NOT_FOUND"), ({"target_paragraph_id": "none"}, "ANCHOR_NOT_FOUND")]:
            got = call("add_comment", author="x", text="y", **args)
            tap.ok(got.get("isError") and code in got["content"][0]["text"], f"{code} for {args}", got)

        note = call("add_footnote", target_paragraph_id="00000001", after_text="notice", text="As <amended>.")
        call("add_footnote", target_paragraph_id="00000003", text="At the end.")
        rows = call("get_footnotes")["footnotes"]
        tap.same([(r["display_number"], r["text"]) for r in rows], [(1, "As <amended>."), (2, "At the end.")], "footnotes are listed in order")
        data = saved("three.docx")
        ElementTree.fromstring(part(data, "word/footnotes.xml"))
        tap.ok(re.search(r'notice</w:t></w:r><w:r>.*?footnoteReference w:id="1"', body(data)), "the reference stands behind the words", body(data))
        call("update_footnote", note_id=note["note_id"], text="Changed.")
        tap.same([r["text"] for r in call("get_footnotes")["footnotes"]], ["Changed.", "At the end."], "a footnote is rewritten")
        call("delete_footnote", note_id=note["note_id"])
        tap.same([(r["display_number"], r["text"]) for r in call("get_footnotes")["footnotes"]], [(1, "At the end.")], "and deleted; numbers follow")
        got = call("delete_footnote", note_id=-1)
        tap.ok(got.get("isError") and "FOOTNOTE_NOT_FOUND" in got["content"][0]["text"], "the separator is no footnote", got)

    with Folder({"a.docx": data}) as folder:
        env = {"XDG_STATE_HOME": os.path.join(folder.path, ".state")}
        with Stdio("docx", root=folder.path, env=env) as server:
            done = server.call("add_comment", {"file_path": "a.docx", "target_paragraph_id": "00000002", "author": "x", "text": "kept"})
            session = done["result"]["structuredContent"]["session_id"]
            server.process.kill()
        with Stdio("docx", root=folder.path, env=env) as server:
            rows = server.call("get_comments", {"session_id": session})["result"]["structuredContent"]["comments"]
            tap.same([r["text"] for r in rows], ["kept"], "another process has the comment of a killed one")
    mixed(tap)
    looks(tap)
    orphans(tap)
    tap.done()


def mixed(tap):
    """Comments and notes are added and deleted in one session with edits of their words, in any order."""
    with Folder({"a.docx": FILE}) as folder, Stdio("docx", root=folder.path) as server:
        for text in ("First remark here.", "Second remark here."):
            server.call("add_comment", {"file_path": "a.docx", "target_paragraph_id": "00000001", "author": "J", "text": text})
        for text in ("First note here.", "Second note here."):
            server.call("add_footnote", {"file_path": "a.docx", "target_paragraph_id": "00000002", "text": text})
        server.call("save", {"file_path": "a.docx", "save_to_local_path": "b.docx", "save_format": "clean"})
        base = folder.read("b.docx")

        def call(tool, **args):
            result = server.call(tool, {"file_path": "b.docx", **args})["result"]
            tap.ok("isError" not in result, f"{tool} is done", result)
            return result.get("structuredContent")

        def rows(scope):
            return {n["clean_text"].strip(): n["id"] for n in call("read_file", scope=scope, format="json")["nodes"]}

        call("smart_edit", target_paragraph_id=rows("comments")["First remark here."], old_string="First", new_string="Former")
        call("add_comment", target_paragraph_id="00000002", author="K", text="Third remark.")
        call("smart_edit", target_paragraph_id=rows("comments")["Second remark here."], old_string="here", new_string="there")
        call("add_comment", parent_comment_id=2, author="K", text="A reply.")
        tap.same([r["text"] for r in call("get_comments")["comments"]], ["Former remark here.", "Second remark there.", "Third remark.", "A reply."], "comments show edits and additions")
        call("delete_comment", comment_id=3)
        call("delete_comment", comment_id=1)
        call("smart_edit", target_paragraph_id=rows("footnotes")["Second note here."], old_string="Second", new_string="Other")
        call("add_footnote", target_paragraph_id="00000001", text="Third note.")
        call("update_footnote", note_id=1, text="All new.")
        call("update_footnote", note_id=3, text="Third note, again.")
        notes = [r["text"] for r in call("get_footnotes")["footnotes"]]
        tap.same(notes, ["Third note, again.", "All new.", "Other note here."], "so do footnotes")
        call("delete_footnote", note_id=2)
        call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx")
        clean, red = folder.read("clean.docx"), folder.read("red.docx")
        tap.same([w for w in words(part(clean, "word/comments.xml")) if w], ["Second remark there.", "A reply."], "the clean file has the comments that are left")
        tap.same([w.strip() for w in words(part(clean, "word/footnotes.xml")) if w], ["All new.", "Third note, again."], "and the notes")
        notes = part(red, "word/footnotes.xml")
        tap.ok("<w:delText" in notes and "Second note here" in notes.replace("</w:t>", ""), "the redline tracks the rewritten note and keeps the deleted one", notes)
        ids = re.findall(r'<w:footnote [^>]*w:id="(-?\d+)"', notes)
        tap.same(len(ids), len(set(ids)), "no id is there twice")
        for name in ("word/comments.xml", "word/footnotes.xml"):
            ElementTree.fromstring(part(clean, name))
            ElementTree.fromstring(part(red, name))
        status = call("get_session_status")
        call("undo", steps=status["edit_count"])
        call("save", save_to_local_path="back.docx", save_format="clean")
        tap.same(folder.read("back.docx"), base, "undo brings back every byte")


SMALL = '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="16"/><w:szCs w:val="16"/><w:u w:val="single"/></w:rPr>'
NORMAL = '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>'


def looks(tap):
    """A first note has the styles that Word would add, and the typeface of the words it is about. A later one looks like the existing notes."""
    files = {"a.docx": docx(para(1, f"<w:r>{SMALL}<w:t>Small print.</w:t></w:r>") + para(2, "<w:r><w:t>More.</w:t></w:r>"), NORMAL),
             "german.docx": docx(para(1, "<w:r><w:t>Klein.</w:t></w:r>"), NORMAL + '<w:style w:type="paragraph" w:styleId="Funotentext"><w:name w:val="footnote text"/></w:style>'
                                 '<w:style w:type="character" w:styleId="Funotenzeichen"><w:name w:val="Footnote Reference"/></w:style>')}
    with Folder(files) as folder, Stdio("docx", root=folder.path) as server:
        def call(tool, name="a.docx", **args):
            result = server.call(tool, {"file_path": name, **args})["result"]
            tap.ok("isError" not in result, f"{tool} is done", result)

        call("add_footnote", target_paragraph_id="00000001", after_text="Small", text="One.")
        call("save", save_to_local_path="b.docx", save_format="clean")
        data = folder.read("b.docx")
        styles = {e.get(W + "styleId"): e for e in ElementTree.fromstring(part(data, "word/styles.xml")).iter(W + "style")}
        tap.same(sorted(styles), ["FootnoteReference", "FootnoteText", "Standard"], "the styles of notes are made")
        tap.same(styles["FootnoteText"].find(W + "basedOn").get(W + "val"), "Standard", "... on the document's own")
        note = part(data, "word/footnotes.xml")
        tap.ok(re.search(r'<w:pStyle w:val="FootnoteText"/>.*<w:rStyle w:val="FootnoteReference"/>.*<w:footnoteRef/>', note), "a note has them", note)
        tap.ok(re.search(r'<w:rFonts w:ascii="Arial"[^>]*/><w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr><w:t [^>]*> One\.', note), "its words are as small as those it is about", note)
        tap.ok(re.search(r'<w:rStyle w:val="FootnoteReference"/><w:rFonts[^>]*/><w:sz w:val="16"/><w:szCs w:val="16"/><w:u w:val="none"/></w:rPr><w:footnoteReference', body(data)),
               "so is the reference, but not underlined", body(data))
        tap.ok("<w:rPr><w:rStyle" not in body(data).split("footnoteReference")[1], "the words behind it are not raised", body(data))
        call("undo")
        call("save", save_to_local_path="c.docx", save_format="clean")
        tap.same(folder.read("c.docx"), files["a.docx"], "undo takes the styles back too")
        call("add_footnote", "b.docx", target_paragraph_id="00000002", text="Two.")
        call("update_footnote", "b.docx", note_id=1, text="One again.")
        call("save", "b.docx", save_to_local_path="d.docx", save_format="clean")
        note = part(folder.read("d.docx"), "word/footnotes.xml")
        tap.same(len(re.findall(r'<w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr><w:t [^>]*> (?:One again|Two)\.', note)), 2, "a later note and new words look like the first")
        call("add_footnote", "german.docx", target_paragraph_id="00000001", text="Eins.")
        call("save", "german.docx", save_to_local_path="e.docx", save_format="clean")
        data = folder.read("e.docx")
        tap.ok("Funotentext" in part(data, "word/footnotes.xml") and "Funotenzeichen" in body(data), "styles are found by name", part(data, "word/footnotes.xml"))
        tap.same(part(data, "word/styles.xml"), part(files["german.docx"], "word/styles.xml"), "... and not made twice")


def orphans(tap):
    """A note is deleted with the paragraph that refers to it, because LibreOffice pairs references and notes by their order."""
    with Folder({"a.docx": FILE}) as folder, Stdio("docx", root=folder.path) as server:
        def call(tool, name="b.docx", **args):
            result = server.call(tool, {"file_path": name, **args})["result"]
            tap.ok("isError" not in result, f"{tool} is done", result)
            return result.get("structuredContent")

        def notes(name):
            return re.findall(r'<w:footnote w:id="(\d+)"', part(folder.read(name), "word/footnotes.xml"))

        for n in (1, 2, 3):
            call("add_footnote", "a.docx", target_paragraph_id=f"{n:08X}", text=f"Note {n}.")
        call("save", "a.docx", save_to_local_path="b.docx", save_format="clean")
        call("delete_paragraph", target_paragraph_id="00000002")
        call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx")
        tap.same(notes("clean.docx"), ["1", "3"], "the note of a deleted paragraph is gone")
        tap.same(notes("red.docx"), ["1", "2", "3"], "the redline has it, as it has the reference")
        call("accept_changes", "red.docx")
        call("save", "red.docx", save_to_local_path="accepted.docx", tracked_save_to_local_path="both.docx")
        tap.same([notes("accepted.docx"), notes("both.docx")], [["1", "3"]] * 2, "accepting the deletion removes it")
        call("undo", "red.docx")
        call("save", "red.docx", save_to_local_path="undone.docx", save_format="clean")
        tap.same(folder.read("undone.docx"), folder.read("red.docx"), "undo brings it back")
        call("undo")
        call("save", save_to_local_path="back.docx", save_format="clean")
        tap.same(folder.read("back.docx"), folder.read("b.docx"), "... in both")


main()
