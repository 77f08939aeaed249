#!/usr/bin/env python3
"""A manuscript in Markdown becomes a book and Markdown again: the same words, with the same emphasis, however often."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

# Typed in a manuscript, and what the export has. None: the same.
LINES = {
    "Plain words, *italics*, **bold**, ***both***.": None,
    "_Italics_ of the _other_ sort.": "*Italics* of the *other* sort.",
    "2*3*4 is 24, and a\\*b stays.": "2\\*3\\*4 is 24, and a\\*b stays.",
    "He was 6'2\" tall.": None,
    "A path: C:\\temp\\new, one \\\\ and \\_this\\_.": "A path: C:\\temp\\new, one \\ and \\_this\\_.",
    "*Is he* lying? *Yes.*": None,
    "*Is he* lying*? ...*": "*Is he* lying\\*? ...\\*",
    "\\# no heading, \\[no link\\] &amp; &mdash; <em>Help</em>me": "\\# no heading, \\[no link\\] & — *Help*me",
    "one\\\ntwo\\\nthree": None,
    "snake_case_name and un*frigging*believable": None,
    "1986\\. A year.": None,
    "A star \\* alone, an under_score.": None,
}


def main():
    tap = Tap()
    with Folder() as folder, Stdio("hnpx", root=folder.path) as quire:
        def through(markdown):
            for name in ("b.hnpx", "b.bible.md", "out.md"):
                if os.path.exists(os.path.join(folder.path, name)):
                    os.remove(os.path.join(folder.path, name))
            folder.write("in.md", markdown)
            for tool, args in (("create_document", {"source_path": "in.md"}),
                               ("export_document", {"output_path": "out.md", "title": "T"})):
                answer = quire.call(tool, {"file_path": "b.hnpx", **args})
                assert not answer["result"].get("isError"), answer
            return folder.read("out.md").decode()

        for typed, want in LINES.items():
            whole = "# T\n\n## C \\*x\\*\n\n%s\n"
            once = through(whole % typed)
            tap.same(once.replace("’", "'"), whole % (want or typed), f"{typed!r} is exported as it reads")
            tap.same(through(once), once, f"{typed!r}: again, the same bytes")
        folder.write("in.txt", "2*3*4 and 6'2\" and _this_ and C:\\\\x.\n")
        os.remove(os.path.join(folder.path, "b.hnpx"))
        quire.call("create_document", {"file_path": "b.hnpx", "source_path": "in.txt"})
        text = quire.call("render_document", {"file_path": "b.hnpx"})["result"]["content"][0]["text"]
        tap.same(text, "2*3*4 and 6'2\" and _this_ and C:\\\\x.", "plain text stays as typed")

        made = json.loads(quire.call("create_nodes", {"file_path": "b.hnpx", "parent_id": "book", "children": [
            {"title": "Speech", "summary": "s", "children": [{"location": "l", "summary": "s", "children": [
                {"summary": "s", "children": [
                    {"text": words, "summary": "s", "mode": mode, "char": "ada"} for mode, words in (
                        ("dialogue", "My mother always said \"never trust a man with clean boots\", and look."),
                        ("dialogue", "Ada turned. \"Leave it,\" she said."), ("dialogue", "\"Help\" was all."),
                        ("internal", "_Why?_"), ("internal", "*a* or *b*"))]}]}]}]})["result"]["content"][0]["text"])
        tap.ok(made, "a chapter of speech is made", made)
        text = quire.call("render_document", {"file_path": "b.hnpx"})["result"]["content"][0]["text"].split("\n\n")[1:]
        tap.same(text, ["ada: \"My mother always said 'never trust a man with clean boots', and look.\"",
                        "ada: Ada turned. \"Leave it,\" she said.", "ada: \"Help\" was all.", "_Why?_", "**a* or *b**"],
                 "rendered speech has marks of its own, or the author's")
        quire.call("export_document", {"file_path": "b.hnpx", "output_path": "s.html"})
        tap.ok("“My mother always said ‘never trust a man with clean boots’, and look.”" in folder.read("s.html").decode(),
               "exported speech, too", folder.read("s.html").decode()[-900:])
    tap.done()


main()
