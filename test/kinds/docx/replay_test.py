#!/usr/bin/env python3
"""Every edit, with each of its arguments, gives the same result when another process replays it from the draft: the saved files,
clean and tracked, are the same. This includes arguments that the list of tools leaves out."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docx  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def para(number, inside, properties=""):
    return f'<w:p w14:paraId="{number:08X}">{properties}{inside}</w:p>'


def mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def cell(number, text):
    return f'<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>{para(number, run(text))}</w:tc>'


def table(first):
    rows = "".join(f"<w:tr>{cell(first + 2 * r, 'x')}{cell(first + 2 * r + 1, 'y')}</w:tr>" for r in range(2))
    return f'<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>{rows}</w:tbl>'


FIELD = mark("begin") + "<w:r><w:instrText> REF x </w:instrText></w:r>" + mark("separate") + run("1.2") + mark("end")
NUMBER = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
NUMBERING = ('<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
             '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
             '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>')
BODY = (para(1, run("day and day and day")) + para(2, run("See ") + FIELD + run(" here.")) + para(3, run("Bold one."), '<w:pPr><w:jc w:val="center"/></w:pPr>') +
        para(4, run("First clause."), NUMBER) + para(5, run("Second clause."), NUMBER) + para(6, run("Third clause."), NUMBER) + table(0x10) + para(7, run("Between.")) +
        table(0x20) + para(8, '<w:r><w:rPr><w:b/><w:i/></w:rPr><w:t>Loud.</w:t></w:r>') + para(9, run("The end.")))

EDITS = {  # claim: tool and arguments; an id is the paragraph's own
    "one of several matches": ("smart_edit", {"target_paragraph_id": "00000001", "old_string": "day", "new_string": "night", "occurrence": 2}),
    "every match": ("smart_edit", {"target_paragraph_id": "00000001", "old_string": "day", "new_string": "night", "replace_all": True, "instruction": "why", "normalize_first": True}),
    "a field's result": ("smart_edit", {"target_paragraph_id": "00000002", "old_string": "1.2", "new_string": "1.3", "allow_field_result": True}),
    "an insertion in another style": ("smart_insert", {"positional_anchor_node_id": "00000007", "new_string": "<b>New</b>\n\nand newer", "position": "BEFORE", "style_source_id": "00000003"}),
    "a deletion": ("delete_paragraph", {"target_paragraph_id": "00000009", "instruction": "why"}),
    "a plan: one of several matches": ("apply_plan", {"steps": [{"operation": "smart_edit", "target_paragraph_id": "00000001", "old_string": "day", "new_string": "night", "occurrence": 3}]}),
    "a plan: every match": ("apply_plan", {"steps": [{"operation": "replace_text", "target_paragraph_id": "00000001", "old_string": "day", "new_string": "night", "replace_all": True}]}),
    "a plan: a field's result": ("apply_plan", {"steps": [{"operation": "smart_edit", "target_paragraph_id": "00000002", "old_string": "1.2", "new_string": "1.3", "allow_field_result": True}]}),
    "a plan: an insertion in another style": ("apply_plan", {"steps": [{"operation": "smart_insert", "positional_anchor_node_id": "00000007", "new_string": "New", "position": "BEFORE",
                                                                         "style_source_id": "00000003", "instruction": "why"}]}),
    "a plan from a file": ("apply_plan", {"plan_file_path": "plan.json"}),
    "row heights of one table": ("format_layout", {"row_height": {"table_indexes": [1], "row_indexes": [0], "value_twips": 400, "rule": "exact"}}),
    "cell margins of one table": ("format_layout", {"cell_padding": {"table_indexes": [1], "row_indexes": [1], "cell_indexes": [0], "left_dxa": 80}}),
    "spacing": ("format_layout", {"paragraph_spacing": {"paragraph_ids": ["00000009"], "before_twips": 120, "after_twips": 0, "line_twips": 300, "line_rule": "exact"}}),
    "looks cleared": ("clear_formatting", {"paragraph_ids": ["00000008"], "properties": ["italic"]}),
    "a level": ("format_numbering", {"paragraph_ids": ["00000005"], "level": 1}),
    "a list joined": ("format_numbering", {"paragraph_ids": ["00000007"], "like": "00000004"}),
    "a list begun again": ("format_numbering", {"paragraph_ids": ["00000005"], "restart_at": 7}),
    "a number taken away": ("format_numbering", {"paragraph_ids": ["00000005"], "remove": True}),
    "a comment": ("add_comment", {"target_paragraph_id": "00000001", "anchor_text": "day and day and", "author": "A", "text": "Why?", "initials": "Z"}),
    "a footnote": ("add_footnote", {"target_paragraph_id": "00000003", "after_text": "Bold", "text": "A note."}),
}
PLAN = '{"steps":[{"operation":"smart_edit","target_paragraph_id":"00000001","old_string":"day","new_string":"night","occurrence":2}]}'


def saved(server, folder, name):
    done = server.call("save", {"file_path": "a.docx", "save_to_local_path": f"{name}.docx", "tracked_save_to_local_path": f"{name}.red.docx"})["result"]
    return [docx.part(folder.read(n)) for n in (f"{name}.docx", f"{name}.red.docx")] if not done.get("isError") else done


def undone(tap):
    """Ids of new paragraphs do not depend on undone edits, because another process never sees those."""
    data = docx.docx("".join(f"<w:p>{run(text)}</w:p>" for text in ("First.", "Second.", "Third.")))
    with Folder({"a.docx": data}) as folder:
        first = Stdio("docx", root=folder.path)

        def call(tool, **arguments):
            return first.call(tool, {"file_path": "a.docx", **arguments})["result"]["structuredContent"]
        anchor = call("read_file", format="json")["nodes"][0]["id"]
        insert = {"positional_anchor_node_id": anchor, "new_string": "New."}
        call("delete_paragraph", target_paragraph_id=call("smart_insert", **insert)["new_paragraph_id"])
        ids = []
        for _ in range(3):
            ids.append(call("smart_insert", **insert)["new_paragraph_id"])
            call("undo")
        ids.append(call("smart_insert", **insert, dry_run=True)["new_paragraph_id"])
        ids.append(call("smart_insert", **insert)["new_paragraph_id"])
        tap.same(len(set(ids)), 1, "an insertion that was undone or only tried leaves no trace in the next one's id")
        call("smart_edit", target_paragraph_id=ids[-1], old_string="New", new_string="Newer")
        before = saved(first, folder, "before")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        with Stdio("docx", root=folder.path) as second:
            tap.same(saved(second, folder, "after"), before, "so the next process finds the paragraph that was edited then")


def later(tap):
    """The draft of any process shows, also to a server that read the file before. A session without edits yields to it."""
    with Folder({"a.docx": docx.docx(para(1, run("The term is thirty days.")))}) as folder, Folder() as state:
        with Stdio("docx", "--state", state.path, root=folder.path) as one, Stdio("docx", "--state", state.path, root=folder.path) as two:
            def call(server, tool, **arguments):
                return server.call(tool, {"file_path": "a.docx", **arguments})["result"]["structuredContent"]
            first = call(one, "read_file")
            edit = {"target_paragraph_id": "00000001", "old_string": "thirty", "new_string": "sixty"}
            made = call(two, "smart_edit", **edit)
            seen = call(one, "read_file")
            tap.ok("sixty days" in seen["content"] and seen["session_id"] == made["session_id"], "a draft made later by another process shows", seen)
            by_id = one.call("read_file", {"session_id": first["session_id"]})["result"]["structuredContent"]
            tap.ok("sixty days" in by_id["content"] and by_id["session_id"] == made["session_id"], "a session without edits yields to it", by_id)
            tap.ok(any(first["session_id"] in w for w in by_id.get("_warnings", [])), "with a warning", by_id)
            call(one, "smart_edit", **{**edit, "old_string": "days", "new_string": "weeks"})
            tap.ok("sixty weeks" in call(two, "read_file")["content"], "both continue the same draft")
            tap.same(one.call("clear_session", {"session_id": first["session_id"]})["result"]["structuredContent"]["cleared_session_ids"], [first["session_id"]],
                     "the session that yielded can be ended")
            tap.ok("sixty weeks" in call(two, "read_file")["content"], "which does not end the draft")


def main():
    tap = Tap()
    undone(tap)
    later(tap)
    data = docx.docx(BODY, numbering=NUMBERING)
    for claim, (tool, arguments) in EDITS.items():
        with Folder({"a.docx": data, "plan.json": PLAN}) as folder:
            first = Stdio("docx", root=folder.path)
            done = first.call(tool, {"file_path": "a.docx", **arguments})["result"]
            before = saved(first, folder, "before")
            first.process.send_signal(signal.SIGKILL)
            first.process.wait()
            if os.path.exists(os.path.join(folder.path, "plan.json")):
                os.remove(os.path.join(folder.path, "plan.json"))
            with Stdio("docx", root=folder.path) as second:
                after = saved(second, folder, "after")
            tap.ok(not done.get("isError") and before[0] != docx.part(data) and before == after, f"{claim}: {tool} is replayed as it was",
                   [done if done.get("isError") else "", before, after])
    tap.done()


main()
