#!/usr/bin/env python3
"""A contract of 20 MB, mostly pictures, is saved over itself 50 times: the history keeps the changes, not 50 files, and every
save can be undone."""
import json
import os
import random
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from docx import docx, part  # noqa: E402
from quire import TOP, Folder, Stdio, Tap  # noqa: E402

SAVES = 50
QUIRE = os.environ.get("QUIRE_RELEASE", os.path.join(TOP, "build/quire"))  # two gigabytes are written: too many for sanitizers
tap = Tap()


def digest(data):
    return zlib.crc32(data), len(data)


media = {f"word/media/image{i}.png": random.Random(i).randbytes(4 << 20) for i in range(5)}
body = "".join(f'<w:p w14:paraId="{i + 1:08X}"><w:r><w:t>Clause {i} lasts 30 days.</w:t></w:r></w:p>' for i in range(400))
data = docx(body, parts=media)
with Folder({"contract.docx": data}) as folder, Folder() as state, Stdio("docx", "--state", state.path, root=folder.path, quire=QUIRE) as server:
    versions, faults = [digest(data)], []
    for n in range(SAVES):
        for tool, args in (("smart_edit", {"target_paragraph_id": f"{n * 7 + 1:08X}", "old_string": "30 days", "new_string": f"4{n} days"}),
                           ("save", {"save_to_local_path": "contract.docx", "save_format": "clean", "allow_overwrite": True})):
            answer = server.call(tool, {"file_path": "contract.docx", **args})["result"]
            faults += [answer] if answer.get("isError") else []
        versions.append(digest(folder.read("contract.docx")))
    tap.same(faults[:1], [], f"{SAVES} saves of {len(data) >> 20} MB")
    tap.same(sum(f"lasts 4{n} days" in part(folder.read("contract.docx")) for n in range(SAVES)), SAVES, "the last one has every edit")
    kept = sum(os.path.getsize(os.path.join(at, f)) for at, _, names in os.walk(state.path) for f in names)
    tap.ok(kept < 256 << 20, "the history stays within its 256 MB", kept)
    tap.ok(kept < 4 * len(data), "it keeps what changed, not whole files", kept)
    def diff(**args):
        return server.call("file_diff", {"file_path": "contract.docx", **args})["result"]["content"][0]["text"]

    seen = diff()
    tap.ok(f"-Clause {(SAVES - 1) * 7} lasts 30 days." in seen and f"+Clause {(SAVES - 1) * 7} lasts 4{SAVES - 1} days." in seen, "file_diff shows what a reader sees", seen)
    newest = folder.read("contract.docx")
    at = json.loads(server.call("file_history", {"file_path": "contract.docx", "limit": 1})["result"]["content"][0]["text"])["commits"][0]["after"]
    folder.write("contract.docx", docx(part(newest).split("<w:body>")[1].split("</w:body>")[0], parts={**media, "word/media/image0.png": b"another"}))
    tap.ok("words and their looks are the same" in diff(**{"from": at}), "and says so where only other parts differ", diff(**{"from": at}))
    folder.write("contract.docx", b"no archive\0")
    tap.ok("not text" in diff(), "what is no Word file is compared by its length", diff())
    folder.write("contract.docx", newest)
    wrong = []
    for n in range(SAVES, 0, -1):
        answer = server.call("file_undo", {"file_path": "contract.docx"})["result"]
        if answer.get("isError") or digest(folder.read("contract.docx")) != versions[n - 1]:
            wrong.append((n, str(answer)[:300]))
            break
    tap.same(wrong, [], "each save is taken back to the byte, down to the first")
tap.done()
