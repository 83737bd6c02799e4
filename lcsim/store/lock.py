"""One process at a time plays into a folder; the second is told who holds it."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from lcsim.errors import RunDirError
from lcsim.store.files import explain_disk_errors

LOCK_FILE = "run.lock"


@contextlib.contextmanager
def hold_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's lock while the body runs.

    The lock is the system's (flock), so it ends with the process that held it, however that died:
    a lock file left behind is taken over. The file says who holds it.

    Raises:
        RunDirError: another process holds it; the message gives its number and its machine.
        StoreError: the lock file cannot be written.
    """
    path = folder / LOCK_FILE
    with explain_disk_errors("lock", folder):
        handle = _acquire(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def _acquire(path: Path) -> int:
    import fcntl

    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 200, 0).decode(errors="replace").strip()
            os.close(handle)
            raise RunDirError(
                f"{path.parent} is in use by {holder or 'another process'}",
                hint="wait for it to end, or stop it; then give the command again",
            ) from None
        except OSError:
            os.close(handle)
            raise
        if _is_same_file(handle, path):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
            return handle
        os.close(handle)  # its holder removed it between our open and our lock


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
