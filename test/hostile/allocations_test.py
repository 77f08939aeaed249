#!/usr/bin/env python3
"""The n-th allocation fails, for every n of a call: that call is refused or done, the server keeps running, and no
document is damaged.

This runs the shipped program, because a sanitizer has its own malloc."""
import http.client
import mmap
import os
import queue
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from quire import TOP, Folder, Http, Stdio, Tap  # noqa: E402

SHIPPED = os.path.abspath(os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire")))
HERE = os.path.dirname(os.path.abspath(__file__))
MOST = 600  # allocations of one call; it makes fewer
BOOK = ('<?xml version="1.0"?>\n<book id="bbbbbb">\n  <summary>The book</summary>\n  <chapter id="cccccc" title="One">\n'
        "    <summary>first</summary>\n  </chapter>\n</book>\n")
FILES = {
    "book.hnpx": BOOK, "house.floorplan": "floorplan\n  floor f1 {\n    room Hall at (0,0) size (10 x 12) walls [top: solid]\n  }\n",
    "letter.docx": docx.docx("<w:p><w:r><w:t>Dear reader of words.</w:t></w:r></w:p>"),
    "vault/one.md": "# One\n[[two]] #tag\n", "vault/two.md": "# Two\n[[one]]\n",
}
CALLS = (  # kind, tool, arguments; %d: another number each time
    ("hnpx", "get_subtree", {"file_path": "book.hnpx", "node_id": "bbbbbb"}),
    ("hnpx", "edit_node_attributes", {"file_path": "book.hnpx", "node_id": "cccccc", "attributes": {"summary": "summary %d"}}),
    ("hnpx", "render_document", {"file_path": "book.hnpx"}),
    ("file", "file_history", {"file_path": "book.hnpx"}),
    ("file", "file_diff", {"file_path": "book.hnpx"}),
    ("floorplan", "validate_floorplan", {"file_path": "house.floorplan"}),
    ("floorplan", "analyze_floorplan", {"file_path": "house.floorplan"}),
    ("docx", "read_file", {"file_path": "letter.docx"}),
    ("docx", "grep", {"file_path": "letter.docx", "pattern": "words"}),
    ("notes", "create_node", {"title": "note %d", "content": "about [[one]]"}),
    ("notes", "get_stats", {}),
    ("notes", "list_tags", {}),
)


class Order:
    """Sets the number of allocations until the one that fails."""

    def __init__(self, path):
        with open(path, "wb") as f:
            f.write(bytes(8))
        self.file = open(path, "r+b")
        self.map = mmap.mmap(self.file.fileno(), 8)

    def fail(self, n):
        self.map[:] = struct.pack("q", n)

    def is_left(self):
        left = struct.unpack("q", self.map[:])[0] > 0
        self.fail(0)
        return left


def answered(call):
    """The response. None: the connection was closed, or the server is gone."""
    try:
        return call()
    except (EOFError, OSError, http.client.HTTPException, queue.Empty):
        return None


def has_died(server):
    try:
        return server.process.wait(timeout=0.3) is not None
    except subprocess.TimeoutExpired:
        return False


def try_all(tap, order, start, ask, where):
    server, tried, refused = start(), 0, 0
    for kind, tool, arguments in CALLS:
        died, silent, n = [], [], 0
        while n < MOST:
            n += 1
            filled = {k: v % n if "%d" in v else v for k, v in arguments.items()}
            order.fail(n)
            answer = answered(lambda: ask(server, kind, tool, filled))
            is_over = order.is_left()
            tried += not is_over
            if answer is None and has_died(server):
                died.append(n)
                server = start()
                continue
            if answer is None:
                silent.append(n)
                continue
            refused += "error" in answer or bool(answer["result"].get("isError"))
            if is_over:
                break
        tap.ok(not died, f"{tool} of {kind} never ends the server ({where})", f"allocations {died[:20]}" + "".join(server.errors[-3:]))
        tap.ok(not silent or where == "HTTP", f"each {tool} of {kind} is answered ({where})", silent[:20])
        last = answered(lambda: ask(server, kind, tool, {k: v % 0 if "%d" in v else v for k, v in arguments.items()}))
        tap.ok(last and "result" in last and not last["result"].get("isError"), f"afterwards {tool} of {kind} is done ({where})",
               str(last)[:300])
    print(f"# trials {tried} allocations that failed, {refused} calls refused", flush=True)
    server.close()


def main():
    tap = Tap()
    if not os.access(SHIPPED, os.X_OK):
        tap.skip("the program as shipped", f"{SHIPPED} is not built")
        tap.done()
    with Folder() as beside:
        library = os.path.join(beside.path, "failing.so")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O1", "-o", library, os.path.join(HERE, "failing_malloc.c"), "-ldl"],
                       check=True)
        order = Order(os.path.join(beside.path, "order"))
        env = {"LD_PRELOAD": library, "FAILING_ORDER": order.file.name}
        own = ("file", "floorplan")  # the kind is already part of their tool names
        ways = (("pipe", Stdio, lambda server, kind, tool, arguments: server.call(
                    tool if kind in own else f"{kind}_{tool}", arguments)),
                ("HTTP", Http, lambda server, kind, tool, arguments: server.call(
                    tool, arguments, path="/mcp" if kind == "file" else f"/mcp/{kind}")))
        for where, transport, ask in ways:
            with Folder(FILES) as folder:
                try_all(tap, order, lambda: transport("--tools", "all", root=folder.path, quire=SHIPPED, env=env), ask, where)
                fsck = subprocess.run([SHIPPED, "fsck", "--repair", "--root", folder.path], capture_output=True, text=True)
                tap.same(fsck.returncode, 0, f"quire fsck finds nothing that it could not repair ({where})")
                tap.ok(folder.read("book.hnpx").endswith(b"</book>\n"), f"no document is torn ({where})")
    tap.done()


main()
