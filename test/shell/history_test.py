#!/usr/bin/env python3
"""History and undo: every listed revision can be read, over MCP and in the shell, and every call that an error
recommends works."""
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Stdio, Tap  # noqa: E402

tap = Tap()


def run(*args, cwd=None, env=None):
    done = subprocess.run([QUIRE, *args], capture_output=True, cwd=cwd, timeout=60, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def text_of(answer):
    return "".join(block.get("text", "") for block in answer["result"]["content"])


def refused(answer):
    return answer["result"].get("isError", False)


def error_of(answer):
    """The object with the message of an error, for any kind's error format."""
    error = json.loads(text_of(answer))
    error = error.get("errors", [error])[0]
    return error if "message" in error else error["error"]


def message_of(answer):
    return error_of(answer)["message"]


def as_told(server, answer):
    """Performs the file_restore call that a refusal recommends: in details.hint, or in the message."""
    error = error_of(answer)
    call = re.search(r"file_restore (\{.*?\})", error.get("details", {}).get("hint", error["message"]))
    tap.ok(call, "the refusal names a call", text_of(answer))
    return server.call("file_restore", json.loads(call.group(1))) if call else {"result": {"isError": True, "content": []}}


def summaries(server, *words):
    for word in words:
        server.call("edit_node_attributes", {"file_path": "a.hnpx", "node_id": "book", "attributes": {"summary": word}})


def commits(server, path="a.hnpx"):
    return server.call("file_history", {"file_path": path})["result"]["structuredContent"]["commits"]


with Folder() as folder, Stdio("hnpx", root=folder.path) as server:
    server.call("create_document", {"file_path": "a.hnpx"})
    summaries(server, "one", "two")
    two = folder.read("a.hnpx")
    folder.write("a.hnpx", two.replace(b"two", b"by hand"))
    summaries(server, "three")
    three = folder.read("a.hnpx")
    listed = commits(server)
    tap.same([c["summary"] for c in listed if c["is_outside"]], ["changed outside quire"], "a change by hand is an entry")
    tap.ok(all(c["can_undo"] == (not refused(server.call("file_undo", {"file_path": "a.hnpx", "commit": c["commit"], "dry_run": True})))
               for c in listed), "can_undo says what an undo would answer", listed)
    os.unlink(folder.path + "/a.hnpx")
    tap.same([c["can_undo"] for c in commits(server)], [False] * len(listed), "of a lost file nothing can be undone")
    for c in listed:
        shown = server.call("file_show", {"file_path": "a.hnpx", "commit": c["commit"]})
        tap.ok(not refused(shown) and "<book" in text_of(shown), f"commit {c['commit']} of a lost file is shown", shown)
        for revision in (c["before"], c["after"]):
            if revision:
                diff = server.call("file_diff", {"file_path": "a.hnpx", "from": revision})
                tap.ok(not refused(diff), f"revision {revision} is compared", diff)
    answer = server.call("file_undo", {"file_path": "a.hnpx"})
    tap.ok(refused(answer) and "CONFLICT" in text_of(answer), "undo of a lost file is a conflict", answer)
    tap.ok(not refused(as_told(server, answer)) and folder.read("a.hnpx") == three, "and the call it names brings it back")
    folder.write("a.hnpx", b"<broken")
    answer = server.call("file_restore", {"file_path": "a.hnpx", "revision": listed[0]["after"]})
    tap.ok(not refused(answer) and folder.read("a.hnpx") == three, "a broken file is restored", answer)
    server.call("file_undo", {"file_path": "a.hnpx"})
    tap.same(folder.read("a.hnpx"), b"<broken", "and the restore undone: what was there is back")
    answer = server.call("file_restore", {"file_path": "a.hnpx", "commit": listed[0]["commit"], "dry_run": True})
    tap.ok(not refused(answer) and folder.read("a.hnpx") == b"<broken", "a dry run restores nothing", answer)
    server.call("file_restore", {"file_path": "a.hnpx", "commit": listed[0]["commit"]})

    # An undo of a change that a later change overlaps.
    folder.write("a.hnpx", folder.read("a.hnpx").replace(b"three", b"drei"))
    answer = server.call("file_undo", {"file_path": "a.hnpx", "commit": listed[0]["commit"]})
    tap.ok(refused(answer) and "lines" in text_of(answer), "an undo that touches a later change names its lines", answer)
    tap.ok(not refused(as_told(server, answer)) and b"by hand" in folder.read("a.hnpx"), "and a call that works")

    # A large document is returned in pages.
    large = "<x>" + "a line that is long enough\n" * 9000 + "</x>"
    folder.write("b.hnpx", large)
    server.call("file_restore", {"file_path": "b.hnpx", "revision": "0000000000000000"})
    server.call("edit_node_attributes", {"file_path": "b.hnpx", "node_id": "book", "attributes": {"summary": "x"}})
    for bad in ({}, {"revision": "x", "commit": 1}, {"revision": "nosuch"}, {"commit": 99999}, {"commit": 0}, {"commit": 1, "offset": -1},
                {"revision": ""}, {"revision": 7.5}):
        for tool in ("file_show", "file_restore"):
            arguments = {k: v for k, v in bad.items() if not (tool == "file_restore" and k == "offset")}
            if arguments == bad:
                tap.ok(refused(server.call(tool, {"file_path": "a.hnpx", **bad})), f"{tool} refuses {bad}")
    tap.ok(refused(server.call("file_history", {"file_path": "nosuch.hnpx"})), "a file that never was has no history")

WALLS = "walls [top: solid, right: solid, bottom: solid, left: solid]"
with Folder() as folder, Stdio("floorplan", root=folder.path) as server:
    folder.write("p.floorplan", f"floorplan\n  floor f {{\n    room A at (0,0) size (4 x 4) {WALLS}\n\n    # end\n  }}\n")
    answer = server.call("modify_floorplan", {"file_path": "p.floorplan", "operations": [{"action": "add_room", "params": {
        "floor": "f", "name": "B", "position": {"x": 4, "y": 0}, "size": {"width": 4, "height": 4}}}]})
    tap.ok(not refused(answer), "a room is added", answer)
    made = folder.read("p.floorplan")
    folder.write("p.floorplan", made.replace(b"  }\n", f"    room C size (4 x 4) {WALLS} right-of B\n  }}\n".encode()))
    answer = server.call("file_undo", {"file_path": "p.floorplan"})
    tap.ok(refused(answer) and "valid" in text_of(answer), "an undo that leaves a plan invalid is a conflict", answer)
    tap.same([c["can_undo"] for c in commits(server, "p.floorplan")][0], False, "and can_undo says so")
    tap.ok(not refused(as_told(server, answer)) and b"room B" not in folder.read("p.floorplan"), "the call it names brings the plan back")

with Folder() as folder, Stdio("notes", root=folder.path) as server:
    folder.write("n.md", '---\ntags:\n  - x\n  - "a"\n  - z\n---\nText.\n')
    server.call("update_node", {"id": "n.md", "tags": ["x", "b", "z"]})
    made = folder.read("n.md")
    tap.ok(b"  - b\n" in made, "a note has a new tag", made)
    # A hand edit turns the list into a quoted text. The undo would put quotes inside it.
    folder.write("n.md", made.replace(b"tags:", b'tags: "').replace(b"- z\n", b'- z\n  "\n'))
    answer = server.call("file_undo", {"file_path": "n.md"})
    tap.ok(refused(answer) and "valid" in text_of(answer), "an undo that leaves front matter malformed is a conflict", answer)
    tap.ok(not refused(as_told(server, answer)) and b'- "a"' in folder.read("n.md"), "the call it names brings the note back")
    # A document that is already malformed does not prevent the undo.
    server.call("update_node", {"id": "n.md", "tags": ["c"]})
    folder.write("n.md", folder.read("n.md").replace(b"---\nText", b"x: {\n---\nText"))
    tap.ok(not refused(server.call("file_undo", {"file_path": "n.md"})), "a note that is malformed now can be undone", folder.read("n.md"))

with Folder() as folder, Stdio("hnpx", root=folder.path) as server:
    server.call("create_document", {"file_path": "a.hnpx"})
    for i in range(40):
        server.call("create_chapter", {"file_path": "a.hnpx", "parent_id": "book", "title": f"t{i}", "summary": "long words " * 400})
    whole, offset, pages = "", 0, 0
    newest = commits(server)[0]["commit"]
    while offset is not None and pages < 20:
        answer = server.call("file_show", {"file_path": "a.hnpx", "commit": newest, "offset": offset})
        blocks = [b["text"] for b in answer["result"]["content"]]
        whole += blocks[0]
        found = re.search(r"offset (\d+)", blocks[-1]) if len(blocks) > 1 else None
        offset = int(found.group(1)) if found else None
        pages += 1
        tap.ok(len(blocks[0]) <= 60000, "a page is at most 60,000 bytes")
    tap.ok(pages > 2 and whole.encode() == folder.read("a.hnpx"), "the pages are the whole file")

with Folder() as folder:
    here = folder.path

    def edit(words):
        return run("call", "hnpx", "edit_node_attributes", "--file_path", "a.hnpx", "--node_id", "book", "--attributes", json.dumps({"summary": words}), cwd=here)

    run("call", "hnpx", "create_document", "--file_path", "a.hnpx", cwd=here)
    edit("one")
    edit("two")
    listed = json.loads(run("history", "a.hnpx", "--json", cwd=here)[1])
    with Stdio("hnpx", root=here) as server:
        told = server.call("file_history", {"file_path": "a.hnpx"})["result"]["structuredContent"]
    tap.same([sorted(c) for c in listed["commits"]], [sorted(c) for c in told["commits"]], "history --json has the keys of file_history")
    one = [c for c in listed["commits"]][1]["after"]
    status, out, err = run("show", "a.hnpx", one, cwd=here)
    tap.ok(status == 0 and "one" in out, "show prints an old revision", err)
    os.unlink(here + "/a.hnpx")
    status, out, err = run("undo", "a.hnpx", cwd=here)
    told = re.search(r"quire (restore '[^']*' \w+)", err)
    tap.ok(status == 1 and told, "undo of a lost file names a command", err)
    status, out, err = run(*shlex.split(told.group(1)), cwd="/") if told else (1, "", "")
    tap.ok(status == 0 and b"two" in folder.read("a.hnpx"), "which works from anywhere", err)
    status, out, err = run("restore", "a.hnpx", one, "--dry-run", cwd=here)
    tap.ok(status == 0 and "would restore" in out and "+" in out and b"two" in folder.read("a.hnpx"), "restore --dry-run shows it", out + err)
    status, out, err = run("restore", "a.hnpx", str(listed["commits"][1]["commit"]), cwd=here)
    tap.ok(status == 0 and b"one" in folder.read("a.hnpx"), "restore takes a number too", err)
    for words in (("show",), ("show", "a.hnpx"), ("restore", "a.hnpx"), ("restore", "a.hnpx", "x", "y")):
        tap.ok(run(*words, cwd=here)[0] == 2, f"{' '.join(words)} is wrong usage")
    tap.ok(run("restore", "a.hnpx", "nosuch", cwd=here)[0] == 1, "a revision that is none is refused")
    # Moved by the user, found again by its revision.
    os.mkdir(here + "/elsewhere")
    os.rename(here + "/a.hnpx", here + "/elsewhere/b.hnpx")
    status, out, err = run("history", "b.hnpx", cwd=here + "/elsewhere")
    tap.ok(status == 0 and "create_document" in out, "a file that was moved keeps its history", out + err)
    status, out, err = run("undo", "b.hnpx", cwd=here + "/elsewhere")
    tap.ok(status == 0 and b"two" in folder.read("elsewhere/b.hnpx"), "and its undo", err)

# Names that a shell or JSON would read differently: the recommended call is still correct.
for name in ("it's.hnpx", 'a"b.hnpx', "a\\b.hnpx", "'; false; '.hnpx", "$(false) `false`.hnpx", "line\nbreak\\'.hnpx", "-x.hnpx"):
    with Folder() as folder, Stdio("hnpx", root=folder.path) as server:
        server.call("create_document", {"file_path": name})
        server.call("edit_node_attributes", {"file_path": name, "node_id": "book", "attributes": {"summary": "one"}})
        one = folder.read(name)
        os.unlink(folder.path + "/" + name)
        answer = server.call("file_undo", {"file_path": name})
        tap.ok(not refused(as_told(server, answer)) and folder.read(name) == one, f"{name!r} comes back over MCP", answer)
        os.unlink(folder.path + "/" + name)
        status, out, err = run("undo", "--", name, cwd=folder.path)
        told = re.search(r"quire (restore .*) brings it back\n$", err)
        tap.ok(status == 1 and told and err.count("\n") == 1, f"{name!r}: one line names the command", err)
        done = subprocess.run(["sh", "-c", f"{QUIRE} {told.group(1)}" if told else "false"], capture_output=True, cwd="/")
        tap.ok(done.returncode == 0 and folder.read(name) == one, f"{name!r} comes back in the shell", done.stderr)

with Folder() as folder:
    os.mkdir(folder.path + "/root")
    words = ("--root", folder.path + "/root", "--state", folder.path + "/another state")
    run("call", "hnpx", "create_document", "--file_path", "a.hnpx", *words)
    os.unlink(folder.path + "/root/a.hnpx")
    for command in ("undo", "show"):
        status, out, err = run(command, "a.hnpx", *(["99"] if command == "show" else ["--commit", "99"]), *words)
        told = re.search(r"quire (history .*) lists", err)
        done = subprocess.run(["sh", "-c", f"{QUIRE} {told.group(1)}" if told else "false"], capture_output=True, cwd="/")
        tap.ok(status == 1 and done.returncode == 0 and b"create_document" in done.stdout, f"{command} names the history of that state", err)

with Folder({"a.md": "# A\n", "b.md": "# B\n"}) as folder, Stdio("notes", "--embed", "none", root=folder.path) as server:
    # Deleted twice: each deletion has its own revision.
    for words in ("one", "two"):
        server.call("create_node", {"title": "d", "content": words})
        server.call("delete_node", {"id": "d.md"})
    for c in commits(server, "d.md"):
        if not c["after"]:
            answer = server.call("file_show", {"file_path": "d.md", "commit": c["commit"]})
            tap.ok(refused(answer) and f"revision {c['before']} " in message_of(answer), f"commit {c['commit']} names what it deleted", answer)
    # Moved, and another document got the old name.
    answer = server.call("move_node", {"id": "a.md", "to": "c.md"})
    moved = commits(server, "c.md")[0]["commit"]
    server.call("move_node", {"id": "b.md", "to": "a.md"})
    answer = server.call("file_undo", {"file_path": "c.md", "commit": moved})
    tap.ok(refused(answer) and "a.md" in message_of(answer), "an undo of a move to a taken name is a conflict", answer)
    tap.ok(not refused(as_told(server, answer)), "and names a call that works")
    server.call("move_node", {"id": "a.md", "to": "b.md"})
    answer = server.call("file_undo", {"file_path": "c.md", "commit": moved})
    tap.ok(not refused(answer) and folder.read("a.md") == b"# A\n", "once the name is free, the move is undone", answer)

with Folder() as folder:
    state = folder.path + "/state"
    os.mkdir(folder.path + "/root")
    root = folder.path + "/root"
    with Stdio("hnpx", "--read-only", "--state", state, root=root) as server:
        server.call("file_history", {"file_path": "a.hnpx"})
    tap.ok(not os.path.exists(state) and os.listdir(root) == [], "--read-only makes no state")
    run("call", "hnpx", "create_document", "--file_path", "a.hnpx", "--root", root, "--state", state)
    before = sorted((n, os.stat(state + "/" + n).st_size) for n in os.listdir(state))
    os.chmod(state, 0o755)
    with Stdio("hnpx", "--read-only", "--state", state, root=root) as server:
        answer = server.call("file_history", {"file_path": "a.hnpx"})
        tap.ok(not refused(answer) and answer["result"]["structuredContent"]["commits"], "it reads the history", answer)
        tap.same([c["can_undo"] for c in answer["result"]["structuredContent"]["commits"]], [False], "nothing can be undone there")
    tap.same(sorted((n, os.stat(state + "/" + n).st_size) for n in os.listdir(state)), before, "and makes no file beside it")
    tap.same(os.stat(state).st_mode & 0o777, 0o755, "nor changes a mode")

tap.done()
