#!/usr/bin/env python3
"""Over stdio a person grants documents as a key does: --read, --write and --hide."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Stdio, Tap  # noqa: E402

FILES = {"mine/a.md": "# A\n\nwords\n", "mine/old/b.md": "# B\n", "theirs/c.md": "# C\n", "private/d.hnpx": '<book id="book01">\n  <summary>s</summary>\n</book>\n'}
tap = Tap()


def said(answer):
    return "".join(b.get("text", "") for b in answer["result"]["content"])


def paths(q):
    return [f["path"] for f in json.loads(said(q.call("file_list")))["files"]]


def failed(answer):
    return "error" in answer or answer["result"].get("isError", False)


with Folder(FILES) as folder:
    with Stdio("notes", "--read", "mine/**", root=folder.path) as q:
        tap.same(paths(q), ["mine/a.md", "mine/old/b.md"], "--read grants reading these")
        tap.ok("# A" in said(q.call("get_node", {"id": "mine/a.md"})) and "# C" not in said(q.call("get_node", {"id": "theirs/c.md"})), "and no others")
        tap.ok(failed(q.call("edit_node", {"id": "mine/a.md", "operation": "append", "content": "x"})), "nothing may be written")
        tap.same(folder.read("mine/a.md").decode(), FILES["mine/a.md"], "nothing was")
    with Stdio("notes", "--read", "**", "--write", "mine/*", root=folder.path) as q:
        tap.ok(len(paths(q)) == 3, "several options add up", paths(q))
        tap.ok(not failed(q.call("edit_node", {"id": "mine/a.md", "operation": "append", "content": "more"})), "--write grants writing")
        tap.ok(failed(q.call("edit_node", {"id": "theirs/c.md", "operation": "append", "content": "more"})), "these only")
        history = json.loads(said(q.call("file_history", {"file_path": "mine/a.md"})))["commits"][0]
        tap.same(history.get("who"), "test", "the history names the client")
    with Stdio("--hide", "private/**", "--hide", "mine/old/*", root=folder.path) as q:
        tap.same(paths(q), ["mine/a.md", "theirs/c.md"], "what is hidden is not there, the rest is granted")
        listed = [t["name"] for t in q.request("tools/list")["result"]["tools"]]
        tap.ok("notes_get_node" in listed and not any(n.startswith("hnpx_") for n in listed), "nor are tools listed for it")
        hidden, missing = (said(q.call("other_tools", {"tool": "hnpx_get_next_empty_container", "arguments": {"file_path": f"private/{n}.hnpx"}})) for n in "dx")
        tap.same(hidden, missing.replace("x.hnpx", "d.hnpx"), "a hidden document is refused as a missing one")
    done = subprocess.run([QUIRE, "serve", "notes", "--http", "127.0.0.1:0", "--hide", "x", "--root", folder.path], capture_output=True, text=True, check=False)
    tap.ok(done.returncode == 2 and "--keys" in done.stderr, "over HTTP it is refused, with what to do instead", done.stderr)
    printed = subprocess.run([QUIRE, "config", "cursor", "notes", "--root", folder.path, "--read", "a/**", "--hide", "b"], capture_output=True, text=True, check=True).stdout
    tap.ok('"--read"' in printed and '"a/**"' in printed and '"--hide"' in printed, "the configuration of a client has them", printed)
tap.done()
