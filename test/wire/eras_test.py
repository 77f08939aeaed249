#!/usr/bin/env python3
"""Mixtures of the two eras: headers of one and bodies of the other, batches, sessions that end during a call,
limits."""
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, QUIRE, Folder, Http, Stdio, Tap, wait_for  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", QUIRE + "-conformance")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
tap = Tap()


def post(server, message, **headers):
    """Returns the status, the headers and the response."""
    status, got, body = server.raw("POST", "/mcp", json.dumps(message), {n.replace("_", "-"): v for n, v in headers.items()})
    if got.get("content-type", "").startswith("text/event-stream"):
        return status, got, [json.loads(line[5:]) for line in body.decode().splitlines() if line.startswith("data:")]
    return status, got, json.loads(body) if body else None


def request(method, params=None, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def claim(version):
    return {"_meta": {META + "protocolVersion": version, META + "clientCapabilities": {}}}


def session(server, version="2025-11-25"):
    _, headers, _ = post(server, request("initialize", {**HELLO, "protocolVersion": version}))
    post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, Mcp_Session_Id=headers["mcp-session-id"])
    return headers["mcp-session-id"]


def headers_and_bodies(server):
    for claimed, message, sent, want in (
            ("initialize under the modern header", request("initialize", HELLO), MODERN, (400, -32020)),
            ("initialize under a header of the future", request("initialize", HELLO), "2031-01-01", (400, -32020)),
            ("a modern header without the body's claim", request("tools/list"), MODERN, (400, -32602)),
            ("a header of the future without a claim", request("tools/list"), "2031-01-01", (400, -32602)),
            ("a claim of the future", request("tools/list", claim("2031-01-01")), "2031-01-01", (400, -32022)),
            ("a claim and a header that differ", request("tools/list", claim(MODERN)), "2031-01-01", (400, -32020)),
            ("a claim of the modern era under a legacy header", request("tools/list", claim(MODERN)), "2025-11-25", (400, -32020))):
        status, _, answer = post(server, message, MCP_Protocol_Version=sent, Mcp_Method=message["method"])
        tap.same((status, answer.get("error", {}).get("code")), want, f"{claimed}: {want[0]} and {want[1]}")
    status, _, answer = post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, MCP_Protocol_Version=MODERN,
                             Mcp_Method="notifications/initialized")
    tap.same((status, answer), (202, None), "a notification under the modern header is taken and not answered")


def batches(server):
    old = {"Mcp_Session_Id": session(server, "2025-03-26")}
    call = request("tools/call", {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "p"}}, "call")
    status, headers, answer = post(server, [call, request("ping", id="ping")], **old)
    tap.ok(status == 200 and headers["content-type"] == "text/event-stream" and isinstance(answer[-1], list) and
           [m["id"] for m in answer[-1]] == ["call", "ping"] and
           [m["params"]["progress"] for m in answer[:-1]] == [0, 50, 100], "progress of a batch's call comes before the batch's answer", answer)
    status, _, answer = post(server, [request("ping", id=n) for n in range(100)], **old)
    tap.same((status, [m["id"] for m in answer]), (200, list(range(100))), "a hundred messages are a batch")
    status, _, answer = post(server, [request("ping", id=n) for n in range(101)], **old)
    tap.ok(status == 400 and answer["error"]["code"] == -32600 and "100" in answer["error"]["message"], "one more is refused", answer)
    status, _, answer = post(server, [], **old)
    tap.same((status, answer["error"]["code"]), (400, -32600), "so is none")
    status, _, answer = post(server, [request("ping")])
    tap.same(status, 400, "and a batch without a session")
    status, _, answer = post(server, [{"jsonrpc": "2.0", "method": "notifications/initialized"}] * 3, **old)
    tap.same((status, answer), (202, None), "a batch of notifications is taken and not answered")


def ended_under_a_call(server):
    mine = {"Mcp_Session_Id": session(server)}
    done = []
    thread = threading.Thread(target=lambda: done.append(post(server, request("tools/call", {"name": "test_slow"}), **mine)))
    thread.start()
    tap.ok(wait_for(lambda: "test_slow begins" in "".join(server.errors)), "a call of a session runs")
    status, _, _ = server.raw("DELETE", "/mcp", None, {"Mcp-Session-Id": mine["Mcp_Session_Id"]})
    tap.same(status, 204, "its session is ended")
    thread.join()
    tap.ok(wait_for(lambda: "test_slow ends" in "".join(server.errors)) and "test_slow ends: cancelled" in "".join(server.errors),
           "which cancels it", "".join(server.errors))
    tap.same((done[0][0], done[0][2]), (202, None), "and it is not answered")


def limits():
    config = "[mcp_server.rate_limit]\nrequests_per_minute = 3\nwrites_per_minute = 1\n"
    book = {"name": "hnpx_create_document", "arguments": {"file_path": "a.hnpx"}}
    with Folder({"quire.toml": config}) as folder:
        path = os.path.join(folder.path, "quire.toml")
        with Http("--config", path, root=folder.path) as server:
            def call(arguments):
                params = {"name": "hnpx_create_document", "arguments": arguments, **claim(MODERN)}
                return post(server, request("tools/call", params), MCP_Protocol_Version=MODERN, Mcp_Method="tools/call",
                            Mcp_Name="hnpx_create_document")
            status, _, answer = call({"file_path": "a.hnpx"})
            tap.ok(status == 200 and not answer["result"].get("isError"), "a write within the limit is done", answer)
            status, headers, answer = call({"file_path": "b.hnpx"})
            tap.ok(status == 429 and "error" in answer and int(headers.get("retry-after", "0")) > 0,
                   "one more in the same minute is 429, with the time to wait", (status, headers, answer))
            tap.ok(not os.path.exists(os.path.join(folder.path, "b.hnpx")), "and writes nothing")
            status, _, answer = call({"file_path": "c.hnpx", "dry_run": True})
            tap.ok(status in (200, 429), "a dry run is answered", (status, answer))
        with Stdio("--config", path, root=folder.path) as q:
            first = q.request("tools/call", {**book, "arguments": {"file_path": "d.hnpx"}})
            second = q.request("tools/call", {**book, "arguments": {"file_path": "e.hnpx"}})
            tap.ok(not first["result"].get("isError") and second["result"].get("isError") and
                   not os.path.exists(os.path.join(folder.path, "e.hnpx")),
                   "limits of the configuration hold on the pipe too, as a refusal of the tool", (first, second))


with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
    headers_and_bodies(server)
    batches(server)
    ended_under_a_call(server)
    tap.same(server.close(), 0, "the server stops with status 0")
limits()
tap.done()
