#!/usr/bin/env python3
"""make release-test: tries the packages in build/dist/ for this processor, as TAP. npm's are installed offline and started by npx; the .deb is
unpacked, and checked by lintian if that is here; the bundle is read strictly and its manifest's command is run; both images are unpacked and run
as nobody with a read-only root (needs root). Each must answer a call, and those with drawing libraries draw.

usage: release_test.py DIST"""
import glob
import hashlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../test/support"))
from quire import Folder, Tap, TOP  # noqa: E402

DIST = os.path.abspath(sys.argv[1])
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
HELLO = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
         {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
CALL = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "file_list", "arguments": {}}}
tap = Tap()


def one(pattern):
    found = glob.glob(os.path.join(DIST, pattern))
    return found[0] if len(found) == 1 else sys.exit(f"release_test: {pattern} should be one file, and there are {len(found)}; make release writes them")


def answers(argv, **more):
    """The answers of a server to a handshake, a list and a call, by id."""
    done = subprocess.run(argv, input="".join(json.dumps(m) + "\n" for m in [*HELLO, CALL]), capture_output=True, text=True, timeout=120, **more)
    return {m.get("id"): m for m in map(json.loads, done.stdout.splitlines())}, done.stderr


def serves(claim, argv, **more):
    got, said = answers(argv, **more)
    tap.ok("lighthouse.hnpx" in json.dumps(got.get(3, {})), f"{claim} serves documents", (got.get(3), said))


def first_list(argv):
    """Seconds from exec to the first tools/list."""
    start = time.perf_counter()
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        p.stdin.write("".join(json.dumps(m) + "\n" for m in HELLO).encode())
        p.stdin.flush()
        while b'"id":2' not in p.stdout.readline().replace(b" ", b""):
            pass
        took = time.perf_counter() - start
        p.stdin.close()
    return took


def npm(examples):
    with Folder({"package.json": "{}"}) as f:
        done = subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", one(f"npm/*-linux-{'x64' if ARCH == 'amd64' else 'arm64'}-*.tgz"),
                               next(p for p in glob.glob(DIST + "/npm/*.tgz") if "-linux-" not in p)], cwd=f.path, capture_output=True, text=True)
        tap.same(done.returncode, 0, "npm installs it offline")
        name = json.loads(subprocess.run(["npm", "ls", "--json"], cwd=f.path, capture_output=True, text=True).stdout)["dependencies"]
        name = next(n for n in name if "-linux-" not in n)
        serves("npx", ["npx", "--offline", name, "serve", "--root", examples], cwd=f.path)
        launcher, bare = f"{f.path}/node_modules/.bin/{name.rpartition('/')[2]}", glob.glob(f.path + "/node_modules/*-linux-*/bin/quire")[0]
        pairs = [(first_list([launcher, "serve", "--root", examples]), first_list([bare, "serve", "--root", examples])) for _ in range(15)]
        print(f"# the launcher takes {statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs):.2f} times the program (at most 3)")
        config = subprocess.run([launcher, "config", "cursor", "--root", examples], capture_output=True, text=True).stdout
        tap.same(json.loads(config or "{}").get("mcpServers", {}).get("quire", {}).get("args", [])[:2], ["-y", name], "and quire config prints the npx line")
        real = os.path.realpath(launcher)
        os.symlink(real, f.path + "/elsewhere")
        tap.ok(subprocess.run([f.path + "/elsewhere", "version"], capture_output=True).returncode == 0, "a link to the launcher works, as npm install -g makes one")
        shutil.rmtree(os.path.dirname(os.path.dirname(bare)))
        done = subprocess.run([launcher, "version"], capture_output=True, text=True)
        tap.ok(done.returncode == 1 and done.stderr.count("\n") == 1 and "glibc" in done.stderr, "without a program for the machine it says one sentence", done)


def deb(examples):
    package = one(f"deb/quire_*_{ARCH}.deb")
    with Folder() as f:
        subprocess.run(["dpkg-deb", "-x", package, f.path], check=True)
        serves("the .deb's program", [f.path + "/usr/bin/quire", "serve", "--root", examples])
        unit = f.read("lib/systemd/system/quire.service").decode()
        tap.ok("ExecStart=/usr/bin/quire " in unit and "User=quire" in unit, "its unit starts /usr/bin/quire as its user", unit)
        for name in ("share/man/man1/quire.1.gz", "share/bash-completion/completions/quire", "share/doc/quire/copyright"):
            tap.ok(os.path.exists(f"{f.path}/usr/{name}"), f"it has usr/{name}")
    if shutil.which("lintian"):
        done = subprocess.run(["lintian", "--fail-on", "error,warning", package], capture_output=True, text=True)
        tap.same(done.returncode, 0, "lintian has nothing to say" + (": " + done.stdout if done.returncode else ""))
    else:
        tap.skip("lintian", "it is not here")
    sums = open(DIST + "/deb/Release", encoding="utf-8").read()
    for name in ("Packages", "Packages.gz"):
        tap.ok(hashlib.sha256(open(f"{DIST}/deb/{name}", "rb").read()).hexdigest() in sums, f"Release has the digest of {name}")


def mcpb(examples):
    with Folder() as f, zipfile.ZipFile(one(f"mcpb/quire-*-linux-{ARCH}.mcpb")) as z:
        tap.same(z.testzip(), None, "the bundle is a sound archive")
        for entry in z.infolist():
            z.extract(entry, f.path)
            os.chmod(os.path.join(f.path, entry.filename), entry.external_attr >> 16)
        run = json.loads(f.read("manifest.json"))["server"]["mcp_config"]
        words = [w.replace("${__dirname}", f.path).replace("${user_config.root}", examples) for w in [run["command"], *run["args"]]]
        serves("the bundle", words)


def oci(examples):
    for tag in ("", "-full"):
        with Folder() as f, tarfile.open(one(f"oci/quire-*[0-9]{tag}.oci.tar")) as image:
            blob = lambda d: json.load(image.extractfile("blobs/sha256/" + d.split(":")[1]))
            index = blob(json.load(image.extractfile("index.json"))["manifests"][0]["digest"])
            manifest = blob(next(m for m in index["manifests"] if m["platform"]["architecture"] == ARCH)["digest"])
            config = blob(manifest["config"]["digest"])
            tap.same(config["config"]["User"], "65534:65534", f"image{tag}: it runs as nobody")
            layer = manifest["layers"][0]
            data = image.extractfile("blobs/sha256/" + layer["digest"].split(":")[1]).read()
            tap.ok(hashlib.sha256(data).hexdigest() == layer["digest"][7:] and len(data) == layer["size"], f"image{tag}: the layer has its digest")
            print(f"# image{tag}: {len(data) / 1e6:.1f} MB")
            f.write("layer.tgz", data)
            os.mkdir(f.path + "/root")
            with tarfile.open(f.path + "/layer.tgz") as t:
                t.extractall(f.path + "/root")
            if os.geteuid() != 0:
                tap.skip(f"image{tag} serves documents", "only root can enter it")
                continue
            os.chmod(f.path, 0o755)
            inside = ["unshare", "--mount", "sh", "-ec", 'mount --make-rprivate /; mount --bind "$1" "$1"; mount --bind "$2" "$1/documents"; mount -t tmpfs -o mode=1777 t "$1/state"; '
                      'mount -t tmpfs -o mode=1777 t "$1/tmp"; mount -o remount,bind,ro "$1"; root=$1; shift 2; exec chroot --userspec=65534:65534 "$root" "$@"', "sh", f.path + "/root", examples]
            env = {"STATE_DIRECTORY": "/state", "HOME": "/tmp", "PATH": os.environ["PATH"]}
            serves(f"image{tag}, as nobody in a read-only root,", [*inside, *config["config"]["Entrypoint"], *config["config"]["Cmd"]], env=env)
            if tag:
                done = subprocess.run([*inside, "/usr/bin/quire", "call", "floorplan", "render_floorplan", "--file-path", "flat.floorplan", "--root", "/documents"],
                                      capture_output=True, env=env)
                tap.ok(b"\x89PNG" in done.stdout, f"image{tag} draws a plan", done.stderr)


for line in open(DIST + "/SHA256SUMS", encoding="utf-8"):
    digest, name = line.split()
    tap.same(hashlib.sha256(open(os.path.join(DIST, name), "rb").read()).hexdigest(), digest, f"SHA256SUMS: {name}")
with Folder() as copy:
    shutil.copytree(os.path.join(TOP, "examples"), copy.path + "/examples")
    subprocess.run(["chmod", "-R", "a+rwX", copy.path], check=True)
    for part in (npm, deb, mcpb, oci):
        part(copy.path + "/examples")
tap.done()
