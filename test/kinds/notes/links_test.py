#!/usr/bin/env python3
"""Every link means the same file after renames, moves and undos, for a resolver that knows only Obsidian's rules (obsidian.py).

Vaults of several shapes are generated. After every operation each link that meant a file means the same file, under its new name.
Before and after, the graph's strict edges are the resolver's. An undo brings every byte back. OPERATIONS and SEED choose how many
operations each vault gets, and which."""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../support"))
sys.path.insert(0, HERE)
from obsidian import TIE, Vault  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402

OPERATIONS = int(os.environ.get("OPERATIONS", "60"))
SEED = int(os.environ.get("SEED", "7"))
PLAIN = ["plan", "Weekly Plan", "weekly-plan", "Index", "budget 2024", "2024-01-15-meeting", "v1.2", "a.b", "Goals", "notes_on it"]
TONGUES = ["日本語のメモ", "ノート", "Été à Paris", "Straße", "план", "План недели", "บันทึก", "😀 smile", "笔记", "العربية"]


class Shape:
    """How the notes of a vault are named and how they link."""

    def __init__(self, name, names=PLAIN, folders=("", "a", "a/b", "Projects", "x y", "ab"), titles=0.0, aliases=0.0, twins=0.3):
        self.name, self.names, self.folders = name, names, folders
        self.titles, self.aliases, self.twins = titles, aliases, twins


SHAPES = [
    Shape("a title in every note", titles=1.0),
    Shape("aliases", titles=0.3, aliases=0.8),
    Shape("equal names in many folders", names=PLAIN[:4], folders=[f"{p}{i}" for p in ("d", "d/e", "longer") for i in range(4)] + [""], twins=1.0),
    Shape("several languages", names=TONGUES + PLAIN[:3], folders=("", "日本", "日本/深い", "ру", "é", "😀", "😀/b")),
]


def title_of(path):
    return "Title of " + os.path.basename(path)[:-3]


class Generator:
    def __init__(self, shape, rng):
        self.shape, self.rng = shape, rng
        self.paths = []

    def path(self):
        rng, name = self.rng, self.rng.choice(self.shape.names)
        if rng.random() > self.shape.twins:
            name += f" {rng.randrange(40)}"
        folder = rng.choice(self.shape.folders)
        return f"{folder}/{name}.md" if folder else name + ".md"

    def link(self, source):
        rng, target = self.rng, self.rng.choice(self.paths)
        bare, name = target[:-3], os.path.basename(target)[:-3]
        way = os.path.relpath(target, os.path.dirname(source) or ".").replace(os.sep, "/")
        end = "/".join(bare.split("/")[-2:])
        encoded = way.replace(" ", "%20")
        return rng.choice([f"[[{name}]]", f"[[{name}]]", f"[[{name}|shown]]", f"[[{name}#Part]]", f"![[{name}]]", f"[[{name.upper()}]]",
                           f"[[{bare}]]", f"[[{bare}|x]]", f"[[{end}]]", f"[[{name}.md]]", f"[[/{bare}]]", f"[[{title_of(target)}]]",
                           f"[[also {name}]]", f"[[{name.replace(' ', '-').lower()}]]", f"[x]({encoded})", f"[x](<{way}>)",
                           f"[x]({encoded}#part)", f"[x](<{name}.md>)", f"[[{'./' if not way.startswith('../') else ''}{way[:-3]}]]"])

    def text(self, path):
        rng, front = self.rng, ""
        if rng.random() < self.shape.titles:
            front += f"title: {title_of(path)}\n"
        if rng.random() < self.shape.aliases:
            front += f"aliases: [also {os.path.basename(path)[:-3]}, other {rng.randrange(9)}]\n"
        if rng.random() < 0.3:
            front += "up: \"" + next(l for l in iter(lambda: self.link(path), "") if l.startswith("[[")) + "\"\n"
        lines = [f"line {i} {self.link(path)} and {self.link(path)}" for i in range(rng.randrange(6))]
        return (f"---\n{front}---\n" if front else "") + "\n".join(lines) + "\n"

    def files(self):
        wanted = {self.path().lower(): self.path() for _ in range(30)}
        self.paths = sorted({p.lower(): p for p in wanted.values()}.values())
        return {p: self.text(p) for p in self.paths}


def answer(server, tool, arguments):
    result = server.call(tool, arguments)["result"]
    return (None, result["content"][0]["text"]) if result.get("isError") else (result["structuredContent"], None)


def snapshot(root):
    out = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".")]
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                out[os.path.relpath(path, root)] = f.read()
    return out


def lost(before, after, moved):
    """The links that mean another file now."""
    name = lambda path: moved.get(path, path)
    out = []
    for path, links in before.items():
        now = after.get(name(path), [])
        if len(now) != len(links):
            out.append(f"{path}: {len(links)} links, {len(now)} after")
            continue
        for (kind, text, to), (_, text_now, to_now) in zip(links, now):
            if to and to != TIE and name(to) != to_now:
                out.append(f"{path}: {kind} {text} -> {to}; after as {name(path)}: {text_now} -> {to_now}, not {name(to)}")
    return out


def graph_differs(server, vault):
    """Where the graph's edges are not the resolver's."""
    out = []
    for path, links in vault.edges().items():
        if not path.endswith(".md"):
            continue
        known, _ = answer(server, "get_node", {"id": path})
        if not known.get("result", known):
            out.append(f"{path}: no note")
            continue
        node = known.get("result", known)
        have = {l["id"] for l in node["links"] if "by" not in l}
        means = [(text, to) for _, text, to in links]
        want = {to for _, to in means if to and to != path and to.endswith(".md")}
        if TIE not in [to for _, to in means] and have != want:
            out.append(f"{path}: {sorted(have ^ want)} of {means}")
    return out


class Run:
    def __init__(self, tap, shape, seed):
        self.tap, self.shape, self.rng = tap, shape, random.Random(f"{seed} {shape.name}")
        self.generator = Generator(shape, self.rng)
        self.done = self.refused = self.undone = self.checked = 0
        self.faults = []

    def operation(self, server, vault):
        """Does one of them. Returns {old path: new path}, the tool's answer and a path to undo by; or None, refused."""
        rng = self.rng
        notes = [p for p in vault.files if p.endswith(".md")]
        note, way = rng.choice(notes), rng.randrange(6)
        if way < 2:
            name = rng.choice(self.shape.names) + rng.choice(["", " new", f" {rng.randrange(40)}"])
            new, error = answer(server, "update_node", {"id": note, "title": name})
            moved = {note: new["id"]} if new else None
        elif way < 5:
            to = rng.choice([self.generator.path(), self.generator.path(), rng.choice(self.shape.folders) + "/"])
            new, error = answer(server, "move_node", {"id": note, "to": to})
            moved = {note: new["id"]} if new else None
        else:
            folder = rng.choice([f for f in self.shape.folders if f])
            to = rng.choice(["moved", "z/" + folder, folder + " new", rng.choice(self.shape.folders) + "/in"]).strip("/")
            new, error = answer(server, "move_node", {"id": folder, "to": to})
            moved = {p: to + p[len(folder):] for p in vault.files if p.startswith(folder + "/")} if new else None
        if error and not any(k in error for k in ("NODE_EXISTS", "INVALID_PARAMS", "NODE_NOT_FOUND")):
            self.faults.append(f"refused: {error}")
        return moved

    def turn(self, server, root):
        before, bytes_before = Vault(root), snapshot(root)
        edges = before.edges()
        moved = self.operation(server, before)
        if not moved:
            self.refused += 1
            return
        self.done += 1
        self.checked += sum(len(l) for l in edges.values())
        self.faults += [f"{moved}: {f}" for f in lost(edges, Vault(root).edges(), moved)]
        if self.rng.random() < 0.25 and snapshot(root) != bytes_before:
            undone, error = answer(server, "file_undo", {"file_path": next(iter(moved.values()))})
            self.undone += 1
            now = snapshot(root)
            if error or now != bytes_before:
                self.faults.append(f"undo of {moved}: {error or [p for p in now if now[p] != bytes_before.get(p)]}")

    def run(self):
        with Folder(self.generator.files()) as folder, Stdio("notes", root=folder.path) as server:
            self.faults += [f"at first: {f}" for f in graph_differs(server, Vault(folder.path))]
            for _ in range(OPERATIONS):
                if not self.faults:
                    self.turn(server, folder.path)
            self.faults += [f"at last: {f}" for f in graph_differs(server, Vault(folder.path))]
        self.tap.ok(not self.faults, f"{self.shape.name}: every link means the same file after renames, moves and undos",
                    "\n".join(self.faults[:20]))
        self.tap.ok(self.done > OPERATIONS // 3 and self.undone, f"{self.shape.name}: most operations were done, some undone",
                    f"{self.done} done, {self.refused} refused, {self.undone} undone")
        print(f"# {self.checked} links checked in {self.done} operations, {self.undone} undone", flush=True)


def main():
    tap = Tap()
    for shape in SHAPES:
        Run(tap, shape, SEED).run()
    tap.done()


if __name__ == "__main__":
    main()
