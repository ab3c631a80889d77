"""Which file system holds a folder, by the list of mounts that Linux keeps."""

from __future__ import annotations

import re

NETWORK = frozenset(
    {
        "nfs", "nfs4", "cifs", "smb2", "smb3", "smbfs", "ncpfs", "afs", "openafs", "auristorfs", "coda",
        "9p", "ceph", "glusterfs", "lustre", "gpfs", "ocfs2", "gfs2", "orangefs", "pvfs2", "beegfs", "davfs",
    }
)  # fmt: skip
"""Types whose files other machines may hold open too."""
NETWORK_FUSE = frozenset(
    {
        "sshfs", "s3fs", "rclone", "davfs2", "davfs", "glusterfs", "cephfs", "ceph-fuse", "smbnetfs",
        "curlftpfs", "gcsfuse", "gvfsd-fuse", "juicefs", "mfs", "moosefs", "lizardfs", "seaweedfs",
        "google-drive-ocamlfuse", "blobfuse", "blobfuse2", "goofys", "onedriver",
    }
)  # fmt: skip
"""The same for what programs mount: the word behind `fuse.`."""

_OCTAL = re.compile(r"\\([0-7]{3})")


def file_system(folder: str, mountinfo: str) -> str | None:
    """The type of the file system at an absolute, resolved path, as `/proc/self/mountinfo` tells it.

    `None` where the text names no mount above the folder."""
    found: str | None = None
    longest = -1
    for line in mountinfo.splitlines():
        fields = line.split(" ")
        if "-" not in fields or len(fields) < 8:
            continue
        place = _OCTAL.sub(lambda octal: chr(int(octal[1], 8)), fields[4])
        kind = fields[fields.index("-", 6) + 1] if "-" in fields[6:] else ""
        inside = place in ("/", folder) or folder.startswith(f"{place}/")
        # The last of several mounts at one place hides those before it.
        if inside and kind and len(place) >= longest:
            found, longest = kind, len(place)
    return found


def is_network(kind: str) -> bool:
    """Whether a type of file system is a network's."""
    family, _, program = kind.partition(".")
    return kind in NETWORK or (family in ("fuse", "fuseblk") and program in NETWORK_FUSE)


def warning(kind: str) -> str:
    """What a person is to know of a vault on such a disk."""
    return (
        f"the vault lies on a network disk ({kind}): its index is kept in safe mode, which is slower;"
        " write from one machine at a time"
    )
