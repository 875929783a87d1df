"""Every block of Python in the README runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

import httpx
import pytest

from malipo import new_id
from malipo.testing import FakeGateway

from .test_vectors import VECTORS

README = (Path(__file__).parent / "../README.md").read_text()
BLOCKS: List[Tuple[str, str]] = re.findall(r"^```python ?(\S*)\n(.*?)^```$", README, flags=re.M | re.S)


def test_the_shop_of_the_readme_is_paid_by_a_verified_callback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = FakeGateway()
    transport = httpx.MockTransport(gateway._handle)
    client = httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **options: client(transport=transport, **options))
    monkeypatch.setenv("MALIPO_URL", gateway.base_url)
    monkeypatch.setenv("MALIPO_TOKEN", "test")
    merchant_id = new_id()
    monkeypatch.setenv("MALIPO_MERCHANT_ID", merchant_id)
    [text] = [text for name, text in BLOCKS if name == "shop.py"]
    shop: Dict[str, Any] = {"__name__": "shop"}
    exec(compile(text, "shop.py", "exec"), shop)
    browser = shop["app"].test_client()

    paid = browser.post("/pay").get_json()
    assert paid["outcome"] == "accepted" and shop["orders"] == {paid["id"]: "waiting"}
    gateway.complete(paid["id"])
    received = gateway.callback(paid["id"], "http://localhost/callbacks", merchant_id)
    forged = browser.post("/callbacks", data=b"{}", headers=dict(received.headers))
    assert forged.status_code == 401 and shop["orders"] == {paid["id"]: "waiting"}
    answered = browser.post("/callbacks", data=received.body, headers=dict(received.headers))
    assert answered.status_code == 200 and shop["orders"] == {paid["id"]: "paid"}
    assert capsys.readouterr().out == "paid: 100 RWF\n"


def test_the_other_blocks_run_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gateway = FakeGateway()
    names: Dict[str, Any] = {
        "malipo": gateway.client(),
        "async_malipo": gateway.async_client(),
        "handle": lambda callback: None,
        "journal_path": tmp_path / "journal",
        "base_url": gateway.base_url,
        "token": "test",
        "private_key_pem": VECTORS["requests"][0]["privateKey"],
    }
    blocks = [text for name, text in BLOCKS if name == ""]
    assert len(blocks) > 6
    for text in blocks:
        # Nothing ends a payment here, so waiting takes as long as it says.
        exec(compile(text.replace("timeout=60", "timeout=0.1"), "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "the gateway has it FINAL_STATUS" in printed and "not known yet" in printed
    assert "1 STATUS\n" in printed
    names["journal"].close()
