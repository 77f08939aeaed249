#!/usr/bin/env python3
"""quire fsck: leftovers of a crash, commits with documents elsewhere, and a database that somebody tampered with."""
import json
import os
import shlex
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap  # noqa: E402

tap = Tap()


def run(folder, *args):
    done = subprocess.run([QUIRE, *args], capture_output=True, cwd=folder.path + "/root", timeout=60, stdin=subprocess.DEVNULL,
                          env={**os.environ, "XDG_STATE_HOME": folder.path})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def make(folder, name="a.hnpx"):
    return run(folder, "call", "hnpx", "create_document", "--file_path", name)


def edit(folder, words):
    return run(folder, "call", "hnpx", "edit_node_attributes", "--file_path", "a.hnpx", "--node_id", "book", "--attributes", json.dumps({"summary": words}))


def sql(folder, *statements):
    db = sqlite3.connect(folder.path + "/quire/history.db")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def new_folder():
    return Folder({"root/keep": "", "other/keep": ""})


with new_folder() as folder:
    status, out, err = run(folder, "fsck")
    tap.ok(status == 0 and "sound" in out and not os.path.exists(folder.path + "/quire"), "nothing is sound, and stays nothing", out + err)
    make(folder)
    edit(folder, "one")
    status, out, err = run(folder, "fsck")
    tap.ok(status == 0 and "sound" in out, "a history is sound", out + err)
    tap.ok(run(folder, "fsck", "word")[0] == 2, "fsck takes no words")

    # Temporary files of documents that were never created.
    folder.write("root/.never.hnpx.quire~", "unfinished")
    status, out, err = run(folder, "fsck")
    tap.ok(status == 1 and ".never.hnpx.quire~" in out, "a temporary file is a fault that can be repaired", out + err)
    tap.ok(os.path.exists(folder.path + "/root/.never.hnpx.quire~"), "without --repair it stays")
    status, out, err = run(folder, "fsck", "--repair")
    tap.ok(status == 0 and "removed" in out and not os.path.exists(folder.path + "/root/.never.hnpx.quire~"), "--repair removes it", out + err)
    # A file that may be the only copy of a save is recorded in the history before it is removed.
    for mark in ("old", "0123456789abcdef", "unread"):
        kept = f"root/.a.hnpx.{mark}.quire~"
        saved = f"saved by an editor: {mark}"
        before = folder.read("root/a.hnpx")
        folder.write(kept, saved)
        status, out, err = run(folder, "fsck")
        tap.ok(status == 1 and os.path.basename(kept) in out and "a.hnpx" in out and "fsck --repair" in out
               and folder.read(kept) == saved.encode(), f"{mark}: somebody's save is left and reported, with what to do", out + err)
        status, out, err = run(folder, "fsck", "--repair")
        tap.ok(status == 0 and "history" in out and not os.path.exists(folder.path + "/" + kept), f"{mark}: --repair moves it", out + err)
        tap.ok(folder.read("root/a.hnpx") == before, "the document stays as it is")
        revision, = sqlite3.connect(folder.path + "/quire/history.db").execute(
            "SELECT after FROM documents ORDER BY row DESC LIMIT 1 OFFSET 1").fetchone()
        status, out, err = run(folder, "show", "a.hnpx", revision)
        tap.ok(status == 0 and out == saved, "the history gives it back", out + err)
        status, out, err = run(folder, "fsck")
        tap.ok(status == 0, "and is sound", out + err)
    status, out, err = edit(folder, "two")
    tap.ok(status == 0 and b"two" in folder.read("root/a.hnpx"), "writing goes on", err)
    # If the document is gone, it is unknown which is newer: the file stays.
    folder.write("root/.gone.hnpx.old.quire~", "the only copy")
    status, out, err = run(folder, "fsck", "--repair")
    tap.ok(status == 1 and "gone" in out and folder.read("root/.gone.hnpx.old.quire~") == b"the only copy",
           "a save of a document that is gone stays, and is reported", out + err)
    os.unlink(folder.path + "/root/.gone.hnpx.old.quire~")
    folder.write("root/.a.hnpx.old.quire~", folder.read("root/a.hnpx"))
    status, out, err = run(folder, "fsck", "--repair")
    tap.ok(status == 0 and not os.path.exists(folder.path + "/root/.a.hnpx.old.quire~"), "unless the history has its bytes", out + err)

# An interrupted commit that also has a document outside the roots.
with new_folder() as folder:
    make(folder)
    before = folder.read("root/a.hnpx")
    sql(folder, "UPDATE commits SET state = 0",
        "INSERT INTO documents(id, path, before, after, is_cut, since, added, removed, bytes, form, delta) SELECT id,"
        f" '{folder.path}/other/b.hnpx', before, after, is_cut, since, added, removed, bytes, form, delta FROM documents")
    status, out, err = edit(folder, "one")
    tap.ok(status == 1 and "quire fsck --repair" in err and folder.read("root/a.hnpx") == before,
           "its documents refuse writes, with the command that finishes it", err)
    tap.ok(run(folder, "call", "hnpx", "get_node", "--file_path", "a.hnpx", "--node_id", "book")[0] == 0, "they are read as ever")
    tap.ok(not os.path.exists(folder.path + "/other/b.hnpx"), "it is left whole")
    status, out, _ = run(folder, "fsck", "--repair")
    tap.ok(status == 1 and "--root" in out, "fsck of one root says what it needs", out)
    told = re.search(r"quire (fsck --repair[^;\n]*?) finishes", err)
    status, out, err = run(folder, *shlex.split(told.group(1))) if told else (9, "", err)
    tap.ok(status == 0 and "finished" in out and os.path.exists(folder.path + "/other/b.hnpx"), "the command finishes it", f"{status} {out} {err}")
    status, out, err = edit(folder, "one")
    tap.ok(status == 0 and b"one" in folder.read("root/a.hnpx"), "and writing goes on", err)

# A trigger, a view, a changed table: the database is not opened, and the recommended command saves the rows.
for what in ("CREATE TRIGGER evil AFTER UPDATE ON commits BEGIN DELETE FROM documents; END",
             "CREATE VIEW evil AS SELECT * FROM commits", "CREATE TABLE evil(x)",
             "CREATE INDEX evil ON commits(who)"):
    with new_folder() as folder:
        make(folder)
        edit(folder, "one")
        sql(folder, what)
        before = folder.read("root/a.hnpx")
        status, out, err = edit(folder, "two")
        tap.ok(status == 1 and "evil" in err and "quire fsck --repair" in err and folder.read("root/a.hnpx") == before,
               f"{' '.join(what.split()[:2])}: nothing is written", err)
        tap.ok(run(folder, "call", "hnpx", "get_node", "--file_path", "a.hnpx", "--node_id", "book")[0] == 0, "documents are read")
        tap.ok(run(folder, "fsck")[0] == 1, "fsck says it can be repaired")
        status, out, err = run(folder, "fsck", "--repair")
        tap.ok(status == 0 and "saved" in out, "--repair saves the rows into a fresh file", out + err)
        status, out, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 0 and b"one" not in folder.read("root/a.hnpx"), "and the history is there again", err)

# Nothing can be read.
with new_folder() as folder:
    make(folder)
    for name in os.listdir(folder.path + "/quire"):
        os.unlink(folder.path + "/quire/" + name)
    folder.write("quire/history.db", b"no database\n" * 1000)
    tap.ok(run(folder, "fsck", "--repair")[0] == 4, "a file that is no database is damage that stays")

tap.done()
