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
LEFT_OUT = " (not offered by this server)"


def unknown(prose, served):
    """Names of tools in prose that the client does not have, and that are not listed as left out."""
    found = [(m.group(1) or m.group(2), prose[m.end():]) for m in re.finditer(r"`(\w+)`|\b(\w+_\w+)\b", prose)]
    return [word for word, rest in found
            if (word in OWN or any(word == f"{k}_{name}" for k in KINDS for name in own[k]))
            and word not in served and not rest.startswith(LEFT_OUT)]


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
    # Tools that are left out are listed once, at the end.
    instructions, left_out = q.hello["result"]["instructions"].split("Not available on this server: ")
    tap.same(sorted(set(unknown(instructions, served)) - set(left_out.split(", "))), [], "instructions name what can be called")
    tap.ok("`docx_save`" in instructions and "`notes_search`" in instructions, "names of one word too")
    tap.same([(t["name"], w) for t in q.request("tools/list")["result"]["tools"] for w in unknown(t["description"], served | OWN)], [],
             "descriptions name tools of the kinds served")
    for tool, arguments, wanted in CALLS:
        words = said(q.call(tool, arguments))
        tap.ok(wanted in words and not unknown(words, served), f"{tool} {json.dumps(arguments)[:60]} advises what can be called",
               (words, unknown(words, served)))
    tap.ok(LEFT_OUT in said(q.call("hnpx_get_writing_context", {"file_path": "broken.hnpx", "node_id": "book"})),
           "advice that this server does not offer is named as such")
    tap.ok("there is no note find_nodes;" in said(q.call("notes_get_backlinks", {"id": "find_nodes"})), "a caller's own words stay as they are")
    for name, wanted in (("search", "did you mean hnpx_search or notes_search?"), ("insert_block", "did you mean mcp_docjl_insert_block?"),
                         ("hnpx_get_subtre", "did you mean hnpx_get_subtree?"), ("hnpx_render_document", "--tools all"), ("render_document", "--tools all"),
                         ("frobnicate", "tools/list lists"), ("", "tools/list lists")):
        tap.ok(wanted in said(q.call(name)), f"a call of {name!r} is answered with what is meant", said(q.call(name)))

with Folder(files) as folder, Stdio("notes", root=folder.path) as q:
    tap.ok("; find_nodes lists" in said(q.call("get_backlinks", {"id": "zzzzzzzz"})), "alone a kind has its own names")
    tap.ok("`search` by" in q.hello["result"]["instructions"], "in its instructions too")
with Folder(files) as folder, Stdio("notes", "--tools", "get_backlinks", root=folder.path) as q:
    tap.ok("find_nodes" + LEFT_OUT in said(q.call("get_backlinks", {"id": "zzzzzzzz"})), "a tool left out by --tools is named as such")
tap.done()
