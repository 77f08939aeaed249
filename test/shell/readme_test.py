#!/usr/bin/env python3
"""The README's tour is correct: each command is run in a copy of examples/, and prints the output in the README.

In a ```console block a line `$ command` is followed by its output; `...` means any characters within a line. Links
lead to existing files."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, QUIRE, Tap, TOP  # noqa: E402

tap = Tap()
with open(os.path.join(TOP, "README.md")) as f:
    readme = f.read()

with Folder() as folder:
    copy = os.path.join(folder.path, "examples")
    shutil.copytree(os.path.join(TOP, "examples"), copy)
    os.mkdir(folder.path + "/bin")
    os.symlink(os.path.abspath(QUIRE), folder.path + "/bin/quire")
    env = {**os.environ, "PATH": folder.path + "/bin:" + os.environ["PATH"]}
    for block in re.findall(r"```console\n(.*?)```", readme, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, want = part.partition("\n")
            done = subprocess.run(command, shell=True, cwd=copy, env=env, capture_output=True, timeout=60)
            have = done.stdout.decode() + done.stderr.decode()
            pattern = re.escape(want).replace(re.escape("..."), "[^\n]*")
            tap.ok(re.fullmatch(pattern, have), "README: " + command, f"want:\n{want}\nhave:\n{have}")

for page in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
    with open(os.path.join(TOP, page)) as f:
        text = f.read()
    missing = [t for t in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in t and not os.path.exists(os.path.join(TOP, t))]
    tap.same(missing, [], f"{page}: every link leads somewhere")
    named = re.findall(r"`((?:src|tools|test|packaging|docs)/[\w./-]+\.\w+)`", text)
    tap.same([n for n in named if not os.path.exists(os.path.join(TOP, n))], [], f"{page}: every file it names is there")

tap.done()
