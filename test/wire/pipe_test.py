#!/usr/bin/env python3
"""The pipe with badly behaved clients: one does not read, or reads late; one does not end its last line."""
import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import PATIENCE, QUIRE, TOP, Folder, Stdio, Tap, wait_for  # noqa: E402

SHIPPED = os.path.join(TOP, "build/quire-conformance")  # linked like the shipped program, which ends threads in another way
FIXTURE = os.environ.get("QUIRE_CONFORMANCE", QUIRE + "-conformance")
HELLO = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
tap = Tap()


def start(folder, stdout=subprocess.PIPE, program=FIXTURE):
    process = subprocess.Popen([program, "serve", "--root", folder.path], stdin=subprocess.PIPE, stdout=stdout,
                               stderr=subprocess.PIPE)
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    return process


def feed(process, data):
    """Writes on a thread, because the server may stop reading."""
    def run():
        try:
            process.stdin.write(data)
            process.stdin.flush()
        except OSError:
            pass
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def ended(process):
    try:
        return process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return f"had to be killed after {PATIENCE} s"


def unread(pipe):
    """Bytes in the pipe that nobody has read yet."""
    n = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, n)
    return n[0]


def is_stuck(pipe, looks):
    """True if the pipe is full: the last five looks at it are the same. A pipe of 16 pages may be full with little more than half of
    its bytes, because a message begins a page of its own."""
    looks.append(unread(pipe))
    return looks[-1] >= 32768 and looks[-5:] == [looks[-1]] * 5


def a_client_that_does_not_read(folder):
    for claim, lines, program in (("a little", 50, FIXTURE), ("more than the server keeps for it", 40000, FIXTURE),
                                  ("a little, as shipped,", 50, SHIPPED)):
        process, looks = start(folder, program=program), []
        feed(process, LIST * lines)
        # The output pipe is full, so the writer blocks; then the input pipe fills, because the reader blocks too.
        tap.ok(wait_for(lambda: is_stuck(process.stdout, looks)), f"the output pipe is full when {claim} is not read", looks[-1])
        if lines > 50:
            tap.ok(wait_for(lambda: is_stuck(process.stdin, looks)), "and so is the input pipe", looks[-1])
        process.send_signal(signal.SIGTERM)
        tap.same(ended(process), 0, f"a signal ends the program though {claim} was not read")
        process.stdout.close()
    process, looks = start(folder), []
    process.stdin.write(LIST * 50)
    process.stdin.close()
    tap.ok(wait_for(lambda: is_stuck(process.stdout, looks)), "the output pipe is full after the end of input", looks[-1])
    process.send_signal(signal.SIGINT)
    tap.same(ended(process), 0, "after the end of input too")
    process.stdout.close()


def a_second_signal(folder):
    with Stdio(root=folder.path, quire=FIXTURE) as q:
        q.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "test_slow"}})
        wait_for(lambda: "test_slow begins" in "".join(q.errors))

        def again():
            q.process.send_signal(signal.SIGTERM)
            return q.process.poll() is not None
        tap.ok(wait_for(again) and q.process.poll() == -signal.SIGTERM,
               "a first signal lets a call go on, a second ends the program", q.process.poll())


def a_client_that_reads_late(folder):
    out, into = os.pipe()
    os.set_blocking(into, False)
    process = start(folder, stdout=into)
    os.close(into)
    thread = feed(process, LIST * 60)
    with os.fdopen(out, "rb") as answers:
        thread.join()
        process.stdin.close()
        found = [json.loads(line)["id"] for line in answers]
    tap.same(found, ["hello"] + [1] * 60, "a pipe that does not block is waited for")
    tap.same(ended(process), 0, "and the program ends well")
    process = start(folder)
    calls = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_simple_text"}}\n' % n for n in range(6000))
    thread = feed(process, calls)
    found = [json.loads(process.stdout.readline())["id"] for _ in range(6001)]
    thread.join()
    tap.same(found, ["hello"] + list(range(6000)), "more calls than may wait are held up, not lost, and keep their order")
    process.stdin.close()
    tap.same(ended(process), 0, "the end of input ends the program")


def a_last_line_without_its_end(folder):
    process = start(folder)
    process.stdin.write(b'\n  \n{"jsonrpc":"2.0","id":"last","method":"ping"}')
    process.stdin.close()
    found = [json.loads(line)["id"] for line in process.stdout]
    tap.same(found, ["hello", "last"], "the last line is a message though nothing ends it; blank ones are none")
    tap.same(ended(process), 0, "then the program ends")


with Folder() as folder:
    a_client_that_does_not_read(folder)
    a_second_signal(folder)
    a_client_that_reads_late(folder)
    a_last_line_without_its_end(folder)
tap.done()
