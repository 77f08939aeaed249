#!/usr/bin/env python3
"""Rejecting a redline gives the original, and accepting it gives the clean document. Compares the structure: looks of characters and
of paragraph marks, numbering, sections, bookmarks, and other authors' tracked changes. Read by test/support/structure.py."""
import glob
import os
import random
import re
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import structure  # noqa: E402
from docx import docx, part  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
ME = "Lawyer & <Sons>"
SEEDS = int(os.environ.get("QUIRE_SEEDS", "1"))
OTHER = 'w:author="A" w:date="2026-01-01T00:00:00Z"'


def run(text, look=""):
    return f'<w:r>{look and f"<w:rPr>{look}</w:rPr>"}<w:t xml:space="preserve">{text}</w:t></w:r>'


def para(i, *inside, ppr=""):
    return f'<w:p w14:paraId="{i:08X}">{ppr and f"<w:pPr>{ppr}</w:pPr>"}{"".join(inside)}</w:p>'


LIST = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'.format
NUMBERING = '<w:abstractNum w:abstractNumId="0">' + "".join(
    f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{t}"/></w:lvl>' for i, t in enumerate(("%1.", "%1.%2", "%1.%2.%3"))
) + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
FIELD = "".join(f"<w:r>{x}</w:r>" for x in ('<w:fldChar w:fldCharType="begin"/>', "<w:instrText> REF _Ref1 \\r </w:instrText>", '<w:fldChar w:fldCharType="separate"/>',
                                            "<w:t>1.1</w:t>", '<w:fldChar w:fldCharType="end"/>'))
SECTION = '<w:sectPr><w:pgSz w:w="{}" w:h="10000"/></w:sectPr>'.format
OWN = docx(
    para(1, run("Title of it all"), ppr='<w:jc w:val="center"/><w:rPr><w:b/><w:sz w:val="36"/></w:rPr>') +
    para(2, run("First clause of the list.", "<w:b/>"), run(" It goes on."), ppr=LIST(0) + '<w:rPr><w:b/><w:color w:val="FF0000"/></w:rPr>') +
    para(3, '<w:bookmarkStart w:id="5" w:name="_Ref1"/>', run("Second goes "), f'<w:del w:id="9" {OTHER}><w:r><w:delText>old </w:delText></w:r></w:del>',
         run("away now."), '<w:bookmarkEnd w:id="5"/>', ppr=LIST(1) + "<w:rPr><w:i/></w:rPr>") +
    para(4, run("Third clause stays here."), ppr=LIST(1) + '<w:rPr><w:u w:val="single"/></w:rPr>') +
    para(5, f'<w:ins w:id="10" {OTHER}>', run("Added by others."), "</w:ins>", run(" And more."), ppr='<w:spacing w:after="99"/>') +
    para(6, run("Before the end of a section."), ppr='<w:keepNext/><w:rPr><w:b/></w:rPr>') +
    para(7, run("It ends a section."), ppr='<w:rPr><w:i/></w:rPr>' + SECTION(15000)) +
    para(8, run("Behind the section, see "), FIELD, run(" for more.")) +
    "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>" + "".join(
        f"<w:tr><w:tc><w:tcPr/>{para(16 + i, run(f'Row {i} says'), ppr='<w:rPr><w:b/></w:rPr>')}</w:tc><w:tc><w:tcPr/>{para(32 + i, ppr='<w:jc w:val=' + chr(34) + 'right' + chr(34) + '/>')}</w:tc></w:tr>"
        for i in range(2)) + "</w:tbl>" +
    para(9, run("one two "), run("three four ", "<w:i/>"), run("five six."), ppr="<w:rPr><w:i/></w:rPr>") + para(10, run("The last one."), ppr='<w:rPr><w:sz w:val="40"/></w:rPr>'),
    numbering=NUMBERING)


def mixed_runs(xml):
    """Runs with text and a field's mark. LibreOffice then lays out later paragraphs of the list differently."""
    runs = [[child.tag for child in r] for r in ElementTree.fromstring(xml).iter(structure.W + "r")]
    return sum(structure.W + "fldChar" in tags and structure.W + "t" in tags for tags in runs)


class Work:
    """A document in a folder of its own, with the server on it."""

    def __init__(self, data):
        self.data, self.folder = data, Folder({"in.docx": data})
        self.server = Stdio("docx", root=self.folder.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.__exit__(None, None, None)
        self.folder.__exit__(None, None, None)

    def call(self, tool, **args):
        result = self.server.call(tool, {"file_path": "in.docx", **args})["result"]
        return None if result.get("isError") else result["structuredContent"]

    def nodes(self):
        out, at = [], 1
        while at:
            page = self.call("read_file", format="json", offset=at, limit=400)
            out += page["nodes"] if page else []
            at = page.get("next_offset") if page and page["has_more"] else None
        return out

    def check(self, name):
        self.call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx", tracked_changes_author=ME, allow_overwrite=True)
        was, clean, red = (part(d) for d in (self.data, self.folder.read("clean.docx"), self.folder.read("red.docx")))
        found = {"rejected": structure.difference(structure.body(red, "reject", ME), structure.body(was))}
        want = structure.body(clean, "accept")
        if want[0][0] == "p":  # every document has a paragraph
            found["accepted"] = structure.difference(structure.body(red, "accept"), want)
        ids = re.findall(r'<w:(?:ins|del|moveFrom|moveTo|rPrChange|pPrChange) [^>]*?w:id="(-?\d+)"', red)
        known = re.findall(r'<w:(?:ins|del|moveFrom|moveTo|rPrChange|pPrChange) [^>]*?w:id="(-?\d+)"', was)
        found["ids"] = [i for i in set(ids) if ids.count(i) > max(1, known.count(i))]
        found["fields"] = mixed_runs(red) > mixed_runs(was) and "a field's mark shares a run with text"
        self.server.call("accept_changes", {"file_path": "red.docx"})
        self.server.call("save", {"file_path": "red.docx", "save_to_local_path": "accepted.docx", "save_format": "clean", "allow_overwrite": True})
        if want[0][0] == "p":
            found["accept_changes"] = structure.difference(structure.body(part(self.folder.read("accepted.docx"))), want)
        self.server.call("clear_session", {"file_path": "red.docx"})
        tap.same({k: f for k, f in found.items() if f}, {}, name)
        return red


def of(number):
    return {"target_paragraph_id": f"{number:08X}"}


EDITS = {
    "a paragraph with a bookmark and another's deletion goes": [("delete_paragraph", of(3))],
    "two neighbours go, and the marks of both": [("delete_paragraph", of(3)), ("delete_paragraph", of(4))],
    "the paragraph that ends a section goes": [("delete_paragraph", of(7))],
    "so does the one before it": [("delete_paragraph", of(7)), ("delete_paragraph", of(6))],
    "and those around it": [("delete_paragraph", of(8)), ("delete_paragraph", of(7)), ("smart_edit", {**of(6), "old_string": "Before", "new_string": "At"})],
    "a new one stands before it": [("smart_insert", {"positional_anchor_node_id": "00000006", "new_string": "New."}), ("delete_paragraph", of(7))],
    "the last paragraph goes": [("delete_paragraph", of(10))],
    "another takes its place": [("smart_insert", {"positional_anchor_node_id": "0000000A", "new_string": "Newest.", "style_source_id": "00000002"}), ("delete_paragraph", of(10))],
    "a clause between two others": [("smart_insert", {"positional_anchor_node_id": "00000003", "new_string": "<b>New</b> clause."})],
    "a clause in another style": [("smart_insert", {"positional_anchor_node_id": "00000004", "new_string": "New.\n\nNewer.", "style_source_id": "00000001"})],
    "numbers changed": [("format_numbering", {"paragraph_ids": ["00000004"], "level": 2}), ("format_numbering", {"paragraph_ids": ["00000002"], "remove": True})],
    "a number, and the words": [("format_numbering", {"paragraph_ids": ["00000003"], "restart_at": 4}), ("smart_edit", {**of(3), "old_string": "goes", "new_string": "comes"})],
    "words beside a field": [("smart_edit", {**of(8), "old_string": "Behind", "new_string": "After"})],
    "looks cleared and spacing": [("clear_formatting", {"paragraph_ids": ["00000009"]}), ("format_layout", {"paragraph_spacing": {"paragraph_ids": ["00000002"], "before_twips": 7}})],
    "a cell filled, and a second paragraph in it": [("smart_edit", {**of(32), "old_string": "", "new_string": "Filled"}),
                                                    ("smart_insert", {"positional_anchor_node_id": "00000010", "new_string": "Below."})],
}
for claim, edits in EDITS.items():
    with Work(OWN) as work:
        done = [work.call(tool, **args) for tool, args in edits]
        tap.ok(all(done), f"{claim}: done", [e for e, d in zip(edits, done) if not d])
        work.check(claim)
with Work(OWN) as work:
    work.call("delete_paragraph", **of(3))
    red = work.check("a reference to what was deleted")
    tap.same([red.count('w:name="_Ref1"'), red.count(">old <")], [1, 1], "the bookmark stands once, and what another deleted is still his")


def wander(name, data, seed):
    """Random edits near one place, then the comparison."""
    rng = random.Random(seed)
    with Work(data) as work:
        nodes = work.nodes()
        start = rng.randrange(max(1, len(nodes) - 40))
        ids = [n["id"] for n in nodes[start:start + 40]]
        for _ in range(20 if ids else 0):
            at = rng.choice(ids)
            shown = (work.call("read_file", format="json", node_ids=[at]) or {"nodes": []})["nodes"]
            if not shown:
                continue
            words = shown[0]["clean_text"].split(" ")
            old = " ".join(words[(one := rng.randrange(len(words))):one + rng.randint(1, 4)])
            new = rng.choice(["Nevada", "", old + " promptly", "<b>bold</b> words", "a\ttab", "x\ny", "“New Term” means all", " ".join(reversed(old.split(" ")))])
            tool, args = rng.choice([("smart_edit", {"target_paragraph_id": at, "old_string": old, "new_string": new, "occurrence": 1})] * 6 + [
                ("smart_insert", {"positional_anchor_node_id": at, "position": rng.choice(["BEFORE", "AFTER"]), "style_source_id": rng.choice(ids + [at] * 40),
                                  "new_string": rng.choice(["A new clause.", "<header>Costs</header> Each pays.\n\nAnd another."])})] * 2 + [
                ("delete_paragraph", {"target_paragraph_id": at})] * 2 + [
                ("format_layout", {"paragraph_spacing": {"paragraph_ids": [at], "before_twips": rng.randrange(400)}}),
                ("clear_formatting", {"paragraph_ids": [at], "properties": ["bold", "size"]}),
                ("format_numbering", {"paragraph_ids": [at], **rng.choice([{"level": 1}, {"restart_at": 3}, {"remove": True}, {"like": rng.choice(ids)}])}),
                ("add_footnote", {"target_paragraph_id": at, "text": "A note.", "after_text": words[0]})])
            done = work.call(tool, **args)
            ids += (done or {}).get("new_paragraph_ids", [])
        if ids:
            work.check(f"{name}, seed {seed}")


for seed in range(4 * SEEDS):
    wander("own document", OWN, seed)
# In these, tracked changes of others break rules of the format: two records of one look, a deleted mark at the end of a cell.
files = [f for f in sorted(glob.glob(os.path.join(DATA, "docx/*.docx"))) if not re.search("malformed|redline|inline-zoo", f)]
for number, path in enumerate(files):
    with open(path, "rb") as f:
        data = f.read()
    for seed in range(SEEDS):
        wander(os.path.basename(path), data, 100 * seed + number)
tap.done()
