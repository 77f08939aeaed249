"""obsidian.py: which file a link means in Obsidian, and where the links of a vault are. Written from Obsidian's rules, apart from
the graph's code, so that the two can be compared.

A name counts as written, and only if no file has it, with .md. ./ and ../ count from the note's folder, / from the root. Any
other name or path is a file's whole path, or else the end of one: below the note's folder before elsewhere, and there the
shortest path in UTF-16 units. Case never matters. A Markdown link is first a path from the note's folder, as in every other
program. Titles and aliases name no file."""
import json
import os
import posixpath
import re
import urllib.parse

TIE = "?"  # two files of equal length fit; nothing says which one is meant

WIKI = re.compile(r"!?\[\[([^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
MARKDOWN = re.compile(r"!?\[[^\[\]\n]*\]\(\s*(?:<([^<>\n]*)>|([^()\s]*))\s*\)")
CALL = re.compile(r"""\b(?:file\.hasLink|link)\(\s*\\?"([^"\\]*)\\?"\s*\)""")
FOLDER = re.compile(r"""\bfile\.inFolder\(\s*\\?"([^"\\]*)\\?"\s*\)""")


def units(path):
    return len(path.encode("utf-16-le")) // 2


class Vault:
    def __init__(self, root):
        self.root, self.files, self.by_name = root, [], {}
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith(".")]
            self.files += [os.path.relpath(os.path.join(folder, n), root) for n in names if not n.startswith(".")]
        for path in self.files:
            self.by_name.setdefault(posixpath.basename(path).lower(), []).append(path)

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", newline="") as f:
            return f.read()

    def exact(self, path):
        """The file at a whole path, as written or with .md."""
        for name in (path.lower(), path.lower() + ".md"):
            for file in self.by_name.get(posixpath.basename(name), []):
                if file.lower() == name:
                    return file
        return None

    def lookup(self, name, folder):
        fitting = [f for f in self.by_name.get(posixpath.basename(name), []) if f.lower() == name or f.lower().endswith("/" + name)]
        if not fitting:
            return None
        for file in fitting:
            if file.lower() == name:
                return file
        near = [f for f in fitting if not folder or f.lower().startswith(folder.lower() + "/")] or fitting
        least = min(units(f) for f in near)
        best = [f for f in near if units(f) == least]
        return best[0] if len(best) == 1 else TIE

    def resolve(self, source, link):
        folder, name = posixpath.dirname(source), link.strip()
        if name.startswith(("./", "../")):
            joined = posixpath.normpath(posixpath.join(folder, name))
            return None if joined.startswith("..") else self.exact(joined)
        if name.startswith("/"):
            return self.exact(name[1:])
        name = name.lower()
        return self.lookup(name, folder) or self.lookup(name + ".md", folder)

    def markdown(self, source, target):
        if re.match(r"[a-z][a-z0-9+.-]+:", target, re.I) or target.startswith("//"):
            return None
        path = urllib.parse.unquote(target.split("#")[0])
        if not path:
            return None
        if not path.startswith("/"):
            near = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
            found = None if near.startswith("..") else self.exact(near)
            if found:
                return found
        return self.resolve(source, path)

    def links_of_text(self, source, text):
        """(what it is, what it names, the file it means) of every link, in order."""
        found = [(m.start(), "wiki", m[1], self.resolve(source, m[1])) for m in WIKI.finditer(text) if m[1].strip()]
        found += [(m.start(), "markdown", m[1] or m[2], self.markdown(source, m[1] or m[2])) for m in MARKDOWN.finditer(text)
                  if m[1] or m[2]]
        found += [(m.start(), "call", m[1], self.resolve(source, m[1])) for m in CALL.finditer(text) if "[[" not in m[1]]
        found += [(m.start(), "folder", m[1], m[1].lower() if os.path.isdir(os.path.join(self.root, m[1])) else None)
                  for m in FOLDER.finditer(text)]
        return [f[1:] for f in sorted(found)]

    def links_of_canvas(self, source):
        out = []
        for node in json.loads(self.read(source)).get("nodes", []):
            if node["type"] == "file":
                out.append(("file", node["file"], node["file"] if node["file"] in self.files else None))
            elif node["type"] == "text":
                out += self.links_of_text(source, node["text"])
        return out

    def edges(self):
        """{file: its links}, of every file that can have links."""
        out = {}
        for path in self.files:
            if path.endswith(".canvas"):
                out[path] = self.links_of_canvas(path)
            elif path.endswith((".md", ".base")):
                out[path] = self.links_of_text(path, self.read(path))
        return out
