#!/usr/bin/env python3
"""Random books in every dialect and layout, random edits by the program, compared with a model of a book in Python.

After every edit the file is read by Python's own XML reader and by the program. Both must agree with the model. The reader here
shares no code with the writer. The same seeds give the same books in every run.
"""
import os
import random
import re
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import escape

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

LEVELS = ["book", "chapter", "sequence", "beat", "paragraph"]
WORDS = ["plain words", "a & b < c > d", "\"q\" 'a'", "Ёлка", "  lead", "trail  ", "two\nlines", "漢字", "]]>", "tab\tin", "e\u0301", "*s*", "Mira & Mirabel saw Mira."]
BOOKS, EDITS = 50, 14
FILE, BIBLE = "book.hnpx", "book.bible.md"


class Node:
    def __init__(self, level, name, attributes=None, summary=None, text=None):
        self.level, self.id, self.attributes = level, name, attributes or {}
        self.summary, self.text, self.children = summary, text, []

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def seen(self):
        """As an XML reader sees it; blanks around prose are layout."""
        prose = self.text.strip() if self.level == 4 else None
        return (LEVELS[self.level], {"id": self.id, **self.attributes}, self.summary, prose, [c.seen() for c in self.children])


def seen(element):
    summary = element.find("summary")
    prose = None
    if element.tag == "paragraph":
        prose = ((element.text or "") + ((summary.tail or "") if summary is not None else "")).strip()
    return (element.tag, dict(element.attrib), summary.text if summary is not None else None, prose,
            [seen(c) for c in element if c.tag != "summary"])


def joined(*parts):
    return " ".join(p.strip() for p in parts if p and p.strip())


def alike_but_blanks(have, want):
    """Returns what is there if only blanks between the joined parts differ."""
    return have if have is not None and have.split() == want.split() else want


def next_empty(book):
    level = [book]
    while level:
        for node in level:
            if node.level < 4 and not node.children:
                return node.id
        level = [c for node in level for c in node.children]
    return None


class Maker:
    """Makes a book, and writes it in one of the many forms that XML allows and people use."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.dialect = self.chance.choice(["seed", "seed", "first", "later"])
        self.newline = self.chance.choice(["\n", "\r\n"])
        self.indent = self.chance.choice(["  ", "\t", "    ", ""])
        self.is_pretty = self.chance.random() < 0.5
        self.made = 0

    def node(self, level):
        chance, attributes, self.made = self.chance, {}, self.made + 1
        if level == 1:
            attributes["title"] = f"T{self.made}"
        if level in (1, 2) and chance.random() < 0.4:
            attributes["pov"] = "x & y"
        if level == 2:
            attributes["location" if self.dialect == "later" else "loc"] = "l\n'm'"
        if level == 4 and chance.random() < 0.5:
            attributes.update(mode="dialogue", char="mira")
        summary = None if level == 4 and self.dialect == "later" else chance.choice(WORDS)
        node = Node(level, f"n{self.made:05d}", attributes, summary, chance.choice(WORDS) if level == 4 else None)
        if level < 4:
            node.children = [self.node(level + 1) for _ in range(chance.choice([1, 2, 3] if not level else [0, 1, 2]))]
        return node

    def words(self, text):
        if "]]>" not in text and self.chance.random() < 0.1:
            return f"<![CDATA[{text}]]>".replace("\n", self.newline)
        remark = self.chance.choice(["", "", "", "<!-- c -->"])
        return (escape(text) + remark).replace("\n", self.newline)

    def value(self, text):
        quote = self.chance.choice("\"'")
        return quote + escape(text, {"\n": "&#10;", '"': "&quot;", "'": "&apos;"}) + quote

    def gap(self, depth):
        line = self.newline + self.indent * depth
        return line if self.is_pretty else self.chance.choice(["", " ", line, self.newline * 2 + "\t", "<!-- k -->", "<?p i?>"])

    def spelled(self, node):
        pairs = list({"id": node.id, **node.attributes}.items())
        self.chance.shuffle(pairs)
        tag = "".join(self.chance.choice([" ", self.newline + "  "]) + name + "=" + self.value(v) for name, v in pairs)
        summary = f"<summary>{self.words(node.summary)}</summary>" if node.summary is not None else ""
        if node.level < 4:
            inside = self.gap(node.level + 1) + summary
            inside += "".join(self.gap(node.level + 1) + self.spelled(c) for c in node.children) + self.gap(node.level)
        elif self.dialect == "seed" and self.is_pretty:
            inside = self.gap(5) + summary + self.gap(5) + self.words(node.text) + self.gap(4)
        else:
            inside = self.words(node.text) + summary if self.dialect == "first" else summary + self.words(node.text)
        return f"<{LEVELS[node.level]}{tag}>{inside}</{LEVELS[node.level]}>"


class Editor:
    """One edit at a time, made by the program and by the model."""

    def __init__(self, server, folder, book, chance):
        self.server, self.folder, self.book, self.chance = server, folder, book, chance
        self.name, self.facts, self.shown_by = "Mira", {}, {}

    def done(self, tool, **arguments):
        result = self.server.call(tool, {"file_path": FILE, **arguments})["result"]
        if result.get("isError"):
            raise AssertionError((tool, arguments, result["content"][0]["text"]))
        return result

    def found(self, name):
        """A node as an XML reader sees it in the file."""
        element = next(e for e in ElementTree.fromstring(self.folder.read(FILE)).iter() if e.get("id") == name)
        return seen(element)

    def nodes(self, *levels):
        return [n for n in self.book.walk() if n.level in levels]

    def parent(self, node):
        return next(n for n in self.book.walk() if node in n.children)

    def create(self):
        parent = self.chance.choice(self.nodes(0, 1, 2, 3))
        level, place, paragraphs, sequences = parent.level + 1, self.chance.randint(0, len(parent.children)), self.nodes(4), self.nodes(2)
        calls_it_location = bool(sequences) and all("location" in n.attributes for n in sequences)
        node = Node(level, None, {}, self.chance.choice(WORDS))
        arguments = {"parent_id": parent.id, "position": place, "summary": node.summary}
        if level == 1:
            node.attributes["title"] = arguments["title"] = f"N{self.chance.random()}"
        if level == 2:
            node.attributes["location" if calls_it_location else "loc"] = arguments["location"] = "here"
        if level == 4:
            node.text = arguments["text"] = self.chance.choice(WORDS)
            if all(n.summary is None for n in paragraphs) if paragraphs else calls_it_location:
                node.summary = None
        node.id = self.done("create_" + LEVELS[level], **arguments)["structuredContent"]["id"]
        parent.children.insert(place, node)

    def remove(self):
        for node in self.chance.sample(self.nodes(1, 2, 3, 4), 1):
            self.done("remove_node", node_id=node.id)
            self.parent(node).children.remove(node)

    def reorder(self):
        parent = self.chance.choice(self.nodes(0, 1, 2, 3))
        self.chance.shuffle(parent.children)
        self.done("reorder_children", parent_id=parent.id, child_ids=[c.id for c in parent.children])

    def move(self):
        level = self.chance.choice(self.nodes(1, 2, 3, 4)).level
        moved = self.chance.sample(self.nodes(level), min(len(self.nodes(level)), self.chance.randint(1, 3)))
        target = self.chance.choice(self.nodes(level - 1))
        others = [c for c in target.children if c not in moved]
        place = self.chance.randint(0, len(others))
        self.done("reorder_children", parent_id=target.id, child_ids=[n.id for n in moved], position=place)
        for node in moved:
            self.parent(node).children.remove(node)
        target.children = others[:place] + moved + others[place:]

    def reword(self):
        node, words = self.chance.choice(list(self.book.walk())), self.chance.choice(WORDS)
        if node.level == 4:
            self.done("edit_node_attributes", node_id=node.id, attributes={"text": words})
            if node.text.split() != words.split():
                self.shown_by.pop(node.id, None)
            node.text = words
        else:
            self.done("edit_node_attributes", node_id=node.id, attributes={"summary": words})
            node.summary = words

    def replace(self):
        for node in [n for n in self.nodes(4) if "words" in n.text][:1]:
            self.done("replace_text", node_id=node.id, old="words", new="<w>\n&")
            node.text = node.text.replace("words", "<w>\n&")
            self.shown_by.pop(node.id, None)

    def split_paragraph(self):
        for node in [n for n in self.nodes(4) if len(n.text.split()) > 1][:1]:
            at = node.text.split()[-1]
            if node.text.count(at) > 1:
                continue
            drops = all(n.summary is None for n in self.nodes(4))
            made = self.done("edit_node_attributes", node_id=node.id, split_at=at, attributes={"summary": "second"})["structuredContent"]["new_id"]
            second = Node(4, made, {k: v for k, v in node.attributes.items() if k in ("mode", "char")}, None if drops else "second", at)
            node.text = node.text[:node.text.index(at)].strip()
            family = self.parent(node).children
            family.insert(family.index(node) + 1, second)
            self.shown_by.pop(node.id, None)  # a fact about it no longer holds

    def split_beat(self):
        for beat in [n for n in self.nodes(3) if len(n.children) > 1][:1]:
            at = self.chance.randint(1, len(beat.children) - 1)
            made = self.done("edit_node_attributes", node_id=beat.id, split_at=beat.children[at].id, attributes={"summary": "s & t"})["structuredContent"]["new_id"]
            second = Node(3, made, {}, "s & t")
            beat.children, second.children = beat.children[:at], beat.children[at:]
            family = self.parent(beat).children
            family.insert(family.index(beat) + 1, second)

    def merge(self):
        alike = lambda a, b: {k: a.attributes.get(k) for k in ("mode", "char")} == {k: b.attributes.get(k) for k in ("mode", "char")}
        pairs = [(p, a, b) for p in self.nodes(2, 3) for a, b in zip(p.children, p.children[1:]) if p.level == 2 or alike(a, b)]
        for parent, first, second in self.chance.sample(pairs, min(1, len(pairs))):
            self.done("reorder_children", parent_id=parent.id, child_ids=[first.id, second.id], merge=True)
            parent.children.remove(second)
            now = self.found(first.id)
            if first.summary is not None or second.summary is not None:
                first.summary = alike_but_blanks(now[2], joined(first.summary, second.summary))
            if parent.level == 2:
                first.children += second.children
            else:
                first.text = alike_but_blanks(now[3], joined(first.text, second.text))
                held = [self.shown_by.pop(n.id, None) for n in (first, second)]
                if all(h is not None or not self.cites(n.id) for h, n in zip(held, (first, second))) and any(held):
                    self.shown_by[first.id] = True
                self.facts = {fact: first.id if place == second.id else place for fact, place in self.facts.items()}

    def rename(self):
        pattern = re.compile(r"\bMira\b")
        if not any(pattern.search((n.text or "") + " " + (n.summary or "")) or "mira" in n.attributes.values() for n in self.book.walk()):
            return
        self.done("replace_text", old="Mira", new="Zo\u00eb", name=True)
        for node in self.book.walk():
            node.text = pattern.sub("Zo\u00eb", node.text) if node.text else node.text
            node.summary = pattern.sub("Zo\u00eb", node.summary) if node.summary else node.summary
            for name in ("char", "pov"):
                if node.attributes.get(name) == "mira":
                    node.attributes[name] = "zo\u00eb"
        self.name = "Zo\u00eb"

    def note(self):
        """A fact in the bible, with a paragraph that shows it."""
        for node in self.chance.sample(self.nodes(4), min(1, len(self.nodes(4)))):
            fact = f"fact {len(self.facts)}"
            if self.cites(node.id) and node.id not in self.shown_by:
                continue
            self.done("edit_bible", section="Characters", entry=self.name, add_facts=[{"text": fact, "evidence": node.id}])
            self.facts[fact] = node.id
            if node.text.strip():
                self.shown_by[node.id] = True

    def cites(self, name):
        return name in self.facts.values()

    def bible(self):
        """The expected result of get_bible: each fact, its paragraph, and whether the paragraph is unchanged."""
        there = {n.id for n in self.nodes(4)}
        return {fact: (place, "gone" if place not in there else "holds" if place in self.shown_by else None) for fact, place in self.facts.items()}

    def edit(self):
        edits = [self.create, self.create, self.remove, self.reorder, self.move, self.reword, self.replace,
                 self.split_paragraph, self.split_beat, self.merge, self.rename, self.note, self.note]
        self.chance.choice(edits if self.book.children else [self.create])()


def import_faults(editor, seed):
    """Imports a manuscript with the same words: chapters, scenes and paragraphs are the same, and no word is lost."""
    chance = editor.chance
    chapters = [[[chance.choice(WORDS).strip() for _ in range(chance.randint(1, 3))] for _ in range(chance.randint(1, 3))] for _ in range(chance.randint(1, 4))]
    text = "\n\n".join(f"# Title {n}\n\n" + "\n\n***\n\n".join("\n\n".join(scene) for scene in chapter) for n, chapter in enumerate(chapters))
    result = editor.server.call("create_document", {"file_path": f"import{seed}.hnpx", "text": text})["result"]
    if result.get("isError"):
        return f"import: {result['content'][0]['text']}"
    made = ElementTree.fromstring(editor.folder.read(f"import{seed}.hnpx"))
    prose = lambda p: ((p.text or "") + "".join(c.tail or "" for c in p)).split()
    have = [[[prose(p) for p in scene.iter("paragraph")] for scene in chapter.iter("sequence")] for chapter in made.iter("chapter")]
    want = [[[p.split() for p in scene] for scene in chapter] for chapter in chapters]
    return None if have == want else f"import: {want} became {have}"


def faults(server, folder, seed):
    maker = Maker(seed)
    book = maker.node(0)
    top = maker.chance.choice(["", '<?xml version="1.0" encoding="UTF-8"?>' + maker.newline, "\ufeff<!-- top -->" + maker.newline])
    folder.write(FILE, top + maker.spelled(book) + maker.newline)
    if os.path.exists(os.path.join(folder.path, BIBLE)):
        os.remove(os.path.join(folder.path, BIBLE))
    editor = Editor(server, folder, book, maker.chance)
    for number in range(EDITS + 1):
        try:
            if number:
                editor.edit()
            if seen(ElementTree.fromstring(folder.read(FILE))) != book.seen():
                return f"edit {number}: the file differs\n{folder.read(FILE).decode()}"
            if seen(ElementTree.fromstring(editor.done("get_subtree", node_id="book")["content"][0]["text"])) != book.seen():
                return f"edit {number}: get_subtree differs\n{folder.read(FILE).decode()}"
            if editor.done("get_next_empty_container")["structuredContent"]["id"] != next_empty(book):
                return f"edit {number}: another container is empty next"
            told = {f["text"]: (f["evidence"], f.get("state")) for e in editor.done("get_bible")["structuredContent"]["entries"] for f in e["facts"]}
            wrong = {k: (v, told.get(k)) for k, v in editor.bible().items() if told.get(k, (None, None))[0] != v[0] or v[1] and told[k][1] != v[1]}
            if wrong or len(told) != len(editor.facts):
                return f"edit {number}: the bible says otherwise: {wrong} {folder.read(BIBLE).decode()}"
        except AssertionError as refused:
            return f"edit {number}: {refused}"
    if maker.is_pretty and maker.newline == "\r\n" and re.search(rb"(?<!\r)\n", folder.read(FILE)):
        return "a line of a CRLF file ends in LF"
    return import_faults(editor, seed)


def main():
    tap = Tap()
    with Folder() as folder, Stdio("hnpx", root=folder.path) as server:
        found = {seed: fault for seed in range(BOOKS) for fault in [faults(server, folder, seed)] if fault}
    for seed, fault in list(found.items())[:3]:
        print(f"# seed {seed}: {fault}".replace("\n", "\n# "))
    tap.ok(not found, f"{BOOKS} books of every dialect and layout are, after {EDITS} edits each, what a model of them says")
    tap.done()


main()
