#!/usr/bin/env python3
"""A history that is damaged, or not one at all: nothing is written on its word, and the documents stay readable."""
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
    return run(folder, "call", "hnpx", "edit_summary", "--file_path", "a.hnpx", "--node_id", "book", "--new_summary", words)


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
        sql(folder, "PRAGMA user_version=2")
        status, _, err = edit(folder, "two")
        tap.ok(status == 1 and "newer quire" in err and folder.read("a.hnpx") == before,
               "a history of a later version is left alone, and nothing is written", err)


def damaged(column, is_whole, bytes_of, claim):
    with Folder() as folder:
        before = begin(folder, "one", "two")
        sql(folder, f"UPDATE documents SET inverse_is_whole = ?, {column} = ? WHERE id = (SELECT max(id) FROM documents)",
            is_whole, bytes_of(before))
        status, _, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 1 and "damaged" in err and folder.read("a.hnpx") == before, claim, f"{status} {err}")
        status, _, err = edit(folder, "three")
        tap.ok(status == 0 and b"three" in folder.read("a.hnpx"), "the next change is made, and can be undone", err)
        status, _, err = run(folder, "undo", "a.hnpx")
        tap.ok(status == 0 and folder.read("a.hnpx") == before, "with the bytes it began with", err)


no_database()
newer()
damaged("inverse", 0, lambda b: b"\1\2\3", "a delta that is none is not undone")
damaged("inverse", 0, lambda b: b"", "nor an empty one")
damaged("inverse", 1, lambda b: b.replace(b"two", b"oen"), "bytes that are not those of the revision are not written")
damaged("inverse", 1, lambda b: b"", "nor none at all")
tap.done()
