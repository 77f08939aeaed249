#!/usr/bin/env python3
"""A person changes the file while a session has edits, and nobody's words are lost. Edits of other paragraphs are repeated in the new
version, with or without a restart of the program. Edits that do not fit there are kept, and a message lists them."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docx  # noqa: E402
from quire import Folder, Stdio, Tap  # noqa: E402

tap = Tap()


def para(number, text, mark=True):
    return f'<w:p{f" w14:paraId={chr(34)}{number:08X}{chr(34)}" if mark else ""}><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


TEXTS = ["1. The notice period is 30 days.", "2. The seller pays.", "3. The buyer waits.", "4. Nothing else."]


def file(texts=TEXTS, mark=True, extra=None):
    """A file with these paragraphs and their paraIds. An extra one comes first, with a paraId of its own."""
    own = para(0x77, extra) if extra else ""
    return docx.docx(own + "".join(para(i + 1, t, mark) for i, t in enumerate(texts)))


class Room:
    """A folder, and a server for it that can be restarted."""

    def __init__(self, data):
        self.folder = Folder({"a.docx": data})
        self.env = {"XDG_STATE_HOME": os.path.join(self.folder.path, ".state")}
        self.session = None
        self.start()

    def start(self, *args):
        self.server = Stdio("docx", *args, root=self.folder.path, env=self.env)

    def call(self, tool, **args):
        result = self.server.call(tool, {**({"session_id": self.session} if self.session else {"file_path": "a.docx"}), **args})["result"]
        answer = json.loads(result["content"][0]["text"])["error"] if result.get("isError") else result.get("structuredContent") or {}
        answer["said"] = "\n".join(b.get("text", "") for b in result["content"])
        self.session = self.session or answer.get("session_id")
        return answer

    def change(self, data, restart):
        if restart:
            self.server.close()
        self.folder.write("a.docx", data)
        if restart:
            self.start()

    def words(self, name="a.docx"):
        return docx.body(self.folder.read(name)).split("</w:p>")

    def texts(self):
        return [n["clean_text"] for n in self.call("read_file", format="json")["nodes"]]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()
        self.folder.__exit__()


def edited(room):
    """Makes each kind of edit. The second one edits the paragraph that the first one inserted."""
    new = room.call("smart_insert", positional_anchor_node_id="00000002", new_string="The seller ships.")["new_paragraph_id"]
    room.call("smart_edit", target_paragraph_id=new, old_string="ships", new_string="ships at once")
    room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
    room.call("add_comment", target_paragraph_id="00000001", author="J", text="Was 30.")
    room.call("add_footnote", target_paragraph_id="00000002", text="Net.")
    return new


WANTED = ["1. The notice period is 45 days.", "2. The seller pays.", "The seller ships at once.", "3. The buyer waits.", "4. Nothing else remains."]
for restart in (False, True):
    when = "after a restart" if restart else "while the program runs"
    with Room(file()) as room:
        new = edited(room)
        room.change(file([*TEXTS[:3], "4. Nothing else remains."]), restart)
        seen = room.call("read_file")
        tap.ok("changed by another program" in seen["said"] and "with its 5 edits" in seen["said"], f"a caller learns of the change {when}", seen["said"])
        tap.same(room.texts(), WANTED, f"both sides' words are there {when}")
        tap.ok("changed by another" not in room.call("read_file")["said"], "... and is told once")
        done = room.call("smart_edit", target_paragraph_id=new, old_string="once", new_string="last")
        tap.ok(done.get("edit_count") == 6, "ids of new paragraphs are those that were told", done)
        room.call("undo")
        person = room.folder.read("a.docx")
        done = room.call("save", save_to_local_path="a.docx", tracked_save_to_local_path="red.docx", allow_overwrite=True)
        tap.ok(done.get("saved_to") == "a.docx", "the file can be saved over", done)
        room.call("clear_session")
        room.session = None
        tap.same(room.texts(), WANTED, "so it has both sides' words")
        tap.same(len(room.call("get_comments")["comments"]), 1, "the comment is there once")
        red = docx.part(room.folder.read("red.docx"))
        tap.ok("remains" in red and "<w:del " in red and "w:delText xml:space=\"preserve\">30<" in red, "the redline is against the person's version", red)
        tap.ok(person != room.folder.read("a.docx"), "it was written")

    with Room(file()) as room:
        room.call("smart_edit", target_paragraph_id="00000004", old_string="else", new_string="more")
        room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
        person = file(["1. The notice period is 60 days.", *TEXTS[1:]])
        room.change(person, restart)
        seen = room.call("read_file")
        tap.ok("edit 2" in seen["said"] and "not fit" in seen["said"], f"edits of the same words do not fit {when}, and the first that does not is named", seen["said"])
        if restart:
            tap.ok(seen.get("code") == "CONFLICT" and "new_string" in seen["said"] and "more" in seen["said"], "the edits are told, so that they can be made again", seen)
            tap.ok("cleared_session_ids" in room.call("clear_session"), "the advice is followed: clear_session")
            room.session = None
            tap.same(room.texts()[0], "1. The notice period is 60 days.", "... and read_file shows the person's words")
        else:
            done = room.call("save", save_to_local_path="a.docx", allow_overwrite=True, save_format="clean")
            tap.ok(done.get("code") == "CONFLICT", "the person's file is not overwritten", done)
            done = room.call("save", save_to_local_path="mine.docx", save_format="clean")
            tap.ok("saved_to" in done and "45 days" in "".join(room.words("mine.docx")).replace("</w:t></w:r><w:r><w:t xml:space=\"preserve\">", ""), "the advice is followed: the edits are in another file", done)
        tap.same(room.folder.read("a.docx"), person, "the person's bytes are as they were")

    # A label names another clause in the new version. Nothing may be inserted in the wrong place.
    with Room(file()) as room:
        room.call("smart_insert", positional_anchor_node_id="2.", new_string="The seller ships.")
        room.change(docx.docx(para(0x77, "1. A clause before all.") + "".join(para(i + 1, f"{i + 2}{t[1:]}") for i, t in enumerate(TEXTS))), restart)
        seen = room.call("read_file")
        tap.ok("not fit" in seen["said"], f"a label that means another clause now does not fit {when}", seen["said"])

    # The person replaces the original by the saved copy.
    for tool, args in (("smart_insert", {"positional_anchor_node_id": "00000002", "new_string": "Once."}),
                       ("add_comment", {"target_paragraph_id": "00000002", "author": "J", "text": "Once."}),
                       ("add_footnote", {"target_paragraph_id": "00000002", "text": "Once."})):
        with Room(file()) as room:
            room.call(tool, **args)
            room.call("save", save_to_local_path="mine.docx", save_format="clean")
            room.change(room.folder.read("mine.docx"), restart)
            seen = room.call("read_file")
            tap.ok("not fit" in seen["said"], f"{tool} is not done twice {when}", seen["said"])

    # Without paraIds a paragraph is identified by its words and those of its neighbours.
    with Room(file(mark=False)) as room:
        ids = [n["id"] for n in room.call("read_file", format="json")["nodes"]]
        room.call("smart_edit", target_paragraph_id=ids[0], old_string="30", new_string="45")
        room.change(file([*TEXTS[:3], "4. Nothing else remains."], mark=False), restart)
        tap.same(room.texts(), ["1. The notice period is 45 days.", *TEXTS[1:3], "4. Nothing else remains."], f"paragraphs without paraIds too {when}")

    # An undone edit can be redone if it fits.
    with Room(file()) as room:
        room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
        room.call("smart_edit", target_paragraph_id="00000002", old_string="pays", new_string="pays all")
        room.call("smart_edit", target_paragraph_id="00000003", old_string="waits", new_string="wins")
        room.call("undo", steps=2)
        room.change(file([*TEXTS[:2], "3. The buyer sleeps.", TEXTS[3]]), restart)
        tap.same(room.texts()[:2], ["1. The notice period is 45 days.", TEXTS[1]], f"what was undone stays undone {when}")
        tap.same(room.call("redo").get("edit_count"), 2, "... and is redone where it fits")
        done = room.call("redo")
        tap.ok(done.get("code") == "CONFLICT" and "again" in done["said"], "... and refused where it does not", done)
        tap.same(room.texts(), ["1. The notice period is 45 days.", "2. The seller pays all.", "3. The buyer sleeps.", TEXTS[3]], "the session goes on")

# The file changes twice, then again after our own save.
with Room(file()) as room:
    room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
    for word in ("remains", "stays"):
        room.change(file([*TEXTS[:3], f"4. Nothing else {word}."]), word == "stays")
        tap.same(room.texts(), ["1. The notice period is 45 days.", *TEXTS[1:3], f"4. Nothing else {word}."], f"a file that changes again is followed: {word}")
    room.call("save", save_to_local_path="a.docx", allow_overwrite=True, save_format="clean")
    saved = room.folder.read("a.docx")
    room.folder.write("a.docx", file(["1. The notice period is 45 days.", *TEXTS[1:3], "4. Nothing at all."]))
    seen = room.call("read_file")
    tap.ok("changed on disk" in seen["said"], "edits that were saved into the file are not made in it again", seen["said"])

# Another process has the session on the old version in memory.
with Room(file()) as room:
    room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
    first = room.server
    room.start()
    room.folder.write("a.docx", file([*TEXTS[:3], "4. Nothing else remains."]))
    tap.same(room.texts()[3], "4. Nothing else remains.", "one process moves the session")
    second, room.server = room.server, first
    tap.same(room.texts(), ["1. The notice period is 45 days.", *TEXTS[1:3], "4. Nothing else remains."], "the other follows")
    room.call("smart_edit", target_paragraph_id="00000002", old_string="pays", new_string="pays all")
    room.server = second
    tap.same(room.texts()[1], "2. The seller pays all.", "both go on")
    first.close()

# A save over the opened file that is killed at any step: the next process can edit and save.
killed, steps = True, 0
while killed and steps < 40:
    steps += 1
    with Room(file()) as room:
        room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
        room.server.close()
        room.env["QUIRE_CRASH_AT"] = str(steps)
        room.start()
        try:
            room.call("save", save_to_local_path="a.docx", save_format="clean", allow_overwrite=True)
            killed = False
        except Exception:
            room.server.process.wait()
        del room.env["QUIRE_CRASH_AT"]
        room.start()
        more = room.call("smart_edit", target_paragraph_id="00000002", old_string="pays", new_string="pays all")
        done = room.call("save", save_to_local_path="a.docx", save_format="clean", allow_overwrite=True)
        whole = "".join(room.words())
        if "code" in more or "code" in done or "45 days" not in whole or "pays all" not in whole:
            tap.ok(False, f"after a kill at step {steps} the session can be edited and saved", (more, done))
tap.ok(not killed and steps > 8, "a save over the opened file that is killed at any step can be repeated", steps)

# A dry run and a read-only server write nothing.
with Room(file()) as room:
    room.call("smart_edit", target_paragraph_id="00000001", old_string="30", new_string="45")
    room.folder.write("a.docx", file([*TEXTS[:3], "4. Nothing else remains."]))
    seen = room.call("smart_edit", target_paragraph_id="00000002", old_string="pays", new_string="pays all", dry_run=True)
    tap.ok("changed on disk" in seen["said"], "a dry run does not move the session", seen["said"])
    room.server.close()
    room.start("--read-only")
    seen = room.call("read_file")
    tap.ok(seen.get("code") == "CONFLICT" and "file_path alone" in seen["said"], "nor does a read-only server", seen["said"])
    room.session = None
    seen = room.call("read_file", format="json")
    tap.same([n["clean_text"] for n in seen["nodes"]], [*TEXTS[:3], "4. Nothing else remains."], "... which shows the file as it is, by its path")
    room.server.close()
    room.session = None
    room.start()
    tap.same(room.texts()[0], "1. The notice period is 45 days.", "the next call that may write does")
tap.done()
