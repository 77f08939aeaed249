"""model.py: the rules of DOCJL on a plain tree in memory, as in the specification. Labels are computed by walking the tree."""
import copy
import re

LABEL = re.compile(r"^([A-Za-z][A-Za-z0-9_]*):(\S+)$")
NUMBERS = re.compile(r"^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$")
PREFIX = {"paragraph": "para", "heading": "sec", "section": "sec", "table": "tab", "list": "list", "code": "code"}


class Refused(Exception):
    pass


def dotted(name, prefix):
    """(2.1, 3) of sec:2.1.3"""
    head, _, ident = (name or "").partition(":")
    if head != prefix or not NUMBERS.match(ident) or "." not in ident:
        return None
    above, n = ident.rsplit(".", 1)
    return above, int(n)


class Node:
    def __init__(self, type_, fields):
        self.type, self.fields = type_, fields
        self.children, self.parent = [], None
        self.name, self.at = None, None  # at: (stem node, prefix, number)
        self.refs = []  # each a Node, or the label of a removed one

    def holds(self):
        return self.type in ("heading", "section")

    def label(self):
        if self.at:
            return f"{self.at[1]}:{self.at[0].number()}.{self.at[2]}"
        return self.name

    def number(self):
        label = self.label()
        if not label:
            return None
        n = label.split(":", 1)[1]
        return n if NUMBERS.match(n) else None

    def depth(self):
        d, n = 0, self.parent
        while n.parent is not None:
            d, n = d + 1, n.parent
        return d

    def walk(self):
        yield self
        for c in self.children:
            yield from c.walk()


class Model:
    def __init__(self):
        self.top = Node("top", {})
        self.counters = {}

    def nodes(self):
        for c in self.top.children:
            yield from c.walk()

    def find(self, label):
        for n in self.nodes():
            if n.label() == label:
                return n
        return None

    # --- labels ---

    def see(self, label):
        prefix, ident = label.split(":", 1)
        if ident.isdigit():
            self.counters[prefix] = max(self.counters.get(prefix, 0), int(ident))

    def group(self, stem, prefix):
        return {n.at[2]: n for n in self.nodes() if n.at and n.at[0] is stem and n.at[1] == prefix}

    def numbered_above(self, node, number=None):
        n = node.parent
        while n is not None and n.parent is not None:
            have = n.number()
            if have and (number is None or have == number):
                return n
            n = n.parent
        return None

    def give(self, node, prefix):
        stem, number, named = None, 0, None
        if prefix in ("para", "sec"):
            siblings = node.parent.children
            names_count = node.parent.parent is not None and node.parent.number() is None
            for s in reversed(siblings[:siblings.index(node)]):
                if s.at and s.at[1] == prefix:
                    stem, number = s.at[0], s.at[2]
                    break
                if names_count and dotted(s.name, prefix):
                    named = dotted(s.name, prefix)
                    break
            stem = stem or (None if named else self.numbered_above(node))
        if named:
            above, number = named
            if self.find(f"{prefix}:{above}.{number + 1}"):
                number = max([number] + [dotted(s.name, prefix)[1] for s in siblings
                                         if dotted(s.name, prefix) and dotted(s.name, prefix)[0] == above])
            number += 1
            while self.find(f"{prefix}:{above}.{number}"):
                number += 1
            self.choose(node, f"{prefix}:{above}.{number}")
            return
        if not stem:
            self.counters[prefix] = self.counters.get(prefix, 0) + 1
            node.name = f"{prefix}:{self.counters[prefix]}"
            return
        number += 1
        taken = self.group(stem, prefix)
        if number in taken:
            last = number
            while last + 1 in taken:
                last += 1
            if self.find(f"{prefix}:{stem.number()}.{last + 1}"):
                raise Refused("landing")
            for i in range(last, number - 1, -1):
                taken[i].at = (stem, prefix, i + 1)
        else:
            while self.find(f"{prefix}:{stem.number()}.{number}"):
                number += 1
        node.at = (stem, prefix, number)

    def choose(self, node, label):
        if self.find(label):
            raise Refused("taken")
        prefix, ident = label.split(":", 1)
        if NUMBERS.match(ident) and "." in ident:
            stem, n = ident.rsplit(".", 1)
            above = self.numbered_above(node, stem)
            if above:
                node.at = (above, prefix, int(n))
                return
        node.name = label
        self.see(label)

    def close(self, stem, prefix, number):
        taken, i = self.group(stem, prefix), number + 1
        while i in taken:
            taken[i].at = (stem, prefix, i - 1)
            i += 1

    def bind(self):
        for n in self.nodes():
            n.refs = [(r if isinstance(r, Node) else self.find(r) or r) for r in n.refs]

    def check(self):
        labels = [n.label() for n in self.nodes()]
        if len(labels) != len(set(labels)):
            raise Refused("twice")
        self.bind()

    # --- writes ---

    def spot(self, parent, position, anchor):
        if position in ("before", "after"):
            a = anchor or parent
            i = a.parent.children.index(a)
            return a.parent, i + (position == "after")
        box = parent or self.top
        if box is not self.top and not box.holds():
            raise Refused("holds")
        return box, 0 if position in ("inside", "start") else len(box.children)

    def insert(self, block, parent, position, anchor):
        box, i = self.spot(parent, position, anchor)
        made = []

        def add(b, box, i):
            fields = {k: v for k, v in b.items() if k not in ("children", "label", "type")}
            node = Node(b["type"], fields)
            node.parent = box
            box.children.insert(i, node)
            made.append((node, b))
            if node.type == "heading" and "level" not in fields:
                fields["level"] = min(node.depth() + 1, 6)
            if b.get("label"):
                self.choose(node, b["label"])
            else:
                self.give(node, PREFIX[b["type"]])
            for k, c in enumerate(b.get("children", [])):
                add(c, node, k)
        add(block, box, i)
        for node, b in made:
            node.refs = [self.find(x["target"]) or x["target"] for x in b.get("content", [])
                         if isinstance(x, dict) and x.get("type") == "ref"]
        self.check()
        return made[0][0]

    def update(self, node, updates):
        updates = dict(updates)
        label = updates.pop("label", None)
        if "content" in updates:
            node.refs = []
        if label and label != node.label():
            if self.find(label):
                raise Refused("taken")
            ident = label.split(":", 1)[1]
            if node.holds() and not NUMBERS.match(ident):
                self.free(node)
            node.at, node.name = None, None
            self.choose(node, label)
        if "content" in updates:
            node.refs = [self.find(x["target"]) or x["target"] for x in updates["content"] if x.get("type") == "ref"]
        node.fields.update(updates)
        self.check()

    def free(self, stem):
        """Labels computed from this container become names."""
        for n in list(self.nodes()):
            if n.at and n.at[0] is stem:
                n.name, n.at = n.label(), None

    def move(self, node, parent, position, anchor):
        box, i = self.spot(parent, position, anchor)
        inside = set(map(id, node.walk()))
        if id(box) in inside:
            raise Refused("itself")
        old_box, old_depth = node.parent, node.depth()
        new_depth = 0 if box is self.top else box.depth() + 1
        by = new_depth - old_depth
        levels = [n.fields["level"] for n in node.walk() if n.type == "heading" and "level" in n.fields]
        if by < 0 and min(levels + [6]) + by < 1:
            by = 1 - min(levels + [6])
        if any(v + by > 6 for v in levels):
            raise Refused("deep")
        if by:
            for n in node.walk():
                if n.type == "heading" and "level" in n.fields:
                    n.fields["level"] += by
        if box is not old_box:
            for n in list(node.walk())[1:]:
                if n.at and id(n.at[0]) not in inside:
                    n.name, n.at = n.label(), None
        was = node.at
        if was:
            node.at = None
        k = old_box.children.index(node)
        old_box.children.pop(k)
        if old_box is box and k < i:
            i -= 1
        if was:
            self.close(*was)
        box.children.insert(i, node)
        node.parent = box
        prefix = was[1] if was else PREFIX[node.type]
        takes = bool(was)
        if not was and prefix in ("para", "sec"):
            ident = node.name.split(":", 1)[1]
            takes = bool(NUMBERS.match(ident)) and "." not in ident and self.numbered_above(node) is not None
        if takes:
            node.name = None
            self.give(node, prefix)
        self.check()

    def delete(self, node, cascade):
        gone = list(node.walk()) if cascade else [node]
        ids = set(map(id, gone))
        labels = {id(n): n.label() for n in gone}
        broken = []
        for n in self.nodes():
            if id(n) in ids:
                continue
            for r in n.refs:
                if isinstance(r, Node) and id(r) in ids:
                    broken.append(f"{n.label()} -> {labels[id(r)]}")
            n.refs = [labels[id(r)] if isinstance(r, Node) and id(r) in ids else r for r in n.refs]
        box, i = node.parent, node.parent.children.index(node)
        if not cascade:
            self.free(node)
            for c in node.children:
                c.parent = box
        box.children[i:i + 1] = [] if cascade else node.children
        node.children = node.children if cascade else []
        self.check()
        return len(gone), sorted(broken)

    def retarget(self, pairs):
        to = {}
        for old, new in pairs:
            if not self.find(new):
                raise Refused("missing")
            to[old] = self.find(new)
        count = 0
        for n in self.nodes():
            for k, r in enumerate(n.refs):
                label = r.label() if isinstance(r, Node) else r
                if label in to:
                    n.refs[k] = to[label]
                    count += 1
        return count

    # --- as a document ---

    def block(self, n):
        b = {"type": n.type, **copy.deepcopy(n.fields), "label": n.label()}
        refs = iter(n.refs)
        for x in b.get("content", []) if isinstance(b.get("content"), list) else []:
            if x.get("type") == "ref":
                r = next(refs)
                x["target"] = r.label() if isinstance(r, Node) else r
        if n.children or (n.holds() and n.fields.get("_held", True)):
            b["children"] = [self.block(c) for c in n.children]
        b.pop("_held", None)
        return b

    def document(self):
        return [self.block(c) for c in self.top.children]
