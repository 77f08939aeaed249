"""redline.py: accepts or rejects all tracked changes of a Word file, and reads what is left.

It follows the specification of the format and shares no code with the program. `stories(data, how)` returns each story of a
file (body, headers, footers, notes, comments; text boxes at their places) as a list that contains its text, structure and
properties. So two files with equal lists look the same."""
import copy
import io
import posixpath
import zipfile
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
GOES = {"accept": ("del", "moveFrom"), "reject": ("ins", "moveTo")}
STAYS = {"accept": ("ins", "moveTo"), "reject": ("del", "moveFrom")}
# Elements without text: marks, notes of the spelling checker, records of the last layout.
MARKS = {W + n for n in ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "permStart", "permEnd", "proofErr",
                         "lastRenderedPageBreak", "moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd",
                         "customXmlInsRangeStart", "customXmlInsRangeEnd", "customXmlDelRangeStart", "customXmlDelRangeEnd")}
BLOCKS = {W + "p", W + "tbl"}
HOLDERS = {W + n for n in ("hyperlink", "smartTag", "customXml", "fldSimple", "bdo", "dir")}
NOTES = {"footnote": "footnotes", "endnote": "endnotes", "comment": "comments"}


def local(node):
    return node.tag.split("}")[1]


def has(node, path, names):
    found = node if path is None else node.find(path)
    return found is not None and any(found.find(W + n) is not None for n in names)


def former(node, how):
    """Properties without the record of their former state; on rejecting, that state."""
    changes = [c for c in node if c.tag.startswith(W) and c.tag.endswith("Change")]
    if not changes:
        return
    change = changes[0]
    for c in changes:  # some programs write two
        node.remove(c)
    if how == "accept":
        return
    keep = {"pPr": ("rPr", "sectPr"), "sectPr": ("headerReference", "footerReference")}.get(local(node), ())
    kept = [c for c in node if local(c) in keep]
    marks = [c for c in node if local(c) in ("ins", "del", "moveFrom", "moveTo")]
    old = list(change[0]) if len(change) else []
    node[:] = kept + old if local(node) == "sectPr" else marks + old + kept


def settle(node, how):
    """Settles the children of a node, deepest first."""
    out = []
    for child in list(node):
        name = local(child) if child.tag.startswith(W) else ""
        if name in ("ins", "del", "moveFrom", "moveTo") and local(node) in ("rPr", "trPr"):
            out.append(child)  # the mark of a paragraph or row
            continue
        if name in GOES[how]:
            continue
        if name.endswith(("Pr", "PrEx", "Grid")):
            former(child, how)
        held = has_blocks(child)
        # Asked before the marks of rows and cells are removed from their properties.
        is_out = name == "tr" and has(child, W + "trPr", GOES[how]) or name == "tc" and has(child, W + "tcPr", ("cellDel",) if how == "accept" else ("cellIns",))
        settle(child, how)
        if name == "delText":
            child.tag = W + "t"
        elif name == "delInstrText":
            child.tag = W + "instrText"
        if child.tag in MARKS or (name == "numberingChange"):
            continue
        if name in STAYS[how]:
            out += list(child)
        elif is_out:
            continue
        elif name == "tbl" and child.find(".//" + W + "tr") is None:
            continue
        elif name in ("sdt", "customXml", "tr") and held and not has_blocks(child):
            continue  # everything in it is gone
        else:
            out.append(child)
        if name == "tcPr":
            child[:] = [c for c in child if local(c) not in ("cellIns", "cellDel", "cellMerge")]
        if name == "trPr":
            child[:] = [c for c in child if local(c) not in ("ins", "del")]
    node[:] = join(node, out, how)


def has_blocks(node):
    return any(c.tag in BLOCKS for c in node.iter())


def join(node, children, how):
    """A paragraph whose mark goes joins the next one, whose properties apply to both."""
    if not any(c.tag == W + "p" for c in children):
        return children
    out, waiting = [], []
    stays = 0

    def put():
        nonlocal stays
        content = [c for p in waiting for c in p if c.tag != W + "pPr"]
        if content:
            last = waiting[-1]
            last[:] = [c for c in last if c.tag == W + "pPr"] + content
            out.append(last)
            stays += 1
        waiting.clear()

    for child in children:
        if child.tag == W + "p":
            goes = has(child, f"{W}pPr/{W}rPr", GOES[how])
            if goes:
                waiting.append(child)
                continue
            content = [c for p in waiting for c in p if c.tag != W + "pPr"]
            waiting.clear()
            ppr = [c for c in child if c.tag == W + "pPr"]
            child[:] = ppr + content + [c for c in child if c.tag != W + "pPr"]
            stays += 1
        elif child.tag in (W + "tbl", W + "sectPr"):
            put()
        out.append(child)
    last = waiting[-1] if waiting else None
    put()
    if not stays and last is not None and node.tag in (W + "tc", W + "body"):
        last[:] = [c for c in last if c.tag == W + "pPr"]
        out.append(last)
    return out


class Package:
    """The parts of a file, settled."""

    def __init__(self, data, how):
        self.how = how
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            self.bytes = {n.lstrip("/"): z.read(n) for n in z.namelist()}
        self.trees, self.known = {}, {}
        self.main = next(t for kind, t, _ in self.relations("").values() if kind == "officeDocument")

    def relations(self, part):
        folder, name = posixpath.split(part)
        raw = self.bytes.get(posixpath.join(folder, "_rels", name + ".rels"))
        if raw is None:
            return {}
        out = {}
        for r in ElementTree.fromstring(raw):
            outside = r.get("TargetMode") == "External"
            target = r.get("Target")
            if not outside:
                target = target[1:] if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            out[r.get("Id")] = (r.get("Type").split("/")[-1], target, outside)
        return out

    def tree(self, part):
        if part not in self.trees:
            root = ElementTree.fromstring(self.bytes[part])
            settle(root, self.how)
            self.trees[part] = root
        return self.trees[part]

    def target(self, part, rid):
        """What a relationship leads to: an address, or the bytes of a part."""
        kind, target, outside = self.relations(part).get(rid, ("none", rid, True))
        return (kind, target) if outside else (kind, hash(self.bytes.get(target)))

    def note(self, kind, number):
        part = next((t for k, t, _ in self.relations(self.main).values() if k == NOTES[kind]), None)
        if part is None:
            return None
        for n in self.tree(part):
            if n.get(W + "id") == number:
                return (n.get(W + "author"), self.blocks(part, n)) if kind != "comment" else (n.get(W + "author"), "".join(n.itertext()))
        return None

    def shape(self, part, node):
        """An element as a value, without what means nothing: ids, white space, records of editing sessions."""
        attributes = []
        for k, v in sorted(node.attrib.items()):
            if "rsid" in k or k.endswith(("}paraId", "}textId", "}anchorId", "}editId")) or (local(node) == "docPr" and k == "id"):
                continue
            attributes.append((k, self.target(part, v) if k.startswith(R) else v))
        if node.tag == W + "txbxContent":
            return ("box", self.blocks(part, node))
        text = (node.text or "").strip()
        return (node.tag, attributes, text, [self.shape(part, c) for c in node if c.tag not in MARKS])

    def properties(self, part, node, leave=()):
        return [] if node is None else [self.shape(part, c) for c in node if local(c) not in leave and c.tag not in MARKS]

    def section(self, part, node):
        refs = []
        for c in node:
            if local(c) in ("headerReference", "footerReference"):
                target = self.relations(part).get(c.get(R + "id"), (0, None, 0))[1]
                tree = self.tree(target) if target in self.bytes else None
                refs.append((local(c), c.get(W + "type"), tree is not None and self.blocks(target, tree)))
        return ("section", self.properties(part, node, ("headerReference", "footerReference")), refs)

    def runs(self, part, node, holders, out):
        for child in node:
            name = local(child)
            if child.tag in MARKS or name in ("pPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr"):
                continue
            if child.tag == W + "r":
                rpr = str(self.properties(part, child.find(W + "rPr")))
                for c in child:
                    if c.tag in MARKS or c.tag == W + "rPr":
                        continue
                    if c.tag in (W + "t", W + "instrText"):
                        item = (local(c), c.text or "")
                    elif name == "r" and local(c).endswith("Reference") and local(c)[:-9] in NOTES:
                        item = (local(c), str(self.note(local(c)[:-9], c.get(W + "id"))))
                    else:
                        item = ("child", str(self.shape(part, c)))
                    if out and item[0] in ("t", "instrText") and out[-1][0] == item[0] and out[-1][2:] == (rpr, holders):
                        out[-1] = (item[0], out[-1][1] + item[1], rpr, holders)
                    elif item[1] or item[0] not in ("t", "instrText"):
                        out.append((*item, rpr, holders))
            elif child.tag in HOLDERS:
                attributes = str([(k, self.target(part, v) if k.startswith(R) else v) for k, v in sorted(child.attrib.items())])
                self.runs(part, child, holders + ((name, attributes),), out)
            elif child.tag == W + "sdt":
                for content in child.findall(W + "sdtContent"):
                    self.runs(part, content, holders + (("sdt", str(self.properties(part, child.find(W + "sdtPr")))),), out)
            else:
                out.append(("other", str(self.shape(part, child)), "", holders))
        return out

    def blocks(self, part, node):
        out = []
        for child in node:
            name = local(child)
            if child.tag in MARKS or child.tag == W + "tblPrExChange":
                continue
            if child.tag == W + "p":
                ppr = child.find(W + "pPr")
                out.append(("p", self.properties(part, ppr, ("rPr", "sectPr")), self.runs(part, child, (), [])))
                if ppr is not None and ppr.find(W + "sectPr") is not None:
                    out.append(self.section(part, ppr.find(W + "sectPr")))
            elif child.tag == W + "sectPr":
                out.append(self.section(part, child))
            elif name.endswith(("Pr", "PrEx", "Grid")) and child.tag.startswith(W):
                if len(child):
                    out.append((name, self.properties(part, child)))
            elif name in ("footnoteRef", "endnoteRef"):
                continue
            else:
                out.append((name, sorted(child.attrib.items()), self.blocks(part, child)))
        return out

    def body(self):
        return self.blocks(self.main, self.tree(self.main).find(W + "body"))


def read(data, how):
    """The body as a list; headers and notes are in it where they are referred to."""
    return Package(data, how).body()


def words(data, how):
    """The text of each paragraph, text boxes left out."""
    package = Package(data, how)
    out = []
    for p in package.tree(package.main).iter(W + "p"):
        out.append("".join(t.text or "" for t in p.iter(W + "t")))
    return out


def first_difference(a, b):
    """For messages: the first pair of entries that differ, without what they share."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        for x, y in zip(a, b):
            if x != y:
                return first_difference(x, y)
        return f"{len(a)} and {len(b)} entries: {str((a[len(b):] or b[len(a):])[:1])[:400]}"
    return f"{str(a)[:400]}\n   and {str(b)[:400]}"
