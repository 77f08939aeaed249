#!/usr/bin/env python3
"""Canvases, bases and attachments: links to them and in them hold through renames and moves, to the byte."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def body(answer):
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


CANVAS = ('{ "nodes":[\n\t{"id":"1","type":"file","file":"Work/plan.md","subpath":"#Goals"},\n'
          '\t{"id":"2", "type":"text", "text":"# See\\n[[plan|the \\"plan\\"]] \\u00e9 [[Work/plan]] ![[pic.png]] [x](Work/plan.md)\\n`[[plan]]`"},\n'
          '\t{"id":"3","type":"group","background":"img/pic.png"} ],"edges":[]}\n')
BASE = ('filters:\n  and:\n    - file.inFolder("Work")\n    - file.hasLink("plan")\n    - \'link("Work/plan") == this\'\n'
        '    - "file.inFolder(\\"Work/Deep\\")"\n    - file.folder == "Workshop"\n    - file.path == "Work/plan.md"\nviews: []\n')
FILES = {"Work/plan.md": "# Goals\n![[pic.png]] ![p](../img/pic.png)\n", "board.canvas": CANVAS, "all.base": BASE, "img/pic.png": "PNG", "Work/Deep/d.md": "d",
         "a.md": "[[board.canvas]] ![[draw.canvas]] ![[img/pic.png]] [[pic.png]] ![[missing.png]] [x](img/none.pdf)\n\n```base\nfilters: file.inFolder(\"Work\")\n```\n"}

with Folder(FILES) as folder, Stdio("notes", root=folder.path) as q:
    tap.same(body(q.call("find_nodes"))["total"], 3, "only notes are listed")
    tap.same(sorted(u["name"] for u in body(q.call("list_unresolved"))["unresolved"]), ["draw.canvas", "img/none.pdf", "missing.png"],
             "a link to a file that is there is not broken, one to a missing file is")
    moved = body(q.call("move_node", {"id": "Work/plan.md", "to": "Archive/road map.md"}))
    tap.ok(moved["links"] > 0, "a note moves", moved)
    want = (CANVAS.replace('"Work/plan.md"', '"Archive/road map.md"').replace("[[plan|", "[[road map|").replace("[[Work/plan]]", "[[Archive/road map]]")
            .replace("(Work/plan.md)", "(Archive/road%20map.md)"))
    tap.same(folder.read("board.canvas").decode(), want, "a canvas follows, and only the bytes of its links change")
    base = BASE.replace('hasLink("plan")', 'hasLink("road map")').replace('link("Work/plan")', 'link("Archive/road map")').replace(
        '"Work/plan.md"', '"Archive/road map.md"')
    tap.same(folder.read("all.base").decode(), base, "so does a base")
    tap.same(folder.read("Archive/road map.md").decode(), "# Goals\n![[pic.png]] ![p](../img/pic.png)\n", "links to pictures still hold")

    moved = body(q.call("move_node", {"id": "img/pic.png", "to": "media/photo"}))
    tap.same(moved["id"], "media/photo.png", "a picture is moved and keeps its ending")
    tap.ok(not os.path.exists(folder.path + "/img/pic.png") and folder.read("media/photo.png") == b"PNG", "with its bytes")
    tap.same(folder.read("Archive/road map.md").decode(), "# Goals\n![[photo.png]] ![p](../media/photo.png)\n", "links to it follow")
    tap.ok(b"![[media/photo.png]] [[photo.png]]" in folder.read("a.md"), "in every form", folder.read("a.md"))
    tap.ok(b"![[photo.png]]" in folder.read("board.canvas") and b'"background":"media/photo.png"' in folder.read("board.canvas"), "in a canvas too")

    body(q.call("move_node", {"id": "Work", "to": "Old/Work"}))
    tap.ok(b'inFolder("Old/Work")' in folder.read("all.base") and b'inFolder(\\"Old/Work/Deep\\")' in folder.read("all.base")
           and b'"Workshop"' in folder.read("all.base"), "a query names the moved folder", folder.read("all.base"))
    tap.ok(b'inFolder("Old/Work")' in folder.read("a.md"), "so does one in a note")
    body(q.call("move_node", {"id": "media", "to": "pictures/new"}))
    tap.ok(b"![p](../pictures/new/photo.png)" in folder.read("Archive/road map.md") and b"![[pictures/new/photo.png]]" in folder.read("a.md")
           or b"![[new/photo.png]]" in folder.read("a.md"), "a folder of pictures moves with the links to them", folder.read("a.md"))
    moved = body(q.call("move_node", {"id": "board.canvas", "to": "boards/"}))
    tap.same((moved["id"], os.path.exists(folder.path + "/boards/board.canvas")), ("boards/board.canvas", True), "a canvas moves")
    tap.ok(b"[[board.canvas]]" in folder.read("a.md"), "a link by its name still holds")
    q.call("file_undo", {"file_path": "boards/board.canvas"})
    tap.ok(os.path.exists(folder.path + "/board.canvas"), "and can be undone")

    folder.write("draw.canvas", "{}")
    tap.ok("draw.canvas" not in [u["name"] for u in body(q.call("list_unresolved"))["unresolved"]], "a file that another program adds is seen")
    folder.write("broken.canvas", '{"nodes":[{"file":"a.md"')
    tap.same(body(q.call("get_node", {"id": "a.md"}))["id"], "a.md", "a canvas that is no JSON has no links")
    for bad in ("draw.canvas", "pictures/new/photo.png"):
        tap.same(body(q.call("get_node", {"id": bad}))["result"], None, f"{bad} is no note")
    tap.ok("error" in body(q.call("move_node", {"id": "a.md", "to": "draw.canvas"})) or os.path.exists(folder.path + "/draw.canvas.md"), "a note keeps its ending")
tap.done()
