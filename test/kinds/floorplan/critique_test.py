#!/usr/bin/env python3
"""critique_floorplan: every fix was tried, results are bounded, limits come from the configuration."""
import os
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from quire import DATA, Folder, Http, Stdio, Tap  # noqa: E402

tap = Tap()
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
PLANS = os.path.join(DATA, "floorplan/plans")
SOLID = "walls [top: solid, right: solid, bottom: solid, left: solid]"
# Our own plan: no window, two leaves that collide, a narrow door, a kitchen behind a bedroom.
FLAWED = ("floorplan\n  config { default_unit: m, default_height: 2.6 }\n  floor Ground {\n"
          f"    room Hall at (0,0) size (4 x 4) {SOLID}\n    room Living at (4,0) size (5 x 4) {SOLID}\n"
          f"    room Bedroom at (0,4) size (4 x 4) walls [top: solid, right: solid, bottom: window, left: solid]\n"
          f"    room Kitchen at (4,4) size (5 x 4) walls [top: solid, right: window, bottom: solid, left: solid]\n  }}\n"
          "  connect Hall.top to outside door at 20%\n  connect Hall.right to Living.left door at 95% opens into Hall\n"
          "  connect Hall.bottom to Bedroom.top door at 95% opens into Hall\n"
          "  connect Bedroom.right to Kitchen.left door at 50% size (0.6 x 2.1)\n")
plans = {"flawed": FLAWED}
for name in sorted(os.listdir(PLANS)):
    with open(os.path.join(PLANS, name), encoding="utf-8") as f:
        plans[name] = f.read()


def critique(q, **arguments):
    result = q.call("critique_floorplan", arguments)["result"]
    return result.get("structuredContent"), result["content"][0]["text"]


def keys(findings):
    return Counter((f["severity"], f["rule"], f.get("floor"), tuple(f.get("rooms", []))) for f in findings)


def apply(q, text, fix):
    return q.call("modify_floorplan", {"dsl": text, "operations": [fix]})["result"].get("structuredContent")


fixes = 0
with Stdio("floorplan") as q:
    for name, text in plans.items():
        answer, said = critique(q, dsl=text)
        if not answer:
            continue
        for finding in answer["findings"]:
            if "fix" not in finding:
                continue
            fixes += 1
            done = apply(q, text, finding["fix"])
            if not tap.ok(done and done["success"], f"{name}: the fix of {finding['rule']} applies", finding):
                continue
            after, said = critique(q, dsl=done["dsl"], fixes=False)
            before_keys, after_keys = keys(answer["findings"]), keys(after["findings"])
            key = next(iter(keys([finding])))
            tap.ok(after_keys[key] < before_keys[key] and not after_keys - before_keys,
                   f"{name}: the fix of {finding['rule']} removes it and adds none", [finding, after_keys - before_keys])
    # Apply all fixes in rounds until none is left.
    for name, text in plans.items():
        for _ in range(60):
            answer, said = critique(q, dsl=text)
            offered = [f["fix"] for f in answer["findings"] if "fix" in f] if answer else []
            if not offered:
                break
            text = apply(q, text, offered[0])["dsl"]
        tap.ok(not offered, f"{name}: applying fixes comes to an end", offered)
    found = {f["rule"]: f for f in critique(q, dsl=FLAWED)[0]["findings"]}
    tap.ok({"door_swings_meet", "no_window", "through_bedroom", "door_width"} <= set(found), "the flaws of our own plan are found", list(found))
    for rule in ("door_swings_meet", "no_window", "through_bedroom", "door_width"):
        tap.ok("fix" in found[rule], f"{rule} has a fix", found[rule])
        tap.ok(found[rule]["line"] > 4 and found[rule]["at"] and found[rule]["source"] and found[rule]["floor"] == "Ground", f"{rule} has a place and a source",
               found[rule])
    tap.ok(not any("fix" in f for f in critique(q, dsl=FLAWED, fixes=False)[0]["findings"]), "fixes false tries none")
    tap.ok(all(f["severity"] != "info" for f in critique(q, dsl=FLAWED, severity="warning")[0]["findings"]), "severity is the least that is listed")

    # Bad arguments, and the advice of each error.
    for arguments, words in (({}, "dsl"), ({"dsl": ""}, "dsl"), ({"dsl": 7}, "dsl"), ({"dsl": "floorplan {"}, "parse"), ({"dsl": FLAWED, "severity": "grave"}, "severity"),
                             ({"dsl": FLAWED, "floor": "Cellar"}, "Ground"), ({"dsl": FLAWED, "floor": 3}, "floor"), ({"dsl": FLAWED, "first": -1}, "first"),
                             ({"dsl": FLAWED, "file_path": "a.floorplan"}, "file_path"), ({"dsl": FLAWED, "fixes": "maybe"}, "fixes"),
                             ({"dsl": FLAWED, "severty": "info"}, "severity"), ({"file_path": "../../etc/passwd"}, "")):
        result = q.call("critique_floorplan", arguments)["result"]
        if arguments == {"dsl": ""}:
            tap.ok(result.get("isError") or result["structuredContent"]["findings"] == [], "an empty text has no findings", result)
            continue
        tap.ok(result.get("isError") and words in result["content"][0]["text"], f"{str(arguments)[:60]} is refused", result["content"][0]["text"])
    tap.ok(critique(q, dsl=FLAWED, floor="Ground")[0]["findings"], "the floor that the refusal names works")
    tap.same(critique(q, dsl=FLAWED, first=1000)[0]["findings"], [], "behind the last there is none")

    # The findings of a very bad plan come in pages.
    big = "floorplan\n  config { default_unit: m }\n  floor F {\n" + "".join(
        f"    room Bedroom{i} at ({i % 25 * 2},{i // 25 * 2}) size (2 x 2) {SOLID}\n" for i in range(500)) + "  }\n  connect Bedroom0.top to outside door\n"
    seen, first = 0, 0
    for _ in range(40):
        result = q.call("critique_floorplan", {"dsl": big, "first": first, "fixes": first == 0})["result"]
        answer = result["structuredContent"]
        size = len(result["content"][0]["text"])
        if first < 200:
            tap.ok(size < 60000, f"from {first} the answer is bounded", size)
        seen += len(answer["findings"])
        if "next" not in answer:
            break
        first = answer["next"]
    tap.same(seen, sum(answer["counts"].values()), "and the calls that it names have the rest")
tap.ok(fixes >= 4, "fixes were offered", fixes)

with Folder({"a.floorplan": FLAWED, "q.toml": "[kinds.floorplan.critique]\ndoor_width = 0.5\nsmall_door_width = 0.5\n",
             "bad.toml": "[kinds.floorplan.critique]\ndoor_width = \"wide\"\n"}) as folder:
    with Http("floorplan", "--config", os.path.join(folder.path, "q.toml"), root=folder.path) as q:
        answer = q.call("critique_floorplan", {"file_path": "a.floorplan"})["result"]["structuredContent"]
        tap.ok("door_width" not in {f["rule"] for f in answer["findings"]} and len(answer["findings"]) > 2, "the configuration changes a limit", answer)
    try:
        with Stdio("floorplan", "--config", os.path.join(folder.path, "bad.toml"), root=folder.path):
            said = "it started"
    except EOFError as error:
        said = str(error)
    tap.ok("critique.door_width must be a number" in said, "a limit that is no number is refused at start", said)
tap.done()
