#!/usr/bin/env python3
"""Every method with every field missing, null, of another type, huge, or twice: in both eras, on both transports.

Each request gets one response. If a required field is missing or has another type, the error names it. A mistake of
the client is never reported as a fault of the server (-32603)."""
import copy
import http.client
import json
import os
import queue
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import META, MODERN, QUIRE, Folder, Http, Stdio, Tap  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", QUIRE + "-conformance")
BOOK = '<?xml version="1.0" encoding="UTF-8"?>\n<book id="bbbbbb">\n  <summary>x</summary>\n</book>\n'
CLAIM = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}, META + "clientInfo": {"name": "t", "version": "1"},
         "progressToken": "p"}
WRONG = [None, 5, -1.5, True, "", "x" * 50000, [], {}, "\x00", [[]], {"a": {"b": {}}}, 10**40]
LEGACY, BOTH, LATER = (False,), (False, True), (True,)

# method: parameters, eras, the fields that must be a string or an object
TEST = {
    "initialize": ({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "x", "version": "1"}}, LEGACY,
                   ("protocolVersion", "clientInfo", "clientInfo.name")),
    "ping": ({"x": 1}, LEGACY, ()),
    "server/discover": ({"x": 1}, LATER, ()),
    "tools/list": ({"cursor": "YWZ0ZXI6eA"}, BOTH, ()),
    "tools/call": ({"name": "test_simple_text", "arguments": {}, "inputResponses": {"a": {"action": "accept", "content": {"x": 1}}},
                    "requestState": "x"}, BOTH, ("name",)),
    "resources/list": ({"cursor": "x"}, BOTH, ()),
    "resources/templates/list": ({"cursor": "x"}, BOTH, ()),
    "resources/read": ({"uri": "test://static-text", "inputResponses": {}, "requestState": "x"}, BOTH, ("uri",)),
    "resources/subscribe": ({"uri": "test://watched-resource"}, LEGACY, ("uri",)),
    "resources/unsubscribe": ({"uri": "test://watched-resource"}, LEGACY, ("uri",)),
    "subscriptions/listen": ({"notifications": {"toolsListChanged": False, "promptsListChanged": False, "resourcesListChanged": False,
                                                "resourceSubscriptions": []}}, LATER, ("notifications",)),
    "prompts/list": ({"cursor": "x"}, BOTH, ()),
    "prompts/get": ({"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": "b"}}, BOTH,
                    ("name", "arguments.arg1", "arguments.arg2")),
    "completion/complete": ({"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
                             "argument": {"name": "arg1", "value": "x"}, "context": {"arguments": {"arg2": "y"}}}, BOTH,
                            ("ref", "ref.type", "ref.name", "argument", "argument.name", "argument.value")),
    "logging/setLevel": ({"level": "info"}, LEGACY, ("level",)),
    "tasks/get": ({"taskId": "x"}, BOTH, ("taskId",)),
    "tasks/list": ({"cursor": "x"}, BOTH, ("cursor",)),
    "sampling/createMessage": ({"messages": []}, BOTH, ("messages",)),
}
REAL = {
    "tools/call": ({"name": "hnpx_edit_node_attributes", "arguments": {"file_path": "a.hnpx", "node_id": "book", "attributes": {"summary": "s"},
                                                               "if_revision": "a" * 16, "dry_run": True}}, BOTH,
                   ("name", "arguments.file_path", "arguments.node_id")),
    "resources/read": ({"uri": "hnpx:///a.hnpx"}, BOTH, ("uri",)),
    "resources/list": ({"cursor": "x"}, BOTH, ()),
    "resources/subscribe": ({"uri": "hnpx:///a.hnpx"}, LEGACY, ("uri",)),
    "subscriptions/listen": ({"notifications": {"resourceSubscriptions": []}}, LATER, ("notifications",)),
    "completion/complete": ({"ref": {"type": "ref/resource", "uri": "hnpx:///{+path}"}, "argument": {"name": "path", "value": "a"}}, BOTH,
                            ("ref", "ref.type", "ref.uri", "argument", "argument.name", "argument.value")),
}
tap = Tap()


def paths(value, path=()):
    """Every position in the parameters."""
    for name, item in value.items():
        yield path + (name,)
        if isinstance(item, dict):
            yield from paths(item, path + (name,))


def changed(params, path, value):
    params = copy.deepcopy(params)
    at = params
    for name in path[:-1]:
        at = at[name]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return params


class Pipe:
    def __init__(self, folder, program):
        self.q = Stdio(root=folder.path, quire=program)
        self.n = 0

    def ask(self, message, _):
        self.q.send(message)
        while True:
            answer = self.q.receive()
            if "method" not in answer:
                return answer

    def is_well(self):
        return self.q.request("ping").get("result") == {} and self.q.close() == 0


class Web:
    def __init__(self, folder, program):
        self.server = Http(root=folder.path, quire=program)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        _, headers = self.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": TEST["initialize"][0]}, {})
        self.session = headers["Mcp-Session-Id"]

    def send(self, message, headers):
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.connection.request("POST", "/mcp", raw, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                                                      **headers})
        response = self.connection.getresponse()
        content = response.read().decode()
        lines = [line[6:] for line in content.splitlines() if line.startswith("data: ")]
        return [json.loads(line) for line in lines or [content] if line], response.headers

    def ask(self, message, modern):
        headers = {} if modern else {"Mcp-Session-Id": self.session}
        if modern and isinstance(message, dict):
            params = message["params"]
            headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
            name = params.get("uri" if message["method"] == "resources/read" else "name")
            if isinstance(name, str) and len(name) < 1000 and name.isprintable():
                headers["Mcp-Name"] = name
        answers, _ = self.send(message, headers)
        return answers[-1] if answers else {}

    def is_well(self):
        return self.server.raw("GET", "/health")[0] == 200 and self.server.close() == 0


def fault(answer, id, must_refuse, path):
    """What is wrong with the response; None: nothing."""
    if ("result" in answer) == ("error" in answer) or answer.get("id") != id:
        return "not one answer"
    error = answer.get("error")
    if error and (error["code"] == -32603 or not 10 < len(error["message"]) < 400 or not error["message"].isprintable()):
        return "not a sentence about what is wrong"
    if must_refuse and not error and not answer["result"].get("isError"):
        return "taken, though it must be there and be of its type"
    if must_refuse and error and error["code"] == -32602 and path[-1] not in error["message"] and "_meta" not in error["message"]:
        return "the sentence does not name it"
    return None


def every_field(wire, name, methods):
    count, faults = 0, []
    for method, (params, eras, musts) in methods.items():
        for modern in eras:
            whole = {**params, "_meta": CLAIM if modern else {"progressToken": "p"}}
            for path in paths(whole):
                for value in [...] + WRONG:
                    if path[0] == "notifications" and value is True:
                        continue  # correct, and open until the client leaves
                    right = params
                    for part in path:
                        right = right.get(part) if isinstance(right, dict) else None
                    must = ".".join(path) in musts and type(value) is not type(right)
                    count += 1
                    id = f"r{count}"
                    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": changed(whole, path, value)}
                    answer = wire.ask(message, modern)
                    why = fault(answer, id, must, path)
                    if why:
                        faults.append(f"{method} {'modern' if modern else 'legacy'} {'.'.join(path)} = {str(value)[:20]!r}: {why}: "
                                      f"{str(answer)[:200]}")
                # A key that occurs twice in one object has no valid value.
                twice = json.dumps({"jsonrpc": "2.0", "id": "d", "method": method, "params": changed(whole, path, "@@")})
                key = json.dumps(path[-1])
                twice = twice.replace(f'{key}: "@@"', f"{key}: 1, {key}: 2")
                answer = wire.ask(twice.encode(), False)
                if answer.get("error", {}).get("code") != -32700 or answer.get("id") != "d":
                    faults.append(f"{method} {'.'.join(path)} twice: {answer}")
                count += 1
    tap.same(faults[:20], [], f"{name}: {count} requests with one field wrong, each answered as it should be")
    tap.ok(wire.is_well(), f"{name}: and the server is well and ends well")


def envelopes(wire, name):
    """The same for the members around the parameters."""
    right = {"jsonrpc": "2.0", "id": "e", "method": "tools/list", "params": {"_meta": CLAIM}}
    faults = []
    for member in ("jsonrpc", "id", "params"):
        for value in [...] + WRONG:
            if member == "id" and (value is ... or isinstance(value, str) or value in (5, 10**40) and value is not True):
                continue  # a notification, or valid
            if member == "params" and (isinstance(value, dict) or value is ...):
                continue  # valid in a session
            message = {**right, member: value}
            if value is ...:
                del message[member]
            answer = wire.ask(json.dumps(message).encode(), True)
            if "error" not in answer or answer["error"]["code"] == -32603:
                faults.append((member, str(value)[:20], str(answer)[:200]))
    for value in [v for v in WRONG if not isinstance(v, str)]:
        answer = wire.ask(json.dumps({**right, "method": value}).encode(), True)
        if answer.get("error", {}).get("code") != -32600:
            faults.append(("method", value, answer))
    tap.same(faults, [], f"{name}: what is around the parameters is asked for as well")


with Folder({"a.hnpx": BOOK}) as folder:
    for transport in (Pipe, Web):
        for program, methods, what in ((FIXTURE, TEST, "every method"), (QUIRE, REAL, "documents")):
            try:
                wire = transport(folder, program)
                envelopes(wire, f"{transport.__name__}, {what}")
                every_field(wire, f"{transport.__name__}, {what}", methods)
            except (EOFError, queue.Empty, KeyError, OSError, http.client.HTTPException) as e:
                tap.ok(False, f"{transport.__name__} with {what} came to its end", f"{type(e).__name__}: {e}")
    tap.same(folder.read("a.hnpx").decode(), BOOK, "none of them changed the document")
tap.done()
