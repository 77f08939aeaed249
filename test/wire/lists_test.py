#!/usr/bin/env python3
"""Lists in pages, invalid cursors, and the errors of completion."""
import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

FIXTURE = os.environ.get("QUIRE_CONFORMANCE", os.path.join(TOP, "build/asan/quire-conformance"))
BOOK = '<book id="book01">\n  <summary>s</summary>\n</book>\n'
INVALID = -32602
tap = Tap()


def pages(q, method, member, modern):
    """Every page of a list. A list that does not end is cut off and fails the test."""
    found, cursor = [], None
    for _ in range(20):
        result = q.request(method, {"cursor": cursor} if cursor else {}, modern=modern)["result"]
        found.append(result[member])
        cursor = result.get("nextCursor")
        if cursor is None:
            return found
    return found


def many_books():
    names = [f"{'deep/' if n % 3 else ''}book {n:03}.hnpx" for n in range(230)]
    with Folder({name: BOOK for name in names}) as folder, Stdio("hnpx", root=folder.path) as q:
        for modern in (False, True):
            era = "modern" if modern else "legacy"
            found = pages(q, "resources/list", "resources", modern)
            tap.same([len(page) for page in found], [100, 100, 30], f"two hundred and thirty books are three pages ({era})")
            uris = [r["uri"] for page in found for r in page]
            tap.same(len(set(uris)), 230, f"each stands on one of them ({era})")
            read = q.request("resources/read", {"uri": uris[150]}, modern=modern)["result"]["contents"][0]
            tap.same((read["uri"], read["text"]), (uris[150], BOOK), f"under an address that can be read ({era})")
        first = q.request("resources/list", {})["result"]
        last = first["resources"][-1]["uri"]
        os.unlink(os.path.join(folder.path, last[len("hnpx:///"):].replace("%20", " ")))
        second = q.request("resources/list", {"cursor": first["nextCursor"]})["result"]["resources"]
        tap.same([r["uri"] for r in second], uris[100:200], "the next page begins where it should, though the last entry is gone")
        typed = {"ref": {"type": "ref/resource", "uri": "hnpx:///{+path}"}, "argument": {"name": "path", "value": "deep/"}}
        offered = q.request("completion/complete", typed)["result"]["completion"]
        tap.ok(len(offered["values"]) <= 100 and all(v.startswith("deep/") for v in offered["values"]) and offered["values"],
               "completion offers at most a hundred, and only what begins so", offered)
        tap.ok(offered["hasMore"] or offered["total"] == len(offered["values"]), "and says whether there are more", offered)


def odd_names():
    """For any file name, the URI leads to this file and to no other."""
    names = ["a b", "a%20b", "100%", "%", "#?&+;", "\u00e9\u4e16", "{x}", "deep er/a%2Fb"]
    for kind, suffix in (("hnpx", ".hnpx"), ("floorplan", ".floorplan")):
        files = {name + suffix: f"the file called {name}" for name in names}
        with Folder(files) as folder, Stdio(kind, root=folder.path) as q:
            listed = {r["name"]: r["uri"] for r in q.request("resources/list", {})["result"]["resources"] if r["name"] in files}
            tap.same(sorted(listed), sorted(files), f"{kind}: every name is listed")
            tap.ok(all(uri.isascii() and " " not in uri for uri in listed.values()), f"{kind}: under an address that is one", listed)
            read = {name: q.request("resources/read", {"uri": uri}).get("result", {"contents": [{}]})["contents"][0]
                    for name, uri in listed.items()}
            tap.same({name: content.get("text") for name, content in read.items()}, files, f"{kind}: which leads to that file")
            tap.same({name: content.get("uri") for name, content in read.items()}, listed, f"{kind}: and is what the answer calls it")


def many_plans():
    with Folder({f"plan {n:03}.floorplan": "x" for n in range(130)}) as folder, Stdio("floorplan", root=folder.path) as q:
        first = q.request("resources/list", {})["result"]
        plans = [r["name"] for r in first["resources"] if r["name"].endswith(".floorplan")]
        os.unlink(os.path.join(folder.path, plans[-1]))
        second = q.request("resources/list", {"cursor": first["nextCursor"]})["result"]
        rest = [r["name"] for r in second["resources"]]
        tap.same(plans + rest, [f"plan {n:03}.floorplan" for n in range(130)], "plans are listed in pages too, each once")


def prompts():
    """Every listed prompt can be requested, and contains its arguments."""
    for kind in ("hnpx", "floorplan"):
        with Folder() as folder, Stdio(kind, root=folder.path) as q:
            for prompt in q.request("prompts/list", {})["result"]["prompts"]:
                given = {a["name"]: f"the {a['name']} of a test" for a in prompt.get("arguments", [])}
                answer = q.request("prompts/get", {"name": prompt["name"], "arguments": given})
                words = " ".join(m["content"].get("text", "") for m in answer.get("result", {}).get("messages", []))
                tap.ok(words and all(value in words for value in given.values()), f"{kind}: the prompt {prompt['name']} says what is wanted",
                       answer)
                needed = [a["name"] for a in prompt.get("arguments", []) if a.get("required")]
                if needed:
                    answer = q.request("prompts/get", {"name": prompt["name"], "arguments": {}})
                    tap.same(answer.get("error", {}).get("code"), INVALID, f"{kind}: and {prompt['name']} not without {needed[0]}")


def bad_cursors():
    foreign = base64.urlsafe_b64encode(b"after:no such thing").decode().rstrip("=")
    bare = base64.urlsafe_b64encode(b"no such thing").decode().rstrip("=")
    with Folder() as folder, Stdio(root=folder.path, quire=FIXTURE) as q:
        for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
            have = [q.request(method, {"cursor": cursor}).get("error", {}).get("code")
                    for cursor in ("nonsense!", "", bare, foreign, 7, [], {})]
            tap.same(have, [INVALID] * 7, f"{method} refuses cursors that it did not give")
            tap.ok("result" in q.request(method, {"cursor": None}), f"{method} takes null for none")


def bad_completions():
    prompt = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
    resource = {"type": "ref/resource", "uri": "test://template/{id}/data"}
    typed = {"name": "arg1", "value": "x"}
    with Folder() as folder, Stdio(root=folder.path, quire=FIXTURE) as q:
        def code(ref, argument):
            return q.request("completion/complete", {"ref": ref, "argument": argument}).get("error", {}).get("code")
        tap.same(code(prompt, typed), None, "an argument of a prompt is completed")
        for claim, ref, argument in (
                ("a prompt that is none", {**prompt, "name": "none"}, typed),
                ("a prompt without a name", {"type": "ref/prompt"}, typed),
                ("an argument that the prompt has not", prompt, {**typed, "name": "arg9"}),
                ("a template that is none", {**resource, "uri": "test://none/{id}"}, {"name": "id", "value": "x"}),
                ("a template without its address", {"type": "ref/resource"}, {"name": "id", "value": "x"}),
                ("a place that the template has not", resource, {"name": "place", "value": "x"}),
                ("a reference of another type", {"type": "ref/tool", "name": "x"}, typed),
                ("a reference without a type", {"name": "x"}, typed),
                ("no reference", None, typed),
                ("an argument without a value", prompt, {"name": "arg1"}),
                ("a value that is no text", prompt, {"name": "arg1", "value": 7}),
                ("no argument", prompt, None)):
            tap.same(code(ref, argument), INVALID, f"completion refuses {claim}")
        none = q.request("completion/complete", {"ref": resource, "argument": {"name": "id", "value": "4"}})
        tap.same(none["result"]["completion"]["values"], [], "a place that nobody can complete has no suggestions")


many_books()
odd_names()
many_plans()
prompts()
bad_cursors()
bad_completions()
tap.done()
