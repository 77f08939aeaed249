#!/usr/bin/env python3
"""Thousands of random creates, edits, renames, moves and deletes, by the tools and by other programs.

After all of it, the server's graph equals that of a newly started server. A rename or move by a tool keeps every link: notes
that linked to a note before link to it afterwards, under its new name."""
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

OPERATIONS = int(os.environ.get("OPERATIONS", "2000"))
SEED = int(os.environ.get("SEED", "11"))
WORDS = ["alpha", "beta", "gamma", "delta", "Été", "日本", "v1.2024", "sesame oil", "README", "index"]
FOLDERS = ["", "notes", "notes/deep", "Archive", "a b", "img"]


class Vault:
    def __init__(self, root, rng):
        self.root, self.rng = root, rng

    def notes(self):
        out = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if not f.startswith(".")]
            out += [os.path.relpath(os.path.join(folder, n), self.root) for n in names if n.endswith(".md")]
        return sorted(out)

    def name(self):
        word = self.rng.choice(WORDS)
        return word if self.rng.random() < 0.6 else f"{word}-{self.rng.randrange(6)}"

    def path(self):
        folder = self.rng.choice(FOLDERS)
        return os.path.join(folder, self.name() + ".md") if folder else self.name() + ".md"

    def link(self, notes):
        rng = self.rng
        target = rng.choice(notes) if notes and rng.random() < 0.8 else self.path()
        bare = target[:-3]
        base = os.path.basename(bare)
        encoded = target.replace(" ", "%20")
        return rng.choice([
            f"[[{base}]]", f"[[{base}|shown]]", f"[[{bare}]]", f"[[{target}]]", f"[[{base}#Part]]", f"![[{base}]]",
            f"[[{base.title()}]]", f"[[{base.replace('-', ' ')}]]", f"[[./{base}]]", f"[[../{base}]]", f"[x]({encoded})",
            f"[x](../{encoded})", f"[x](<{os.path.basename(target)}>)", f"[x](/{encoded}#p)", f"`[[{base}]]`",
            f"[[Title {base}]]", f"[[also {base}]]", f"![i](pic.png)", f"[[{base}.md]]",
        ])

    def text(self):
        rng, notes = self.rng, self.notes()
        links = [self.link(notes) for _ in range(rng.randrange(6))]
        body = "\n".join(f"line {i} {l} #tag{rng.randrange(3)}" for i, l in enumerate(links)) + "\n"
        name = self.name()
        front = rng.choice(["", "", f"---\ntitle: Title {name}\n---\n", f"---\naliases: [also {name}, x]\ntags: [t]\n---\n",
                            f"---\nup: \"{self.link(notes)}\"\n---\n".replace("<", "").replace(">", ""), "---\nbad: [\n---\n"])
        return front + body

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", newline="") as f:
            f.write(text)

    def foreign(self):
        rng, notes = self.rng, self.notes()
        what = rng.randrange(8)
        try:
            if what < 2 or not notes:
                self.write(self.path(), self.text())
            elif what == 2:
                self.write(rng.choice(notes), self.text())
            elif what == 3:
                os.remove(os.path.join(self.root, rng.choice(notes)))
            elif what == 4:
                to = os.path.join(self.root, self.path())
                os.makedirs(os.path.dirname(to), exist_ok=True)
                os.rename(os.path.join(self.root, rng.choice(notes)), to)
            elif what == 5:  # an editor that writes a temporary file and renames it
                path = rng.choice(notes)
                self.write(path + ".tmp", self.text())
                os.rename(os.path.join(self.root, path + ".tmp"), os.path.join(self.root, path))
            elif what == 6 and rng.random() < 0.2:
                shutil.rmtree(os.path.join(self.root, rng.choice(["notes/deep", "a b"])), ignore_errors=True)
            elif what == 7 and rng.random() < 0.2:
                os.rename(os.path.join(self.root, "notes"), os.path.join(self.root, "notes2"))
                shutil.copytree(os.path.join(self.root, "notes2"), os.path.join(self.root, "notes"))
                shutil.rmtree(os.path.join(self.root, "notes2"))
        except OSError:
            pass


def answer(server, tool, arguments):
    result = server.call(tool, arguments)["result"]
    if result.get("isError"):
        return None, result["content"][0]["text"]
    return result["structuredContent"], None


def edges(server, notes):
    out = {}
    for note in notes:
        found, _ = answer(server, "get_neighbors", {"id": note, "direction": "out", "limit": 50, "include_content": False})
        out[note] = sorted(n["id"] for n in found["result"])
    return out


def whole(server):
    listed, _ = answer(server, "find_nodes", {"limit": 1000})
    notes = [n["id"] for n in listed["nodes"]]
    bare = lambda a: {k: v for k, v in a.items() if k != "_warnings"}
    return {"nodes": listed["nodes"], "edges": edges(server, notes), "stats": bare(answer(server, "get_stats", {})[0]),
            "unresolved": bare(answer(server, "list_unresolved", {"limit": 500})[0]),
            "tags": bare(answer(server, "list_tags", {})[0]),
            "incoming": {n: [answer(server, "get_node", {"id": n, "depth": 1})[0]["incomingCount"]] for n in notes}}


def kept(before, after, moved):
    """Links that a move lost: everything that was linked is linked under its new name."""
    name = lambda n: moved.get(n, n)
    return [f"{note} -> {to}" for note, targets in before.items() for to in targets
            if name(to) not in after.get(name(note), [])]


def rename(vault, server, tap, note, number):
    rng = vault.rng
    before = edges(server, vault.notes())
    way = rng.randrange(3)
    if way == 0:
        new, error = answer(server, "update_node", {"id": note, "title": rng.choice([vault.name(), "Title " + vault.name()])})
        moved = {note: new["id"]} if new else {}
    elif way == 1:
        new, error = answer(server, "move_node", {"id": note, "to": rng.choice([vault.path(), "Archive/", "/", "notes/deep/"])})
        moved = {note: new["id"]} if new else {}
    else:
        folder, to = rng.choice([("notes", "Archive/n"), ("Archive", "notes/arch"), ("a b", "c d"), ("c d", "a b")])
        new, error = answer(server, "move_node", {"id": folder, "to": to})
        moved = {n: to + n[len(folder):] for n in before if n.startswith(folder + "/")} if new else {}
    if error:
        known = ("NODE_EXISTS", "INVALID_PARAMS", "NODE_NOT_FOUND", "malformed")
        if not any(k in error for k in known):
            tap.ok(False, f"operation {number}: a rename is done or refused for a reason", error)
        return
    lost = kept(before, edges(server, vault.notes()), moved)
    if lost:
        tap.ok(False, f"operation {number}: no link is lost by moving {moved}", "\n".join(lost))


def by_tool(vault, server, tap, number):
    rng, notes = vault.rng, vault.notes()
    what = rng.randrange(9)
    if what < 2 or not notes:
        answer(server, "create_node", {"title": vault.name(), "content": vault.text(), "directory": rng.choice(FOLDERS)})
    elif what < 5:
        rename(vault, server, tap, rng.choice(notes), number)
    elif what == 5:
        answer(server, "update_node", {"id": rng.choice(notes), "content": "new " + vault.link(notes), "tags": ["x"]})
    elif what == 6:
        answer(server, "edit_node", {"id": rng.choice(notes), "operation": "append", "content": vault.link(notes)})
    elif what == 7:
        answer(server, "delete_node", {"id": rng.choice(notes)})
    else:
        answer(server, "get_backlinks", {"id": rng.choice(notes)})


def main():
    tap, rng = Tap(), random.Random(SEED)
    every = max(OPERATIONS // 20, 1)
    with Folder({"img/pic.png": "x", "pic.png": "y"}) as folder, Stdio("notes", root=folder.path) as server:
        vault = Vault(folder.path, rng)
        for number in range(OPERATIONS):
            if len(vault.notes()) > 60:
                os.remove(os.path.join(folder.path, rng.choice(vault.notes())))
            if rng.random() < 0.5:
                vault.foreign()
            else:
                by_tool(vault, server, tap, number)
            if number % every == every - 1:
                with Stdio("notes", root=folder.path) as fresh:
                    have, want = whole(server), whole(fresh)
                differs = [f"{k}: {have[k]}\nfresh: {want[k]}" for k in want if have[k] != want[k]]
                tap.ok(not differs, f"after {number + 1} operations the graph is the one a new server builds",
                       "\n".join(differs)[:4000])
                if tap.failed:
                    break
    tap.done()


main()
