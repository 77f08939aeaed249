#!/usr/bin/env python3
"""Every result stays below 60,000 characters, however large the document or the call is, and says what was left out."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docx  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402

LONG = "The party gives notice of thirty words and more. " * 6000
tap = Tap()


def para(number, text):
    return f'<w:p w14:paraId="{number:08X}"><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


FILE = docx.docx(para(1, LONG + "END 30 days.") + "".join(para(i, f"Short {i}. " + "words and more of it " * 100) for i in range(2, 1000)))
with Folder({"a.docx": FILE}) as folder, Stdio("docx", root=folder.path) as server:
    def call(tool, file="a.docx", **args):
        result = server.call(tool, {"file_path": file, **args})["result"]
        text = "".join(b.get("text", "") for b in result["content"])
        tap.ok("isError" not in result and len(text) < 60000, f"{tool}: {len(text)} characters", text[:300])
        return result.get("structuredContent") or {}

    done = call("smart_edit", target_paragraph_id="00000001", old_string="30 days", new_string="45 days")
    tap.ok(done["before_text"].endswith("END 30 days.") and done["after_text"].endswith("END 45 days.") and done["after_text"].startswith("..."),
           "of a long paragraph the part around the change is shown", done["after_text"][-40:])
    tap.ok(call("smart_insert", positional_anchor_node_id="00000002", new_string="x " * 100000)["inserted_text"].endswith("..."), "of a long new text the beginning")
    done = call("smart_insert", positional_anchor_node_id="00000002", new_string="\n\n".join(["A new clause."] * 8000))
    tap.same((300 < len(done["new_paragraph_ids"]) <= 1000, done["_warnings"][0].split(";")[0]), (True, "8000 paragraphs were inserted"), "8,000 paragraphs are inserted at once, and ids of the first told")
    done = call("apply_plan", steps=[{"operation": "smart_edit", "target_paragraph_id": f"{i:08X}", "old_string": "Short", "new_string": "Shorter"} for i in range(3, 500)])
    tap.ok(len(done["completed_step_ids"]) == 497 and "shortened" in done["_warnings"][0], "a plan of many steps says that its texts are shortened", done.get("_warnings"))
    done = call("apply_plan", steps=[{"operation": "smart_insert", "positional_anchor_node_id": "00000003", "new_string": "a\n\nb\n\nc"} for _ in range(1000)])
    tap.ok(len(done["completed_step_ids"]) == 1000 > len(done["results"]) and "results" in done["_warnings"][0], "... or its results left out", done.get("_warnings"))
    done = call("apply_plan", steps=[{"operation": "smart_edit", "target_paragraph_id": "000001F5", "old_string": "Short", "new_string": "Shorter"}])
    tap.ok(done["results"][0]["after_text"].startswith("Shorter 501. words") and "_warnings" not in done, "a short plan has whole texts", done)
    for text in ("first", "second", "third", "fourth", "fifth"):
        call("add_comment", target_paragraph_id="00000004", author="A", text=text + " y" * 50000)
        call("add_footnote", target_paragraph_id="00000005", text=text + " z" * 50000)
    for tool, rows in (("get_comments", "comments"), ("get_footnotes", "footnotes")):
        seen, offset = [], 0
        while offset is not None:
            page = call(tool, offset=offset)
            seen += [r["text"].split()[0] for r in page[rows]]
            offset = page.get("next_offset")
        tap.same(seen, ["first", "second", "third", "fourth", "fifth"], f"{tool} goes on behind a page that is full")
    call("save", save_to_local_path="clean.docx", tracked_save_to_local_path="red.docx")
    seen, offset = 0, 0
    while offset is not None:
        page = call("extract_revisions", "red.docx", offset=offset, limit=500)
        seen += len(page["paragraphs"])
        offset = page.get("next_offset")
    tap.same(seen, page["total"] if "total" in page else seen, "extract_revisions lists every paragraph once")
    call("delete_paragraph", target_paragraph_id="00000001")
tap.done()
