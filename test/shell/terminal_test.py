#!/usr/bin/env python3
"""At a terminal the controls in a document are shown as escapes; a pipe gets the bytes as they are."""
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

tap.done()
