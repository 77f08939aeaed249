#!/usr/bin/env python3
"""What models write a little wrong is taken, with a warning: numbers and booleans as strings, a word in another case, JSON as a
string."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Stdio, Tap  # noqa: E402

PLAN = "floorplan\n  floor f {\n    room A at (0,0) size (4 x 4) walls [top: solid]\n  }\n"
tap = Tap()


def said(answer):
    return "".join(b.get("text", "") for b in answer["result"]["content"])


with Folder({"a.md": "# A\n", "p.floorplan": PLAN}) as folder, Stdio("notes", "floorplan", root=folder.path) as q:
    for tool, arguments, wanted in (
            ("file_list", {"limit": "5"}, 'limit was the string'),
            ("notes_create_node", {"title": "B", "content": "x", "tags": '["t"]'}, "tags was a JSON-encoded string"),
            ("notes_edit_node", {"id": "a.md", "operation": "Append", "content": "more", "dry_run": "true"}, 'operation was \\"Append\\"; it is \\"append\\"'),
            ("modify_floorplan", {"file_path": "p.floorplan", "dry_run": True, "operations": [{"action": "Rename_Room", "target": "f.A", "params": {"newName": "B"}}]},
             'it is \\"rename_room\\"')):
        answer = q.call(tool, arguments)
        tap.ok(not answer["result"].get("isError") and wanted in said(answer), f"{tool} {json.dumps(arguments)[:70]} is taken with a warning", said(answer))
    answer = q.call("notes_edit_node", {"id": "a.md", "operation": "add", "content": "more"})
    tap.ok(answer["result"].get("isError") and '\\"append\\"' in said(answer), "another word is refused with those there are", said(answer))
    tap.ok("more" not in folder.read("a.md").decode(), "and nothing was written")
tap.done()
