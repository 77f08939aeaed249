#!/usr/bin/env python3
"""destructiveHint is true for the tools that can overwrite or remove existing words, and for no others.

Moving, joining and renaming keep every word and the meaning of every link. A session of a Word document counts as the
document. A new writing tool fails here until it is added to one of the two lists."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Tap  # noqa: E402

# kind: (tools that can overwrite or remove words, writing tools that cannot)
DECIDED = {
    "docjl": ("apply delete_block rollback update_block update_references", "create_document insert_block move_block"),
    "docx": ("accept_changes apply_plan clear_session compare_documents delete_comment delete_footnote delete_paragraph redo reject_changes save "
             "smart_edit undo update_footnote",
             "add_comment add_footnote clear_formatting format_layout format_numbering smart_insert"),
    "floorplan": ("export_floorplan modify_floorplan", "create_floorplan"),
    "hnpx": ("edit_bible edit_node_attributes export_document remove_node reorder_children replace_text",
             "create_beat create_chapter create_document create_nodes create_paragraph create_sequence repair_document"),
    "notes": ("delete_node edit_node merge_nodes rename_tag set_properties update_node", "create_node move_node retarget_links"),
}
FILES = ("file_restore", "file_undo")
tap = Tap()


def main():
    with Folder({}) as folder:
        for kind, (overwriting, keeping) in DECIDED.items():
            said = subprocess.run([QUIRE, "tools", "--json", kind, "--tools", "all"], capture_output=True, cwd=folder.path, check=True)
            written = [t for t in json.loads(said.stdout)["tools"] if not t["annotations"]["readOnlyHint"]]
            hints = {t["name"].removeprefix("mcp_docjl_"): t["annotations"]["destructiveHint"] for t in written}
            files = [hints.pop(name) for name in FILES if name in hints]
            tap.same(files, [] if kind == "docjl" else [True, True], f"{kind}: undo and restore overwrite, where there are files")
            tap.same(sorted(n for n, h in hints.items() if h), overwriting.split(), f"{kind}: what can overwrite or remove words")
            tap.same(sorted(n for n, h in hints.items() if not h), keeping.split(), f"{kind}: what keeps every word")
    tap.done()


if __name__ == "__main__":
    main()
