#!/usr/bin/env python3
"""A call that was ended (cancelled, too long, too much memory) leaves nothing behind: no descriptor, no lock, no memory."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Stdio, Tap, wait_for  # noqa: E402

FILES, CANCELLED = 20000, 24


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def is_answered(server, number):
    """Sends a cheap request and waits for its response, so that everything before it has ended."""
    while True:
        answer = server.receive()
        if answer.get("id") == number:
            return "error" not in answer


def cancelled_listings(tap):
    files = {f"a/folder/with/many/{i}.md": "" for i in range(FILES)}
    with Folder(files) as folder, Stdio("--tools", "all", root=folder.path) as server:
        begun = time.time()
        server.call("file_list", {})
        took, before, ended = time.time() - begun, descriptors(server), 0
        for i in range(CANCELLED):
            server.send({"jsonrpc": "2.0", "id": 1000 + i, "method": "tools/call", "params": {"name": "file_list", "arguments": {}}})
            time.sleep(took * (i + 1) / (CANCELLED + 2))
            server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1000 + i}})
            server.send({"jsonrpc": "2.0", "id": 5000 + i, "method": "ping"})
            ended += is_answered(server, 5000 + i)
        tap.same(ended, CANCELLED, "a server goes on after calls that were cancelled")
        done = server.call("file_list", {})
        tap.ok("result" in done and not done["result"].get("isError"), "afterwards the same call is done", str(done)[:300])
        tap.ok(wait_for(lambda: descriptors(server) == before), f"{CANCELLED} cancelled file_list calls leave no descriptor open",
               f"{before} before, {descriptors(server)} after")


def main():
    tap = Tap()
    cancelled_listings(tap)
    tap.done()


main()
