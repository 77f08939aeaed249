#!/usr/bin/env python3
"""All texts for a client use the tool names that it can call: if several kinds are served, each name begins with its
kind."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Stdio, Tap, TOP  # noqa: E402

tap = Tap()
KINDS = ("hnpx", "floorplan", "docx", "notes", "docjl")
own = {k: {t["name"] for t in json.loads(subprocess.run([QUIRE, "tools", k, "--json"], capture_output=True, check=True).stdout)["tools"]
           if not t["name"].startswith("file_")} for k in KINDS}
OWN = set().union(*own.values())


def unknown(prose, served):
    """Names of tools in prose that the client cannot call."""
    found = [(m.group(1) or m.group(2), prose[m.end():]) for m in re.finditer(r"`(\w+)`|\b(\w+_\w+)\b", prose)]
    return [word for word, _ in found
            if (word in OWN or any(word == f"{k}_{name}" for k in KINDS for name in own[k])) and word not in served]


def said(answer):
    if "error" in answer:
        return answer["error"]["message"]
    return "\n".join(b.get("text", "") for b in answer["result"]["content"])


with open(os.path.join(TOP, "examples/lighthouse.hnpx"), "rb") as f:
    book = f.read()
files = {"book.hnpx": book, "broken.hnpx": b'<book id="aaaaaa"><chapter id="bbbbbb"/></book>', "a.md": "[[gone]]\n", "flat.floorplan": "floorplan\n  floor f {\n  }\n"}
CALLS = (
    ("notes_find_nodes", {}, "notes_list_unresolved"),
    ("notes_get_backlinks", {"id": "zzzzzzzz"}, "notes_find_nodes"),
    ("notes_create_node", {"title": "a", "content": "x"}, "notes_update_node"),
    ("notes_edit_node", {"id": "a.md", "operation": "replace", "text": "nothing like it", "content": "x"}, "notes_get_node"),
    ("hnpx_get_subtree", {"file_path": "book.hnpx", "node_id": "zzzzzz"}, "hnpx_get_subtree"),
    ("hnpx_get_subtree", {"file_path": "nosuch.hnpx", "node_id": "zzzzzz"}, "hnpx_create_document"),
    ("hnpx_get_writing_context", {"file_path": "broken.hnpx", "node_id": "book"}, ""),
    ("hnpx_remove_node", {"file_path": "book.hnpx", "node_id": "book"}, "hnpx_remove_node"),
    ("hnpx_edit_node_attributes", {"file_path": "book.hnpx", "node_id": "420nmu", "attributes": {"summary": ""}}, ""),
    ("hnpx_create_nodes", {"file_path": "book.hnpx", "parent_id": "420nmu", "children": [{"title": "t", "summary": "s"}]}, ""),
    ("docx_undo", {"session_id": "ses_abcdefghijkl"}, "docx_read_file"),
    ("create_floorplan", {"file_path": "flat.floorplan", "dsl": "floorplan\n"}, "modify_floorplan"),
    ("mcp_docjl_get_document", {"document_id": "nosuch"}, "mcp_docjl_list_documents"),
)
with Folder(files) as folder, Stdio(root=folder.path) as q:
    served = {t["name"] for t in q.request("tools/list")["result"]["tools"]}
    served |= set(re.findall(r"^(\w+): ", said(q.call("other_tools")), re.M))
    instructions = q.hello["result"]["instructions"]
    tap.same(unknown(instructions, served), [], "instructions name what can be called")
    tap.same([(t["name"], w) for t in q.request("tools/list")["result"]["tools"] for w in unknown(t["description"], served | OWN)], [],
             "descriptions name tools of the kinds served")
    for tool, arguments, wanted in CALLS:
        words = said(q.call(tool, arguments))
        tap.ok(wanted in words and not unknown(words, served), f"{tool} {json.dumps(arguments)[:60]} advises what can be called",
               (words, unknown(words, served)))
    tap.ok("there is no note find_nodes;" in said(q.call("notes_get_backlinks", {"id": "find_nodes"})), "a caller's own words stay as they are")
    for name, wanted in (("search", "did you mean hnpx_search or notes_search or mcp_docjl_search?"), ("insert_block", "did you mean mcp_docjl_insert_block?"),
                         ("hnpx_get_subtre", "did you mean hnpx_get_subtree?"),
                         ("frobnicate", "tools/list lists"), ("", "tools/list lists")):
        tap.ok(wanted in said(q.call(name)), f"a call of {name!r} is answered with what is meant", said(q.call(name)))

with Folder() as folder, Stdio("docx", "notes", root=folder.path) as q:
    tap.ok("`docx_grep`" in q.hello["result"]["instructions"], "names of one word too", q.hello["result"]["instructions"])
with Folder(files) as folder, Stdio("notes", root=folder.path) as q:
    tap.ok("; find_nodes lists" in said(q.call("get_backlinks", {"id": "zzzzzzzz"})), "alone a kind has its own names")
    tap.ok("`search` by" in q.hello["result"]["instructions"], "in its instructions too")
with Folder(files) as folder, Stdio("notes", "--tools", "get_backlinks", root=folder.path) as q:
    words = said(q.call("get_backlinks", {"id": "zzzzzzzz"}))
    tap.ok("find_nodes" not in words and "there is no note zzzzzzzz" in words, "advice that names a tool which is left out is left out", words)
    tap.ok("leave it out" in said(q.call("find_nodes")), "and a call of that tool says so", said(q.call("find_nodes")))
tap.done()
