#!/usr/bin/env python3
"""Blocks as agents write them. A form with only one meaning is accepted with a warning. Others are refused with the correct form."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import Folder, Stdio, Tap

t = Tap()
PARA = {"type": "paragraph", "content": "x"}
DOCUMENT = {"id": "m", "metadata": {"title": "M", "version": "1"}, "docjll": [
    {"type": "heading", "level": 1, "content": "General requirements", "label": "sec:4", "children": [
        {**PARA, "label": "para:4.1"}, {**PARA, "label": "para:4.2"},
        {"type": "heading", "level": 2, "content": "Impartiality", "label": "sec:4.1", "children": []}]},
    {"type": "table", "headers": ["a", "b"], "rows": [["1", "2"]], "caption": "c", "title": "t", "label": "tab:1"},
    {"type": "list", "ordered": True, "items": ["a"], "label": "list:1"}]}


def text(words):
    return {"type": "text", "content": words}


def para(*inlines):
    return {"type": "paragraph", "content": list(inlines)}


# The written block, the stored block, and a word of the warning (None: no warning).
TAKEN = [
    ({"content": "x"}, para(text("x")), "without type"),
    ({"type": "paragraph", "text": "x"}, para(text("x")), "content"),
    ({"type": "paragraph", "content": text("x")}, para(text("x")), None),
    ({"type": "paragraph", "content": ["a ", "b"]}, para(text("a "), text("b")), None),
    ({"type": "paragraph", "content": [["x"], ["y"]]}, para(text("x"), text("y")), "inlines"),
    ({"type": "paragraph", "content": [{"text": "x"}]}, para(text("x")), "without type"),
    ({"type": "paragraph", "content": [{"type": "text", "text": "x"}]}, para(text("x")), "content"),
    ({"type": "paragraph", "content": [{"type": "strong", "content": "x"}]}, para({"type": "bold", "content": "x"}), "bold"),
    ({"type": "paragraph", "content": [{"type": "em", "text": "x"}]}, para({"type": "italic", "content": "x"}), "italic"),
    ({"type": "paragraph", "content": [{"type": "link", "url": "http://x", "text": "l"}]},
     para({"type": "link", "href": "http://x", "content": "l"}), "href"),
    ({"type": "paragraph", "content": [{"type": "reference", "label": "sec:4"}]}, para({"type": "ref", "target": "sec:4"}), "target"),
    ({"type": "paragraph", "content": [{"target": "sec:4"}]}, para({"type": "ref", "target": "sec:4"}), "ref"),
    ({"type": "Paragraph", "content": "x"}, para(text("x")), "paragraph"),
    ({"type": "p", "content": "x"}, para(text("x")), "paragraph"),
    ({"type": "text", "content": "x"}, para(text("x")), "paragraph"),
    ({"type": "paragraph", "content": 5}, para(text("5")), "number"),
    ({"type": "paragraph", "content": "**x** [y](z)"}, para(text("**x** [y](z)")), "Markdown"),
    ({"type": "paragraph", "content": "x", "label": ""}, para(text("x")), None),
    ({"type": "heading", "content": "x"}, {"type": "heading", "content": [text("x")], "level": 1}, None),
    ({"type": "heading", "level": "2", "title": "x"}, {"type": "heading", "level": 2, "content": [text("x")]}, "content"),
    ({"type": "h3", "text": "x"}, {"type": "heading", "content": [text("x")], "level": 3}, "heading"),
    ({"type": "heading", "level": 2, "title": "x", "content": [PARA]},
     {"type": "heading", "level": 2, "content": [text("x")], "children": [para(text("x"))]}, "children"),
    ({"type": "subsection", "heading": "x"}, {"type": "section", "title": "x"}, "section"),
    ({"type": "section", "title": [text("a "), text("b")], "children": []}, {"type": "section", "title": "a b", "children": []}, "title"),
    ({"type": "section", "title": "t", "blocks": [PARA]}, {"type": "section", "title": "t", "children": [para(text("x"))]}, "children"),
    ({"type": "section", "title": "t", "content": [PARA]}, {"type": "section", "title": "t", "children": [para(text("x"))]}, "children"),
    ({"type": "section", "title": "t", "content": "x"}, {"type": "section", "title": "t", "children": [para(text("x"))]}, "paragraph"),
    ({"type": "section", "title": "t", "content": [text("x"), {"type": "bold", "content": "y"}]},
     {"type": "section", "title": "t", "children": [para(text("x"), {"type": "bold", "content": "y"})]}, "paragraph"),
    ({"type": "section", "title": "t", "children": "x"}, {"type": "section", "title": "t", "children": [para(text("x"))]}, "paragraph"),
    ({"type": "section", "title": "t", "children": PARA}, {"type": "section", "title": "t", "children": [para(text("x"))]}, "list of one"),
    ({"headers": ["a"], "rows": [["1"]]}, {"type": "table", "headers": ["a"], "rows": [["1"]]}, "table"),
    ({"type": "table", "columns": ["a", "b"], "data": [[1, 2.50], [None, "x"]], "title": "t"},
     {"type": "table", "headers": ["a", "b"], "rows": [["1", "2.5"], ["", "x"]], "caption": "t"}, "headers"),
    ({"type": "table", "headers": ["a", "b"], "rows": [{"b": "2", "a": 1}]},
     {"type": "table", "headers": ["a", "b"], "rows": [["1", "2"]]}, "order of headers"),
    ({"type": "list", "ordered": "true", "items": [1]}, {"type": "list", "ordered": True, "items": ["1"]}, "number"),
    ({"type": "ordered_list", "items": [{"text": "x"}]}, {"type": "list", "items": [{"content": "x"}], "ordered": True}, "list"),
    ({"type": "ul", "items": [{"type": "paragraph", "content": "x"}]}, {"type": "list", "items": [{"content": "x"}], "ordered": False}, "list"),
    ({"type": "list", "ordered": False, "items": [text("x")]}, {"type": "list", "ordered": False, "items": [[text("x")]]}, None),
    ({"type": "img", "url": "a.png", "alt_text": "x"}, {"type": "image", "src": "a.png", "alt": "x"}, "src"),
    ({"type": "code", "code": "x", "lang": "c"}, {"type": "code", "content": "x", "language": "c"}, "language"),
    ({"type": "paragraph", "content": "x", "color": "red"}, {**para(text("x")), "color": "red"}, "Unknown field color"),
]
LABEL = "such as sec:4.2; without one"
# The written block, and words of the error.
REFUSED = [
    ({"block": {"type": "note", "content": "x"}}, "type note is unknown", "paragraph, heading, section, table, list, image, code, reference"),
    ({"block": {"type": "é" * 100, "content": "x"}}, "é is unknown"),
    ({"block": {"title": "x"}}, "type must be one of", "it is required"),
    ({"block": {"type": "paragraph", "content": [{"type": "underline", "content": "x"}]}}, "text, bold, italic, code, link, ref", "not underline"),
    ({"block": {"type": "paragraph", "content": [{"type": "ref", "target": "Section 4"}]}}, "content[0].target must be a label such as sec:4.2"),
    ({"block": {"type": "table", "rows": [["a"]]}}, "headers must be a list of strings", "it is required"),
    ({"block": {"type": "table", "headers": ["a"], "rows": [{"a": "1", "b": "2"}]}}, "rows[0] must be a list of strings"),
    ({"block": {"type": "list", "items": ["a"]}}, "ordered must be true or false", "it is required"),
    ({"block": {"items": ["a"]}}, "type is required", "this block is a list"),
    ({"block": {"type": "list", "ordered": True, "items": "- a"}}, 'such as ["first", "second"]'),
    ({"block": {"type": "heading", "level": "seven", "content": "x"}}, "level must be an integer from 1 to 6"),
    ({"block": {**PARA, "label": "4.3"}}, LABEL),
    ({"block": {**PARA, "label": "New one"}}, LABEL),
    ({"block": PARA, "parent_label": "General requirements"}, "did you mean sec:4?"),
    ({"block": PARA, "parent_label": "4.1"}, "did you mean sec:4.1?"),
    ({"block": PARA, "parent_label": "SEC:4"}, "did you mean sec:4?"),
    ({"block": PARA, "parent_label": "Section 4"}, "did you mean sec:4?"),
    ({"block": PARA, "parent_label": "root"}, "leave it out for the top level"),
    ({"block": PARA, "parent_label": "sec:4", "position": "first"}, "did you mean start", "before, after, inside, start, end"),
    ({"block": PARA, "parent_label": "sec:4", "position": "bottom"}, "did you mean end"),
    ({"block": PARA, "parent": "sec:4"}, "did you mean parent_label?"),
    ({"block": PARA, "after": "para:4.1"}, "parent_label, position, anchor_label"),
]


def without_labels(block):
    if isinstance(block, dict):
        block = {k: without_labels(v) for k, v in block.items() if k != "label"}
        return {k: v for k, v in block.items() if k != "children" or v}
    return [without_labels(b) for b in block] if isinstance(block, list) else block


def is_typeless(block):
    return isinstance(block, dict) and ("type" not in block or any(is_typeless(b) for key in ("children", "blocks") for b in
                                                                   (block.get(key) if isinstance(block.get(key), list) else [])))


with Folder() as f:
    f.write("quire.toml", "[kinds.docjl]\nstrict_mode = false\n")
    with Stdio("docjl", "--tools", "all", "--config", os.path.join(f.path, "quire.toml"), root=f.path) as s:
        s.call("mcp_docjl_create_document", {"document": DOCUMENT})
        for written, kept, warning in TAKEN:
            if not is_typeless(written):
                continue
            got = s.call("mcp_docjl_insert_block", {"document_id": "m", "block": written})["result"]["structuredContent"]
            t.ok("block_label" in got and warning in " ".join(got.get("_warnings", [])), f"taken where strict_mode is off: {json.dumps(written)}", got)
            read = s.call("mcp_docjl_get_document", {"document_id": "m", "sections": [got["block_label"]]})["result"]["structuredContent"]
            t.same(without_labels(read["document"]["docjll"][0]), without_labels(kept), "and kept as the specification has it")

with Folder() as f, Stdio("docjl", "--tools", "all", root=f.path) as s:
    def call(tool, **arguments):
        result = s.call("mcp_docjl_" + tool, {"document_id": "m", **arguments})["result"]
        return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]

    def block(label):
        return call("get_document", sections=[label])["document"]["docjll"][0]
    s.call("mcp_docjl_create_document", {"document": DOCUMENT})
    for written, kept, warning in TAKEN:
        got = call("insert_block", block=written)
        if is_typeless(written):
            message = got.get("error", {}).get("message", "")
            fits = kept["type"] if "type" not in written else ""
            t.ok("type is required" in message and f"this block is a {fits}" in message, f"refused in strict mode, with the type that fits: {json.dumps(written)}", got)
            continue
        said = " ".join(got.get("_warnings", []))
        t.ok("block_label" in got and (warning in said if warning else not said), f"taken: {json.dumps(written)}", got)
        t.same(without_labels(block(got["block_label"])), without_labels(kept), "and kept as the specification has it")
    for position in ("END", "After para:4.1", "after:para:4.1", "before  para:4.1"):
        t.ok("block_label" in call("insert_block", block=PARA, parent_label="sec:4", position=position), f"taken: position {position}")
    for written, *words in REFUSED:
        message = call("insert_block", **written).get("error", {}).get("message", "")
        t.ok(message and all(w in message for w in words), f"refused with {words[0]}", message)
    # --- the same short forms in an update ---
    call("update_block", block_label="tab:1", updates={"title": "new", "data": [[5, 6]]})
    t.same({k: block("tab:1")[k] for k in ("caption", "title", "rows")}, {"caption": "c", "title": "new", "rows": [["5", "6"]]},
           "a key that the block has means itself")
    call("update_block", block_label="list:1", updates={"content": [{"text": "b"}]})
    t.same({k: block("list:1")[k] for k in ("ordered", "items")}, {"ordered": True, "items": [{"content": "b"}]},
           "what an update leaves out stays as it was")
    got = call("update_block", block_label="sec:4.1", updates={"blocks": [PARA]})
    t.ok("insert_block" in got.get("error", {}).get("message", ""), "children come by insert_block", got)
    # --- a call without effect says so ---
    got = call("search_blocks", query={"type": "para"})
    t.ok(got["total"] == 0 and "no type para; it is one of: paragraph" in str(got.get("_warnings")), "a type that does not exist is told", got)
    t.ok("_warnings" not in call("search_blocks", query={"type": "code", "content_contains": "nowhere"}), "one that does is not")
    got = call("update_references", label_changes=[{"old": "sec:404", "new": "sec:4"}])
    t.ok(got["updated_count"] == 0 and "no reference names sec:404" in str(got["_warnings"]), "so is a label that nothing refers to", got)
    for options in ("x", "im", 5):
        got = s.call("mcp_docjl_list_documents", {"filter": {"title": {"$regex": "m", "$options": options}}})["result"]
        t.ok(got.get("isError") and 'takes \\"i\\" only' in got["content"][0]["text"], f"$options {options} is refused", got)
    got = call("diff", **{"from": "r5", "to": "r1"})
    t.ok("exchange them" in str(got), "a span that ends before it begins is refused", got)
    t.ok("changes" in call("diff", **{"from": "r1", "to": "r5"}), "and exchanged it works")
    t.ok(call("verify_audit")["valid"], "the trail is sound")
t.done()
