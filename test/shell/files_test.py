#!/usr/bin/env python3
"""Tools, verbs, history and undo from the shell, on real documents."""
import fcntl
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Stdio, Tap  # noqa: E402

tap = Tap()


def run(*args, cwd=None, env=None, stdin=b""):
    done = subprocess.run([QUIRE, *args], input=stdin, capture_output=True, cwd=cwd, timeout=60,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


with Folder() as folder:
    here = folder.path

    def call(tool, *args, **more):
        """Returns the structured result, or the message of an error."""
        status, out, err = run("call", "hnpx", tool, *args, "--json", cwd=here, **more)
        return json.loads(out) if status == 0 else (status, out, err)

    book = call("create_document", "--file_path", "novel.hnpx")
    tap.ok(os.path.exists(here + "/novel.hnpx") and book["type"] == "book", "a tool writes from the shell", book)
    file = ["--file-path", "novel.hnpx"]
    chapter = call("create_chapter", *file, "--parent-id", "book", "--title=One", "--summary", "--- a dash is a value")
    tap.ok("id" in chapter, "options may have hyphens, an = and values that look like options", chapter)
    same = call("create_chapter", json.dumps({"file_path": "novel.hnpx", "parent_id": "book", "title": "Two", "summary": "x"}))
    tap.ok("id" in same, "arguments may be one JSON object", same)
    third = call("create_chapter", "-", stdin=json.dumps({"file_path": "novel.hnpx", "parent_id": "book", "title": "Three",
                                                          "summary": "x"}).encode())
    tap.ok("id" in third, "or JSON on stdin", third)
    mixed = call("create_chapter", '{"file_path": "novel.hnpx", "parent_id": "book", "title": "x", "summary": "y"}', "--title", "Four")
    tap.ok("id" in mixed, "options are added to the object and win", mixed)
    found = call("search", *file, "--query", "dash", "--limit", "5", "--in", "summary", "--in", "text")
    tap.ok(found["total"] == 1, "numbers are numbers, a list is the option repeated", found)
    found = call("search", *file, "--query", "dash", "--in", '["summary"]')
    tap.ok(found["total"] == 1, "or a JSON array", found)
    status, out, err = call("search", *file, "--query", "dash", "--limit", "many")
    tap.ok(status == 1 and "limit" in json.loads(err)["message"], "a value that does not fit is the table's refusal", err)
    status, out, err = call("search", *file, "--limit", "5")
    tap.ok(status == 1 and "query" in json.loads(err)["message"], "a missing argument is too", err)
    status, out, err = call("search", *file, "--qurey", "x")
    tap.ok(status == 2 and "did you mean --query" in err, "an argument the tool lacks is wrong usage, with the nearest name", err)
    status, out, err = run("call", "hnpx", "search", *file, "--query", cwd=here)
    tap.ok(status == 2 and out == "" and "--query needs a value" in err, "an argument without its value too", err)

    before = folder.read("novel.hnpx")
    tried = call("remove_node", *file, "--node-id", same["id"], "--more-ids", third["id"], "--dry-run")
    tap.ok(tried["dry_run"] and tried["changes"] and folder.read("novel.hnpx") == before, "--dry-run changes nothing", tried)
    status, out, err = call("remove_node", *file, "--node-id", same["id"], "--if-revision", "a" * 16)
    tap.ok(status == 1 and "CONFLICT" in err, "--if-revision is a condition", err)
    status, out, err = call("remove_node", *file, "--node-id", same["id"], "--read-only")
    tap.ok(status == 1 and folder.read("novel.hnpx") == before, "--read-only writes nothing", err)
    gone = call("remove_node", *file, "--node-id", same["id"], "--no-dry-run")
    tap.ok(isinstance(gone, dict) and folder.read("novel.hnpx") != before, "--no-NAME is false", gone)
    status, out, err = run("call", "hnpx", "get_direct_children", *file, "--node-id", "book", cwd=here)
    tap.ok(status == 0 and out.startswith("<children>") and out.endswith("\n"), "a text answer is printed as it is", out)
    status, out, err = run("call", "hnpx", "get_node", "--file-path", "../x", "--node-id", "book", cwd=here)
    tap.ok(status == 1 and json.loads(err)["code"] == "INVALID_PATH", "the shell has no way around the path gate", err)
    status, out, err = run("call", "hnpx", "hnpx_get_next_empty_container", *file, cwd=here)
    tap.ok(status == 0, "a tool may be called with its kind in front", err)

    # Pictures.
    plan = 'floorplan\n  floor A {\n    room R at (0,0) size (4 x 3) walls [top: solid, right: solid, bottom: solid, left: solid]\n  }\n'
    for form, start in (("png", b"\x89PNG"), ("svg", b"<"), ("pdf", b"%PDF")):
        words = ["call", "floorplan", "render_floorplan", "--dsl", plan, "--format", form]
        done = subprocess.run([QUIRE, *words], capture_output=True, cwd=here, timeout=60)
        tap.ok(done.returncode == 0 and done.stdout.startswith(start) and b'"success"' in done.stderr,
               f"{form} goes to stdout, the words beside it to stderr", done.stderr[-300:])
        status, out, err = run(*words, "--output", "plan." + form, "--json", cwd=here)
        tap.ok(status == 0 and json.loads(out)["format"] == form and folder.read("plan." + form).startswith(start),
               f"or with --output {form} to a file and the words to stdout", err[-300:])

    # History, diff, restore and undo.
    status, out, err = run("history", "novel.hnpx", cwd=here)
    lines = out.splitlines()
    tap.ok(status == 0 and len(lines) == 6 and "create_document" in lines[-1] and "(new)" in lines[-1], "history, newest first", out)
    entries = json.loads(run("history", "novel.hnpx", "--json", cwd=here)[1])["commits"]
    tap.ok([e["commit"] for e in entries] == sorted([e["commit"] for e in entries], reverse=True) and entries[-1]["before"] is None,
           "history --json for programs")
    status, out, err = run("diff", "novel.hnpx", cwd=here)
    tap.ok(status == 0 and f'-  <chapter id="{same["id"]}"' in out, "diff shows what the newest change did", out)
    status, out, err = run("diff", "novel.hnpx", entries[-1]["after"], entries[-2]["after"], cwd=here)
    tap.ok("One" in out and "Four" not in out, "diff between two revisions", out)
    status, out, err = run("diff", "novel.hnpx", "nonsense", cwd=here)
    tap.ok(status == 1 and out == "" and "nonsense" in err, "diff from a revision that is none", err)
    after = folder.read("novel.hnpx")
    status, out, err = run("undo", "novel.hnpx", "--dry-run", cwd=here)
    tap.ok(status == 0 and "would undo" in out and "+  <chapter" in out and folder.read("novel.hnpx") == after,
           "undo --dry-run shows what it would do", out)
    status, out, err = run("undo", "novel.hnpx", cwd=here)
    tap.ok(status == 0 and "undid" in out and folder.read("novel.hnpx") == before, "undo takes it back, byte for byte", out + err)
    run("undo", "novel.hnpx", "--redo", cwd=here)
    tap.same(folder.read("novel.hnpx"), after, "undo --redo brings it again")
    tap.ok(run("undo", "novel.hnpx", "--commit", "999", cwd=here)[0] == 1, "a commit that is none is refused")
    tap.ok("[undone]" in run("history", "novel.hnpx", cwd=here)[1] or "[undo]" in run("history", "novel.hnpx", cwd=here)[1],
           "history shows what was undone")

    # Files in other folders.
    for place, name in (("/", here + "/novel.hnpx"), (os.path.dirname(here), os.path.basename(here) + "/novel.hnpx")):
        status, out, err = run("history", name, cwd=place)
        tap.ok(status == 0 and "create_document" in out, f"the history is found from {place}", err)
        status, out, err = run("hnpx", "outline", name, cwd=place)
        tap.ok(status == 0 and "Chapter 1: One" in out, f"a kind's verb finds its file from {place}", err)
    os.makedirs(here + "/deep/er")
    tap.ok("id" in call("create_document", "--file-path", "deep/er/b.hnpx"), "a document further down")
    status, out, err = run("history", "b.hnpx", cwd=here + "/deep/er")
    tap.ok(status == 0 and "create_document" in out, "has one history, whatever root it is reached through", out + err)
    tap.same([p for p in (here, here + "/deep/er") if os.path.exists(p + "/.quire")], [], "and none beside the documents")
    tap.ok(run("hnpx", "validate", "novel.hnpx", cwd=here)[0] == 0, "a verb on a file in the current folder")
    status, out, err = run("hnpx", "nothing", cwd=here)
    tap.ok(status == 2 and "no verb or tool" in err, "a verb that is none is wrong usage", err)
    status, out, err = run("hnpx", cwd=here)
    tap.ok(status == 2 and "outline" in err, "a kind alone shows its verbs", err)
    status, out, err = run("hnpx", "--help", cwd=here)
    tap.ok(status == 0 and "outline" in out, "and --help does on stdout", err)

    # The name in the history.
    call("create_chapter", *file, "--parent-id", "book", "--title", "Five", "--summary", "x", "--user", "anna")
    tap.same(json.loads(run("history", "novel.hnpx", "--json", cwd=here)[1])["commits"][0]["who"], "anna", "--user is named in the history")
    with Stdio("hnpx", "--user", "bert", root=here) as server:
        server.call("create_chapter", {"file_path": "novel.hnpx", "parent_id": "book", "title": "Six", "summary": "x"})
    tap.same(json.loads(run("history", "novel.hnpx", "--json", cwd=here)[1])["commits"][0]["who"], "bert", "also of a server")

    # Another program holds the lock.
    folder.write("quire.toml", "[mcp_server.storage]\nlock_seconds = 1\n")
    held = os.open(here, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    status, out, err = call("create_document", "--file-path", "locked.hnpx", "--config", here + "/quire.toml")
    tap.ok(status == 1 and "LOCKED" in err, "a lock that is kept too long is told, not waited for", err)
    os.close(held)

    # The state folder.
    with Folder() as other:
        call("create_document", "--file-path", "c.hnpx", "--state", other.path + "/state")
        tap.ok(os.path.exists(other.path + "/state/history.db"), "--state keeps the history elsewhere")
        tap.same(len(json.loads(run("history", "c.hnpx", "--json", "--root", here, "--state", other.path + "/state")[1])["commits"]), 1,
                 "and finds it there")
    status, out, err = run("history", "--forget", "novel.hnpx", cwd=here)
    tap.ok(status == 0 and "forgotten" in out, "history --forget forgets", err)
    tap.same(json.loads(run("history", "novel.hnpx", "--json", cwd=here)[1])["commits"], [], "all of it")
    with Stdio("hnpx", "--read-only", root=here) as server:
        tools = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("get_subtree" in tools and "create_nodes" not in tools, "serve --read-only offers no tool that writes")
        told = server.hello["result"]["instructions"]
        tap.ok("create_nodes" not in told and "get_writing_context" in told, "and the instructions name none", told)
    with Stdio("hnpx", root=here) as server:
        every = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("other_tools" not in every, "where all tools are listed there are no others")
    with Stdio("hnpx", "--tools", "core", root=here) as server:
        tools = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("create_nodes" in tools and "get_node_path" not in tools, "--tools core has the core")
        tap.ok("other_tools" in tools and "other_tools" in server.hello["result"]["instructions"], "and other_tools for the rest")
    with Stdio("hnpx", "notes", root=here) as server:
        tools = {t["name"]: t for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("hnpx_create_nodes" in tools and "hnpx_create_chapter" not in tools, "several kinds are served with their core tools")
        tap.ok("hnpx_edit_node_attributes" in tools["hnpx_create_document"]["description"], "descriptions use the names served",
               tools["hnpx_create_document"]["description"])
        told = server.request("prompts/get", {"name": "hnpx_plan_book", "arguments": {"file_path": "x.hnpx", "idea": "a fox"}})["result"]["messages"][0]["content"]["text"]
        tap.ok("hnpx_create_document" in told and not re.search(r"[^_]create_document", told), "so do prompts", told)
    with Stdio("--tools", "all", root=here) as server:
        tools = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("hnpx_create_chapter" in tools, "--tools all offers the rest")
    with Stdio("floorplan", "--read-only", root=here) as server:
        tools = {t["name"] for t in server.request("tools/list")["result"]["tools"]}
        tap.ok("render_floorplan" in tools and "modify_floorplan" not in tools, "--read-only leaves out what writes in one of its modes")

tap.done()
