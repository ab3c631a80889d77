"""The disk of a folder is told by the system's list of mounts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.mounts import file_system, is_network, warning

MOUNTS = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/root rw
31 27 0:40 / /home rw,relatime shared:12 master:3 - nfs4 server:/export/home rw,vers=4.2
32 31 0:41 / /home/mira/local rw - ext4 /dev/sdb1 rw
33 27 0:42 / /mnt/my\\040disk rw - cifs //server/share rw
34 27 0:43 / /mnt/far rw - fuse.sshfs mira@host: rw
35 27 0:44 / /mnt/over rw - ext4 /dev/sdc1 rw
36 35 0:45 / /mnt/over rw - 9p host rw
37 27 0:46 / /mnt/usb rw - fuseblk /dev/sdd1 rw
"""


@pytest.mark.parametrize(
    ("folder", "kind", "network"),
    [
        ("/", "ext4", False),
        ("/srv/memory", "ext4", False),
        ("/home/mira/memory/.vmem/local", "nfs4", True),
        ("/homework", "ext4", False),
        ("/home", "nfs4", True),
        ("/home/mira/local/memory", "ext4", False),
        ("/mnt/my disk/memory", "cifs", True),
        ("/mnt/far/memory", "fuse.sshfs", True),
        ("/mnt/over/x", "9p", True),
        ("/mnt/usb/x", "fuseblk", False),
        ("/proc/1", "proc", False),
    ],
)
def test_the_innermost_mount_holds_the_folder(folder: str, kind: str, network: bool) -> None:
    assert file_system(folder, MOUNTS) == kind
    assert is_network(kind) is network


@pytest.mark.parametrize("kind", ["nfs", "smb3", "afs", "fuse.rclone", "ceph", "fuse.gvfsd-fuse"])
def test_a_disk_that_others_write_too_is_a_networks(kind: str) -> None:
    assert is_network(kind)
    assert kind in warning(kind)


@pytest.mark.parametrize(
    "kind", ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "apfs", "fuse.gocryptfs", "fuse"]
)
def test_a_disk_of_this_machine_is_none(kind: str) -> None:
    assert not is_network(kind)


@given(st.text())
def test_any_text_is_read_without_a_fault(text: str) -> None:
    assert file_system("/home", text) is None or text


def test_where_nothing_is_told_nothing_is_known() -> None:
    assert file_system("/home", "") is None
