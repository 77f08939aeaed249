#!/usr/bin/env python3
"""Two servers on one root, eight clients, one document: every acknowledged write is in the result."""
import http.client
import json
import os
import re
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, STRUCTURED, TOP, Folder, Http, Stdio, Tap  # noqa: E402

# The shipped program, because this needs many writes. The sanitizers have their own tests.
QUIRE = os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire"))
WRITES, CLIENTS = int(os.environ.get("WRITES", "3000")), 8
tap = Tap()


def write(port, client, count, acknowledged, refused):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "create_beat"}
    for n in range(count):
        arguments = {"file_path": "one.hnpx", "parent_id": sequence, "summary": f"c{client}n{n}"}
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {
            "name": "create_beat", "arguments": arguments,
            "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}, **STRUCTURED}}}), headers)
        result = json.loads(connection.getresponse().read())["result"]
        if result.get("isError"):
            refused.append(result["content"][0]["text"])
        else:
            acknowledged.append((result["structuredContent"]["id"], arguments["summary"]))


with Folder() as folder:
    with Stdio("hnpx", root=folder.path, quire=QUIRE) as q:
        q.call("create_document", {"file_path": "one.hnpx"})
        chapter = q.call("create_chapter", {"file_path": "one.hnpx", "parent_id": "book", "title": "t", "summary": "s"})
        sequence = q.call("create_sequence", {"file_path": "one.hnpx", "location": "here", "summary": "s",
                                              "parent_id": chapter["result"]["structuredContent"]["id"]})
        sequence = sequence["result"]["structuredContent"]["id"]
    acknowledged, refused = [], []
    with Http("hnpx", root=folder.path, quire=QUIRE) as a, Http("hnpx", root=folder.path, quire=QUIRE) as b:
        threads = [threading.Thread(target=write, args=((a, b)[c % 2].port, c, WRITES // CLIENTS, acknowledged, refused))
                   for c in range(CLIENTS)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    text = folder.read("one.hnpx").decode()
    found = dict(re.findall(r'<beat id="([a-z0-9]{6})">\s*<summary>(c\d+n\d+)</summary>', text))
    tap.same(refused[:3], [], "no write was refused")
    tap.same(len(acknowledged), WRITES // CLIENTS * CLIENTS, "every write was acknowledged")
    tap.ok(dict(acknowledged) == found, "and every acknowledged write is in the document, and nothing else",
           f"{len(acknowledged)} acknowledged, {len(found)} found")
    tap.same([n for n in os.listdir(folder.path) if n.endswith("~")], [], "no temporary file stays")
    with Stdio("hnpx", root=folder.path, quire=QUIRE) as q:
        tap.same(q.call("check_continuity", {"file_path": "one.hnpx", "checks": ["format"]})["result"]["structuredContent"]["total"], 0,
                 "the document is valid")
tap.done()
