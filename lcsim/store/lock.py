"""One process at a time plays into a folder; the second is told who holds it."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from lcsim.errors import RunDirError
from lcsim.store.files import explain_disk_errors, is_temporary, remove_temporary_files

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


@contextlib.contextmanager
def claim_folder(folder: Path, marker: str, what: str) -> Iterator[None]:
    """Hold a folder of ours, made where it is missing, while the body runs.

    One that has something in it must have the file `marker`, by which it is known to be `what`.
    What a killed process left half written of that file is removed.

    Raises:
        RunDirError: the folder holds something else, or another process holds it.
        StoreError: it cannot be created or written.
    """
    if folder.exists() and not folder.is_dir():
        raise RunDirError(f"{folder} is a file", hint="choose another folder with --out")
    _refuse_foreign(folder, marker, what)
    with explain_disk_errors("create", folder):
        folder.mkdir(parents=True, exist_ok=True)
    with hold_lock(folder):
        remove_temporary_files(folder, marker)
        yield


def _refuse_foreign(folder: Path, marker: str, what: str) -> None:
    if not folder.is_dir() or (folder / marker).exists():
        return
    with explain_disk_errors("read", folder):
        children = sorted(folder.iterdir())
    others = [
        child.name
        for child in children
        if child.name != LOCK_FILE and not is_temporary(child, marker)
    ]
    if others:
        shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
        raise RunDirError(
            f"{folder} holds something else than {what} of lcsim: {shown}",
            hint="choose a new folder with --out; nothing was touched",
        )


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
