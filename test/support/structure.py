"""structure.py: the body of a Word file as structure, with tracked changes of one author, or of all, accepted or
rejected. It shares no code with the program. Every character has its look and its containers, every paragraph its
properties and the look of its mark. How characters are split into runs does not matter."""
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
GOES = {"accept": ("del", "moveFrom"), "reject": ("ins", "moveTo")}
REVISIONS = ("ins", "del", "moveFrom", "moveTo")
HOLDERS = REVISIONS + ("hyperlink", "sdt", "smartTag", "customXml", "bdo", "dir", "fldSimple")


def local(node):
    return node.tag[len(W):] if node.tag.startswith(W) else node.tag


def attributes(node):
    return tuple(sorted((k, v) for k, v in node.attrib.items() if "rsid" not in k.lower()))


def shape(node):
    return node.tag, attributes(node), tuple(map(shape, node)), "" if len(node) else node.text or ""


class Reader:
    def __init__(self, how, author, bookmarks):
        self.how, self.author, self.bookmarks = how, author, bookmarks

    def settles(self, node):
        return self.how is not None and (self.author is None or node.get(W + "author") == self.author)

    def is_out(self, properties):
        return properties is not None and self.how is not None and any(local(n) in GOES[self.how] and self.settles(n) for n in properties)

    def properties(self, now, apart=()):
        """The properties in a pPr, rPr, trPr or tcPr after its recorded change is accepted or rejected."""
        if now is None:
            return ()
        former = [n for n in now if local(n).endswith("PrChange") and self.settles(n)]
        children = list(now)
        if former and self.how == "reject":
            children = list(former[-1][0]) + [n for n in now if local(n) in REVISIONS] if len(former[-1]) else []
        return tuple(sorted(shape(n) for n in children if n not in former and local(n) not in apart
                            and not (local(n) in REVISIONS and self.settles(n))))

    def runs(self, node, around, out):
        for child in node:
            name = local(child)
            if name in REVISIONS and self.settles(child):
                if name not in GOES[self.how]:
                    self.runs(child, around, out)
            elif name in HOLDERS:
                said = tuple(shape(n) for n in child if local(n).endswith("Pr") and local(n) != "rPr")
                inside = child.find(W + "sdtContent") if name == "sdt" else child
                self.runs(inside if inside is not None else (), around + ((name, attributes(child), said),), out)
            elif name == "r":
                look = self.properties(child.find(W + "rPr"))
                for piece in child:
                    kind = local(piece)
                    if kind in ("t", "delText"):
                        out += [(c, look, around) for c in piece.text or ""]
                    elif kind not in ("rPr", "lastRenderedPageBreak"):
                        out.append((shape(piece)[1:] if kind in ("instrText", "delInstrText") else shape(piece), look, around))
            elif name.startswith("bookmark"):
                out += [(name, attributes(child))] if self.bookmarks else []
            elif name not in ("pPr", "proofErr") and "Range" not in name:
                out.append((shape(child), around))

    def blocks(self, node, around=()):
        """The last mark of a cell or of the body cannot be removed. Removing another mark joins its paragraph to the
        next."""
        out, open_runs, last = [], [], None
        for child in node:
            name = local(child)
            if name == "p":
                ppr = child.find(W + "pPr")
                mark, section = (ppr.find(W + n) if ppr is not None else None for n in ("rPr", "sectPr"))
                self.runs(child, (), open_runs)
                last = ("p", around, self.properties(ppr, ("rPr", "sectPr")), self.properties(mark), None if section is None else shape(section), tuple(open_runs))
                if not self.is_out(mark):
                    out.append(last)
                    open_runs, last = [], None
            elif name == "tbl":
                last = None
                rows = [r for r in child.iter(W + "tr") if not self.is_out(r.find(W + "trPr"))]
                out += [("tbl", around, tuple(shape(n) for n in child if local(n) in ("tblPr", "tblGrid")))] if rows else []
                for row in rows:
                    out.append(("tr", self.properties(row.find(W + "trPr"))))
                    for cell in row.iter(W + "tc"):
                        out.append(("tc", self.properties(cell.find(W + "tcPr"))))
                        out += self.blocks(cell, around + ("tc",))
            elif name in ("sdt", "customXml", "ins", "del"):
                last, inside = None, child.find(W + "sdtContent") if name == "sdt" else child
                out += self.blocks(inside if inside is not None else (), around + (name,))
            elif name == "sectPr":
                out.append(("sectPr", shape(child)))
        return out + ([last] if last else [])


def body(xml, how=None, author=None, bookmarks=True):
    return Reader(how, author, bookmarks).blocks(ElementTree.fromstring(xml).find(W + "body"))


def plain(paragraph):
    return "".join(p[0] if isinstance(p[0], str) and len(p[0]) == 1 else "·" for p in paragraph[5])


def difference(have, want):
    """Describes the first difference of two bodies; None: there is none."""
    for number, (a, b) in enumerate(zip(have, want)):
        if a == b:
            continue
        if a[0] == b[0] == "p":
            for at, what in ((2, "properties"), (3, "look of the mark"), (4, "section")):
                if a[at] != b[at]:
                    return f"block {number}, {what}: {a[at]}, want {b[at]}, of {plain(a)[:80]}"
            at = next((i for i, (x, y) in enumerate(zip(a[5], b[5])) if x != y), min(len(a[5]), len(b[5])))
            return f"block {number}, character {at}: {a[5][at:at + 1]}, want {b[5][at:at + 1]}\n{plain(a)[:200]}\n{plain(b)[:200]}"
        return f"block {number}: {str(a)[:300]}, want {str(b)[:300]}"
    return None if len(have) == len(want) else f"{len(have)} blocks, want {len(want)}: {str((have + want)[min(len(have), len(want))])[:300]}"
