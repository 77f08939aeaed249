#!/usr/bin/env python3
"""At a terminal, control characters in a document are shown as escapes; a pipe gets the bytes unchanged."""
import json
import os
import pty
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import QUIRE, Folder, Tap  # noqa: E402

tap = Tap()
EVIL = "a\u202eb\u0085c\u2066d"
BOOK = f'<book id="aaaaaa">\n  <summary>{EVIL}</summary>\n</book>\n'


def at_terminal(argv, cwd):
    master, slave = pty.openpty()
    process = subprocess.Popen(argv, cwd=cwd, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    process.wait()
    os.close(master)
    return seen.decode(errors="replace")


with Folder({"a.hnpx": BOOK}) as folder:
    call = [QUIRE, "call", "hnpx", "get_node", "--file-path", "a.hnpx", "--node-id", "book", "--root", folder.path]
    shown = at_terminal(call, folder.path)
    tap.ok("a\\u202eb\\u0085c\\u2066d" in shown and "\u202e" not in shown, "controls are shown as escapes", repr(shown))
    piped = subprocess.run(call, capture_output=True, cwd=folder.path).stdout.decode()
    tap.ok(EVIL in piped, "a pipe gets them as they are", repr(piped))

    # A diff has colours at a terminal, and control characters in its lines are still escapes.
    subprocess.run([QUIRE, "call", "hnpx", "edit_node_attributes", "--file-path", "a.hnpx", "--node-id", "book", "--attributes", json.dumps({"summary": "plain"})],
                   cwd=folder.path, capture_output=True, check=True)
    for words in (["diff", "a.hnpx"], ["undo", "a.hnpx", "--dry-run"]):
        shown = at_terminal([QUIRE, *words], folder.path)
        tap.ok("\033[31m-  <summary>" in shown or "\033[31m-    <summary>" in shown, f"{words[0]}: what goes is red", repr(shown))
        tap.ok("\033[32m+" in shown and "\033[36m@@" in shown and shown.count("\033[0m") >= 3, f"{words[0]}: what comes is green", repr(shown))
        tap.ok("\\u202e" in shown and "\u202e" not in shown, f"{words[0]}: controls are escapes there too", repr(shown))
        os.environ["NO_COLOR"] = "1"
        tap.ok("\033" not in at_terminal([QUIRE, *words], folder.path), f"{words[0]}: NO_COLOR is heeded")
        del os.environ["NO_COLOR"]
        piped = subprocess.run([QUIRE, *words], capture_output=True, cwd=folder.path).stdout.decode()
        tap.ok("\033" not in piped and "@@" in piped, f"{words[0]}: a pipe gets no colours", repr(piped))

tap.done()
