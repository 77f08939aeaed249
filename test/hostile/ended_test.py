#!/usr/bin/env python3
"""A call that was ended (cancelled, too long, too much memory) leaves nothing behind: no descriptor, no lock, no memory.

ended_test.py KIND... tests the tools of these kinds only. Debug builds end a call whose _meta says so, at any moment; the leak
sanitizer reports lost memory when the server exits."""
import collections
import glob
import json
import os
import random
import re
import sys
import time

for folder in ("../support", "../cases"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import cases_test  # noqa: E402
import docx  # noqa: E402
from quire import Folder, Stdio, Tap, wait_for, with_structured  # noqa: E402

FILES, CANCELLED, TRIES = 20000, 24, 3
SHIPPED = os.environ.get("QUIRE_RELEASE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/quire"))


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


MOMENTS = [2 ** i for i in range(16)]
WHYS = {"memory": 1, "no memory": 2, "time": 3, "cancelled": 4}
ENDED = ("the call needs more memory than a call may use", "the server has no memory left for this call",
         "the call took too long and was ended", "the call was cancelled")


def call_ending(server, params):
    """The response of a call that is ended, or None: a cancelled call has none. Calls run in the order of arrival, so one
    that is refused follows it."""
    server.id += 2
    for number, more in ((server.id - 1, params), (server.id, {"name": params["name"], "arguments": {"no such argument": 1}})):
        server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": with_structured("tools/call", more)})
    answer = None
    while True:
        message = server.receive()
        if message.get("id") == server.id - 1:
            answer = message
        elif message.get("id") == server.id:
            return answer


def is_ended(answer):
    """Whether the response says that the call was ended."""
    if answer is None:
        return True
    result = answer.get("result", {})
    return bool(result.get("isError")) and any(s in b.get("text", "") for b in result["content"] for s in ENDED)


def held(server):
    """What the process holds: descriptors by what they are open on, and locks."""
    pid, fds = server.process.pid, []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            fds.append(re.split("[-.:]", os.path.basename(os.readlink(f"/proc/{pid}/fd/{fd}")))[0])
        except OSError:
            pass
    with open("/proc/locks") as f:
        return sorted(fds), sum("FLOCK" in line and f" {pid} " in line for line in f)


def more(now, before):
    """What is held now and was not before."""
    return sorted((collections.Counter(now[0]) - collections.Counter(before[0])).elements()), max(0, now[1] - before[1])


def play(case, kind, ends, before=None):
    """Runs a case. With `ends` each call is first ended at its 1st, 2nd, 4th, 8th ... moment, until it is done. Returns the
    faults, what the process held afterwards, how many calls of each tool were ended, and the tools that were called."""
    faults, kept, ended, called = [], {}, collections.Counter(), set()
    with Folder({n: cases_test.content_of(v) for n, v in case.get("files", {}).items()}) as folder:
        server = Stdio(kind, root=folder.path)
        schemas = {t["name"]: t.get("outputSchema") for t in server.request("tools/list")["result"]["tools"]}
        for number, step in enumerate(case["steps"]):
            step = cases_test.substituted(step, kept)
            if "write" in step:
                for name, content in step["write"].items():
                    folder.write(name, cases_test.content_of(content))
                continue
            tool = step["call"]["tool"]
            params = {"name": tool, "arguments": step["call"].get("arguments", {})}
            called.add(tool)
            for turn, at in enumerate(MOMENTS if ends and "error" not in step else [0]):
                why = list(WHYS.values())[(turn + number) % len(WHYS)]
                meta = {"_meta": {"quire/end": {"at": at, "as": why}}} if at else {}
                answer = call_ending(server, {**params, **meta})
                if not is_ended(answer):
                    break
                ended[tool] += 1
            else:
                answer = server.request("tools/call", params)
            found, body = ([], None) if case.get("free") else cases_test.judge(step, answer, schemas)
            if ended:  # what is told once may have been told to a call that was ended
                found = [f for f in found if f != "/_warnings: missing"]
            faults += [f"step {number}, {tool}, moment {at}: {f}" for f in found]
            if found:
                break
            for name, pointer in step.get("keep", {}).items():
                kept[name] = cases_test.pointed(body, pointer)
        if before:  # the history may be tidied in the background
            wait_for(lambda: more(held(server), before) == ([], 0))
        after = held(server)
        status = server.close()
        if status:
            faults.append(f"exit status {status}: " + "".join(server.errors)[-4000:])
    return faults, after, ended, called


def chosen_cases(kind):
    """Cases that together call every tool of the kind, with as few steps as is easy to find."""
    all_cases, known, chosen = [], set(), []
    for path in sorted(glob.glob(os.path.join(cases_test.HERE, kind, "**/*.json"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            cases = json.load(f)
        for case in cases if isinstance(cases, list) else [cases]:
            tools = {s["call"]["tool"] for s in case["steps"] if "call" in s and "error" not in s}
            all_cases.append((len(case["steps"]), path, case, tools))
    while True:
        gains = [(len(tools - known) / steps, -i) for i, (steps, _, _, tools) in enumerate(all_cases)]
        best = max(gains)
        if best[0] == 0:
            return chosen, known
        _, path, case, tools = all_cases[-best[1]]
        chosen.append((os.path.relpath(path, cases_test.HERE), case))
        known |= tools


def case_of(tool, files):
    """A case for a tool that has none: a call with the required arguments, whatever its result is."""
    values = {"string": next(iter(files), "x"), "integer": 1, "number": 1, "boolean": False, "array": [], "object": {}}
    schema = tool["inputSchema"]
    wanted = set(schema.get("required", [])) | ({"file_path"} & set(schema["properties"]))
    arguments = {n: values[schema["properties"][n].get("type", "string")] for n in wanted}
    return {"claim": f"{tool['name']} has no case of its own", "files": files, "free": True,
            "steps": [{"call": {"tool": tool["name"], "arguments": arguments}}]}


def every_tool(tap, kind):
    with Folder({}) as folder, Stdio(kind, root=folder.path) as server:
        tools = {t["name"]: t for t in server.request("tools/list")["result"]["tools"]}
    cases, known = chosen_cases(kind)
    files = next((case["files"] for _, case in cases if case.get("files")), {})
    cases += [("", case_of(tools[t], files)) for t in sorted(set(tools) - known) if not t.startswith("file_")]
    ended, called = collections.Counter(), set()
    for name, case in cases:
        title = f"{name} {case.get('claim', '')}"
        # The server tidies in the background, so a case counts as leaving something only if it does so each time.
        for left in range(TRIES, 0, -1):
            wanted, before, _, _ = play(case, kind, False)
            faults, after, n, c = play(case, kind, True, before)
            if wanted or (not faults and more(after, before) == ([], 0)):
                break
            print(f"# {title}: {left - 1} tries left: {faults} {more(after, before)}", file=sys.stderr, flush=True)
        ended, called = ended + n, called | c
        if not wanted:
            tap.ok(not faults, f"{title}: calls that were ended succeed later, and leave no memory", "\n".join(faults))
            tap.same(more(after, before), ([], 0), f"{title}: no descriptor and no lock is left")
        else:
            tap.ok(False, title, "\n".join(wanted))
    never = sorted(t for t in called if not ended[t])
    tap.ok(not never, f"{kind}: every tool was ended, {sum(ended.values())} calls in all", ", ".join(never))


def resident(server):
    """Megabytes."""
    with open(f"/proc/{server.process.pid}/status") as f:
        return next(int(line.split()[1]) // 1024 for line in f if line.startswith("VmRSS"))


def with_comments(elements):
    """A small Word file whose comments are nothing but empty elements."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    noise = random.Random(1).randbytes(2_500_000).hex()  # or the archive would be refused for its ratio
    return docx.docx('<w:p><w:r><w:t>text</w:t></w:r></w:p>', parts={
        "word/comments.xml": f'{docx.HEAD}<w:comments xmlns:w="{docx.W}"><!--{noise}-->{"<w:p/>" * elements}</w:comments>',
        "word/_rels/document.xml.rels": f'{docx.HEAD}<Relationships xmlns="{docx.PACKAGE}relationships"><Relationship Id="rId1" '
                                        f'Type="{kind}/comments" Target="comments.xml"/></Relationships>'})


def hostile_memory(tap):
    """With the program as shipped, because sanitizers keep freed memory."""
    files = {"vast.docx": with_comments(9_000_000), "large.docx": b"PK", "broken.docx": b"PK\3\4 no archive",
             "small.docx": with_comments(1)}
    pattern = "(a|aa)+" * 100
    calls = [("get_comments", {"file_path": "large.docx"}), ("read_file", {"file_path": "broken.docx"}),
             ("grep", {"file_path": "small.docx", "patterns": [pattern]}), ("get_comments", {"file_path": "../large.docx"})]
    with Folder({**files, "quire.toml": "[server]\ncall_memory_mb = 16\n"}) as folder:
        with Stdio("docx", "--config", os.path.join(folder.path, "quire.toml"), root=folder.path, quire=SHIPPED) as server:
            for _ in range(2):
                for tool, arguments in calls:
                    server.call(tool, arguments)
            before = resident(server)
            for _ in range(6):
                answer = server.call("get_comments", {"file_path": "vast.docx"}, timeout=600)
                refused = answer["result"].get("isError")
            tap.ok(refused, "comments with nine million elements are refused", str(answer)[:300])
            tap.ok(wait_for(lambda: resident(server) <= before + 32), "six such calls leave no memory", f"{before} MB before, {resident(server)} MB after")
            for i in range(1000):
                tool, arguments = calls[i % len(calls)]
                server.call(tool, arguments)
            tap.ok(wait_for(lambda: resident(server) <= before + 32), "1,000 hostile calls leave less than 32 MB",
                   f"{before} MB before, {resident(server)} MB after")


def main():
    tap = Tap()
    kinds = sys.argv[1:]
    if not kinds:
        cancelled_listings(tap)
        hostile_memory(tap)
    for kind in kinds or sorted(os.listdir(cases_test.HERE)):
        if os.path.isdir(os.path.join(cases_test.HERE, kind)):
            every_tool(tap, kind)
    tap.done()


main()
