#!/usr/bin/env python3
"""The words of the language are the same everywhere: grammar, schemas, edits, the schema resource, `quire floorplan words`.

The kind is also built with one more wall type and direction, and with one wall type less. Nothing else is edited, and all of these
must agree again.
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import QUIRE, TOP, Folder, Stdio, Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KIND = os.path.join(TOP, "src/kinds/floorplan")
tap = Tap()


def words_of(binary):
    table = {}
    for line in subprocess.run([binary, "floorplan", "words"], capture_output=True, text=True, check=True).stdout.splitlines():
        rule, word, _ = line.split("\t")
        table.setdefault(rule, []).append(word)
    return table


def operations(tools):
    """The params schema of each action."""
    modify = next(t for t in tools if t["name"] == "modify_floorplan")
    items = modify["inputSchema"]["properties"]["operations"]["items"]["properties"]
    lines = dict(line.split(" ", 1) for line in items["action"]["description"].split("\n"))
    names = {action: re.search(r"params\{([^}]*)\}", line) for action, line in lines.items()}
    return {action: {name.rstrip("?"): items["params"]["properties"][name.rstrip("?")] for name in found.group(1).split(", ")}
            for action, found in names.items() if found}


def plan(clauses, tail="", more=""):
    return f"floorplan\n  floor f1 {{\n    room A at (0,0) size (10 x 10) {clauses}\n{more}  }}\n{tail}"


def checks(binary, name, wall_types, directions):
    with Folder() as folder, Stdio("floorplan", root=folder.path, quire=binary) as server:
        tools = server.request("tools/list")["result"]["tools"]
        page = server.request("resources/read", {"uri": "floorplan://schema"})["result"]["contents"][0]["text"]
        listed = [r["uri"] for r in server.request("resources/list")["result"]["resources"]]
        tap.ok("floorplan://schema" in listed, f"{name}: the resource is listed", listed)
        seed = {"render_floorplan", "validate_floorplan", "modify_floorplan"}
        tap.ok(seed <= {t["name"] for t in tools}, f"{name}: the tools have the names of the specification")
        acts = operations(tools)
        walls = acts["update_walls"]["top"]["enum"]
        tap.same(walls, wall_types, f"{name}: the schema of update_walls lists the wall types")
        tap.same(acts["add_room"]["walls"]["properties"]["left"]["enum"], wall_types, f"{name}: so does that of add_room")
        relative = acts["add_room"]["relativePosition"]["properties"]
        tap.same(relative["direction"]["enum"], directions, f"{name}: the schema lists the directions")

        def call(tool, **arguments):
            return server.call(tool, arguments)["result"]

        for word in wall_types:
            dsl = plan(f"walls [top: {word}]")
            answer = call("validate_floorplan", dsl=dsl)["structuredContent"]
            tap.ok(answer["valid"], f"{name}: wall type {word} is valid", answer)
            edit = call("modify_floorplan", dsl=plan("walls [top: solid]" if word != "solid" else "walls [top: door]"),
                        operations=[{"action": "update_walls", "target": "A", "params": {"top": word}}])
            tap.ok(f"top: {word}" in edit.get("structuredContent", {}).get("dsl", ""), f"{name}: update_walls takes {word}", edit)
            added = call("modify_floorplan", dsl=plan("walls [top: solid]"), operations=[{"action": "add_room", "params": {
                "name": "B", "position": {"x": 20, "y": 0}, "size": {"width": 2, "height": 2}, "walls": {"left": word}}}])
            tap.ok(f"left: {word}" in added.get("structuredContent", {}).get("dsl", ""), f"{name}: add_room takes {word}", added)
            tap.ok(f"`{word}`" in page, f"{name}: the resource teaches {word}")
        for word in directions:
            dsl = plan("walls [top: solid]", more=f"    room B size (2 x 2) walls [top: solid] {word} A\n")
            tap.ok(call("validate_floorplan", dsl=dsl)["structuredContent"]["valid"], f"{name}: direction {word} is valid")
            added = call("modify_floorplan", dsl=plan("walls [top: solid]"), operations=[{"action": "add_room", "params": {
                "name": "B", "size": {"width": 2, "height": 2}, "relativePosition": {"direction": word, "reference": "A"}}}])
            tap.ok(f"{word} A" in added.get("structuredContent", {}).get("dsl", ""), f"{name}: add_room takes {word}", added)
            tap.ok(f"`{word}`" in page, f"{name}: the resource teaches {word}")
        for word in {"open", "glass"} - set(wall_types):
            tap.ok(not call("validate_floorplan", dsl=plan(f"walls [top: {word}]"))["structuredContent"]["valid"],
                   f"{name}: wall type {word} is refused in a plan")
            tap.ok(call("modify_floorplan", dsl=plan("walls [top: solid]"),
                        operations=[{"action": "update_walls", "target": "A", "params": {"top": word}}]).get("isError"),
                   f"{name}: and by the schema")
        for number, example in enumerate(re.findall(r"```\n(floorplan\n.*?)```", page, re.S)):
            drawn = call("render_floorplan", dsl=example, renderAllFloors=True)
            tap.ok(drawn.get("structuredContent", {}).get("success"), f"{name}: example {number} of the resource is drawn", drawn)
        return tools, page


# Every enum of every schema is a set of words, and every word of a set that a schema uses is in it.
def enums(schema, out):
    if isinstance(schema, dict):
        if "enum" in schema:
            out.append(schema["enum"])
        for v in schema.values():
            enums(v, out)
    elif isinstance(schema, list):
        for v in schema:
            enums(v, out)
    return out


def as_shipped():
    table = words_of(QUIRE)
    tools, page = checks(QUIRE, "as shipped", table["WallType"], table["RelativeDirection"])
    sets = [sorted(words) for words in table.values()]
    actions = list(operations(tools))
    strange = [e for t in tools if "floorplan" in t["name"] for e in enums(t["inputSchema"], [])
               if sorted(e) not in sets and not set(actions) <= set(e) and e != table["OutputFormat"][:len(e)]]
    tap.same(strange, [], "every enum of the tools is a set of `quire floorplan words`, or the formats that are pictures")
    for rule, words in table.items():
        if rule in ("Clause", "Keyword", "OperationResult", "OutputFormat", "MultiFloorLayout", "Boolean", "Severity", "DxfVersion",
                    "Schedule", "View"):
            continue
        tap.same([w for w in words if f"`{w}" not in page], [], f"the resource teaches every {rule}")
    # The list of the last release: a word may be removed only with a line in the changelog that says BREAKING.
    with open(os.path.join(HERE, "words.txt"), encoding="utf-8") as f:
        known = [line.split("\t")[:2] for line in f.read().splitlines()]
    gone = [w for r, w in known if w not in table.get(r, [])]
    log = os.path.join(TOP, "CHANGELOG.md")
    breaking = os.path.exists(log) and any(line.lstrip("-* ").startswith("BREAKING") for line in open(log, encoding="utf-8"))
    tap.ok(not gone or breaking, "no word is gone without a line in the changelog that says BREAKING", gone)
    tap.same([w for r in table for w in table[r] if [r, w] not in known], [], "test/kinds/floorplan/words.txt has every word")
    # No source repeats a word as a string. Words with hyphens and underscores cannot be anything else.
    telling = {w for r in table for w in table[r] if re.search(r"[-_]", w)} - {"L-shaped"}
    typed = []
    for path in glob.glob(KIND + "/**/*.c", recursive=True):
        with open(path, encoding="utf-8") as f:
            typed += [f"{os.path.basename(path)}: {w}" for w in re.findall(r'"([a-zA-Z_-]+)"', f.read()) if w in telling]
    tap.same(typed, [], "no word of the language stands in a string outside words.def")


def built(name, flags, wall_types, directions):
    """Builds the kind's files with these flags and links them before the library, so that the linker uses them."""
    with tempfile.TemporaryDirectory(prefix="quire-words.") as out:
        library = os.path.join(TOP, "build/asan/libquire.a")
        sources = [s for s in glob.glob(KIND + "/**/*.c", recursive=True) if "words" in open(s, encoding="utf-8").read() or "kinds/floorplan" in open(s, encoding="utf-8").read()]
        cflags = ["-std=c17", "-D_GNU_SOURCE", '-DQUIRE_VERSION="x"', "-I" + os.path.join(TOP, "src"), "-O0", "-fsanitize=address,undefined",
                  "-Werror", "-Wswitch-enum"]
        headers = subprocess.run(["pkg-config", "--cflags", "pangocairo", "pangoft2", "libpng"], capture_output=True, text=True).stdout.split()
        jobs = "\n".join(" ".join(shlex.quote(a) for a in ["cc", *cflags, *headers, *flags, "-c", s, "-o", os.path.join(out, os.path.basename(s) + ".o")])
                         for s in sources)
        done = subprocess.run(["xargs", "-P2", "-d", "\\n", "-n1", "sh", "-c", 'eval "$0"'], input=jobs, text=True, capture_output=True)
        if not tap.ok(done.returncode == 0, f"{name}: compiles without another edit", done.stderr):
            return
        binary = os.path.join(out, "quire")
        # The libraries are named once, in the Makefile.
        with open(os.path.join(TOP, "Makefile"), encoding="utf-8") as f:
            libraries = re.search(r"^LIBS\s*:=\s*(.*)$", f.read(), re.M).group(1).split()
        link = subprocess.run(["cc", "-fsanitize=address,undefined", "-o", binary, os.path.join(TOP, "build/asan/src/main.o"), *glob.glob(out + "/*.o"),
                               library, *libraries], capture_output=True, text=True)
        if tap.ok(link.returncode == 0, f"{name}: links", link.stderr):
            checks(binary, name, wall_types, directions)


as_shipped()
shipped = words_of(QUIRE)
built("with a wall type and a direction more", ['-DFLOORPLAN_EXTRA_WALL="glass"', '-DFLOORPLAN_EXTRA_DIRECTION="diagonal-of"'],
      shipped["WallType"] + ["glass"], shipped["RelativeDirection"] + ["diagonal-of"])
built("with a wall type less", ["-DFLOORPLAN_NO_OPEN_WALL"], [w for w in shipped["WallType"] if w != "open"], shipped["RelativeDirection"])
tap.done()
