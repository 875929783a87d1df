"""Answers that come too late must not take connections away: no later request would get one."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator, Tuple

import anyio
import httpx
import pytest

from malipo import AsyncMalipo, Malipo, MalipoError

from .both import both

#: More than httpx has connections at a time, unless it is told.
MANY = 150


@contextmanager
def silent_gateway() -> Iterator[Tuple[str, threading.Event]]:
    """Its address, and what makes it answer the requests that come from then on."""
    is_awake = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if not is_awake.is_set():
                is_awake.wait()
                self.close_connection = True
                return
            body = b'{"status":"NOT_FOUND"}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = MANY

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", is_awake
        is_awake.set()
        server.shutdown()


@both
def test_a_late_answer_takes_no_connection_away(is_async: bool) -> None:
    limits = httpx.Limits(max_connections=1)

    async def read_async(url: str, is_awake: threading.Event) -> object:
        async with httpx.AsyncClient(limits=limits) as one:
            hasty = AsyncMalipo(base_url=url, token="test", http_client=one, timeout=0.2, retry_for=0)
            for _ in range(2):
                with pytest.raises(MalipoError, match="did not answer"):
                    await hasty.payouts.get("x")
            is_awake.set()
            return await AsyncMalipo(base_url=url, token="test", http_client=one, retry_for=0).payouts.get("x")

    def read(url: str, is_awake: threading.Event) -> object:
        with httpx.Client(limits=limits) as one:
            hasty = Malipo(base_url=url, token="test", http_client=one, timeout=0.2, retry_for=0)
            for _ in range(2):
                with pytest.raises(MalipoError, match="did not answer"):
                    hasty.payouts.get("x")
            is_awake.set()
            return Malipo(base_url=url, token="test", http_client=one, retry_for=0).payouts.get("x")

    with silent_gateway() as (url, is_awake):
        assert (anyio.run(read_async, url, is_awake) if is_async else read(url, is_awake)) is None


def test_many_late_answers_at_a_time_take_no_connections_away() -> None:
    async def read(url: str, is_awake: threading.Event) -> object:
        async with AsyncMalipo(base_url=url, token="test", timeout=2, retry_for=0) as hasty:

            async def ask() -> None:
                with pytest.raises(MalipoError):
                    await hasty.payouts.get("x")

            async with anyio.create_task_group() as group:
                for _ in range(MANY):
                    group.start_soon(ask)
            is_awake.set()
            client = AsyncMalipo(base_url=url, token="test", http_client=hasty._client, retry_for=0)
            return await client.payouts.get("x")

    with silent_gateway() as (url, is_awake):
        assert anyio.run(read, url, is_awake) is None
