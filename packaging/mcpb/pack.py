#!/usr/bin/env python3
"""make mcpb: the bundle that desktop clients install by a click: the manifest, the program and its licences in a zip."""
import glob
import json
import os
import sys
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
program, version, bundle = sys.argv[1:4]
with open(os.path.join(here, "manifest.json")) as f:
    manifest = {**json.load(f), "version": version}
with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("manifest.json", json.dumps(manifest, indent=2) + "\n")
    entry = zipfile.ZipInfo(manifest["server"]["entry_point"])
    entry.external_attr = 0o100755 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    with open(program, "rb") as f:
        z.writestr(entry, f.read())
    top = os.path.join(here, "../..")
    for name in ("LICENSE", "NOTICE"):
        z.write(os.path.join(top, name), name)
    # The model inside the program has a licence of its own, which goes with it.
    for licence in glob.glob(os.path.join(os.path.dirname(program), "model/node_modules/@energetic-ai/*/LICENSE")):
        z.write(licence, "LICENSE.model")
