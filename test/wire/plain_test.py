#!/usr/bin/env python3
"""The plain form: takes a tool's name and arguments, returns the result object, and errors as the kind's object with
a status."""
import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Http, Tap, TOP  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(TOP, "build/asan/quire-conformance"))
BOOK = '<book id="book01">\n  <summary>s</summary>\n</book>\n'
PLAN = 'floorplan\n  floor A {\n    room R at (0,0) size (4 x 3) walls [top: solid, right: solid, bottom: solid, left: solid]\n  }\n'
tap = Tap()


def ask(server, method, params=None, path="/mcp"):
    message = {"method": method}
    if params is not None:
        message["params"] = params
    status, headers, body = server.raw("POST", path, json.dumps(message))
    return status, json.loads(body)


with Folder({"a.hnpx": BOOK}) as folder, Http(root=folder.path) as server:
    status, answer = ask(server, "get_next_empty_container", {"file_path": "a.hnpx"}, "/mcp/hnpx")
    tap.ok(status == 200 and "structuredContent" not in answer and "jsonrpc" not in answer, "the answer is the object itself", answer)
    status, answer = ask(server, "get_direct_children", {"file_path": "a.hnpx", "node_id": "book"}, "/mcp/hnpx")
    tap.ok(status == 200 and answer.get("text", "").startswith("<children") and len(answer.get("revision", "")) == 16,
           "an answer of text is its text, with the document's revision", answer)
    status, answer = ask(server, "render_floorplan", {"dsl": PLAN, "format": "png"}, "/mcp/floorplan")
    tap.ok(status == 200 and answer.get("mimeType") == "image/png" and
           base64.b64decode(answer.get("data", "")).startswith(b"\x89PNG"), "a picture is its type and its bytes", str(answer)[:300])
    for claim, method, params, want in (("a tool that is none", "no_such_tool", {}, 400),
                                        ("arguments that are a list", "get_next_empty_container", [], 400),
                                        ("arguments that are a text", "get_next_empty_container", "a.hnpx", 400),
                                        ("a missing argument", "get_next_empty_container", {}, 400),
                                        ("null for the arguments", "get_next_empty_container", None, 400),
                                        ("a file that is not there", "get_next_empty_container", {"file_path": "none.hnpx"}, 404),
                                        ("a path that climbs", "get_next_empty_container", {"file_path": "../a.hnpx"}, 403)):
        status, answer = ask(server, method, params, "/mcp/hnpx")
        tap.ok(status == want and answer.get("error") is True and answer.get("code") and answer.get("message"),
               f"{claim}: {want}, and the kind's own error", (status, answer))
    status, answer = ask(server, "no_such_tool", {})
    tap.ok(status == 400 and isinstance(answer.get("error"), dict), "where several kinds are served, the core's own error", answer)
    status, answer = ask(server, 7, {})
    tap.ok(status >= 400, "a method that is no text is refused", (status, answer))

with Folder() as folder, Http(root=folder.path, quire=FIXTURE) as server:
    status, answer = ask(server, "test_streaming_elicitation", {})
    tap.same((status, answer.get("text")), (200, "Hello, whoever you are!"), "nobody is asked in this form: the tool goes on without")
    status, answer = ask(server, "test_audio_content", {})
    tap.ok(status == 200 and answer.get("mimeType") == "audio/wav" and base64.b64decode(answer["data"])[:4] == b"RIFF",
           "a sound is its type and its bytes", str(answer)[:300])
tap.done()
