# SPDX-License-Identifier: BSD-2-Clause
"""Files of packages of npm that only tests look at: never in the repository, and not needed by it."""
import functools
import shutil
import subprocess
import tarfile

from program import WORK, Skip


@functools.lru_cache(None)
def archive(package):
    if not shutil.which("npm"):
        raise Skip(f"no package {package}: there is no npm here")
    place = WORK / "npm" / package.replace("/", "-")
    place.mkdir(parents=True, exist_ok=True)
    if not list(place.glob("*.tgz")):
        try:
            done = subprocess.run(["npm", "pack", "--silent", package], cwd=place, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, check=False, timeout=120)
        except subprocess.TimeoutExpired:
            raise Skip(f"no package {package}: npm does not answer") from None
        if done.returncode:
            raise Skip(f"no package {package}: npm has none")
    return next(place.glob("*.tgz"))


def file_of(package, path):
    with tarfile.open(archive(package)) as tar:
        return tar.extractfile(path).read()
