#!/usr/bin/env python3
"""A history that is damaged, or not a history at all: nothing is written because of it, and the documents stay
readable."""
import json
import os
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap  # noqa: E402

tap = Tap()


def run(folder, *args):
    done = subprocess.run([QUIRE, *args], capture_output=True, cwd=folder.path, timeout=60, stdin=subprocess.DEVNULL,
                          env={**os.environ, "XDG_STATE_HOME": folder.path})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def edit(folder, words):
    return run(folder, "call", "hnpx", "edit_node_attributes", "--file_path", "a.hnpx", "--node_id", "book", "--attributes", json.dumps({"summary": words}))


def begin(folder, *summaries):
    run(folder, "call", "hnpx", "create_document", "--file_path", "a.hnpx")
    for words in summaries:
        edit(folder, words)
    return folder.read("a.hnpx")


def sql(folder, statement, *values):
    with sqlite3.connect(folder.path + "/quire/history.db") as db:
        db.execute(statement, values)
    db.close()


def no_database():
    with Folder() as folder:
        before = begin(folder, "one")
        for name in os.listdir(folder.path + "/quire"):
            if name.startswith("history.db"):
                os.unlink(folder.path + "/quire/" + name)
        folder.write("quire/history.db", b"this is no database, whatever its name says\n" * 100)
        status, _, err = edit(folder, "two")
        tap.ok(status == 1 and "history" in err and folder.read("a.hnpx") == before,
               "a write without a way back is refused, and nothing is written", err)
        status, out, err = run(folder, "call", "hnpx", "get_node", "--file_path", "a.hnpx", "--node_id", "book")
        tap.ok(status == 0 and "one" in out, "the document is read as ever", err)
        status, _, err = run(folder, "history", "a.hnpx")
        tap.ok(status == 1 and "history" in err, "asking for the history says what is wrong", err)
        os.rename(folder.path + "/quire/history.db", folder.path + "/quire/moved.db")
        status, _, err = edit(folder, "two")
        tap.ok(status == 0 and b"two" in folder.read("a.hnpx"), "moved away, a new one is begun", err)


def newer():
    with Folder() as folder:
        before = begin(folder, "one")
        sql(folder, "PRAGMA user_version=3")
        status, _, err = edit(folder, "two")
        tap.ok(status == 1 and "newer quire" in err and folder.read("a.hnpx") == before,
               "a history of a later version is left alone, and nothing is written", err)


def damaged(delta, form, claim):
    """The newest record leads to another revision than it says. Its result cannot be restored, but everything else
    can."""
    with Folder() as folder:
        before = begin(folder, "one", "two")
        sql(folder, "UPDATE documents SET form = ?, delta = ? WHERE id = (SELECT max(id) FROM documents)", form, delta(before))
        newest = json.loads(run(folder, "history", "a.hnpx", "--json")[1])["commits"][0]
        status, _, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 0 and b"one" in folder.read("a.hnpx"), "a change is undone by what stood before it", err)
        status, _, err = run(folder, "restore", "a.hnpx", str(newest["commit"]))
        tap.ok(status == 1 and "damaged" in err and b"one" in folder.read("a.hnpx"), claim, f"{status} {err}")
        status, out, err = run(folder, "fsck", "--repair")
        tap.ok(status == 4 and f"commit {newest['commit']} " in out and "whole file" in out,
               "fsck names it, and lets the history go on from the file as it is", f"{status} {out} {err}")
        status, _, err = edit(folder, "three")
        tap.ok(status == 0 and b"three" in folder.read("a.hnpx"), "the next change is made", err)
        status, _, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 0 and b"one" in folder.read("a.hnpx"), "and can be undone", err)


def overwritten(first, last, claim):
    """Pages of a history of many records are overwritten in the middle of the file. The repair copies what can be read
    on both sides, and writing works again."""
    with Folder() as folder:
        begin(folder)
        for i in range(60):
            edit(folder, f"summary {i} " + os.urandom(1500).hex())
        sql(folder, "PRAGMA wal_checkpoint(TRUNCATE)")
        path = folder.path + "/quire/history.db"
        with sqlite3.connect(path) as db:
            count = db.execute("SELECT count(*) FROM documents").fetchone()[0]
        db.close()
        pages = os.path.getsize(path) // 4096
        with open(path, "r+b") as file:
            file.seek(int(pages * first) * 4096)
            file.write(b"\xa5" * 4096 * max(1, int(pages * (last - first))))
        status, out, _ = run(folder, "fsck")
        tap.ok(status != 0 and "history.db" in out + _, f"{claim}: fsck finds it", out)
        status, out, err = run(folder, "fsck", "--repair")
        tap.ok("fresh file" in out and os.path.exists(path), f"{claim}: the damaged file is set aside", out + err)
        tap.ok(any("refused" in n for n in os.listdir(folder.path + "/quire")), f"{claim}: under another name", out)
        with sqlite3.connect(path) as db:
            left = db.execute("SELECT count(*) FROM documents").fetchone()[0]
            broken = db.execute("PRAGMA foreign_key_check").fetchall()
        db.close()
        tap.ok(left and not broken, f"{claim}: rows on both sides are saved", (left, count, broken, out))
        if left < count:
            tap.ok("lost" in out, f"{claim}: what is lost is told", out)
        status, _, err = edit(folder, "after the repair")
        tap.ok(status == 0 and b"after the repair" in folder.read("a.hnpx"), f"{claim}: writing works again", err)
        status, _, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 0 and b"summary 59" in folder.read("a.hnpx"), f"{claim}: and undoing", err)
        status, out, err = run(folder, "fsck", "--repair")
        status, out, err = run(folder, "fsck")
        tap.ok("integrity" not in out and "history.db" not in out, f"{claim}: the new file is sound", out + err)


def no_pages():
    """Not a single page is left: the history begins again, and says so."""
    with Folder() as folder:
        begin(folder, "one")
        sql(folder, "PRAGMA wal_checkpoint(TRUNCATE)")
        size = os.path.getsize(folder.path + "/quire/history.db")
        for name in os.listdir(folder.path + "/quire"):
            if name.startswith("history.db-"):
                os.unlink(folder.path + "/quire/" + name)
        folder.write("quire/history.db", b"\xa5" * size)
        status, out, err = run(folder, "fsck", "--repair")
        tap.ok("lost" in out, "a file without a readable page is set aside", out + err)
        status, _, err = edit(folder, "two")
        tap.ok(status == 0 and b"two" in folder.read("a.hnpx"), "and writing works again", err)


no_database()
newer()
overwritten(0.4, 0.5, "a tenth in the middle")
overwritten(0.2, 0.8, "most of the middle")
overwritten(0.9, 1.0, "the end")
no_pages()
damaged(lambda b: b"\1\2\3", 1, "edits that are none are not applied")
damaged(lambda b: b"", 1, "nor empty ones")
damaged(lambda b: b.replace(b"two", b"oen"), 2, "bytes that are not those of the revision are not written")
damaged(lambda b: b"", 2, "nor none at all")
damaged(lambda b: b"\xff\xff\xff\x7f" + b, 4, "nor those that inflate to something else")
tap.done()
