#!/usr/bin/env python3
"""Memory and time are bounded: plans that are bombs, clients that never read, calls that need more than their
limits.

This measures the shipped program: sanitizers need many times as much memory, and cannot start with a limit."""
import json
import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from quire import META, MODERN, PATIENCE, QUIRE, TOP, Folder, Http, Tap, wait_for  # noqa: E402

SHIPPED = os.path.abspath(os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire")))
CLIENTS, TOGETHER_KB, RESOURCE = 60, 150 << 10, 60_000_000
WALLS = "walls [top: solid, right: solid, bottom: solid, left: solid]"


def room(name, x, y, size):
    return f"    room {name} at ({x},{y}) size ({size} x {size}) {WALLS}\n"


def plan(*floors):
    return "floorplan\n" + "".join(f"  floor f{i} {{\n{rooms}  }}\n" for i, rooms in enumerate(floors))


BOMBS = {
    "overlapping.floorplan": plan("".join(room(f"R{i}", i % 7, i % 5, 10 + i % 3) for i in range(9500))),
    "rooms.floorplan": plan("".join(room(f"R{i}", i % 100 * 4, i // 100 * 4, 4) for i in range(10000))),
    "floors.floorplan": plan(*(room(f"R{i}", 0, 0, 4) for i in range(8000))),
}
CALLS = (
    ("validate_floorplan", {}), ("render_floorplan", {"width": 400}),
    ("render_floorplan", {"width": 400, "renderAllFloors": True}), ("analyze_floorplan", {}), ("critique_floorplan", {}),
    ("export_floorplan", {"output_path": "out.svg", "renderAllFloors": True, "overwrite": True}),
    ("export_floorplan", {"output_path": "out.dxf", "overwrite": True}),
)
REFUSALS = ("needs more memory than a call may use", "has no memory left for this call", "took too long", "are allowed")


def status_kb(server, name):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith(name)).split()[1])


def peak_anew(server):
    """Resets VmHWM to the current use."""
    with open(f"/proc/{server.process.pid}/clear_refs", "w", encoding="ascii") as to:
        to.write("5")


def cpu_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
        user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def told(answer):
    """The text of a call's response, for a result or an error."""
    if "error" in answer:
        return answer["error"]["message"]
    return " ".join(block.get("text", "") for block in answer["result"]["content"])


def serve(folder, more="", quire=SHIPPED):
    folder.write("quire.toml", "[mcp_server]\n" + more)
    return Http("--config", os.path.join(folder.path, "quire.toml"), root=folder.path, quire=quire)


def limited(folder, kilobytes, program=SHIPPED):
    """A script that runs quire with limited address space."""
    name = "limited-" + os.path.basename(program)
    folder.write(name, f"#!/bin/sh\nulimit -v {kilobytes}\nexec '{program}' \"$@\"\n")
    path = os.path.join(folder.path, name)
    os.chmod(path, 0o755)
    return path


def is_alive(server):
    return server.process.poll() is None and "result" in server.request("tools/list")


def bombs(tap):
    with Folder(BOMBS) as folder, Folder() as outside:
        with serve(folder, "call_seconds = 5", limited(outside, 1 << 20)) as server:
            for name, before in BOMBS.items():
                for tool, more in CALLS:
                    answer = server.call(tool, {"file_path": name, **more}, path="/mcp/floorplan")
                    refused = "error" in answer or answer["result"].get("isError")
                    what = "refused" if refused else "answered"
                    fits = not refused or any(words in told(answer) for words in REFUSALS)
                    tap.ok(fits and is_alive(server), f"{tool} of {name} is {what}, and the server goes on",
                           told(answer)[:300] + "".join(server.errors))
                tap.same(folder.read(name), before.encode(), f"{name} is as it was")
            tap.ok(status_kb(server, "VmPeak") <= 1 << 20, "below 1 GB of addresses", status_kb(server, "VmPeak"))


def ask_unread(port, uri, accept):
    """A client that sends a request and reads no byte of the response."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {
        "uri": uri, "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}}})
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.settimeout(PATIENCE)
    s.connect(("127.0.0.1", port))
    s.sendall((f"POST /mcp/hnpx HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {accept}\r\n"
               f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: resources/read\r\nMcp-Name: {uri}\r\n"
               f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
    return s


def is_dropped(s):
    """True if the server has closed the connection. Only checks for the end, reads nothing."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        mine = f"{s.getsockname()[1]:04X}"
        return not any(line.split()[2].endswith(":" + mine) and line.split()[3] == "01" for line in table.readlines()[1:])


def unread(tap):
    with open(os.path.join(TOP, "examples/lighthouse.hnpx"), "rb") as f:
        book = f.read()
    large = book + b"<!--" + b"A line of a long comment.\n" * (RESOURCE // 26) + b"-->\n"
    with Folder({"large.hnpx": large}) as folder, serve(folder, "unread_seconds = 4") as server:
        for accept in ("application/json", "text/event-stream"):
            peak_anew(server)
            read = server.request("resources/read", {"uri": "hnpx:///large.hnpx"}, path="/mcp/hnpx",
                                  headers={"Accept": accept})
            tap.ok(read["result"]["contents"][0]["text"].encode() == large, f"a reader has all of it ({accept})")
            one_read = status_kb(server, "VmHWM")
            clients = [ask_unread(server.port, "hnpx:///large.hnpx", accept) for _ in range(CLIENTS)]
            heads = [s.recv(400, socket.MSG_PEEK) for s in clients]
            tap.ok(all(h.startswith(b"HTTP/1.1 200") and accept.encode() in h for h in heads),
                   f"{CLIENTS} clients are being answered ({accept})", heads)
            more = status_kb(server, "VmHWM") - one_read
            tap.ok(more <= TOGETHER_KB, f"{CLIENTS} that never read cost at most 150 MB beyond it ({accept})",
                   f"{more} KB")
            tap.ok(not any(map(is_dropped, clients)), f"nobody is dropped before ({accept})")
            tap.ok(wait_for(lambda: all(map(is_dropped, clients))), f"each is dropped after its time ({accept})")
            print(f"# trials {CLIENTS} clients that never read", flush=True)
            for s in clients:
                s.close()
            tap.ok(wait_for(lambda: status_kb(server, "VmRSS") < one_read), "and what they kept goes",
                   f"{status_kb(server, 'VmRSS')} of {one_read} KB")


def limits(tap):
    folder_of = {"rooms.floorplan": BOMBS["rooms.floorplan"]}
    with Folder(folder_of) as folder, serve(folder, "call_memory_mb = 16") as server:
        answer = server.call("export_floorplan", {"file_path": "rooms.floorplan", "output_path": "out.svg"},
                             path="/mcp/floorplan")
        tap.ok("needs more memory than a call may use" in told(answer) and "call_memory_mb" in told(answer),
               "a call beyond its memory is refused, with the setting", told(answer)[:300])
        tap.ok(is_alive(server), "the server goes on")
        tap.same(folder.read("rooms.floorplan"), BOMBS["rooms.floorplan"].encode(), "the document is as it was")
        tap.ok(not os.path.exists(os.path.join(folder.path, "out.svg")), "and there is no half export")

    # Nine thousand doors that swing into each other: 15 s of work, most of it without allocating memory.
    doors = plan(room("Hall", 0, 0, 40)) + "".join(
        f"  connect Hall.bottom to outside door at {40 + i / 450:.3f}%\n" for i in range(9000))
    with Folder({"doors.floorplan": doors}) as folder, serve(folder, "call_seconds = 1", QUIRE) as server:
        before = cpu_seconds(server)
        answer = server.call("critique_floorplan", {"file_path": "doors.floorplan"}, path="/mcp/floorplan")
        tap.ok("took too long and was ended" in told(answer), "a call beyond its time is refused", told(answer)[:300])
        spent = cpu_seconds(server) - before
        tap.ok(spent < 5, "not only when its work is done", f"{spent} s")
        tap.ok(is_alive(server), "the server goes on")
        tap.same(folder.read("doors.floorplan"), doors.encode(), "the document is as it was")


def starved(tap):
    """Memory runs out while the shared graph is being changed, where a call cannot be ended at once."""
    notes = {f"n{i}.md": f"# Note {i}\n" + "".join(
        f"A line with [[n{i * 31 * j % 2000}]] and [[missing {i} {j}]] #tag{i}x{j}\n" for j in range(60))
        for i in range(2000)}
    refused = 0
    with Folder(notes) as folder, Folder() as outside:
        for kilobytes in (170_000, 150_000):
            with serve(folder, 'kinds = ["notes"]', limited(outside, kilobytes)) as server:
                for _ in range(2):
                    answer = server.call("get_stats", path="/mcp/notes")
                    refused += "has no memory left for this call" in told(answer)
                tap.ok(is_alive(server), f"a server with {kilobytes} KB goes on", "".join(server.errors))
    tap.ok(refused > 0, "and refuses what it has no memory for", refused)


def word(tap):
    """The memory limit of a call on a Word document depends on the document: five times document.xml."""
    data = docx.docx("".join(
        f"<w:p><w:r><w:t>Paragraph {i} of the Contract says word{i * 7919 % 100003}, clause {i % 500}.</w:t></w:r></w:p>"
        for i in range(200_000)))
    most = 5 * len(docx.part(data)) // 1024

    def call(tool, **more):
        peak_anew(server)
        before = status_kb(server, "VmHWM")
        answer = server.call(tool, {"file_path": "long.docx", **more}, path="/mcp/docx")
        return told(answer), status_kb(server, "VmHWM") - before
    with Folder({"long.docx": data}) as folder, serve(folder, "call_memory_mb = 16") as server:
        call("read_file")  # loads what stays in memory, which has a limit of its own
        said, used = call("grep", pattern="word77")
        tap.ok('"success":false' not in said and "word77" in said, "a long document may have more than call_memory_mb",
               said[:300])
        tap.ok(16 << 10 < used <= most, "and needs it", f"{used} of {most} KB")
        call("read_file", offset=-1)  # the ids of all paragraphs stay in memory too
        said, used = call("check_document")
        tap.ok('"success":false' not in said and "total_problems" in said, "a check of all of it needs the memory of a row", said[:300])
        tap.ok(used <= 16 << 10, "and has no more", f"{used} KB")
    date = 'w:author="a" w:date="2026-01-01T00:00:00Z"'
    data = docx.docx("".join(
        f'<w:p><w:ins w:id="{i}" {date}><w:r><w:t>Paragraph {i}.</w:t></w:r></w:ins></w:p>' for i in range(60_000)))
    most = 5 * len(docx.part(data)) // 1024
    with Folder({"long.docx": data}) as folder, serve(folder, "call_memory_mb = 16") as server:
        call("read_file", offset=-1)
        said, used = call("accept_changes")
        tap.ok('"insertions":60000' in said, "changes in every paragraph are accepted", said[:300])
        tap.ok(used <= most, "within five times the document", f"{used} of {most} KB")
    data = docx.docx(f'<w:p><w:ins w:id="1" {date}>' + "<w:r><w:t>a</w:t></w:r>" * 300_000 + "</w:ins></w:p>")
    most = 5 * len(docx.part(data)) // 1024
    with Folder({"long.docx": data}) as folder, serve(folder, "call_memory_mb = 16") as server:
        call("read_file", offset=-1)
        said, used = call("accept_changes")
        tap.ok("needs more memory than a call may use" in said, "a call that wants more than five times is refused", said[:300])
        tap.ok(used <= most + (16 << 10), "and did not have it", f"{used} of {most} KB")
        tap.ok(is_alive(server) and folder.read("long.docx") == data, "the server goes on, the document is as it was")


def confined(tap):
    """The hostile input of other tests, on servers limited to 1 GB."""
    with Folder() as outside:
        env = {**os.environ, "QUIRE": limited(outside, 1 << 20),
               "QUIRE_CONFORMANCE": limited(outside, 1 << 20, SHIPPED + "-conformance")}
        for script in ("http", "names", "docjl_rows"):
            done = subprocess.run([sys.executable, os.path.join(TOP, f"test/hostile/{script}_test.py")], env=env,
                                  capture_output=True, text=True)
            bad = [line for line in done.stdout.splitlines() if line.startswith("not ok")]
            tap.ok(done.returncode == 0, f"{script}_test holds with 1 GB of addresses", "\n".join(bad) + done.stderr[-500:])


def main():
    tap = Tap()
    if not os.access(SHIPPED, os.X_OK):
        tap.skip("memory of the program as shipped", f"{SHIPPED} is not built")
        tap.done()
    for part in (bombs, unread, limits, starved, word, confined):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part(tap)
    tap.done()


main()
