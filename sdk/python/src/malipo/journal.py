"""Stores identifiers before anything is sent, so that an interrupted process can ask for their outcome."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import threading
from datetime import datetime, timezone
from typing import IO, Awaitable, Dict, Iterable, List, Optional, Protocol, Sequence, Tuple

from ._struct import Struct
from .errors import misuse


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class JournalEntry(Struct):
    """A request that was sent, or was about to be. It contains no personal data."""

    #: deposit, payout, refund, remittance, splitPayment or checkout.
    kind: str
    id: str
    #: When it was stored.
    at: datetime = dataclasses.field(default_factory=lambda: datetime.now(timezone.utc))
    #: The request's own, if it has one.
    client_reference_id: Optional[str] = None


class Journal(Protocol):
    """``remember`` must have stored the entries durably when it returns: only then is anything sent."""

    def remember(self, entries: Sequence[JournalEntry]) -> None: ...

    def settle(self, entries: Sequence[JournalEntry]) -> None:
        """The outcome of these requests is known."""

    def unsettled(self) -> Sequence[JournalEntry]:
        """What was remembered and never settled, oldest first."""
        ...


class AsyncJournal(Protocol):
    """The same for an asynchronous client, which takes a Journal too and calls it in a thread."""

    def remember(self, entries: Sequence[JournalEntry]) -> Awaitable[None]: ...

    def settle(self, entries: Sequence[JournalEntry]) -> Awaitable[None]: ...

    def unsettled(self) -> Awaitable[Sequence[JournalEntry]]: ...


Key = Tuple[str, str]


def key_of(entry: JournalEntry) -> Key:
    """Identifies an entry."""
    return entry.kind, entry.id.lower()


class MemoryJournal:
    """Keeps identifiers as long as the process lives. It is the journal of a client that is given none."""

    def __init__(self) -> None:
        self._entries: Dict[Key, JournalEntry] = {}
        self._lock = threading.Lock()

    def remember(self, entries: Sequence[JournalEntry]) -> None:
        with self._lock:
            self._entries.update({key_of(entry): entry for entry in entries})

    def settle(self, entries: Sequence[JournalEntry]) -> None:
        with self._lock:
            for entry in entries:
                self._entries.pop(key_of(entry), None)

    def unsettled(self) -> Sequence[JournalEntry]:
        with self._lock:
            return list(self._entries.values())


class FileJournal:
    """Stores identifiers in a file, one per line, on disk before anything is sent.

    After a crash ``unsettled`` lists the requests whose outcome is not known. One process uses a file at a time; give
    each worker process of a web server a file of its own, or keep identifiers in your database.
    """

    def __init__(self, path: "os.PathLike[str] | str") -> None:
        self._path = os.fspath(path)
        self._lock_file = _lock(self._path + ".lock")
        self._memory = MemoryJournal()
        self._lock = threading.Lock()
        for act, entry in _read_lines(self._path):
            (self._memory.remember if act == "remember" else self._memory.settle)([entry])
        self._file = self._start_file()

    def remember(self, entries: Sequence[JournalEntry]) -> None:
        with self._lock:
            # In this order: what cannot be stored is not sent either.
            _append(self._file, "remember", entries)
            self._memory.remember(entries)

    def settle(self, entries: Sequence[JournalEntry]) -> None:
        with self._lock:
            _append(self._file, "settle", entries)
            self._memory.settle(entries)

    def unsettled(self) -> Sequence[JournalEntry]:
        return self._memory.unsettled()

    def close(self) -> None:
        with self._lock:
            self._file.close()
            self._lock_file.close()

    def _start_file(self) -> IO[bytes]:
        """Settled entries are left out of the new file, which replaces the old one atomically."""
        new = self._path + ".new"
        file = open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
        _append(file, "remember", self._memory.unsettled())
        os.replace(new, self._path)
        folder = os.open(os.path.dirname(os.path.abspath(self._path)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        return file


def _lock(path: str) -> IO[bytes]:
    file = open(path, "ab")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise misuse("Another process uses this journal.", "Give each process a file of its own.") from None
    return file


def _append(file: IO[bytes], act: str, entries: Iterable[JournalEntry]) -> None:
    # Each line starts with its own line break, so that a line cut by a full disk does not damage the next.
    text = "".join("\n" + json.dumps({"act": act, "entry": entry.to_json()}) for entry in entries)
    file.write(text.encode())
    file.flush()
    os.fsync(file.fileno())


def _read_lines(path: str) -> List[Tuple[str, JournalEntry]]:
    """A crash can leave an incomplete last line. Nothing was sent for it: a line is on disk before sending."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except FileNotFoundError:
        return []
    return [read for read in map(_read_line, lines) if read is not None]


def _read_line(line: str) -> Optional[Tuple[str, JournalEntry]]:
    try:
        read = json.loads(line)
        return read["act"], JournalEntry.from_json(read["entry"])
    except (ValueError, KeyError, TypeError):
        return None
