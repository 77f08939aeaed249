#!/usr/bin/env python3
"""Random books in every dialect and layout, random edits through the program, against a model of a book in Python.

After every edit the file is read by Python's own XML reader and by the program: both see what the model says. What reads
the file here shares no line with what wrote it. The same seeds give the same books in every run.
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
WORDS = ["plain words", "a & b < c > d", "\"q\" 'a'", "Ёлка", "  lead", "trail  ", "two\nlines", "漢字", "]]>", "tab\tin", "e\u0301", "*s*"]
BOOKS, EDITS = 40, 10
FILE = "book.hnpx"


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


def next_empty(book):
    level = [book]
    while level:
        for node in level:
            if node.level < 4 and not node.children:
                return node.id
        level = [c for node in level for c in node.children]
    return None


class Maker:
    """Makes a book, and spells it in one of the many ways that XML and people have."""

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

    def __init__(self, server, book, chance):
        self.server, self.book, self.chance = server, book, chance

    def done(self, tool, **arguments):
        result = self.server.call(tool, {"file_path": FILE, **arguments})["result"]
        if result.get("isError"):
            raise AssertionError((tool, arguments, result["content"][0]["text"]))
        return result

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
        self.done("move_nodes", node_ids=[n.id for n in moved], new_parent_id=target.id, position=place)
        for node in moved:
            self.parent(node).children.remove(node)
        target.children = others[:place] + moved + others[place:]

    def reword(self):
        node, words = self.chance.choice(list(self.book.walk())), self.chance.choice(WORDS)
        if node.level == 4:
            self.done("edit_paragraph_text", paragraph_id=node.id, new_text=words)
            node.text = words
        else:
            self.done("edit_node_attributes", node_id=node.id, attributes={"summary": words})
            node.summary = words

    def replace(self):
        for node in [n for n in self.nodes(4) if "words" in n.text][:1]:
            self.done("replace_text", node_id=node.id, old="words", new="<w>\n&")
            node.text = node.text.replace("words", "<w>\n&")

    def edit(self):
        edits = [self.create, self.create, self.remove, self.reorder, self.move, self.reword, self.replace]
        self.chance.choice(edits if self.book.children else [self.create])()


def faults(server, folder, seed):
    maker = Maker(seed)
    book = maker.node(0)
    top = maker.chance.choice(["", '<?xml version="1.0" encoding="UTF-8"?>' + maker.newline, "\ufeff<!-- top -->" + maker.newline])
    folder.write(FILE, top + maker.spelled(book) + maker.newline)
    editor = Editor(server, book, maker.chance)
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
        except AssertionError as refused:
            return f"edit {number}: {refused}"
    if maker.is_pretty and maker.newline == "\r\n" and re.search(rb"(?<!\r)\n", folder.read(FILE)):
        return "a line of a CRLF file ends in LF"
    return None


def main():
    tap = Tap()
    with Folder() as folder, Stdio("hnpx", root=folder.path) as server:
        found = {seed: fault for seed in range(BOOKS) for fault in [faults(server, folder, seed)] if fault}
    for seed, fault in list(found.items())[:3]:
        print(f"# seed {seed}: {fault}".replace("\n", "\n# "))
    tap.ok(not found, f"{BOOKS} books of every dialect and layout are, after {EDITS} edits each, what a model of them says")
    tap.done()


main()
