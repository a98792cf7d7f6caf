# SPDX-License-Identifier: BSD-2-Clause
"""Writer of the archive format that the kernel unpacks as initramfs ("newc", Documentation/driver-api/early-userspace)."""
import stat


class Archive:
    """Files are added by absolute path; parents are made as needed; every owner is root."""

    def __init__(self, stream):
        self.stream = stream
        self.number = 0
        self.folders = {"/"}

    def entry(self, path, mode, content=b""):
        name = path.lstrip("/").encode() + b"\0"
        self.number += 1
        fields = (self.number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
        self.stream.write(head + b"\0" * (-len(head) % 4))
        self.stream.write(content + b"\0" * (-len(content) % 4))

    def folder(self, path, mode=0o755):
        if path in self.folders:
            return
        self.folders.add(path)
        self.folder(path.rsplit("/", 1)[0] or "/")
        self.entry(path, stat.S_IFDIR | mode)

    def file(self, path, content, mode=0o644):
        self.folder(path.rsplit("/", 1)[0] or "/")
        self.entry(path, stat.S_IFREG | mode, content)

    def link(self, path, target):
        self.folder(path.rsplit("/", 1)[0] or "/")
        self.entry(path, stat.S_IFLNK | 0o777, target.encode())

    def close(self):
        self.number = -1
        self.entry("TRAILER!!!", 0)
