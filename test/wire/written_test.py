#!/usr/bin/env python3
"""The shipped program has every tool's entry of tools/list and the instructions linked in (src/mcp/written.h). The one under
sanitizers writes them from the tables. Both must be the same, for one kind and for several, with any tools left out."""
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QUIRE = os.environ.get("QUIRE", os.path.join(TOP, "build/asan/quire"))
SHIPPED = os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire"))
KINDS = ["hnpx", "floorplan", "docjl", "notes", "docx"]
HELLO = ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},'
         '"clientInfo":{"name":"t","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
         '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')


def listed(program, *args):
    return subprocess.run([program, "tools", *args, "--json"], capture_output=True, check=True).stdout


def served(program, version, *args):
    out = subprocess.run([program, "serve", *args], input=(HELLO % version).encode(), capture_output=True, check=True).stdout
    return out.splitlines()[:2]


cases = [[], ["--tools", "all"], ["--tools", "all", "--read-only"]] + [[kind] for kind in KINDS]
versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
print(f"1..{len(cases) + len(versions)}")
n = 0
for case in cases:
    n += 1
    same = listed(QUIRE, *case) == listed(SHIPPED, *case)
    print(f"{'ok' if same else 'not ok'} {n} - the_shipped_list_is_the_written_one {' '.join(case)}")
for version in versions:
    n += 1
    same = served(QUIRE, version, "--root", os.path.join(TOP, "examples")) == served(SHIPPED, version, "--root", os.path.join(TOP, "examples"))
    print(f"{'ok' if same else 'not ok'} {n} - a_client_of_{version}_is_sent_the_same_instructions_and_list")
