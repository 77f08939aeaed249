#!/usr/bin/env python3
"""The packages, made from a small stand-in for the program: their files, versions and modes, the launcher, server.json, the same bytes each time,
and what make release refuses. make release-test tries the real ones."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from quire import TOP, Folder, Tap  # noqa: E402

tap = Tap()
with open(os.path.join(TOP, "VERSION"), encoding="utf-8") as f:
    VERSION = f.read().strip()
PROGRAM = "#!/bin/sh\necho \"ran $QUIRE_NPM_PACKAGE $*\"\n"


def made(folder, name):
    out = os.path.join(folder.path, name)
    done = subprocess.run(["python3", TOP + "/packaging/release.py", out, f"amd64={folder.path}/program"], capture_output=True, text=True,
                          env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"})
    tap.same(done.returncode, 0, "the packages are made" + (done.stderr if done.returncode else ""))
    return out


def files(out):
    return {os.path.relpath(os.path.join(d, n), out): open(os.path.join(d, n), "rb").read() for d, _, names in os.walk(out) for n in names}


with Folder({"program": PROGRAM}) as f:
    os.chmod(f.path + "/program", 0o755)
    out = made(f, "one")
    tap.ok(files(out) == files(made(f, "two")), "the same sources give the same bytes")
    tap.same(sorted(files(out)), sorted(
        ["SHA256SUMS", "server.json", f"quire-{VERSION}.spdx.json", f"npm/quire-mcp-{VERSION}.tgz", f"npm/quire-mcp-linux-x64-{VERSION}.tgz", f"deb/quire_{VERSION}_amd64.deb",
         "deb/Packages", "deb/Packages.gz", "deb/Release", f"mcpb/quire-{VERSION}-linux-amd64.mcpb", f"oci/quire-{VERSION}.oci.tar", f"oci/quire-{VERSION}-full.oci.tar"]),
        "these are all files")
    packages = {}
    for path in glob.glob(out + "/npm/*.tgz"):
        with tarfile.open(path) as t:
            t.extractall(f.path + "/node_modules/" + os.path.basename(path).rpartition("-")[0])
    home = f.path + "/node_modules"
    for name in os.listdir(home):
        with open(f"{home}/{name}/package/package.json", encoding="utf-8") as j:
            packages[name] = json.load(j)
        os.rename(f"{home}/{name}", f"{home}/x-{name}")
        os.rename(f"{home}/x-{name}/package", f"{home}/{name}")
    main, platform = packages["quire-mcp"], packages["quire-mcp-linux-x64"]
    tap.ok(main["version"] == platform["version"] == VERSION and set(main["optionalDependencies"].values()) == {VERSION}, "npm's versions are that of VERSION", packages)
    tap.same((platform["os"], platform["cpu"], platform["libc"]), (["linux"], ["x64"], ["glibc"]), "a platform package names its platform")
    tap.ok(not any("scripts" in p for p in packages.values()), "no package runs a script when it is installed")
    os.mkdir(home + "/.bin")
    os.symlink("../quire-mcp/bin/quire", home + "/.bin/quire")
    for words in ([home + "/.bin/quire"], [home + "/quire-mcp/bin/quire"], ["sh", "-c", "PATH=$PATH:" + home + "/.bin; quire \"$@\"", "sh"]):
        done = subprocess.run([*words, "a b", "c"], capture_output=True, text=True)
        tap.same(done.stdout, "ran quire-mcp a b c\n", f"{os.path.relpath(words[0], f.path)} starts the program")
    shutil.rmtree(home + "/quire-mcp-linux-x64")
    done = subprocess.run([home + "/.bin/quire"], capture_output=True, text=True)
    tap.ok(done.returncode == 1 and done.stderr.startswith("quire: there is no program for this machine") and done.stderr.count("\n") == 1, "without one it says so", done)

    server = json.loads(files(out)["server.json"])
    tap.ok(server["name"] == main["mcpName"] and re.fullmatch(r"[\w.-]+/[\w.-]+", server["name"]) and len(server["description"]) <= 100 and server["version"] == VERSION,
           "server.json has the name that npm's package claims", server)
    for package in server["packages"]:
        tap.ok(package["registryType"] in ("npm", "mcpb", "oci") and package["transport"] == {"type": "stdio"} and VERSION in json.dumps(package) and "registryBaseUrl" not in package,
               f"server.json: {package['identifier']}", package)
    bundle = files(out)[f"mcpb/quire-{VERSION}-linux-amd64.mcpb"]
    import hashlib
    tap.ok(hashlib.sha256(bundle).hexdigest() in json.dumps(server), "server.json has the bundle's digest")
    with zipfile.ZipFile(f"{out}/mcpb/quire-{VERSION}-linux-amd64.mcpb") as z:
        manifest = json.loads(z.read("manifest.json"))
        tap.ok(manifest["version"] == VERSION and z.getinfo("server/quire").external_attr >> 16 == 0o100755, "the bundle's manifest and its program's mode", manifest)
    control = files(out)["deb/Packages"].decode()
    tap.ok(f"Version: {VERSION}\n" in control and "libc6 (>= 2.34)" in control and "libcairo2" in control and "libmicrohttpd12" in control, "the .deb names what it needs", control)
    contents = subprocess.run(["dpkg-deb", "-c", f"{out}/deb/quire_{VERSION}_amd64.deb"], capture_output=True, text=True).stdout
    for mode, name in (("-rwxr-xr-x root/root", "usr/bin/quire"), ("-rw-r--r-- root/root", "lib/systemd/system/quire.service"), ("-rw-r--r-- root/root", "usr/share/doc/quire/copyright")):
        tap.ok(re.search(re.escape(mode) + r".* \./" + re.escape(name) + "$", contents, re.M), f"the .deb has {name}", contents)
    with tarfile.open(f"{out}/npm/quire-mcp-linux-x64-{VERSION}.tgz") as t:
        texts = t.extractfile("package/LICENSES").read().decode(errors="replace")
    tap.same([n for n in ("expat", "SQLite", "libsodium", "PCRE2", "utf8proc", "zlib", "libyaml", "xxHash", "libgcc") if f"\n{n} (" not in texts], [],
             "the licence of each library that is linked in is there")
    document = json.loads(files(out)[f"quire-{VERSION}.spdx.json"])
    tap.ok(document["spdxVersion"] == "SPDX-2.3" and len(document["packages"]) > 8 and all(p["versionInfo"] for p in document["packages"]), "the SPDX document lists them with versions")

# What make release refuses.
with Folder({"VERSION": "1.2.3\n", "a": "x"}) as f:
    git = lambda *words: subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *words], cwd=f.path, check=True, capture_output=True, text=True).stdout
    check = lambda: subprocess.run(["sh", TOP + "/packaging/check.sh"], cwd=f.path, capture_output=True, text=True)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    tap.same(check().returncode, 0, "a clean tree without a tag may be released")
    f.write("a", "y")
    done = check()
    tap.ok(done.returncode == 1 and "not committed" in done.stderr and done.stderr.count("\n") == 1, "uncommitted changes are refused in one sentence", done)
    git("tag", "v1.2.3")
    git("commit", "-qam", "y")
    done = check()
    tap.ok(done.returncode == 1 and "v1.2.3" in done.stderr and done.stderr.count("\n") == 1, "so is a version whose tag is on another commit", done)
    git("tag", "-f", "v1.2.3")
    tap.same(check().returncode, 0, "a tag on this commit is fine")
tap.done()
