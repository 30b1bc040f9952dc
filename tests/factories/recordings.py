"""Files as researchers send them, written by hand or made here."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient
from httpx import Response

FILES = Path(__file__).parents[1] / "files"
SUMO = ("sumo/street.fcd.xml", "sumo/street.net.xml", "sumo/street.rou.xml")
INTERACTION = ("interaction/vehicle_tracks_000.csv", "lanelet2/two_lanes.osm")


def long_recording(n_cars: int = 3, duration_s: float = 30.0) -> bytes:
    """A plain table of cars that follow each other at 10 m/s, 15 m apart."""
    lines = ["id,t,x,y,length,width"]
    for car in range(n_cars):
        for step in range(round(duration_s * 10) + 1):
            lines.append(f"{car + 1},{step / 10},{step - 15 * car},{car / 10},4.5,1.8")
    return "\n".join(lines).encode() + b"\n"


def sample(*names: str) -> list[tuple[str, tuple[str, bytes]]]:
    """Files of tests/files, as a form sends them."""
    return [("files", (Path(name).name, (FILES / name).read_bytes())) for name in names]


def table(content: bytes, name: str = "cars.csv") -> list[tuple[str, tuple[str, bytes]]]:
    """One file, as a form sends it."""
    return [("files", (name, content))]


def upload_recording(client: TestClient, **fields: str) -> str:
    """The address of a new upload of the long recording, by who is signed in."""
    answer: Response = client.post("/admin/uploads", files=table(long_recording()), data=fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]
