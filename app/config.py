"""Every setting, typed, with a sentence each; read from ROADRATER_* variables."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """What differs between a laptop, a test and a server."""

    model_config = SettingsConfigDict(env_prefix="ROADRATER_", frozen=True)

    data_dir: Path = Field(
        default=Path("data"),
        description="Folder of the embedded database and of the clips; made at the first start.",
    )
    database_url: str = Field(
        default="",
        description="SQLAlchemy address of the database, for example "
        "postgresql+psycopg://user:password@host/name; empty: a SQLite file in the data folder.",
    )
    base_url: str = Field(
        default="http://127.0.0.1:8000",
        description="Address under which participants reach the server; links begin with it.",
    )
    max_body_bytes: int = Field(
        default=1_000_000, description="Largest request body that is read; a larger one gets a 413."
    )
    max_upload_bytes: int = Field(
        default=512_000_000,
        description="Largest upload of scene files or films; only who may upload may send it.",
    )
    reading_limit_s: float = Field(
        default=120.0, description="How long the reading of an uploaded file may take."
    )
    readings_at_once: int = Field(
        default=2, description="How many uploads are read at the same time; others wait."
    )
    session_hours: float = Field(
        default=12.0, description="How long a researcher stays signed in without signing in again."
    )
    sign_in_link_minutes: float = Field(
        default=60.0, description="How long a one-time sign-in link can be used."
    )
    secure_cookies: bool = Field(
        default=False, description="Send cookies over HTTPS only; set it wherever there is TLS."
    )
    live_interval_s: float = Field(
        default=0.3, description="How often a watched study is looked at for something new."
    )
    worker_concurrency: int = Field(
        default=2, description="How many clips one worker films at the same time."
    )
    worker_lost_s: float = Field(
        default=10.0, description="After this silence a worker counts as lost; peers take its jobs."
    )
    worker_stop_s: float = Field(
        default=20.0,
        description="How long a worker that is told to stop goes on with the clips in work; "
        "what is not done by then is handed back.",
    )

    @property
    def database(self) -> str:
        """The database's address, with the embedded default filled in."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'roadrater.db').absolute()}"

    @property
    def files_dir(self) -> Path:
        """Where clips and scenes are kept."""
        return self.data_dir / "files"
