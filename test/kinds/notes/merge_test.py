#!/usr/bin/env python3
"""Merging notes, and pointing links to another note."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def body(answer):
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


FILES = {"a/old.md": "---\ntitle: Old Name\nstatus: done\nlist: [x, y]\nextra: 1\ntags: [one, two]\n---\nOld text [[friend]] [f](friend.md) [[#H]] [[old#H]]\n\n# H\n",
         "a/friend.md": "[[old]] [x](old.md#H) [[Old Name]]\n", "b/new.md": "---\nstatus: open # mine\nlist: [y, z]\ntags: [two]\n---\n# Top\n\ntext [[old|was]]\n\n# Log\n",
         "friend.md": "another", "c.canvas": '{"nodes":[{"type":"file","file":"a/old.md"}]}', "d.md": "[[ghost]] [[Ghost#x]] [g](ghost.md) ![[ghost]]\n"}
with Folder(FILES) as folder, Stdio("notes", root=folder.path) as q:
    before = {n: folder.read(n) for n in FILES}
    trial = body(q.call("merge_nodes", {"from": "a/old.md", "into": "b/new.md", "dry_run": True}))
    tap.ok(trial["links"] == 5 and {n: folder.read(n) for n in FILES} == before, "a merge can be tried", trial)
    merged = body(q.call("merge_nodes", {"from": "a/old.md", "into": "b/new.md", "heading": "Top"}))
    tap.same((merged["id"], merged["link"], merged["inNotes"]), ("b/new.md", "[[new]]", 3), "two notes become one")
    tap.ok(not os.path.exists(folder.path + "/a/old.md"), "the first is gone")
    tap.same(folder.read("b/new.md").decode(),
             "---\nstatus: open # mine\nlist: [y, z, x]\ntags: [two, one]\nextra: 1\n---\n# Top\n\ntext [[new|was]]\n\n"
             "Old text [[friend]] [f](../a/friend.md) [[#H]] [[new#H]]\n\n# H\n\n# Log\n",
             "text, properties and tags are joined, and links in the text mean what they meant")
    tap.same(folder.read("a/friend.md").decode(), "[[new]] [x](../b/new.md#H) [[new]]\n", "links to the first follow")
    tap.ok(b'"b/new.md"' in folder.read("c.canvas"), "in a canvas too")
    tap.same(body(q.call("list_unresolved"))["total"], 2, "no link is broken by it")
    q.call("file_undo", {"file_path": "b/new.md"})
    tap.same({n: folder.read(n) for n in FILES}, before, "one undo brings everything back")
    for bad in ({"from": "d.md", "into": "d.md"}, {"from": "nope.md", "into": "d.md"}, {"from": "d.md", "into": "b/new.md", "heading": "None"}):
        tap.ok("error" in body(q.call("merge_nodes", bad)), f"{json.dumps(bad)} is refused")
    tap.same({n: folder.read(n) for n in FILES}, before, "and changes nothing")

    mended = body(q.call("retarget_links", {"from": "ghost", "to": "b/new.md"}))
    tap.same(folder.read("d.md").decode(), "[[new]] [[new#x]] [g](ghost.md) ![[new]]\n", "links to a name that no note has are mended")
    tap.same((mended["links"], mended["inNotes"]), (3, 1), "and counted")
    body(q.call("retarget_links", {"from": "ghost.md", "to": "b/new.md"}))
    tap.ok(b"[g](b/new.md)" in folder.read("d.md"), "Markdown links too", folder.read("d.md"))
    body(q.call("retarget_links", {"from": "a/friend.md", "to": "friend.md"}))
    tap.ok(b"[f](../friend.md)" in folder.read("a/old.md") and os.path.exists(folder.path + "/a/friend.md"), "links to a note name another", folder.read("a/old.md"))
    tap.ok("no link names" in json.dumps(body(q.call("retarget_links", {"from": "nothing", "to": "d.md"}))), "a name that no link has is said")
tap.done()
