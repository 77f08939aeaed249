#!/usr/bin/env python3
"""Random calls of every tool that edits, on documents of our own and of the collection. One of ours has the same content under other
part names and prefixes. After each call: a refused call and a dry run change nothing, undo and redo give the right state, and the saved
document follows the rules of the format and has the same bytes of every paragraph that was not edited. At the end another process
continues the session from its draft, accepting and rejecting the redline give the two texts, and undoing all edits restores the file."""
import glob
import hashlib
import io
import os
import random
import re
import sys
import zipfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import W, docx  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

N = "{" + W + "}"
ID = "{http://schemas.microsoft.com/office/word/2010/wordml}paraId"
STEPS = int(os.environ.get("QUIRE_STEPS", "150"))
tap = Tap()


def para(i, *inner, properties=""):
    return f'<w:p w14:paraId="{i:08X}">{properties}{"".join(inner)}</w:p>'


def run(text, look=""):
    return f'<w:r>{look and f"<w:rPr>{look}</w:rPr>"}<w:t xml:space="preserve">{text}</w:t></w:r>'


def field(code, result):
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    return mark("begin") + f"<w:r><w:instrText> {code} </w:instrText></w:r>" + mark("separate") + run(result) + mark("end")


LIST = '<w:pPr><w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr></w:pPr>'.format
NUMBERING = '<w:abstractNum w:abstractNumId="0">' + "".join(
    f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{f}"/><w:lvlText w:val="{t}"/></w:lvl>'
    for i, (f, t) in enumerate((("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")))
) + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
BODY = (para(1, run("Notices.", "<w:b/>"), run(" All notices under Section "), field("REF a", "1.1"), run(" are in writing."), properties=LIST(0)) +
        para(2, '<w:bookmarkStart w:id="1" w:name="a"/>', run("“Affiliate”", "<w:b/>"), run(" means any person that controls another."),
             '<w:bookmarkEnd w:id="1"/>', properties=LIST(1)) +
        para(3, run("See "), '<w:hyperlink w:anchor="a">', run("our own site"), "</w:hyperlink>", run(" and more words of this sort."), properties=LIST(1)) +
        para(4, "<w:sdt><w:sdtContent>", run("A form field here"), "</w:sdtContent></w:sdt>", run(" with text behind it.", "<w:i/>"), properties=LIST(2)) +
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>" + "".join(
            f"<w:tr><w:tc><w:tcPr/>{para(10 + 2 * i, run(f'Name of row {i} here'))}</w:tc><w:tc><w:tcPr/>{para(11 + 2 * i)}</w:tc></w:tr>" for i in range(3)) +
        "</w:tbl>" + para(20, run("End of the first section."), properties="<w:pPr><w:sectPr/></w:pPr>") +
        para(21, run("one two "), run("three four ", '<w:highlight w:val="yellow"/>'), run("five six seven.")) +
        "".join(para(30 + i, run(f"Clause {i} lasts thirty (30) days after written notice.")) for i in range(12)))


def odd(data):
    """The same document with other part names and other prefixes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as z, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as to:
        for name in z.namelist():
            text = z.read(name).decode()
            if name.startswith("word/") and not name.endswith(".rels"):
                text = re.sub(r"(</?|[ ])w(14)?:", lambda m: f"{m[1]}q{m[2] or ''}:", text)
                text = text.replace("xmlns:w=", "xmlns:q=").replace("xmlns:w14=", "xmlns:q14=")
            text = text.replace("word/document.xml", "Odd/The-Main.part").replace("word/numbering.xml", "Odd/lists.bin").replace('"numbering.xml', '"lists.bin')
            text = text.replace('"styles.xml', '"/word/styles.xml')
            to.writestr({"word/document.xml": "Odd/The-Main.part", "word/_rels/document.xml.rels": "Odd/_rels/The-Main.part.rels",
                         "word/numbering.xml": "Odd/lists.bin"}.get(name, name), text)
    return out.getvalue()


def main_part(z):
    rels = ElementTree.fromstring(z.read("_rels/.rels"))
    return next(r.get("Target") for r in rels if r.get("Type").endswith("/officeDocument")).lstrip("/")


class Saved:
    """A saved file: its entries, its main part, and its checks."""

    def __init__(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            self.entries = {n: z.read(n) for n in z.namelist()}
            self.main = main_part(z)
        self.tree = ElementTree.fromstring(self.entries[self.main])
        whole = re.finditer(rb'<(\w+):p (?:[^>]*? )?\w+:paraId="([0-9A-F]+)"[^>]*?(?:/>|>.*?</\1:p>)', self.entries[self.main], re.S)
        self.bytes = {"jr_para_" + hashlib.sha1(b"intrinsic:w14:" + m[2].lower()).hexdigest()[:12]: m[0] for m in whole}

    def all(self, *names):
        return [n for name in names for n in self.tree.iter(N + name)]

    def faults(self, before):
        body = self.tree.find(N + "body")
        out = []
        for names, key in ((("bookmarkStart",), N + "id"), (("commentRangeStart",), N + "id"), (("p",), ID), (("ins", "del", "rPrChange", "pPrChange"), N + "id")):
            ids = [n.get(key) for n in self.all(*names) if n.get(key)]
            known = [n.get(key) for n in before.all(*names) if n.get(key)]
            out += [f"{i} of {names} is there twice" for i in set(ids) if ids.count(i) > max(1, known.count(i))]
        marks = [sum(n.get(N + "fldCharType") == t for n in self.all("fldChar")) for t in ("begin", "end")]
        was = [sum(n.get(N + "fldCharType") == t for n in before.all("fldChar")) for t in ("begin", "end")]
        out += [f"fields: {marks}, before {was}"] if marks[0] - marks[1] != was[0] - was[1] else []
        out += [f"{a} and {b} are no pairs" for a, b in (("bookmarkStart", "bookmarkEnd"), ("commentRangeStart", "commentRangeEnd"))
                if len(self.all(a)) - len(self.all(b)) != len(before.all(a)) - len(before.all(b))]
        ends = [t for t in self.all("tc") if t[-1].tag != N + "p"]
        out += ["a cell ends in no paragraph"] if len(ends) > len([t for t in before.all("tc") if t[-1].tag != N + "p"]) else []
        if before.tree.find(N + "body")[-1].tag == N + "sectPr" and body[-1].tag != N + "sectPr":
            out.append("the section is not the last of the body")
        empty = lambda of: sum(not [c for c in r if c.tag != N + "rPr"] for r in of.all("r"))
        out += ["a run without content"] if empty(self) > empty(before) else []
        return out


def without_styles(nodes):
    """Removes the numbers of styles that edits added: each process numbers them differently."""
    return [{k: v for k, v in n.items() if k != "style"} for n in nodes]


def text_of(tree, how):
    """Each paragraph's text with all changes accepted or rejected. Neighbours whose mark is removed are joined."""
    gone = {"accept": {N + "del", N + "moveFrom"}, "reject": {N + "ins", N + "moveTo"}}[how]

    def walk(node):
        if node.tag in gone or node.tag in (N + "pPr", N + "rPr"):
            return ""
        here = node.text or "" if node.tag in (N + "t", N + "delText") else "\t" if node.tag == N + "tab" else ""
        return here + "".join(map(walk, node))
    return "".join(walk(p) for p in tree.iter(N + "p"))


class Round:
    def __init__(self, name, data, steps, seed, is_own=False):
        self.name, self.data, self.steps, self.rng, self.is_own = name, data, steps, random.Random(seed), is_own
        self.before, self.faults, self.done, self.touched = Saved(data), [], {}, set()

    def call(self, tool, **args):
        result = self.server.call(tool, {"session_id": self.session, **args})["result"]
        return None if result.get("isError") else result["structuredContent"]

    def state(self):
        nodes, at = [], 1
        while at:
            page = self.call("read_file", format="json", offset=at, limit=500, scope="all")
            nodes += page["nodes"]
            at = page.get("next_offset") if page["has_more"] else None
        return nodes

    def some_call(self, nodes):
        rng = self.rng
        node = rng.choice(nodes)
        words = node["clean_text"].split(" ")
        at, one = {"target_paragraph_id": node["id"]}, rng.randrange(len(words))
        old = " ".join(words[one:one + rng.randint(1, 3)])
        new = rng.choice(["Nevada", "forty-five (45) days", "", old + " promptly", "<b>bold</b> words", "a\ttab", "“New Term” means all", "<i>x</i> & <y>"])
        edit = {**at, "old_string": old, "new_string": new}
        insert = {"positional_anchor_node_id": node["id"], "position": rng.choice(["BEFORE", "AFTER"]),
                  "new_string": rng.choice(["A new clause.", "<header>Costs</header> Each pays its own.\n\nAnd another."])}
        comments = (self.call("get_comments") or {}).get("comments") or []
        notes = (self.call("get_footnotes") or {}).get("footnotes") or []
        comment, note = (rng.choice(x) if x else {} for x in (comments, notes))
        choices = [("smart_edit", edit)] * 6 + [("smart_insert", insert)] * 2 + [
            ("delete_paragraph", at),
            ("format_layout", {"paragraph_spacing": {"paragraph_ids": [node["id"]], "before_twips": rng.randrange(400)}}),
            ("format_layout", {"row_height": {"value_twips": rng.randrange(200, 900)}}),
            ("format_layout", {"cell_padding": {"top_dxa": rng.randrange(200)}}),
            ("clear_formatting", {"paragraph_ids": [node["id"]], "properties": rng.sample(["bold", "italic", "highlight", "size"], 2)}),
            ("format_numbering", {"paragraph_ids": [node["id"]], **rng.choice([{"level": rng.randrange(3)}, {"restart_at": rng.randrange(1, 9)}, {"remove": True},
                                                                              {"like": rng.choice(nodes)["id"]}])}),
            ("apply_plan", {"steps": [{"step_id": "1", "operation": "smart_edit", **edit}, {"step_id": "2", "operation": "smart_insert", **insert}]}),
            ("add_comment", {**at, "author": "A & B", "text": "Is this right?", "anchor_text": words[one]}),
            ("add_comment", {"parent_comment_id": comment.get("comment_id", 0), "author": "C", "text": "It is."}),
            ("delete_comment", {"comment_id": comment.get("comment_id", 0)}),
            ("add_footnote", {**at, "text": "A note.", "after_text": words[one]}),
            ("update_footnote", {"note_id": note.get("note_id", 9), "text": "Another note."}),
            ("delete_footnote", {"note_id": note.get("note_id", 9)}),
            ("accept_changes", {}), ("undo", {"steps": rng.randint(1, 3)}), ("undo", {}), ("redo", {"steps": rng.randint(1, 2)}), ("redo", {})]
        return rng.choice(choices), node["id"]

    def step(self, states, now):
        """One call; states[n] is the document after n edits."""
        (tool, args), target = self.some_call([n for n in now if n["clean_text"]] or now)
        is_move, is_dry = tool in ("undo", "redo"), self.rng.random() < 0.1 and tool not in ("undo", "redo")
        count = len(states["list"][:states["mark"] + 1]) - 1
        got = self.call(tool, **args, **({"dry_run": True} if is_dry else {}))
        after = self.state()
        if got is None or is_dry:
            if after != now:
                self.faults.append((tool, args, "refused or tried, and yet something changed"))
            self.done["refused"] = self.done.get("refused", 0) + 1
            return now
        self.done[tool] = self.done.get(tool, 0) + 1
        # A deleted paragraph may pass its bookmark or section to a neighbour.
        here, there = [n["id"] for n in now], {n["id"] for n in after}
        place = here.index(target)
        self.touched |= {target} if target in there else set(here[max(0, place - 1):place + 2])
        if is_move:
            states["mark"] = got["edit_count"]
            if after != states["list"][states["mark"]]:
                self.faults.append((tool, args, "not the state it was"))
            return after
        if got.get("edit_count") != count + 1:
            self.faults.append((tool, args, f"edit_count {got.get('edit_count')} after {count}"))
        states["list"] = states["list"][:count + 1] + [after]
        states["mark"] = count + 1
        return after

    def check(self, folder):
        if self.call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx", allow_overwrite=True) is None:
            return self.faults.append("save is refused")
        clean, red = Saved(folder.read("clean.docx")), Saved(folder.read("red.docx"))
        self.faults += [("clean", f) for f in clean.faults(self.before)] + [("tracked", f) for f in red.faults(self.before)]
        if self.is_own:
            moved = {i for i, was in self.before.bytes.items() if clean.bytes.get(i, was) != was} - self.touched
            self.faults += [f"{i} changed, and no edit named it" for i in moved]
        if text_of(red.tree, "accept") != text_of(clean.tree, "accept"):
            self.faults.append("accepting the redline does not give the clean text")
        if not self.before.all("ins", "del", "moveFrom", "moveTo") and text_of(red.tree, "reject") != text_of(self.before.tree, "accept"):
            self.faults.append("rejecting the redline does not give the original text")
        self.faults += [f"{n} is gone" for n in set(self.before.entries) - set(clean.entries)]
        self.faults += [f"{n} changed" for n, was in self.before.entries.items() if n.startswith("word/media/") and clean.entries[n] != was]

    def run(self):
        with Folder({"in.docx": self.data}) as folder, Folder() as state:
            with Stdio("docx", "--state", state.path, root=folder.path) as self.server:
                first = self.server.call("read_file", {"file_path": "in.docx"})["result"]
                if first.get("isError"):
                    return
                self.session = first["structuredContent"]["session_id"]
                now = self.state()
                if not now or len(now) > 400:
                    return
                states = {"list": [now], "mark": 0}
                for n in range(self.steps):
                    now = self.step(states, now)
                    if not now or self.faults:
                        break
                    if n % 5 == 4:
                        self.check(folder)
                self.check(folder)
            with Stdio("docx", "--state", state.path, root=folder.path) as self.server:
                tap.ok(without_styles(self.state()) == without_styles(now), f"{self.name}: another process continues the session from its draft")
                if states["mark"]:
                    self.call("undo", steps=states["mark"])
                tap.ok(without_styles(self.state()) == without_styles(states["list"][0]), f"{self.name}: undoing all {states['mark']} edits gives the first state")
                self.call("save", save_to_local_path="back.docx", save_format="clean", allow_overwrite=True)
                tap.ok(folder.read("back.docx") == self.data, f"{self.name}: and the file, byte for byte")
        tap.same(self.faults[:2], [], f"{self.name}: {sum(self.done.values())} calls keep every rule: {self.done}")


OWN = docx(BODY, numbering=NUMBERING)
Round("own", OWN, STEPS, 1, True).run()
Round("odd names", odd(OWN), STEPS, 2, True).run()
files = sorted(glob.glob(os.path.join(DATA, "docx/*.docx")))
for number, path in enumerate(files):
    with open(path, "rb") as f:
        try:
            Round(os.path.basename(path), f.read(), STEPS // 6, number).run()
        except (zipfile.BadZipFile, ElementTree.ParseError, StopIteration, KeyError):
            tap.ok("malformed" in path or "broken" in path, f"{path} is no Word file")
tap.done()
