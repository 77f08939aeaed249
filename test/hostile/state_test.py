#!/usr/bin/env python3
"""The state folder is private: a tree with a history of its own changes nothing, and another user's state is never
used."""
import json
import os
import pwd
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Stdio, Tap, quire_for_all  # noqa: E402

tap = Tap()


def run(folder, *args, state=None, env=None, user=None):
    words = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", quire_for_all()] if user else [QUIRE]
    done = subprocess.run([*words, *args, *(["--state", state] if state else [])], capture_output=True,
                          cwd=folder.path, timeout=60, stdin=subprocess.DEVNULL,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0", **(env or {})})
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def new_book(folder, name="a.hnpx", **more):
    return run(folder, "call", "hnpx", "create_document", "--file_path", name, **more)


# The history of another tree, with an unfinished commit and a trigger, copied into the clone.
with Folder() as maker, Folder({".git/config": "[core]\n\tbare = false\n"}) as clone:
    tap.same(new_book(maker, state=maker.path + "/made")[0], 0, "a history is made elsewhere")
    shutil.copy(maker.path + "/a.hnpx", clone.path + "/a.hnpx")
    os.mkdir(clone.path + "/.quire")
    db = sqlite3.connect(maker.path + "/made/history.db")
    for column in ("path", "root"):
        if column in [r[1] for r in db.execute("PRAGMA table_info(documents)")]:
            db.execute(f"UPDATE documents SET {column} = ?", (clone.path + "/.git/config",))
    db.execute("UPDATE commits SET state = 0")
    db.execute("CREATE TRIGGER evil AFTER UPDATE ON commits BEGIN DELETE FROM documents; END")
    db.commit()
    db.close()
    shutil.copy(maker.path + "/made/history.db", clone.path + "/.quire/history.db")
    packed = clone.read(".quire/history.db")
    status, out, err = run(clone, "call", "hnpx", "get_node", "--file_path", "a.hnpx", "--node_id", "book")
    tap.ok(status == 0 and "book" in out, "a document of a cloned tree is read", err)
    tap.ok(err.count(".quire") == 1 and "ignored" in err, "its .quire is ignored, with one line of advice", err)
    with Stdio("hnpx", root=clone.path) as server:
        answer = server.call("create_chapter", {"file_path": "a.hnpx", "parent_id": "book", "title": "t", "summary": "s"})
        tap.ok("isError" not in answer["result"] or not answer["result"]["isError"], "and written", answer)
    tap.same(clone.read(".git/config"), b"[core]\n\tbare = false\n", "the pending row of its history does nothing")
    tap.same(clone.read(".quire/history.db"), packed, "nor is that history touched")
    tap.same(sorted(os.listdir(clone.path + "/.quire")), ["history.db"], "and no file is made beside it")

NOTHING = {"HOME": "", "XDG_STATE_HOME": "", "STATE_DIRECTORY": ""}
with Folder({"b.hnpx": ""}) as folder:
    status, out, err = new_book(folder, env=NOTHING)
    tap.ok(status == 1 and "--state" in err and not os.path.exists(folder.path + "/a.hnpx"),
           "without a state folder writing is refused, with the option to give", err)
    place = err.split("--state ")[-1].split()[0]
    tap.ok(place.startswith("/"), "the refusal names a folder", err)
    for variable, value, made in (("STATE_DIRECTORY", folder.path + "/one:" + folder.path + "/two", "one"),
                                  ("XDG_STATE_HOME", folder.path + "/xdg", "xdg/quire"),
                                  ("HOME", folder.path + "/home", "home/.local/state/quire")):
        status, out, err = new_book(folder, f"{variable}.hnpx", env={**NOTHING, variable: value})
        mode = os.stat(os.path.join(folder.path, made)).st_mode & 0o777 if status == 0 else 0
        tap.ok(status == 0 and mode == 0o700 and os.path.exists(os.path.join(folder.path, made, "history.db")),
               f"{variable} says where, and the folder is this user's alone", err)
    status, out, err = new_book(folder, "relative.hnpx", env={**NOTHING, "XDG_STATE_HOME": "state", "HOME": folder.path + "/home"})
    tap.ok(status == 0 and not os.path.exists(folder.path + "/state"), "a relative XDG_STATE_HOME does not count", err)
    status, out, err = new_book(folder, "tilde.hnpx", state="~/mine", env={"HOME": folder.path + "/home"})
    tap.ok(status == 0 and os.path.exists(folder.path + "/home/mine/history.db"), "~ is $HOME", err)

def type_of(path):
    return subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True).stdout.strip()


if type_of("/dev/shm") == b"tmpfs" and type_of("/var/tmp") not in (b"tmpfs", b"overlayfs", b"ramfs"):
    import tempfile
    with tempfile.TemporaryDirectory(dir="/var/tmp") as root:
        fleeting = f"/dev/shm/quire-state-{os.getpid()}"
        done = subprocess.run([QUIRE, "doctor", "--root", root, "--state", fleeting], capture_output=True, timeout=60)
        tap.ok(b"restart loses the history" in done.stdout and not os.path.exists(fleeting), "doctor warns of a state in memory", done.stdout)
        done = subprocess.run([QUIRE, "serve", "hnpx", "--root", root, "--state", fleeting], capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        tap.ok(done.stderr.count(b"restart loses the history") == 1, "and serve does", done.stderr)
        done = subprocess.run([QUIRE, "serve", "hnpx", "--root", root, "--state", root + "/state"], capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        tap.ok(b"restart" not in done.stderr, "not where it lasts as long as the documents", done.stderr)
else:
    tap.skip("a state in memory is told", "there is no file system in memory beside one on a disk")

if os.geteuid() != 0:
    tap.skip("another user's state is refused", "only root can become somebody else")
else:
    nobody = pwd.getpwnam("nobody")
    with Folder() as folder:
        os.chmod(folder.path, 0o777)
        new_book(folder, state=folder.path + "/state")
        os.chmod(folder.path + "/state", 0o777)
        os.chmod(folder.path + "/a.hnpx", 0o666)
        before = folder.read("a.hnpx")
        edit = ("call", "hnpx", "edit_node_attributes", "--file_path", "a.hnpx", "--node_id", "book", "--attributes", json.dumps({"summary": "x"}))
        status, out, err = run(folder, *edit, state=folder.path + "/state", user="nobody")
        tap.ok(status == 1 and "another user" in err and folder.read("a.hnpx") == before,
               "a state of another user is refused, and nothing is written", err)
        status, out, err = run(folder, "call", "hnpx", "get_node", "--file_path", "a.hnpx", "--node_id", "book",
                               state=folder.path + "/state", user="nobody")
        tap.ok(status == 0, "reading works beside it", err)
        status, out, err = run(folder, "doctor", "--root", folder.path, state=folder.path + "/state", user="nobody")
        tap.ok(status == 1 and "another user" in out, "doctor says so", out)
        os.mkdir(folder.path + "/home", 0o755)
        os.chown(folder.path + "/home", nobody.pw_uid, nobody.pw_gid)
        status, out, err = run(folder, *edit, env={"HOME": folder.path + "/home", "XDG_STATE_HOME": ""})
        tap.ok(status == 1 and "another user" in err and os.listdir(folder.path + "/home") == [],
               "root makes no state in a home that is another's", err)
        place = err.split("--state ")[-1].split()[0]
        tap.ok(place.startswith("/") and "quire" in place, "and names a folder that would do", err)

tap.done()
