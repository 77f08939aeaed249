#!/usr/bin/env python3
"""Many clients connect, ask, disconnect and return at random (QUIRE_SEED repeats a run). The server stays up,
releases every connection, and stops with status 0, which a sanitizer's finding would change."""
import json
import os
import random
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, PATIENCE, QUIRE, Folder, Http, Tap, wait_for  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", QUIRE + "-conformance")
SEED = int(os.environ.get("QUIRE_SEED", random.randrange(1 << 30)))
CLIENTS, ROUNDS = 12, int(os.environ.get("QUIRE_ROUNDS", "30"))


def request(method, params=None, name=None, session=None):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
    lines = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json",
             "Accept: application/json, text/event-stream"]
    if session is None:
        message["params"]["_meta"] = {META + "protocolVersion": MODERN, META + "clientCapabilities": {},
                                      **message["params"].get("_meta", {})}
        lines += ["MCP-Protocol-Version: " + MODERN, "Mcp-Method: " + method]
    elif session:
        lines.append("Mcp-Session-Id: " + session)
    if name:
        lines.append("Mcp-Name: " + name)
    body = json.dumps(message)
    return ("\r\n".join(lines) + f"\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()


def call(tool, **params):
    return request("tools/call", {"name": tool, "arguments": {}, **params}, tool)


INITIALIZE = request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                    "clientInfo": {"name": "test", "version": "1"}}, session="")
ASKED = [request("tools/list"), call("test_simple_text"), call("test_slow"),
         call("test_tool_with_progress", _meta={"progressToken": 1}), call("test_trigger_tool_change"),
         request("subscriptions/listen", {"notifications": {"toolsListChanged": True}}), INITIALIZE, b"GET /health HTTP/1.1\r\n",
         b"\0" * 100, b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"]


class Crowd:
    def __init__(self, port):
        self.port = port
        self.asked = self.answered = self.served = 0
        self.is_over = False
        self.lock = threading.Lock()

    def session(self, stream, chance):
        """Opens a session and its stream on the same connection; sometimes ends it from another."""
        stream.sendall(INITIALIZE)
        head = stream.recv(65536).decode(errors="replace")
        if "Mcp-Session-Id: " not in head:
            return
        session = head.split("Mcp-Session-Id: ")[1].split("\r\n")[0]
        stream.sendall(f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n"
                       .encode())
        if chance.random() < 0.5:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as other:
                other.sendall(f"DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: {session}\r\n\r\n".encode())
                if chance.random() < 0.5:
                    other.recv(1000)

    def one(self, chance):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as stream:
            stream.settimeout(chance.choice([0.01, 0.2, 1]))
            for _ in range(chance.randrange(1, 6)):
                data = chance.choice(ASKED)
                if chance.random() < 0.15:
                    self.session(stream, chance)
                    return
                if chance.random() < 0.2:
                    data = data[:chance.randrange(len(data))]
                stream.sendall(data)
                with self.lock:
                    self.asked += 1
                if chance.random() < 0.3:
                    return
                got = stream.recv(chance.choice([10, 65536]))
                if not got:
                    return
                with self.lock:
                    self.answered += 1

    def run(self, seed):
        """Makes this many rounds, then an honest request."""
        chance = random.Random(seed)
        for _ in range(ROUNDS):
            try:
                self.one(chance)
            except OSError:
                pass
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as stream:
            stream.sendall(ASKED[0])
            is_served = stream.recv(65536).startswith(b"HTTP/1.1 200 ")
        with self.lock:
            self.served += is_served

    def run_on(self, seed):
        """Makes rounds until the end."""
        chance = random.Random(seed)
        while not self.is_over:
            try:
                self.one(chance)
            except OSError:
                pass


def main():
    tap = Tap()
    print(f"# QUIRE_SEED={SEED}", flush=True)
    with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
        files = f"/proc/{server.process.pid}/fd"
        server.request("tools/list")
        time.sleep(0.5)
        before = len(os.listdir(files))
        crowd = Crowd(server.port)
        threads = [threading.Thread(target=crowd.run, args=(SEED + i,)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tap.same(crowd.served, CLIENTS, "each client of a crowd is served")
        print(f"# trials {crowd.asked} requests, {crowd.answered} answered", flush=True)
        answer = server.request("tools/list")
        tap.ok("result" in answer, "the next client too", answer)
        tap.ok(wait_for(lambda: len(os.listdir(files)) <= before), "every connection is given back", f"{len(os.listdir(files))}, {before} before")
        # Once more, with the stop in the middle.
        asked = crowd.asked
        threads = [threading.Thread(target=crowd.run_on, args=(SEED + 100 + i,)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        wait_for(lambda: crowd.asked > asked + 10 * CLIENTS)
        status = server.close()
        crowd.is_over = True
        tap.ok(status == 0, "a stop in the middle of it all has status 0", f"{status}\n" + "".join(server.errors))
        for thread in threads:
            thread.join()
    tap.done()


main()
