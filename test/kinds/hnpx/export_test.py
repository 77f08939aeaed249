#!/usr/bin/env python3
"""Books for readers: the EPUB of the example is read by Python's own zip reader and passes epubcheck without a message."""
import os
import shutil
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

CHECKER = "/usr/share/java/epubcheck.jar"
ODD = """<book id="bbbbbb"><summary>s</summary><chapter id="cccccc" title="A &lt; B &amp; &quot;C&quot;"><summary>s</summary>
<sequence id="ssssss" loc="l"><summary>s</summary><beat id="eeeeee"><summary>s</summary>
<paragraph id="pppppp" mode="dialogue" char="x"><summary>s</summary>one
two &lt;3 &amp; *stars* # no heading</paragraph></beat></sequence></chapter></book>"""


# No chapter; chapters without words, with a long title, with a title of several lines; every script; special characters of XML and CSS.
NONE = '<book id="bbbbbb"><summary>s</summary></book>'
WIDE = (NONE[:-7] + '<chapter id="c00001" title="' + "Long 长 " * 500 + '"><summary>s</summary></chapter>'
        '<chapter id="c00002" title="one&#10;two ]]&gt;"><summary>s</summary><sequence id="s00001" loc="l"><summary>s</summary>'
        '<beat id="e00001"><summary>s</summary>' + "".join(
            f'<paragraph id="p{i:05d}" mode="{mode}" char="x"><summary>s</summary>{words}</paragraph>'
            for i, (mode, words) in enumerate([
                ("dialogue", "שלום, עולם"), ("internal", "\u3000为什么"), ("narration", "👩‍🚀 e\u0301 \u200b"), ("narration", "a ]]&gt; b --&gt; &lt;p&gt;"),
                ("dialogue", "one\n\n\ntwo\nthree"), ("narration", "x\u2028y &#13; z"), ("narration", "")])) +
        "</beat></sequence></chapter></book>")


# One grey pixel.
PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000"
                        "000a49444154789c636800000082008177cd72b60000000049454e44ae426082")


def checked(path):
    done = subprocess.run(["java", "-jar", CHECKER, "-w", path], capture_output=True, text=True)
    return done.returncode == 0 and "No errors or warnings" in done.stdout, done.stdout + done.stderr


def main():
    tap = Tap()
    with open(os.path.join(TOP, "examples/lighthouse.hnpx"), encoding="utf-8") as f:
        example = f.read()
    with Folder({"book.hnpx": example, "odd.hnpx": ODD, "none.hnpx": NONE, "wide.hnpx": WIDE, "cover.png": PICTURE}) as folder, Stdio("hnpx", root=folder.path) as server:
        def export(source, target, **more):
            answer = server.call("export_document", {"file_path": source, "output_path": target, **more})["result"]
            return answer.get("structuredContent")

        made = export("book.hnpx", "book.epub", title="The Hour", author="Nobody", language="en")
        tap.ok(made and made["size"] == len(folder.read("book.epub")), "the answer tells the size", made)
        with zipfile.ZipFile(os.path.join(folder.path, "book.epub")) as z:
            tap.same(z.testzip(), None, "every entry has its checksum")
            first = z.infolist()[0]
            tap.same((first.filename, first.compress_type, first.extra), ("mimetype", zipfile.ZIP_STORED, b""),
                     "mimetype stands first, stored, without extra fields")
            pages = [n for n in z.namelist() if "chapter-" in n]
            tap.same(len(pages), 2, "one page a chapter")
            for name in z.namelist():
                if name.endswith((".xhtml", ".opf", ".xml")):
                    ElementTree.fromstring(z.read(name))
            words = z.read(pages[0]).decode()
            tap.ok("“It doesn’t go out till the thirtieth.”" in words, "dialogue has quotation marks", words[:2000])
            tap.ok("<hr/>" in words, "a break stands between sequences")
        export("odd.hnpx", "odd.epub")
        export("odd.hnpx", "odd.md")
        with zipfile.ZipFile(os.path.join(folder.path, "odd.epub")) as z:
            page = z.read("OEBPS/chapter-1.xhtml").decode()
            tap.ok("one<br/>\ntwo &lt;3 &amp; <em>stars</em> # no heading" in page, "lines and special characters keep their meaning", page)
        tap.ok("two \\<3 & *stars* # no heading" in folder.read("odd.md").decode(), "Markdown is escaped",
               folder.read("odd.md").decode())
        export("none.hnpx", "none.epub", title=" ", author=" ")
        export("wide.hnpx", "wide.epub", title='<A> & "B"\nC', author="D & E", language="he")
        with zipfile.ZipFile(os.path.join(folder.path, "wide.epub")) as z:
            page = z.read("OEBPS/chapter-1.xhtml").decode()
            tap.ok("<p>”one</p>\n<p>”two<br/>\nthree”</p>" in page, "an empty line parts paragraphs, each opens, the last one closes", page)
            tap.ok(' lang="he" dir="rtl"' in page and 'page-progression-direction="rtl"' in z.read("OEBPS/content.opf").decode(),
                   "what is read from the right is laid out so", page[:300])
        export("book.hnpx", "book.docx", title="The <Hour>", author="Nobody & Co")
        with zipfile.ZipFile(os.path.join(folder.path, "book.docx")) as z:
            for name in z.namelist():
                ElementTree.fromstring(z.read(name))
            w = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
            paragraphs = list(ElementTree.fromstring(z.read("word/document.xml")).iter(w + "p"))
            styles = [p.find(f"{w}pPr/{w}pStyle").get(w + "val") for p in paragraphs]
            tap.same((styles[0], styles.count("Heading1"), styles.count("SceneBreak")), ("Title", 2, 2),
                     "a Word manuscript has a title, its chapters and scene breaks")
            tap.ok(any(p.find(f".//{w}i") is not None for p in paragraphs), "thoughts are in italics")
        export("book.hnpx", "cover.epub", cover="cover.png")
        export("book.hnpx", "cover.html", cover="cover.png")
        tap.ok("data:image/png;base64," in folder.read("cover.html").decode(), "a page carries its cover in itself")
        export("book.hnpx", "cover.docx", cover="cover.png")
        with zipfile.ZipFile(os.path.join(folder.path, "cover.docx")) as z:
            tap.same(z.read("word/media/cover.png"), PICTURE, "a Word manuscript holds its cover")
            page = next(ElementTree.fromstring(z.read("word/document.xml")).iter(w + "p"))
            sides = {(e.get("cx"), e.get("cy")) for e in page.iter() if e.get("cx")}
            tap.same((sides, page.find(f"{w}pPr/{w}sectPr") is not None), ({("5943600", "5943600")}, True),
                     "on a page of its own, in its own proportions")
        for name in ["cover.epub", "book.epub", "odd.epub", "none.epub", "wide.epub"]:
            claim = f"epubcheck has nothing to say about {name}"
            if not shutil.which("java") or not os.path.exists(CHECKER):
                tap.skip(claim, "epubcheck is not installed")
                continue
            good, said = checked(os.path.join(folder.path, name))
            tap.ok(good, claim, said)
    tap.done()


main()
