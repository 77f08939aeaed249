#!/usr/bin/env python3
"""Streamable HTTP as honest clients use it: sessions and their streams, results that become streams, questions,
leaving, stopping."""
import http.client
import json
import os
import signal
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, PATIENCE, QUIRE, Folder, Http, Tap, wait_for  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", QUIRE + "-conformance")
BOTH = "application/json, text/event-stream"


class Client:
    """One connection."""

    def __init__(self, server, session=None, key=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self.session = session
        self.key = key

    def ask(self, method, path="/mcp", message=None, **headers):
        """Sends a request; returns the response, of which only the head is read."""
        all_headers = {"Accept": BOTH, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if message is not None:
            all_headers["Content-Type"] = "application/json"
        if self.session:
            all_headers["Mcp-Session-Id"] = self.session
        if self.key:
            all_headers["Authorization"] = "Bearer " + self.key
        self.connection.request(method, path, None if message is None else json.dumps(message), all_headers)
        return self.connection.getresponse()

    def post(self, method, params=None, id=1, **headers):
        message = {"jsonrpc": "2.0", "method": method}
        if id is not None:
            message["id"] = id
        if params is not None:
            message["params"] = params
        return self.ask("POST", message=message, **headers)

    def modern(self, method, params=None, id=1, meta=None, **headers):
        params = {**(params or {}), "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}, **(meta or {})}}
        if "name" in params:
            headers["Mcp_Name"] = params["name"]
        return self.post(method, params, id, MCP_Protocol_Version=MODERN, Mcp_Method=method, **headers)

    def close(self):
        self.connection.close()


def greet(server, version="2025-11-25", capabilities=None, key=None):
    """A legacy client with its session."""
    client = Client(server, key=key)
    response = client.post("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                          "clientInfo": {"name": "test", "version": "1"}})
    response.read()
    client.session = response.getheader("Mcp-Session-Id")
    client.post("notifications/initialized", id=None).read()
    return client


def event(response):
    """The next message of a stream; None at its end."""
    data = []
    while True:
        line = response.readline()
        if not line:
            return None
        line = line.rstrip(b"\n")
        if line.startswith(b"data: "):
            data.append(line[6:])
        elif not line and data:
            return json.loads(b"\n".join(data))


def body(response):
    return json.loads(response.read())


def is_stream(response):
    return (response.getheader("Content-Type") == "text/event-stream" and response.getheader("X-Accel-Buffering") == "no" and
            response.getheader("Cache-Control") == "no-cache, no-transform")


def sessions(tap, server):
    client = greet(server)
    tap.ok(client.session and len(client.session) >= 22 and client.session.isascii() and client.session.isprintable(),
           "initialize mints a session of visible characters", client.session)
    response = client.post("notifications/initialized", id=None)
    tap.same((response.status, response.read()), (202, b""), "a notification is 202 and empty")
    response = client.post("ping")
    tap.same((response.status, body(response)["result"]), (200, {}), "a request of the session is answered")
    response = Client(server).post("tools/list")
    tap.same(response.status, 400, "a legacy request without a session is 400")
    response = Client(server, "no-such-session").post("tools/list")
    tap.same(response.status, 404, "a request of an unknown session is 404")
    response = client.post("ping", MCP_Protocol_Version="1999-01-01")
    response.read()
    tap.same(response.status, 400, "a protocol version nobody knows is 400")
    answers = []

    def list_tools():
        other = Client(server, client.session)
        answers.append(len(body(other.post("tools/list"))["result"]["tools"]))
        other.close()
    threads = [threading.Thread(target=list_tools) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tap.ok(len(answers) == 3 and answers[0] > 0, "three requests of one session at once are all answered")
    stream = Client(server, client.session)
    opened = stream.ask("GET")
    tap.ok(opened.status == 200 and is_stream(opened), "GET opens the session's stream", opened.getheaders())
    client.post("tools/call", {"name": "test_trigger_tool_change", "arguments": {}}).read()
    notice = event(opened)
    tap.same(notice.get("method"), "notifications/tools/list_changed", "notices come on the session's stream")
    second = Client(server, client.session)
    reopened = second.ask("GET")
    tap.same((reopened.status, event(opened)), (200, None), "a second stream of the session ends the first")
    ended = Client(server, client.session)
    response = ended.ask("DELETE")
    tap.same((response.status, response.read()), (204, b""), "DELETE ends the session")
    tap.same(event(reopened), None, "and its stream")
    tap.same(Client(server, client.session).ask("DELETE").status, 404, "which then is gone for DELETE")
    tap.same(Client(server, client.session).ask("GET").status, 404, "and for GET")
    tap.same(Client(server, client.session).post("ping").status, 404, "and for POST")


def streams(tap, server):
    client = greet(server)
    response = client.post("tools/call", {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "t"}})
    messages = []
    while (message := event(response)) is not None:
        messages.append(message)
    steps = [m["params"]["progress"] for m in messages[:-1] if m.get("method") == "notifications/progress"]
    tap.ok(is_stream(response) and len(steps) >= 2 and steps == sorted(set(steps)) and "result" in messages[-1],
           "a call that reports progress is answered as a stream that ends with its result", messages)
    response = client.post("tools/call", {"name": "test_tool_with_progress", "arguments": {}})
    tap.ok(response.getheader("Content-Type") == "application/json" and "result" in body(response),
           "without a progress token the answer is JSON")
    response = client.post("tools/call", {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "t"}},
                           Accept="application/json")
    tap.ok(response.getheader("Content-Type") == "application/json" and "result" in body(response),
           "to a client that takes JSON only too")
    response = client.post("tools/list", Accept="text/event-stream")
    tap.ok(is_stream(response) and "tools" in event(response)["result"] and event(response) is None,
           "a client that takes events only gets the answer as an event")


def questions(tap, server):
    client = greet(server, capabilities={"elicitation": {}})
    waiting = Client(server, client.session)
    response = waiting.post("tools/call", {"name": "test_elicitation", "arguments": {"message": "Who?"}}, id="call")
    question = event(response)
    tap.ok(is_stream(response) and question.get("method") == "elicitation/create" and "id" in question,
           "a question comes on the stream of the call that asks it", question)
    answer = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"username": "a", "email": "b@c"}}}
    accepted = client.ask("POST", message=answer)
    tap.same((accepted.status, accepted.read()), (202, b""), "its answer is a POST that is 202 and empty")
    result = event(response)
    tap.ok(result.get("id") == "call" and "result" in result, "and the call goes on and ends", result)


def leaving(tap, server):
    legacy = greet(server)
    call = {"name": "test_slow", "arguments": {}}
    waiting = Client(server, legacy.session)
    done = []

    def wait():
        response = waiting.post("tools/call", call, id=77)
        done.append((response.status, response.read()))
    thread = threading.Thread(target=wait)
    thread.start()
    wait_for(lambda: count(server, "test_slow begins") == 1)
    legacy.post("notifications/cancelled", {"requestId": 77}, id=None).read()
    thread.join()
    tap.ok(done == [(202, b"")] and wait_for(lambda: count(server, "test_slow ends: cancelled") == 1),
           "a call that is taken back ends and answers nothing", done)
    # More than there are workers: the later ones start only if the earlier ones were cancelled.
    for n in range(2, 18):
        client = Client(server)
        client.connection.connect()
        threading.Thread(target=lambda c=client: swallow(lambda: c.modern("tools/call", call)), daemon=True).start()
        wait_for(lambda: count(server, "test_slow begins") == n)
        client.connection.sock.shutdown(2)
    wait_for(lambda: count(server, "test_slow ends") == 17)
    tap.same(count(server, "test_slow ends: cancelled"), 17, "modern calls whose clients left are cancelled")
    answer = body(Client(server).modern("tools/call", {"name": "test_simple_text", "arguments": {}}))
    tap.ok("result" in answer, "and hold no worker", answer)


def count(server, words):
    return sum(words in line for line in server.errors)


def swallow(run):
    try:
        run()
    except (OSError, http.client.HTTPException):
        pass


def every_rung(tap, server):
    """Which status and which code each error has, in both eras."""
    claim = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    both = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/list"}
    rungs = (
        ("a claim that is no string", 400, -32602, "tools/list", {"_meta": {**claim, META + "protocolVersion": 5}}, both),
        ("a claim without capabilities", 400, -32602, "tools/list", {"_meta": {META + "protocolVersion": MODERN}}, both),
        ("a claim without the header", 400, -32020, "tools/list", {"_meta": claim}, {"Mcp_Method": "tools/list"}),
        ("another version in the body than in the header", 400, -32020, "tools/list",
         {"_meta": {**claim, META + "protocolVersion": "v999"}}, both),
        ("an unknown version in both", 400, -32022, "tools/list", {"_meta": {**claim, META + "protocolVersion": "v999"}},
         {**both, "MCP_Protocol_Version": "v999"}),
        ("a legacy version as claim", 400, -32022, "tools/list", {"_meta": {**claim, META + "protocolVersion": "2025-11-25"}},
         {**both, "MCP_Protocol_Version": "2025-11-25"}),
        ("the header without a claim", 400, -32602, "tools/list", {}, both),
        ("a later version in the header without a claim", 400, -32602, "tools/list", {}, {**both, "MCP_Protocol_Version": "2027-01-01"}),
        ("initialize with a modern header", 400, -32020, "initialize", hello, {"MCP_Protocol_Version": MODERN}),
        ("initialize with a valid claim", 404, -32601, "initialize", {**hello, "_meta": claim},
         {"MCP_Protocol_Version": MODERN, "Mcp_Method": "initialize"}),
        ("initialize with a version nobody knows in the header", 400, -32600, "initialize", hello, {"MCP_Protocol_Version": "1999-01-01"}),
        ("no Mcp-Method", 400, -32020, "tools/list", {"_meta": claim}, {"MCP_Protocol_Version": MODERN}),
        ("Mcp-Method in another case", 400, -32020, "tools/list", {"_meta": claim}, {**both, "Mcp_Method": "Tools/List"}),
        ("no Mcp-Name", 400, -32020, "tools/call", {"name": "test_simple_text", "_meta": claim}, {**both, "Mcp_Method": "tools/call"}),
        ("another Mcp-Name", 400, -32020, "tools/call", {"name": "test_simple_text", "_meta": claim},
         {**both, "Mcp_Method": "tools/call", "Mcp_Name": "test_slow"}),
        ("an Mcp-Name that is no base64", 400, -32020, "tools/call", {"name": "test_simple_text", "_meta": claim},
         {**both, "Mcp_Method": "tools/call", "Mcp_Name": "=?base64?dGVzdF9zaW1wbGVfdGV4dA?="}),
        ("no Mcp-Name of a resource", 400, -32020, "resources/read", {"uri": "test://static-text", "_meta": claim},
         {**both, "Mcp_Method": "resources/read"}),
        ("an unknown tool", 200, -32602, "tools/call", {"name": "x", "_meta": claim}, {**both, "Mcp_Method": "tools/call", "Mcp_Name": "x"}),
        ("a resource that is not there", 200, -32602, "resources/read", {"uri": "x:y", "_meta": claim},
         {**both, "Mcp_Method": "resources/read", "Mcp_Name": "x:y"}),
        ("a missing capability", 400, -32021, "tools/call", {"name": "test_missing_capability", "_meta": claim},
         {**both, "Mcp_Method": "tools/call", "Mcp_Name": "test_missing_capability"}),
    )
    for what, status, code, method, params, headers in rungs:
        response = Client(server).post(method, params, id="r", **headers)
        answer = body(response)
        tap.same((response.status, answer["error"]["code"], answer.get("id")), (status, code, "r"), f"{what} is {status}, {code}")
        tap.ok(response.getheader("Mcp-Session-Id") is None, f"{what}: no session is made")
    response = Client(server).post("tools/call", {"name": "test_simple_text", "_meta": claim}, MCP_Protocol_Version=MODERN,
                                   Mcp_Method="tools/call", Mcp_Name="=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=")
    tap.ok("result" in body(response), "a name may come in base64")
    response = Client(server, "no-session").post("server/discover", {"_meta": claim}, MCP_Protocol_Version=MODERN,
                                                 Mcp_Method="server/discover", Last_Event_ID="7")
    tap.ok(response.status == 200 and response.getheader("Mcp-Session-Id") is None and "result" in body(response),
           "a modern request knows neither sessions nor event ids")
    response = Client(server).post("notifications/x", {}, id=None, MCP_Protocol_Version=MODERN)
    tap.same((response.status, response.read()), (202, b""), "a modern notification without a claim is 202")
    response = Client(server).ask("POST", message={"jsonrpc": "2.0", "id": "q1", "result": {}})
    tap.same((response.status, "id" in body(response)), (400, False), "the refusal of a response does not carry its id")
    client = greet(server)
    for method in ("GET", "DELETE"):
        tap.same(Client(server, client.session).ask(method, MCP_Protocol_Version="1999-01-01").status, 400,
                 f"{method} with a version nobody knows is 400")
    for wrong, status in (({"method": 5}, 400), ({"method": "no_tool"}, 400), ({"method": "test_simple_text", "params": []}, 400),
                          ({"method": "test_simple_text", "params": {"x": 1}}, 400), ({"method": "test_error_handling"}, 500),
                          ({"method": "test_simple_text", "id": 1}, 400), ({"method": "test_simple_text", "params": None}, 200)):
        response = Client(server).ask("POST", message=wrong)
        tap.same(response.status, status, f"the plain form {json.dumps(wrong)} is {status}")


def statuses(tap, server):
    response = Client(server).modern("no/such/method")
    tap.same((response.status, body(response)["error"]["code"]), (404, -32601), "an unknown modern method is 404")
    client = greet(server)
    response = client.post("no/such/method")
    tap.same((response.status, body(response)["error"]["code"]), (200, -32601), "an unknown legacy method is 200")
    response = Client(server).ask("POST", message=[])
    tap.same((response.status, "id" in body(response)), (400, False), "an error about no request in particular has no id")
    response = Client(server).ask("POST", message={"method": "tools/list"})
    tap.ok(response.status in (200, 400, 404) and response.getheader("Mcp-Session-Id") is None,
           "the plain form needs no session", response.status)
    old = greet(server, "2025-03-26")
    response = old.ask("POST", message=[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "ping"}])
    tap.same(sorted(m["id"] for m in body(response)), [1, 2], "a batch of the one version that has them is answered as one")


def crowds(tap, server):
    first = greet(server)
    busy = greet(server)
    stream = Client(server, busy.session)
    opened = stream.ask("GET")
    for n in range(1100):
        other = Client(server)
        response = other.post("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        if not response.getheader("Mcp-Session-Id"):
            break
        response.read()
        other.close()
    tap.same(n, 1099, "there is always room for one more session")
    tap.same(first.post("ping").status, 404, "the one that was not used for the longest time made room")
    tap.same((busy.post("ping").status, opened.status), (200, 200), "one with an open stream did not")


def keys_and_pages(tap):
    keys = {"keys": [{"name": name, "key": name + "-and-a-long-secret", "grants": {"kinds": ["*"], "tools": ["*"]}}
                     for name in ("anna", "bert")]}
    with Folder({"keys.json": json.dumps(keys)}) as folder:
        with Http("--keys", os.path.join(folder.path, "keys.json"), "--allow-origin", "https://app.example",
                  root=folder.path, quire=FIXTURE) as server:
            anna = greet(server, key="anna-and-a-long-secret")
            tap.same(anna.post("ping").status, 200, "a session is used with the key that opened it")
            tap.same(Client(server, anna.session, "bert-and-a-long-secret").post("ping").status, 404,
                     "for another key it does not exist")
            tap.same(Client(server, anna.session, "bert-and-a-long-secret").ask("DELETE").status, 404, "nor can it be ended")
            page = Client(server).ask("OPTIONS", Origin="https://app.example", Access_Control_Request_Method="POST")
            tap.ok(page.status == 204 and page.getheader("Access-Control-Allow-Origin") == "https://app.example" and
                   "authorization" in page.getheader("Access-Control-Allow-Headers").lower(),
                   "a page of an allowed origin is told what it may send", page.getheaders())
            page = Client(server, key="anna-and-a-long-secret").modern("tools/list", Origin="https://app.example")
            tap.ok(page.status == 200 and "Mcp-Session-Id" in page.getheader("Access-Control-Expose-Headers"),
                   "and may read the answer", page.getheaders())
            tap.same(Client(server).ask("OPTIONS", Origin="https://evil.example").status, 403, "a page of another is not")


def promises(tap):
    """State between requests and between callers: pages, states, hints, calls whose client left."""
    grants = {"kinds": ["*"], "tools": ["*"], "documents": ["**"], "write": ["**"]}
    keys = json.dumps({"keys": [{"name": name, "key": name + "-and-a-long-secret", "grants": grants} for name in ("anna", "bert")]})
    with Folder({"keys.json": keys, "quire.toml": "[mcp_server]\naccess_log = 'access.log'\n", "root/x": ""}) as folder:
        with Http("--keys", folder.path + "/keys.json", "--config", folder.path + "/quire.toml", root=folder.path + "/root",
                  quire=FIXTURE) as server:
            can = {META + "clientCapabilities": {"elicitation": {}}}
            call = {"name": "test_input_required_result_request_state", "arguments": {}}
            anna, bert = (name + "-and-a-long-secret" for name in ("anna", "bert"))
            state = body(Client(server, key=anna).modern("tools/call", call, meta=can))["result"]["requestState"]
            answered = {**call, "requestState": state, "inputResponses": {"confirm": {"action": "accept", "content": {"ok": True}}}}
            tap.same(body(Client(server, key=bert).modern("tools/call", answered, meta=can))["error"]["code"], -32602,
                     "a state is good for the key it was given to only")
            tap.same(body(Client(server, key=anna).modern("tools/call", answered, meta=can))["result"]["resultType"], "complete",
                     "and for that one it is")
            for method in ("tools/list", "server/discover", "prompts/list", "resources/templates/list"):
                tap.same(body(Client(server, key=anna).modern(method))["result"]["cacheScope"], "private",
                         f"{method}: what a key sees is nobody else's to keep")
            legacy, modern = greet(server, key=anna), Client(server, key=bert)
            call = {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "t"}}
            event(legacy.post("tools/call", call))
            legacy.close()
            modern.connection.connect()
            threading.Thread(target=lambda: swallow(lambda: modern.modern("tools/call", {"name": "test_slow", "arguments": {}})),
                             daemon=True).start()
            wait_for(lambda: count(server, "test_slow begins") == 1)
            modern.connection.sock.shutdown(2)

            def outcomes():
                lines = [json.loads(line) for line in folder.read("access.log").decode().splitlines()]
                return {line["tool"]: line["outcome"] for line in lines}

            wait_for(lambda: {"test_tool_with_progress", "test_slow"} <= set(outcomes()))
            tap.same([outcomes().get(name) for name in ("test_tool_with_progress", "test_slow")], ["done", "cancelled"],
                     "a legacy call whose client left goes on to its end, a modern one is cancelled")


def stopping(tap):
    with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
        waiting, stream, listening = Client(server), greet(server), Client(server)
        opened = stream.ask("GET")
        subscribed = listening.modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        event(subscribed)
        running = waiting.modern("tools/call", {"name": "test_tool_with_progress", "arguments": {}}, meta={"progressToken": 1})
        event(running)
        server.process.send_signal(signal.SIGTERM)
        last = event(subscribed)
        tap.ok(last and last.get("result", {}).get("resultType") == "complete" and event(subscribed) is None,
               "a stop ends a subscription with its result", last)
        tap.same(event(opened), None, "and a session's stream")
        rest = running.read()
        tap.ok(b'"result"' in rest, "a call that runs is answered before", rest)
        tap.same(server.process.wait(timeout=PATIENCE), 0, "and the status is 0")


def main():
    tap = Tap()
    with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
        for part in (sessions, streams, questions, leaving, statuses, every_rung, crowds):
            part(tap, server)
        tap.same(server.close(), 0, "the server stops with status 0")
    keys_and_pages(tap)
    promises(tap)
    stopping(tap)
    tap.done()


main()
