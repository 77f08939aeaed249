#!/usr/bin/env python3
"""What a client is offered: the kinds that have documents, the core of each, and everything else through other_tools."""
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Http, Stdio, Tap, wait_for  # noqa: E402

BOOK = '<book id="book01">\n  <summary>s</summary>\n</book>\n'
PLAN = "floorplan\n  floor f {\n    room A at (0,0) size (4 x 4) walls [top: solid]\n  }\n"
KINDS = ("hnpx", "floorplan", "docx", "notes", "docjl")
tap = Tap()


def tools(q, **more):
    return q.request("tools/list", **more)["result"]["tools"]


def names(q, **more):
    return [t["name"] for t in tools(q, **more)]


def kinds_of(listed):
    """The kinds that have a tool in the list."""
    return [k for k in KINDS if any(k in name for name in listed)]


def said(answer):
    if "error" in answer:
        return answer["error"]["message"]
    return "\n".join(b.get("text", "") for b in answer["result"]["content"])


def what_is_there():
    with Folder({"deep/er/a.md": "# A\n"}) as folder, Stdio(root=folder.path) as q:
        listed = names(q)
        tap.same(kinds_of(listed), ["notes"], "a folder of notes offers the tools of notes")
        tap.ok("## notes" in q.hello["result"]["instructions"] and "## hnpx" not in q.hello["result"]["instructions"], "so do the instructions")
        with Stdio("notes", root=folder.path) as alone:
            own = [n for n in names(alone) if not n.startswith("file_")]
        tap.same([n for n in listed if n.startswith("notes_")], ["notes_" + n for n in own], "all of them, with the kind in front")
        first = [n for n in listed if not n.startswith("notes_")]
        tap.same(listed[: len(first)], first, "the tools for files come first, then other_tools")
        tap.ok(first[0] == "file_list" and first[-1] == "other_tools", "in this order", first)
        folder.write("b.hnpx", BOOK)
        tap.same(names(q), listed, "the list stays as it is when a document of another kind appears")
        tap.ok("isError" not in q.call("hnpx_get_next_empty_container", {"file_path": "b.hnpx"})["result"],
                 "but its tools can be called")
    with Folder({"a.md": "# A\n", "b.hnpx": BOOK}) as folder, Stdio(root=folder.path) as q:
        listed = names(q)
        tap.same(kinds_of(listed), ["hnpx", "notes"], "with two kinds both are offered")
        with Stdio("hnpx", root=folder.path) as alone:
            tap.ok(sum(n.startswith("hnpx_") for n in listed) < sum(not n.startswith("file_") for n in names(alone)), "with the core of their tools")
        modern = q.request("tools/list", {}, modern=True)["result"]
        tap.ok(modern["cacheScope"] == "private" and modern["ttlMs"] <= 60000 and "nextCursor" not in modern, "the list is one page, private and short-lived",
               {k: v for k, v in modern.items() if k != "tools"})
    with Folder() as folder, Stdio(root=folder.path) as q:
        tap.same(kinds_of(names(q)), list(KINDS), "an empty folder offers all kinds")
        found = json.loads(said(q.call("file_list")))
        tap.ok(found["files"] == [] and any("hnpx_create_document" in w for w in found.get("_warnings", [])),
               "file_list says how to create the first document", found)
    with Folder({f"n{i:04}.txt": "x" for i in range(6000)}) as folder, Stdio(root=folder.path) as q:
        tap.same(kinds_of(names(q)), ["hnpx", "floorplan", "docx", "notes"], "in a large folder a kind whose absence was not seen is offered")
        tap.ok("The folder is large" in q.hello["result"]["instructions"], "and the instructions say so", q.hello["result"]["instructions"][-300:])
    with Folder({"a.md": "# A\n", "docjl.db": b""}) as folder, Stdio(root=folder.path) as q:
        tap.same(kinds_of(names(q)), ["notes", "docjl"], "a kind with a store is offered where its store is")
    with Folder({"a.md": "# A\n"}) as folder, Stdio("--tools", "all", root=folder.path) as q:
        tap.ok(kinds_of(names(q)) == list(KINDS) and "other_tools" not in names(q), "--tools all lists everything")


def other_tools():
    with Folder({"a.md": "# A\n", "b.hnpx": BOOK}) as folder:
        with Stdio(root=folder.path) as q:
            row = next(t for t in tools(q) if t["name"] == "other_tools")
            tap.ok(row["annotations"]["destructiveHint"] and not row["annotations"]["readOnlyHint"], "other_tools has the annotations of the strongest tool behind it", row)
            tap.ok("floorplan" in row["description"], "its description names the kinds", row["description"])
            all_named = said(q.call("other_tools"))
            tap.ok("\nmodify_floorplan: " in all_named and "## docx" in all_named and "hnpx_" in all_named, "it names the tools that are not listed", all_named[:300])
            tap.ok(not any(f"\n{n}: " in all_named for n in names(q)), "and no other")
            told = [json.loads(line) for line in said(q.call("other_tools", {"kind": "floorplan"})).splitlines() if line]
            tap.ok({"create_floorplan", "modify_floorplan"} <= {t["name"] for t in told} and all("inputSchema" in t and t["description"] for t in told),
                   "given a kind it describes its tools with their arguments", told[:1])
            ran = said(q.call("other_tools", {"tool": "create_floorplan", "arguments": {"file_path": "a.floorplan", "dsl": PLAN}}))
            tap.ok(folder.read("a.floorplan").decode().startswith("floorplan"), "given a tool and arguments it runs it", ran)
            direct, through = q.call("read_floorplan", {"file_path": "a.floorplan"}), q.call("other_tools", {"tool": "read_floorplan", "arguments": {"file_path": "a.floorplan"}})
            tap.same(through["result"], direct["result"], "the answer is that of a direct call")
            tap.same(said(q.call("other_tools", {"tool": "read_floorplan", "arguments": {"file_path": "none.floorplan"}})),
                     said(q.call("read_floorplan", {"file_path": "none.floorplan"})), "so is a refusal")
            tap.same(said(q.call("other_tools", {"tool": "read_floorplan", "arguments": json.dumps({"file_path": "a.floorplan"})})).split("\n")[0][:20],
                     said(direct).split("\n")[0][:20], "arguments written as a string are taken")
            for arguments, wanted in (({"kind": "novels"}, "the kinds are hnpx, floorplan"), ({"tool": "fly"}, "those not in your list are"),
                                      ({"tool": "other_tools"}, "there is no tool other_tools"), ({"arguments": {"a": 1}}, "needs tool"), ({"tol": "x"}, "did you mean tool")):
                answer = q.call("other_tools", arguments)
                tap.ok(answer["result"].get("isError") and wanted in said(answer), f"other_tools {arguments} is refused with {wanted!r}", said(answer))
        with Stdio("--read-only", root=folder.path) as q:
            row = next(t for t in tools(q) if t["name"] == "other_tools")
            tap.ok(row["annotations"]["readOnlyHint"] and not row["annotations"]["destructiveHint"], "of a read-only server it only reads", row)
            answer = q.call("other_tools", {"tool": "create_floorplan", "arguments": {"file_path": "c.floorplan"}})
            tap.ok(answer["result"].get("isError") and not os.path.exists(os.path.join(folder.path, "c.floorplan")), "and runs no tool that writes", said(answer))


def keys():
    files = {"mine/a.md": "# A\n", "theirs/b.hnpx": BOOK}
    grants = {"reader": {"kinds": ["*"], "tools": ["*"], "documents": ["mine/**"]},
              "writer": {"kinds": ["hnpx", "notes"], "tools": ["get_*", "render_document"], "write": ["**"]}}
    with Folder(files) as folder, Folder() as aside:
        def grant():
            aside.write("keys.json", json.dumps({"keys": [{"name": n, "key": f"key-of-{n}", "grants": g} for n, g in grants.items()]}))
            os.chmod(os.path.join(aside.path, "keys.json"), 0o600)
        grant()
        log = os.path.join(aside.path, "log")
        config = os.path.join(aside.path, "quire.toml")
        with open(config, "w", encoding="ascii") as f:
            f.write(f'[mcp_server]\naccess_log = "{log}"\n')
        with Http("--keys", os.path.join(aside.path, "keys.json"), "--config", config, root=folder.path) as h:
            h.key = "key-of-reader"
            tap.same(kinds_of(names(h)), ["notes"], "a key sees only kinds whose documents it may read")
            h.key = "key-of-writer"
            listed = names(h)
            tap.ok(kinds_of(listed) == ["hnpx", "notes"] and "hnpx_create_document" not in listed, "and only tools that it may use", listed)
            asked = h.call("other_tools", {"tool": "hnpx_create_document", "arguments": {"file_path": "c.hnpx"}})
            tap.ok("there is no tool hnpx_create_document" in said(asked) and "create_document" not in said(h.call("other_tools")),
                   "other_tools gives it no other", said(asked))
            h.call("other_tools", {"tool": "hnpx_render_document", "arguments": {"file_path": "theirs/b.hnpx"}})
            h.call("hnpx_render_document", {"file_path": "theirs/b.hnpx"})
            wait_for(lambda: open(log, encoding="utf-8").read().count("render_document") == 2)
            tap.same(open(log, encoding="utf-8").read().count("render_document"), 2, "the access log names the tool that ran")
            h.key = "key-of-reader"
            grants["reader"]["documents"] = ["theirs/**"]
            grant()
            tap.same(kinds_of(names(h)), ["notes"], "the list of a key stays the same")
            h.process.send_signal(signal.SIGHUP)
            tap.ok(wait_for(lambda: kinds_of(names(h)) == ["hnpx"]), "until the keys are read again", names(h))


def wrong_names():
    with Folder({"a.md": "# A\n"}) as folder, Stdio(root=folder.path) as q:
        for name, wanted in (("floorplan_render_floorplan", "did you mean render_floorplan?"), ("move_note", "did you mean notes_move_node?"),
                             ("notes_delete_note", "did you mean notes_delete_node?"),
                             ("read_note", " or notes_get_node?"), ("frobnicate", "tools/list lists")):
            tap.ok(wanted in said(q.call(name)), f"{name} is answered with {wanted}", said(q.call(name)))
    with Folder({"a.md": "# A\n"}) as folder, Stdio("notes", root=folder.path) as q:
        tap.ok("did you mean move_node?" in said(q.call("move_note")), "alone a kind has its own names", said(q.call("move_note")))
        tap.ok("did you mean get_node?" in said(q.call("notes_get_node")), "also for a name with the kind in front", said(q.call("notes_get_node")))
    with Folder({"a.md": "# A\n"}) as folder, Stdio("notes", "--read-only", root=folder.path) as q:
        tap.ok("move_node" not in said(q.call("move_note")), "a tool that is not offered is not advised", said(q.call("move_note")))


what_is_there()
other_tools()
keys()
wrong_names()
tap.done()
