#!/usr/bin/env python3
"""Writes a whole book, node by node, over stdio, and compares that with parsing and rewriting the file for each call
with lxml.

usage: hnpx_bench.py [chapters]      default 40: 5,241 nodes of 40 x 5 x 5 x 4 paragraphs of 80 words
"""
import json
import os
import random
import resource
import string
import subprocess
import sys
import tempfile

try:
    from lxml import etree
except ImportError:
    print("hnpx_bench: python3-lxml is not there; skipped")
    sys.exit(0)

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUIRE = os.path.join(TOP, "build/quire")
CHAPTERS = int(sys.argv[1]) if len(sys.argv) > 1 else 40
WORDS = " ".join(["light", "stone", "the", "of", "harbour", "and", "evening", "she", "turned", "slowly"] * 8)


def calls(make):
    """The calls of one book, breadth-first; `make` returns the new id."""
    nodes = [make("create_chapter", parent_id="book", title=f"Chapter {i}", summary="What happens.", pov="mira") for i in range(CHAPTERS)]
    nodes = [make("create_sequence", parent_id=n, location="Forest", summary="A scene.", time="night") for n in nodes for _ in range(5)]
    nodes = [make("create_beat", parent_id=n, summary="A turn.") for n in nodes for _ in range(5)]
    for n in nodes:
        for _ in range(4):
            make("create_paragraph", parent_id=n, summary="A step.", text=WORDS)


def through_quire(folder):
    server = subprocess.Popen([QUIRE, "serve", "hnpx", "--root", folder, "--state", folder + "/.state"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    number = 0

    def request(method, params):
        nonlocal number
        number += 1
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())

    def make(tool, **arguments):
        result = request("tools/call", {"name": tool, "arguments": {"file_path": "a.hnpx", **arguments}})["result"]
        return json.loads(result["content"][0]["text"])["id"]

    request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
    server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    make("create_document")
    calls(make)
    server.stdin.close()
    _, _, usage = os.wait4(server.pid, 0)
    return usage.ru_utime, usage.ru_utime + usage.ru_stime


def by_lxml(folder):
    """Does what a server in Python must do for each call, and nothing else: no protocol, no lock, no history."""
    path = os.path.join(folder, "b.hnpx")
    with open(path, "w", encoding="utf-8") as f:
        f.write('<book id="aaaaaa"><summary>New book</summary></book>')
    names = {"create_chapter": "chapter", "create_sequence": "sequence", "create_beat": "beat", "create_paragraph": "paragraph"}

    def make(tool, parent_id, summary, text=None, **attributes):
        tree = etree.parse(path)
        root = tree.getroot()
        parent = root if parent_id == "book" else root.xpath("//*[@id=$id]", id=parent_id)[0]
        taken = {e.get("id") for e in root.iter() if e.get("id")}
        while (new := "".join(random.choices(string.ascii_lowercase + string.digits, k=6))) in taken:
            pass
        node = etree.SubElement(parent, names[tool], id=new, **{"loc" if k == "location" else k: v for k, v in attributes.items()})
        child = etree.SubElement(node, "summary")
        child.text = summary
        child.tail = text
        tree.write(path + "~", encoding="UTF-8", xml_declaration=True, pretty_print=True)
        os.rename(path + "~", path)
        return new

    before = resource.getrusage(resource.RUSAGE_SELF)
    calls(make)
    after = resource.getrusage(resource.RUSAGE_SELF)
    user = after.ru_utime - before.ru_utime
    return user, user + after.ru_stime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        ours, theirs = through_quire(folder), by_lxml(folder)
    for name, a, b, limit in [("user CPU", ours[0], theirs[0], 20), ("user and system CPU", ours[1], theirs[1], 8)]:
        print(f"whole book, {name:20} quire {a:8.2f} s   lxml {b:8.2f} s   {b / a:6.1f} times less   (at least {limit})")


main()
