#!/usr/bin/env python3
"""A vault in real use: other programs write, callers have limited access, and one rename updates thousands of links."""
import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, Folder, Http, Stdio, Tap, wait_for  # noqa: E402

tap = Tap()


def body(answer):
    result = answer["result"]
    return result.get("structuredContent") if not result.get("isError") else json.loads(result["content"][0]["text"])


with Folder({"n/a.md": "one\n"}) as folder:
    with Stdio("notes", "--trash", root=folder.path) as q:
        tap.same(body(q.call("delete_node", {"id": "n/a.md"})), {"deleted": True}, "a note goes to the trash")
        tap.same(folder.read(".trash/n/a.md"), b"one\n", "it is there as it was")
        q.call("create_node", {"title": "a", "content": "two", "directory": "n"})
        q.call("delete_node", {"id": "n/a.md"})
        tap.same(folder.read(".trash/n/a 1.md"), b"two\n", "a second one gets a number")
        tap.same(body(q.call("find_nodes"))["total"], 0, "the trash holds no notes")
with Folder({"a.md": "x"}) as folder, Stdio("notes", "--embed", "none", root=folder.path) as q:
    names = [t["name"] for t in q.request("tools/list")["result"]["tools"]]
    tap.ok("search" not in names and "get_node" in names, "--embed none hides search and nothing else")
with Folder({"a.md": "x"}) as folder, Stdio("notes", "--read-only", root=folder.path) as q:
    names = [t["name"] for t in q.request("tools/list")["result"]["tools"]]
    tap.ok("get_node" in names and not {"create_node", "update_node", "edit_node", "move_node", "delete_node"} & set(names),
           "a read-only server lists no writing tool")

with Folder({"root/a.md": "[x](../out.md) [[../out]]", "out.md": "secret", "root/real.md": "r"}) as folder:
    os.symlink("../out.md", folder.path + "/root/link.md")
    os.symlink("..", folder.path + "/root/up")
    with Stdio("notes", root=folder.path + "/root") as q:
        tap.same([n["id"] for n in body(q.call("find_nodes"))["nodes"]], ["a.md", "real.md"], "links out of the root are no notes")
        for path in ("link.md", "up/out.md", "../out.md", folder.path + "/out.md"):
            tap.same(body(q.call("get_node", {"id": path})), {"result": None}, f"{path[-9:]} is not read")
        answer = body(q.call("create_node", {"title": "evil", "content": "x", "directory": "up"}))
        tap.ok("error" in answer and not os.path.exists(folder.path + "/evil.md"), "a link in the way is not followed by a write", answer)
        answer = body(q.call("move_node", {"id": "real.md", "to": "up/real.md"}))
        tap.ok("error" in answer and folder.read("root/real.md") == b"r", "nor by a move", answer)

with Folder({"a.md": "[[b]] [[sub/c]]", "d.md": "[x](b.md) [[C]]", "b.md": "x", "sub/c.md": "y", "e.md": "[[f]]", "f.md": ""}) as folder:
    with Stdio("notes", root=folder.path) as q:
        body(q.call("get_stats"))
        os.rename(folder.path + "/b.md", folder.path + "/other.md")
        os.remove(folder.path + "/sub/c.md")
        told = body(q.call("list_tags")).get("_warnings", [])
        tap.same(told, ["b.md, sub/c.md are gone; 4 links in 2 notes are broken now; list_unresolved shows them"],
                 "links that another program broke are told at once")
        tap.ok("_warnings" not in body(q.call("list_tags")), "once")
        os.makedirs(folder.path + "/new")
        os.rename(folder.path + "/f.md", folder.path + "/new/f.md")
        tap.ok("_warnings" not in body(q.call("list_tags")), "a link that still leads to the note is not told")
        q.call("delete_node", {"id": "new/f.md"})
        tap.ok("_warnings" not in body(q.call("list_tags")), "nor what the agent's own deletion broke, a second time")

with Folder({"a/b/c.md": "x", "a/d/e.md": "y", "a/f/.hidden": "z", "g.md": "[[c]] [md](a/b/c.md)"}) as folder:
    os.makedirs(folder.path + "/a/empty/deep")
    with Stdio("notes", root=folder.path) as q:
        tap.same(body(q.call("move_node", {"id": "a", "to": "new/a", "dry_run": True}))["notes"], 2, "a folder can be moved on trial")
        tap.ok(os.path.exists(folder.path + "/a/empty/deep"), "which removes nothing")
        q.call("move_node", {"id": "a", "to": "new/a"})
        left = sorted(os.path.relpath(d, folder.path) for d, _, _ in os.walk(folder.path))
        tap.same(left, [".", "a", "a/f", "new", "new/a", "new/a/b", "new/a/d"], "a moved folder leaves only what holds hidden files")
        q.call("file_undo", {"file_path": "new/a/b/c.md"})
        tap.ok(folder.read("a/b/c.md") == b"x" and folder.read("g.md") == b"[[c]] [md](a/b/c.md)", "an undo makes the folders again")
# Results stay short for any content of the notes.
LONG = "c" * 120
hostile = {f"h/t{i}.md": f"---\ntitle: {'T' * 100000}{i}\naliases: [al{i}]\n---\n[[hub]] [[al{(i + 1) % 120}]]\n" for i in range(120)}
hostile["hub.md"] = ("---\ntags: [" + ", ".join(f"tag{'x' * 150}{i}" for i in range(1500)) + "]\n---\n" +
                     " ".join(f"[[al{i}]]" for i in range(120)) + " " + " ".join(f"#in{'y' * 100}{i}" for i in range(3000)))
hostile["broken.md"] = " ".join(f"[[{'b' * 2000}{i}]]" for i in range(300)) + "\n# " + "H" * 100000 + "\n## x\n"
hostile["tags.md"] = "---\ntags: [" + "t" * 100000 + ", ok]\n---\n"
hostile.update({f"chain/{LONG}{i}.md": f"[[{LONG}{i + 1}]]" for i in range(1000)})
with Folder(hostile) as folder, Stdio("notes", root=folder.path) as q:
    sizes = {}
    for tool, arguments in (("get_node", {"id": "hub.md"}), ("get_node", {"id": "hub.md", "depth": 1}), ("get_node", {"id": "h/t1.md", "depth": 1}),
                            ("get_neighbors", {"id": "hub.md", "limit": 50}), ("find_nodes", {"limit": 1000}), ("list_tags", {"limit": 1000}),
                            ("get_hubs", {"limit": 50}), ("list_unresolved", {"limit": 500}), ("get_backlinks", {"id": "hub.md", "limit": 100}),
                            ("resolve_nodes", {"names": [f"al{i}" for i in range(100)]}), ("suggest_links", {"id": "broken.md"}),
                            ("get_local_graph", {"id": "hub.md", "depth": 3, "limit": 200, "picture": "mermaid"}),
                            ("search_by_tags", {"tags": ["in" + "y" * 100 + "7", "ok"]}), ("get_node", {"id": "tags.md"}),
                            ("find_path", {"source": f"chain/{LONG}0.md", "target": f"chain/{LONG}999.md"}),
                            ("edit_node", {"id": "broken.md", "operation": "append", "heading": "none", "content": "x"}),
                            ("edit_node", {"id": "broken.md", "operation": "append", "heading": "x", "content": "x"})):
        sizes[tool + str(arguments)[:30]] = len(json.dumps(q.call(tool, arguments)["result"]["content"]))
    tap.ok(max(sizes.values()) < 65000, "no answer is longer than 60,000 characters and their escapes", sizes)
    note = body(q.call("get_node", {"id": "tags.md"}))
    tap.same((note["tags"], body(q.call("get_node", {"id": "h/t7.md"}))["title"]), (["ok"], "t7"), "tags and titles too long to be one are none")
    path = body(q.call("find_path", {"source": f"chain/{LONG}0.md", "target": f"chain/{LONG}999.md"}))
    rest = body(q.call("find_path", {"source": path["path"][-1], "target": f"chain/{LONG}999.md"}))
    tap.ok(path["length"] == 999 and len(path["path"]) - 1 + rest["length"] == 999 and "find_path from the last" in path["_warnings"][-1],
           "a path too long to show is shown in parts", (path["length"], len(path["path"]), rest["length"]))

with Folder({"real/a.md": "x", "b.md": "[[a]]"}) as folder, Stdio("notes", root=folder.path) as q:
    os.symlink("real", folder.path + "/link")
    answers = [body(q.call(tool, arguments)) for tool, arguments in (
        ("create_node", {"title": "New", "content": "x", "directory": "link"}), ("move_node", {"id": "b.md", "to": "link/"}))]
    tap.ok(all("leads through a link to another folder; name it real/" in a.get("error", {}).get("message", "") for a in answers),
           "a note is not written under a second name", answers)
    tap.same([n["id"] for n in body(q.call("find_nodes"))["nodes"]], ["b.md", "real/a.md"], "so every note has one id")
with Folder({".quireignore": "drafts/\n", "a.md": "[[b]]", "b.md": "x"}) as folder, Stdio("notes", root=folder.path) as q:
    answers = [body(q.call(tool, arguments)) for tool, arguments in (
        ("create_node", {"title": "New", "content": "x", "directory": "drafts/deep"}), ("move_node", {"id": "b.md", "to": "drafts/"}),
        ("create_node", {"title": "New", "content": "x", "directory": "node_modules/x"}))]
    tap.ok(all("is ignored by" in a.get("error", {}).get("message", "") for a in answers) and os.listdir(folder.path).count("drafts") == 0,
           "no note is written where it would not be found", answers)
    tap.same(body(q.call("create_node", {"title": "New", "content": "x", "directory": "node_modules_x"}))["id"], "node_modules_x/new.md",
             "a folder with a similar name is taken")

with Folder({"root/public/a.md": "[[secret]] [[b]] #t", "root/public/b.md": "x", "root/private/secret.md": "[[a]] [[gone]] #t"}) as folder:
    grants = {"kinds": ["*"], "tools": ["*"], "documents": ["public/**"], "write": ["public/**"]}
    folder.write("keys.json", json.dumps({"keys": [{"name": "g", "key": "guest-secret", "grants": grants}]}))
    os.chmod(folder.path + "/keys.json", 0o600)
    with Http("notes", "--keys", folder.path + "/keys.json", root=folder.path + "/root") as q:
        q.key = "guest-secret"
        seen = [json.dumps(q.call(tool, arguments)["result"]) for tool, arguments in (
            ("get_node", {"id": "public/a.md", "depth": 1}), ("get_neighbors", {"id": "public/a.md"}), ("find_nodes", {}),
            ("get_hubs", {}), ("search_by_tags", {"tags": ["t"]}), ("list_unresolved", {}), ("get_stats", {}),
            ("get_local_graph", {"id": "public/a.md", "depth": 3}), ("get_backlinks", {"id": "public/a.md"}),
            ("suggest_links", {"id": "public/b.md"}), ("resolve_nodes", {"names": ["secret"]}), ("search", {"query": "gone"}),
            ("get_backlinks", {"id": "secrt.md"}), ("random_node", {"tags": ["t"]}))]
        leaks = [s for s in seen if "private" in s or "gone" in s]
        tap.ok(not leaks, "what a key may not see is in no answer", "\n".join(leaks)[:2000])
        tap.same(body(q.call("get_node", {"id": "private/secret.md"})), {"result": None}, "it does not exist for this key")
        tap.same(body(q.call("get_stats"))["nodes"], 2, "nor is it counted")
        with open(folder.path + "/root/private/secret.md", "a") as f:
            f.write("half of it")
            f.flush()
            told = [body(q.call(tool)).get("_warnings") for tool in ("get_stats", "list_tags")]
        os.rename(folder.path + "/root/private/secret.md", folder.path + "/root/private/away.md")
        told += [body(q.call(tool)).get("_warnings") for tool in ("get_stats", "list_tags")]
        tap.ok("private" not in json.dumps(told), "nor is what another program does to it told", told)
        os.rename(folder.path + "/root/private/away.md", folder.path + "/root/private/secret.md")
        before = folder.read("root/private/secret.md")
        answer = body(q.call("update_node", {"id": "public/a.md", "title": "Other"}))
        tap.ok("error" in answer and folder.read("root/private/secret.md") == before and os.path.exists(folder.path + "/root/public/a.md"),
               "a rename that would have to write there is refused whole", answer)

N = 1000
with Folder({"hub.md": "# Hub\n", **{f"n/{i}.md": f"# N {i}\n\nsee [[hub|it]] and [[{(i + 1) % N}]]\n" for i in range(N)}}) as folder:
    with Stdio("notes", root=folder.path) as q:
        answer = q.request("tools/call", {"name": "update_node", "arguments": {"id": "hub.md", "title": "The Center"},
                                          "_meta": {"progressToken": "p"}})
        tap.same(body(answer)["id"], "the-center.md", "a hub with 1,000 links is renamed")
        tap.same({folder.read(f"n/{i}.md") for i in (0, N - 1)},
                 {b"# N 0\n\nsee [[the-center|it]] and [[1]]\n", f"# N {N - 1}\n\nsee [[the-center|it]] and [[0]]\n".encode()},
                 "every link follows, and nothing else changes")
        tap.same(body(q.call("get_stats"))["broken"], 0, "no link is broken")
        tap.ok(any("progress" in n.get("method", "") for n in q.notices), "progress was told")
        undone = q.call("file_undo", {"file_path": "n/7.md"})["result"]
        tap.ok(not undone.get("isError") and folder.read("hub.md") == b"# Hub\n" and folder.read("n/9.md").startswith(b"# N 9\n\nsee [[hub|it]]"),
               "one undo takes all of it back", undone)
        tap.same(body(q.call("get_node", {"id": "hub.md", "depth": 1}))["incomingCount"], N, "and the graph knows")

        # A person saves one of the notes during the rename: it is planned again, with that text.
        q.notices.clear()

        def save():
            wait_for(lambda: q.notices)
            with open(folder.path + "/n/999.md", "ab") as f:
                f.write(b"mine\n")

        person = threading.Thread(target=save)
        person.start()
        answer = q.request("tools/call", {"name": "move_node", "arguments": {"id": "hub.md", "to": "node.md"},
                                          "_meta": {"progressToken": "p"}})
        person.join()
        tap.ok(not answer["result"].get("isError") and folder.read("n/999.md") == b"# N 999\n\nsee [[node|it]] and [[0]]\nmine\n",
               "a save during a rename is kept, and the rename happens", (answer, folder.read("n/999.md")))
        q.call("move_node", {"id": "node.md", "to": "hub.md"})

        # Cancelled at a random moment: either everything was done or nothing.
        for wait in (0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.1, 0.3):
            here = "hub.md" if os.path.exists(folder.path + "/hub.md") else "middle.md"
            q.id += 1
            q.send({"jsonrpc": "2.0", "id": q.id, "method": "tools/call",
                    "params": {"name": "move_node", "arguments": {"id": here, "to": "middle.md" if here == "hub.md" else "hub.md"}}})
            time.sleep(wait)
            q.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": q.id}})
            stats = body(q.call("get_stats"))
            forms = {folder.read(f"n/{i}.md").split(b"[[")[1].split(b"|")[0] for i in range(N)}
            name = b"hub" if os.path.exists(folder.path + "/hub.md") else b"middle"
            tap.ok(forms == {name} and stats["broken"] == 0, f"a rename cancelled after {wait} s happened whole or not at all",
                   (forms, name, stats))

with Folder({"bad.md": b"caf\xe9 [[b]]\n", "b.markdown": "[[bad]]\n"}) as folder, Stdio("notes", root=folder.path) as q:
    note = body(q.call("get_node", {"id": "bad.md"}))
    tap.same(note["content"], "caf\ufffd [[b]]", "malformed bytes are shown as U+FFFD")
    tap.ok(any("UTF-8" in w for w in note["_warnings"]), "and told", note)
    tap.same([l["id"] for l in note["links"]], ["b.markdown"], ".markdown files are notes")
    q.call("edit_node", {"id": "bad.md", "operation": "append", "content": "more"})
    tap.same(folder.read("bad.md"), b"caf\xe9 [[b]]\n\nmore\n", "an edit elsewhere keeps them")
    q.call("move_node", {"id": "b.markdown", "to": "c.markdown"})
    tap.same(folder.read("bad.md"), b"caf\xe9 [[c]]\n\nmore\n", "a rewritten link too")
LONG = "a-rather-long-name-of-a-note-" * 4
with Folder({f"{LONG}{i}.md": " ".join(f"[[{LONG}{k}]]" for k in range(60)) + " #t" for i in range(60)}) as folder:
    with Stdio("notes", root=folder.path) as q:
        result = q.call("search_by_tags", {"tags": ["t"], "limit": 100})["result"]
        size = sum(len(b["text"]) for b in result["content"])
        shown = result["structuredContent"]["result"]
        tap.ok(size < 62000 and 0 < len(shown) < 60, "a long list is cut", (size, len(shown)))
        tap.ok("offset" in json.dumps(result["structuredContent"]["_warnings"]), "and says how to get the rest")
        rest = body(q.call("search_by_tags", {"tags": ["t"], "limit": 100, "offset": len(shown)}))["result"]
        tap.ok(rest and rest[0]["id"] not in [n["id"] for n in shown], "which works")
        tap.ok(shown[0]["linkCount"] == 59 and len(shown[0]["links"]) == 10, "links beyond ten are counted", shown[0].get("linkCount"))

with Folder({f"{i}.md": f"[[{(i * 7) % 40}]]\n" for i in range(40)}) as folder:
    with Stdio("notes", root=folder.path) as q:
        stop = threading.Event()

        def scribble():
            n = 0
            while not stop.is_set():
                folder.write(f"{20 + n % 20}.md", f"[[{n % 40}]] {n}\n")
                n += 1
        q.call("get_stats")
        writer = threading.Thread(target=scribble)
        writer.start()
        faults = []
        for i in range(60):
            answer = body(q.call("update_node", {"id": f"{i % 20}.md", "content": f"[[{(i * 3) % 20}]] {i}"}))
            if "error" in answer and answer["error"]["code"] not in ("CONFLICT", "NODE_NOT_FOUND"):
                faults.append(answer)
            name = f"moved{i % 2}"
            answer = body(q.call("move_node", {"id": f"{name}.md" if i >= 2 else f"{i}.md", "to": f"{name}.md"}))
            if "error" in answer and answer["error"]["code"] not in ("CONFLICT", "NODE_NOT_FOUND", "NODE_EXISTS"):
                faults.append(answer)
        stop.set()
        writer.join()
        tap.ok(not faults, "beside a program that keeps writing, calls are done or refused", faults[:3])
        with Stdio("notes", root=folder.path) as fresh:
            mine, theirs = body(q.call("get_stats")), body(fresh.call("get_stats"))
            mine.pop("_warnings", 0), theirs.pop("_warnings", 0)
            tap.same(mine, theirs, "and the graph is what a new server builds")

with Folder({"a.md": "---\ntags: [t]\n---\n[[b]] old\n", "b.md": "b\n"}) as folder, Stdio("notes", root=folder.path) as q:
    q.call("get_stats")
    with open(folder.path + "/a.md", "w") as half:
        half.write("---\ntags: [")
        half.flush()
        listed = body(q.call("search_by_tags", {"tags": ["t"]}))
        tap.same([(n["id"], n["content"]) for n in listed["result"]], [("a.md", "[[b]] old")], "a half-written note stays as it was")
        tap.ok(any("a.md: another program is writing" in w for w in listed.get("_warnings", [])), "and that is told", listed)
        note = body(q.call("get_node", {"id": "a.md"}))
        tap.ok(any("may be incomplete" in w for w in note.get("_warnings", [])), "its text is shown with a warning", note)
        half.write("u]\n---\n[[b]] new\n")
    listed = body(q.call("search_by_tags", {"tags": ["u"]}))
    tap.same([n["content"] for n in listed["result"]], ["[[b]] new"], "it is read when it is closed")
    with open(folder.path + "/a.md", "a") as log:
        log.write("more\n")
        log.flush()
        tap.ok(wait_for(lambda: any("more" in n["content"] for n in body(q.call("search_by_tags", {"tags": ["u"]}))["result"])),
               "a file that stays open is not waited for without end")
        log.write("and more\n")
        log.flush()
        tap.same([n["content"] for n in body(q.call("search_by_tags", {"tags": ["u"]}))["result"]], ["[[b]] new\nmore\nand more"],
                 "and is read at every call from then on")

# What this process wrote is not read again at the next call, unless another program touched it, however quickly, and even if size
# and name stay: through the file, by a file moved there from a folder that nobody watches, or by removing it.
with Folder({"a.md": "x\n", ".out/keep": ""}) as folder, Stdio("notes", root=folder.path) as q:
    def by_hand(path, words):
        with open(path, "r+") as f:
            f.write(words)

    def moved(path, words):
        with open(folder.path + "/.out/new", "w") as f:
            f.write(words)
        os.rename(folder.path + "/.out/new", path)
    stale = []
    for i in range(60):
        q.call("create_node", {"title": f"n{i}", "content": "see [[first]]"})
        path = f"{folder.path}/n{i}.md"
        size = os.path.getsize(path)
        (by_hand, moved)[i % 2](path, "see [[other]]".ljust(size))
        links = [link["name"] for link in body(q.call("list_unresolved"))["unresolved"]]
        q.call("edit_node", {"id": f"n{i}.md", "operation": "append", "content": "[[third]]"})
        os.remove(path)
        if "other" not in links or "first" in links or body(q.call("find_nodes"))["total"] != 1:
            stale.append((i, links))
    tap.same(stale, [], "a change right behind a write of ours is seen")

with Folder({"keep.md": "k", "2024-01-02.md": "d", "old/x.md": "x", "Deep/Drafts/y.md": "y",
             ".obsidian/app.json": json.dumps({"userIgnoreFilters": ["old/", "/^\\d{4}-\\d\\d-\\d\\d\\.md$/", "/drafts\\//", "/(/", "/^(a|a)*\\d$/"]})}) as folder:
    folder.write("a" * 60 + "b.md", "long")
    with Stdio("notes", root=folder.path) as q:
        listed = body(q.call("get_hubs"))
        tap.same([n["id"] for n in listed["result"]], ["a" * 60 + "b.md", "keep.md"], "excluded files, by start or by regular expression, are no hubs")
        found = [n["id"] for n in body(q.call("search", {"query": "x y k", "mode": "text"}))["result"]]
        tap.same(found, ["keep.md"], "nor does search find them")
        tap.same(body(q.call("find_nodes"))["total"], 5, "but they are notes")
        tap.ok(any("excluded files" in w and "not valid" in w for w in listed["_warnings"]), "an expression that is none is told", listed)
        tap.ok(any("excluded files" in w and "too many steps" in w for w in listed["_warnings"]), "and one without an end", listed)
        tap.ok("_warnings" not in body(q.call("find_nodes")), "once")
        folder.write(".obsidian/app.json", json.dumps({"userIgnoreFilters": ["/KEEP/"]}))
        ids = [n["id"] for n in body(q.call("get_hubs"))["result"]]
        tap.same(sorted(n["id"] for n in body(q.call("search", {"query": "x y k", "mode": "text"}))["result"]), ["Deep/Drafts/y.md", "old/x.md"],
                 "a change of the rules changes what is found")
        tap.ok("keep.md" not in ids and "2024-01-02.md" in ids and "old/x.md" in ids, "a change of the rules is seen at the next call", ids)

with Folder({"hub.md": "# Hub\n", "deep/a.md": "[[hub]] [[hub|x]] ![[hub]]\n", "deep/b.md": "[b](../hub.md)\n"}) as folder:
    with Stdio("notes", root=folder.path) as q:
        moved = body(q.call("update_node", {"id": "hub.md", "title": "Centre"}))
        tap.same(moved["_warnings"], ["4 links in 2 notes rewritten"], "a rename counts links and notes")
        tap.same(body(q.call("move_node", {"id": "deep", "to": "flat"}))["notes"], 2, "a folder moves with its notes")
        tap.ok(not os.path.exists(folder.path + "/deep"), "and leaves no empty folders")
        answer = body(q.call("edit_node", {"id": "flat", "operation": "append", "content": "x"}))["error"]
        tap.ok("find_nodes with" in answer["message"], "other tools name the list of its notes", answer)
        tap.same(body(q.call("find_nodes", {"where": ["folder = flat"]}))["total"], 2, "which lists them")
words = {f"n{i}.md": f"an index of things, number {i}\n" for i in range(30)}
with Folder({**words, "index.md": "x", "kubernetes.md": "pods", "a.md": "The index of our kubernetes cluster.\n"}) as folder:
    with Stdio("notes", root=folder.path) as q:
        if "search" in [t["name"] for t in q.request("tools/list")["result"]["tools"]]:
            scores = {s["id"]: s["score"] for s in body(q.call("suggest_links", {"id": "a.md", "limit": 50}))["suggestions"]}
            tap.ok(scores["kubernetes.md"] > 0.8 and scores.get("index.md", 0) < 0.8, "a rare word names a note, a common one hardly", scores)
            tap.ok(all(len(str(s)) <= 6 for s in scores.values()), "scores are rounded", scores)

with Folder({"a b.md": "one\n", "c.md": "two\n"}) as folder, Stdio("notes", root=folder.path) as q:
    listed = q.request("resources/list")["result"]["resources"]
    tap.same([r["uri"] for r in listed], ["notes:///a%20b.md", "notes:///c.md"], "notes are resources")
    tap.same(q.request("resources/read", {"uri": listed[0]["uri"]})["result"]["contents"][0]["text"], "one\n", "a resource is the file")
    q.request("resources/subscribe", {"uri": "notes:///c.md"})
    folder.write("c.md", "three\n")
    folder.write("d.md", "new\n")

    def told(method):
        q.request("ping")
        return any(n.get("method") == method for n in q.notices)
    tap.ok(wait_for(lambda: told("notifications/resources/updated")), "a subscriber hears of a change by another program")
    tap.ok(wait_for(lambda: told("notifications/resources/list_changed")), "and of a note that was not there")

with Folder({"a.md": "x"}) as folder:
    os.mkfifo(folder.path + "/pipe.md")
    with Stdio("notes", root=folder.path) as q:
        tap.ok(q.request("tools/list")["result"]["tools"], "tools are listed")
        tap.same([n["id"] for n in body(q.call("find_nodes"))["nodes"]], ["a.md"], "a pipe is no note, and nobody waits for it")
    os.chmod(folder.path, 0o700)
done = subprocess.run([QUIRE, "call", "--root", "/", "--embed"], capture_output=True, text=True)
tap.ok(done.returncode and "--embed needs a value" in done.stderr, "an option without its value is refused", done.stderr)
tap.done()
