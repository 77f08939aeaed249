#!/usr/bin/env python3
"""LibreOffice on the same documents: it prints the labels that read_file shows, and opens every file we save."""
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import docx  # noqa: E402
from quire import DATA, Folder, Stdio, Tap  # noqa: E402

tap = Tap()
# Where LibreOffice differs from the format's specification: isLgl and lvlRestart of the zoo.
DIFFERENT = {"numbering-zoo.docx": {"1.01", "2.01", "2.3"}}


def convert(folder, names):
    """Turns files into text, all in one run."""
    subprocess.run(["soffice", f"-env:UserInstallation=file://{folder.path}/profile", "--headless", "--convert-to", "txt:Text",
                    "--outdir", folder.path, *(os.path.join(folder.path, n) for n in names)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=600, check=False)


def converted(folder, name):
    """The text that LibreOffice made of a file; None: it could not open it."""
    path = os.path.join(folder.path, name[:-len("docx")] + "txt")
    return open(path, encoding="utf-8-sig").read() if os.path.exists(path) else None


def answer(reply):
    result = reply["result"]
    return json.loads(result["content"][0]["text"]) if result.get("isError") else result["structuredContent"]


def nodes(server, name):
    out, offset = [], 1
    while offset:
        page = answer(server.call("read_file", {"file_path": name, "format": "json", "offset": offset}))
        out += page["nodes"]
        offset = page.get("next_offset")
    return out


def folded(text):
    return "".join(text.split())


def compare(server, folder, name):
    lines = [folded(line) for line in converted(folder, name).splitlines()]
    at, faults, n = 0, [], 0
    for node in nodes(server, name):
        label = node["list_label"]
        if not node["numbering"]["is_auto_numbered"] or not label or label == "•" or node["table_context"]:
            continue
        # The beginning of the text is enough; further on LibreOffice prints the numbers of notes.
        want = folded(label + node["clean_text"].split("\n")[0])[:len(folded(label)) + 8]
        n += 1
        found = next((i for i in range(at, len(lines)) if lines[i].startswith(want)), None)
        if found is None:
            if label not in DIFFERENT.get(name, ()):
                faults.append(f"{label} {node['clean_text'][:60]}")
        else:
            at = found + 1
    return n, faults


if not shutil.which("soffice"):
    tap.skip("LibreOffice prints the same labels", "skipped: no LibreOffice here")
    tap.done()
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/docx")
documents = {os.path.basename(d): open(d, "rb").read() for d in glob.glob(here + "/*.docx")}
documents.update({os.path.basename(d): open(d, "rb").read() for d in glob.glob(os.path.join(DATA, "docx/*.docx"))})
labelled = [n for n in ("numbering-zoo.docx", "nvca-spa-filled.docx", "ilpa-lpa-v1.docx", "letter-of-intent.docx") if n in documents]
with Folder(documents) as folder, Stdio("docx", root=folder.path) as server:
    saved = {}
    for name in sorted(documents):
        found = answer(server.call("grep", {"file_path": name, "patterns": ["\\w+ \\w+"], "max_results": 1}))
        if not found.get("matches"):
            continue
        match = found["matches"][0]
        edited = answer(server.call("smart_edit", {"file_path": name, "target_paragraph_id": match["para_id"],
                                                   "old_string": match["match_text"],
                                                   "new_string": match["match_text"].split()[0] + " quire"}))
        answer(server.call("save", {"file_path": name, "save_to_local_path": "saved." + name, "save_format": "clean"}))
        saved[name] = edited
        server.call("clear_session", {"file_path": name})
    convert(folder, sorted(documents) + ["saved." + n for n in saved])
    for name in labelled:
        n, faults = compare(server, folder, name)
        tap.ok(not faults, f"LibreOffice prints the {n} labels of {name}", "\n".join(faults[:20]))
    for name, edited in saved.items():
        if converted(folder, name) is None:
            tap.skip(f"{name} as we save it", "LibreOffice does not open the original")
            continue
        text = converted(folder, "saved." + name)
        tap.ok(text is not None and (edited.get("success") is False or "quire" in text),
               f"LibreOffice opens {name} as we save it", [edited, (text or "")[:300]])
tap.done()
