#!/usr/bin/env python3
"""A person breaks a book by hand: the error says where and what mends it, each hint is followed and works, what parses
can be read, and no good edit is lost."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Stdio, Tap  # noqa: E402

BOOK = """<?xml version="1.0" encoding="UTF-8"?>
<book id="bbbbbb">
  <summary>A book</summary>
  <chapter id="cccccc" title="One">
    <summary>First</summary>
    <sequence id="ssssss" loc="Shop">
      <summary>At the shop</summary>
      <beat id="aaaaaa">
        <summary>A beat</summary>
        <paragraph id="pppppp">
          <summary>p</summary>
          The shop was called Salt and Iron.
        </paragraph>
        <paragraph id="qqqqqq">
          <summary>q</summary>
          Ada went in.
        </paragraph>
      </beat>
    </sequence>
  </chapter>
</book>
"""


def error_of(answer):
    return json.loads(answer["result"]["content"][0]["text"])


def good(answer):
    return "result" in answer and not answer["result"].get("isError")


def texts(answer):
    return [block["text"] for block in answer["result"]["content"]]


def call_in(hint, tool):
    """The call that a hint names, as an agent would read it."""
    found = re.search(tool + r" (\{.*?\})", hint)
    return json.loads(found.group(1)) if found else None


def hint_is_followed(tap):
    with Folder({"b.hnpx": BOOK}) as folder, Stdio("hnpx", root=folder.path) as quire:
        quire.call("edit_node_attributes", {"file_path": "b.hnpx", "node_id": "pppppp", "attributes": {"text": "The good edit."}})
        after_edit = folder.read("b.hnpx")
        folder.write("b.hnpx", after_edit.replace(b"<beat id", b"<beat oops id"))
        broken = folder.read("b.hnpx")
        for tool, more in (("get_node", {"node_id": "book"}), ("edit_node_attributes", {"node_id": "book", "attributes": {"summary": "x"}})):
            error = error_of(quire.call(tool, {"file_path": "b.hnpx", **more}))
            hint = error["details"]["hint"]
            undo = call_in(hint, "file_undo")
            tap.ok(error["code"] == "INVALID_XML" and undo and undo["commit"] > 0,
                   f"{tool}: the hint names the commit of the other program", error)
        tap.ok(error["details"]["line"] == 8 and "oops" in error["details"]["around"] and error["details"]["column"] > 0,
               "the error has the place and the words around it", error)
        history = quire.call("file_history", {"file_path": "b.hnpx"})["result"]["structuredContent"]["commits"]
        tap.ok(history[0]["commit"] == undo["commit"] and history[0]["is_outside"] and history[0]["can_undo"],
               "the history has that change, once", history)
        tap.same(len(history), 3, "the change is recorded once")
        quire.call("file_undo", {**undo, "dry_run": True})
        tap.same(folder.read("b.hnpx"), broken, "a dry run changes nothing")
        answer = quire.call("file_undo", undo)
        tap.ok(good(answer), "the call of the hint works", answer)
        tap.same(folder.read("b.hnpx"), after_edit, "the agent's edit survives, and the book parses")
        quire.call("file_undo", {"file_path": "b.hnpx", "redo": True})
        tap.same(folder.read("b.hnpx"), broken, "redo brings the other program's version back: nothing is lost")


def undo_alone(tap):
    """file_undo without a commit."""
    with Folder({"b.hnpx": BOOK, "n.hnpx": BOOK}) as folder, Stdio("hnpx", root=folder.path) as quire:
        quire.call("edit_node_attributes", {"file_path": "b.hnpx", "node_id": "pppppp", "attributes": {"text": "The good edit."}})
        after_edit = folder.read("b.hnpx")
        folder.write("b.hnpx", after_edit.replace(b"</sequence>", b""))
        answer = quire.call("file_undo", {"file_path": "b.hnpx", "dry_run": True})
        tap.ok(good(answer), "a dry run of file_undo", answer)
        answer = quire.call("file_undo", {"file_path": "b.hnpx"})
        tap.same(folder.read("b.hnpx"), after_edit, "file_undo undoes the change that broke the book first")
        quire.call("file_undo", {"file_path": "b.hnpx"})
        tap.same(folder.read("b.hnpx").decode(), BOOK, "and then the agent's edit")
        # Two bad saves, each seen by the server.
        quire.call("edit_node_attributes", {"file_path": "b.hnpx", "node_id": "pppppp", "attributes": {"text": "Another."}})
        after_edit = folder.read("b.hnpx")
        for bad in (b"<<<", b"<<<<"):
            folder.write("b.hnpx", after_edit.replace(b"</book>", bad + b"</bok>"))
            quire.call("get_next_empty_container", {"file_path": "b.hnpx"})
        for _ in range(2):
            hint = error_of(quire.call("get_next_empty_container", {"file_path": "b.hnpx"}))["details"]["hint"]
            quire.call("file_undo", call_in(hint, "file_undo"))
        tap.same(folder.read("b.hnpx"), after_edit, "two bad saves are undone one after the other")
        # A change by a person that broke nothing is kept, as before.
        folder.write("b.hnpx", after_edit.replace(b"Ada went in.", b"Ada went out."))
        quire.call("file_undo", {"file_path": "b.hnpx"})
        tap.ok(b"Ada went out." in folder.read("b.hnpx") and b"Another." not in folder.read("b.hnpx"),
               "file_undo keeps a person's change that the book survives")
        # No history: nothing to undo, so the hint does not promise it.
        folder.write("n.hnpx", "<book>")
        hint = error_of(quire.call("get_next_empty_container", {"file_path": "n.hnpx"}))["details"]["hint"]
        tap.ok("file_undo" not in hint and "text editor" in hint, "without a history the hint is another", hint)
    with Folder({"b.hnpx": BOOK}) as folder:
        with Stdio("hnpx", root=folder.path) as quire:
            quire.call("edit_node_attributes", {"file_path": "b.hnpx", "node_id": "pppppp", "attributes": {"text": "The good edit."}})
        after_edit = folder.read("b.hnpx")
        folder.write("b.hnpx", "<book>")
        with Stdio("hnpx", "--read-only", root=folder.path) as quire:
            hint = error_of(quire.call("get_next_empty_container", {"file_path": "b.hnpx"}))["details"]["hint"]
            tap.ok("file_undo" not in hint, "a read-only server names no call that it refuses", hint)
        ran = subprocess.run([QUIRE, "undo", "--root", folder.path, os.path.join(folder.path, "b.hnpx")],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        tap.ok(folder.read("b.hnpx") == after_edit, "quire undo does the same", ran.stdout)


def other_kinds(tap):
    with Folder({"n.md": "---\ntags: [a]\n---\nWords.\n"}) as folder, Stdio("notes", "--embed", "none",
                                                                            root=folder.path) as quire:
        answer = quire.call("update_node", {"id": "n.md", "content": "The good edit.\n"})
        after_edit = folder.read("n.md")
        tap.ok(good(answer) and b"good edit" in after_edit, "a note is edited", answer)
        folder.write("n.md", after_edit.replace(b"tags: [a]", b"tags: [a"))
        answer = quire.call("file_undo", {"file_path": "n.md"})
        tap.same(folder.read("n.md"), after_edit, "a note whose front matter broke is undone first, too")


def bare_characters(tap):
    slips = {"Salt & Iron": "Salt &amp; Iron", "I <3 you": "I &lt;3 you", "a < b && c > d": "a &lt; b &amp;&amp; c > d",
             "AT&T; R&D": "AT&amp;T; R&amp;D", "<grin> she said": "&lt;grin> she said", "x<y": "x&lt;y",
             "&nbsp;": "&amp;nbsp;", "&#0; &#xD800; &#12": "&amp;#0; &amp;#xD800; &amp;#12", "</sigh>": "&lt;/sigh>",
             "&amp; &#233; <!-- & < --> & <![CDATA[ & < ]]>": "&amp; &#233; <!-- & < --> &amp; <![CDATA[ & < ]]>"}
    with Folder() as folder, Stdio("hnpx", root=folder.path) as quire:
        for words, want in slips.items():
            folder.write("b.hnpx", BOOK.replace("Salt and Iron", words))
            error = error_of(quire.call("get_node", {"file_path": "b.hnpx", "node_id": "book"}))
            tap.ok(error["code"] == "INVALID_XML" and "repair_document" in error["details"]["hint"] and
                   error["details"]["line"] == 12 and error["details"]["around"],
                   f"{words}: the error names the tool that mends it", error)
            answer = quire.call("repair_document", {"file_path": "b.hnpx"})
            tap.ok(good(answer) and folder.read("b.hnpx").decode() == BOOK.replace("Salt and Iron", want),
                   f"{words}: repair_document escapes it and changes nothing else", answer)
            lines = {r["line"] for r in answer["result"]["structuredContent"]["repairs"]}
            tap.same(lines, {12}, f"{words}: and says where")
        folder.write("b.hnpx", BOOK.replace('title="One"', 'title="Salt & Iron <3"'))
        quire.call("repair_document", {"file_path": "b.hnpx"})
        tap.same(folder.read("b.hnpx").decode(), BOOK.replace('title="One"', 'title="Salt &amp; Iron &lt;3"'),
                 "bare characters in attributes are escaped")
        folder.write("b.hnpx", BOOK.replace("Salt and Iron", "<em>Salt & Iron</em>"))
        quire.call("repair_document", {"file_path": "b.hnpx"})
        tap.ok(b"*Salt &amp; Iron*" in folder.read("b.hnpx"), "a pasted element beside them is still unwrapped")
        folder.write("b.hnpx", BOOK.replace("</beat>", ""))
        before = folder.read("b.hnpx")
        error = error_of(quire.call("repair_document", {"file_path": "b.hnpx"}))
        tap.ok(error["code"] == "INVALID_XML" and folder.read("b.hnpx") == before, "other damage is refused", error)


DAMAGE = {
    "a bare &": ("Salt and Iron", "Salt & Iron", ["Salt &amp; Iron", "Ada went in"], []),
    "a missing end tag": ("</beat>", "", ["Salt and Iron", "Ada went in"], []),
    "a second end tag": ("</beat>", "</beat></beat>", ["Salt and Iron", "Ada went in"], []),
    "a torn start tag": ('<paragraph id="pppppp">', '<paragraph id="pppppp>', ["Ada went in"], ["Salt and Iron"]),
    "an attribute twice": ('<paragraph id="pppppp">', '<paragraph id="pppppp" id="x">', ["Ada went in"],
                           ["Salt and Iron"]),
    "a cut file": ("      </beat>\n    </sequence>\n  </chapter>\n</book>\n", "", ["Salt and Iron", "Ada went in"], []),
    "a DOCTYPE": ("<book ", "<!DOCTYPE book [<!ENTITY a 'b'>]>\n<book ", ["Salt and Iron", "Ada went in"], []),
    "words after the end": ("</book>", "</book>\nThe end.", ["Salt and Iron", "Ada went in"], ["The end."]),
    "a bad comment": ("Ada went", "<!-- a -- b -->Ada went", ["Salt and Iron", "Ada went in"], []),
    "a control character": ("Ada went", "Ada\x0b went", ["Salt and Iron", "Ada went in"], []),
    "bytes that are not UTF-8": ("Ada went", b"Ad\xe9 went", ["Salt and Iron", "Ad\ufffd went in"], []),
    "a misplaced element": ("Ada went in.\n        </paragraph>", "Ada went in.\n        </paragraph><chapter/>",
                            ["Salt and Iron", "Ada went in"], []),
}


def the_rest_is_read(tap):
    with Folder() as folder, Stdio("hnpx", root=folder.path) as quire:
        for claim, (old, new, kept, gone) in DAMAGE.items():
            new = new if isinstance(new, bytes) else new.encode()
            folder.write("b.hnpx", BOOK.encode().replace(old.encode(), new))
            before = folder.read("b.hnpx")
            for tool, more in (("get_subtree", {"node_id": "book"}), ("render_node", {"node_id": "book"}),
                               ("render_document", {})):
                answer = quire.call(tool, {"file_path": "b.hnpx", "broken": "skip", **more})
                blocks = texts(answer)
                plain = blocks[-1].replace("&lt;", "<")
                want = [w if tool == "get_subtree" else w.replace("&amp;", "&") for w in kept]
                tap.ok(good(answer) and len(blocks) == 2 and "line" in blocks[0] and "broken" in blocks[0] and
                       all(w in plain for w in want) and not any(w in plain for w in gone),
                       f"{claim}: {tool} says what is missing and shows the rest", answer)
                if claim != "a misplaced element":
                    error = error_of(quire.call(tool, {"file_path": "b.hnpx", **more}))
                    tap.ok(error["code"] == "INVALID_XML" and 'broken "skip"' in error["details"]["hint"],
                           f"{claim}: {tool} refuses without it", error)
            answer = quire.call("search", {"file_path": "b.hnpx", "query": "went in", "broken": "skip"})
            result = answer["result"].get("structuredContent", {})
            tap.ok(result.get("total") == 1 and len(result["missing"]) > 1 and list(result)[0] == "missing",
                   f"{claim}: search, too", answer)
            tap.same(folder.read("b.hnpx"), before, f"{claim}: reading changes nothing")
        folder.write("b.hnpx", BOOK)
        answer = quire.call("render_document", {"file_path": "b.hnpx", "broken": "skip"})
        tap.same(len(texts(answer)), 1, "a whole book has no notice")
        answer = quire.call("search", {"file_path": "b.hnpx", "query": "went in", "broken": "skip"})
        tap.ok("missing" not in answer["result"]["structuredContent"], "and search names nothing missing", answer)
        for bad in ("keep", 3, None, ["skip"]):
            answer = quire.call("render_document", {"file_path": "b.hnpx", "broken": bad})
            tap.ok(good(answer) if bad is None else error_of(answer)["code"] == "INVALID_ATTRIBUTE",
                   f"broken: {bad!r} is {'absent' if bad is None else 'refused'}", answer)
        for claim, content in (("no book", "<story>&</story>"), ("nothing", ""), ("another format", b"PK\x03\x04\xff<")):
            folder.write("b.hnpx", content)
            error = error_of(quire.call("render_document", {"file_path": "b.hnpx", "broken": "skip"}))
            tap.ok(error["code"] in ("INVALID_XML", "NOT_HNPX"), f"{claim}: there is nothing to read", error)


def main():
    tap = Tap()
    hint_is_followed(tap)
    undo_alone(tap)
    other_kinds(tap)
    bare_characters(tap)
    the_rest_is_read(tap)
    tap.done()


main()
