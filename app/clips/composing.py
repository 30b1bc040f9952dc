"""Pages are put together from rows, and numbers into words; templates only place them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.auth.models import User
from app.clips.access import may_upload
from app.clips.drawing import draw_plan
from app.clips.forms import ROLES
from app.clips.models import Upload, UploadedScene
from app.clips.pages import (
    Choice,
    CutView,
    FootagePage,
    NoteGroup,
    RoleChoice,
    SceneLine,
    SceneView,
    SuggestionLine,
    UploadLine,
    UploadListPage,
    UploadPage,
    UploadView,
)
from app.clips.plan import Plan, plan_from_json
from app.clips.queries import count_scenes, get_footage, list_scenes, list_uploads
from app.clips.uploads import SHORT_HASH, plan_key, short_hash, still_key
from app.config import Settings
from app.errors import NotFound
from app.scenes.scene import SceneKind
from app.storage import Storage

FORMAT_NAMES = {
    "canonical": "Roadrater scene (JSON)",
    "canonical-csv": "Roadrater scene (CSV)",
    "csv": "Plain table (CSV)",
    "interaction": "INTERACTION",
    "levelx": "inD, rounD, exiD or uniD",
    "highd": "highD",
    "commonroad": "CommonRoad",
    "sumo-fcd": "SUMO floating car data",
}
NOTE_GROUPS = {
    "doubtful": ("Doubtful", "The files contradict themselves; please look at them again."),
    "dropped": ("Left out", "In the files, but not in the scene."),
    "inferred": ("Computed", "Not in the files, but follows from what is."),
    "defaulted": ("Filled in", "The files do not say; a usual value was taken."),
    "assumed": ("Assumed", "The files can be read in more than one way."),
}
ROLE_WORDS = {
    "T": "Target: whom the ego deals with",
    "V1": "First other",
    "V2": "Second other",
    "V3": "Third other",
    "V4": "Fourth other",
}
MOST_OF_A_FILM_BYTES = 200_000_000  # as app.rendering reads them, which takes long to load
KIND_WORDS = {kind: kind.value.replace("_", " ") for kind in SceneKind}


SAID = ("name", "format", "licence", "origin", "case_id", "columns")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A form that was refused: what was in it, and why."""

    fields: Mapping[str, str]
    problem: str


def compose_upload_list(
    db: Session, user: User, settings: Settings, refused: Attempt | None = None
) -> UploadListPage:
    """The list, the newest first."""
    said = {name: refused.fields.get(name, "") if refused else "" for name in SAID}
    uploads = list_uploads(db, user)
    n_scenes = count_scenes(db, uploads)
    return UploadListPage(
        uploads=[_upload_line(upload, n_scenes.get(upload.id, 0)) for upload in uploads],
        formats=[Choice(f, words, f == said["format"]) for f, words in FORMAT_NAMES.items()],
        problem=refused.problem if refused else "",
        said=said,
        may_upload=may_upload(user),
        most=size(settings.max_upload_bytes),
        most_of_a_film=size(MOST_OF_A_FILM_BYTES),
        max_bytes=settings.max_upload_bytes,
        signed_in_as=user.email,
    )


def compose_upload_page(
    db: Session,
    store: Storage,
    upload: Upload,
    user: User,
    shown: str,
    refused: Attempt | None = None,
) -> UploadPage | FootagePage:
    """One upload with the scene that is named by the start of its hash, or the newest."""
    if upload.footage_id is not None:
        return _footage_page(db, upload, user)
    scenes = list_scenes(db, upload)
    scene = next((s for s in scenes if shown in ("", short_hash(s.scene))), None)
    if scene is None:
        raise NotFound("There is no such scene in this upload.")
    plan = plan_from_json(json.loads(store.get(plan_key(upload.key))))
    choices = scene.choices
    window_s = (choices["start_s"], choices["end_s"])
    return UploadPage(
        upload=_upload_view(upload, scene.report),
        scene=_scene_view(upload, scene),
        drawing=draw_plan(plan, choices["ego_id"], choices["roles"], window_s),
        suggestions=[_suggestion_line(one, choices) for one in upload.suggestions],
        cut=_cut_view(plan, refused or _attempt(choices), short_hash(scene.scene)),
        scenes=[_scene_line(upload, one, one is scene) for one in scenes],
        signed_in_as=user.email,
    )


def _footage_page(db: Session, upload: Upload, user: User) -> FootagePage:
    footage = get_footage(db, upload)
    return FootagePage(
        upload=_upload_view(upload, upload.report),
        film_url=f"/admin/uploads/{upload.key}/film",
        snippet=f'scene: {{uploaded: "{footage.content_hash[:SHORT_HASH]}"}}',
        signed_in_as=user.email,
    )


def size(n_bytes: int) -> str:
    """A size as people say it."""
    for unit, unit_bytes in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if n_bytes >= unit_bytes:
            return f"{n_bytes / unit_bytes:.3g} {unit}"
    return f"{n_bytes} bytes"


def seconds(value: float) -> str:
    """A time with as many decimals as a field of a form can take."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def day(moment: datetime) -> str:
    """When, to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def counted(n: int, one: str, many: str) -> str:
    """A number and its noun, as one says it."""
    return f"{n:,} {one if n == 1 else many}"


def _upload_line(upload: Upload, n_scenes: int) -> UploadLine:
    report = upload.report
    length = ("Length", f"{report['duration_s']:.1f} s")
    if upload.footage_id is None:
        figures = [("Road users", f"{report['n_tracks']:,}"), length, ("Scenes", f"{n_scenes}")]
    else:
        figures = [("Picture", f"{report['width_px']} × {report['height_px']}"), length]
    return UploadLine(
        address=f"/admin/uploads/{upload.key}",
        name=upload.name,
        format=_format_name(upload),
        files=", ".join(file["name"] for file in upload.files),
        figures=figures,
        owner=upload.owner.email,
        created=day(upload.created_at),
    )


def _format_name(upload: Upload) -> str:
    if upload.footage_id is not None:
        return "Film"
    return FORMAT_NAMES.get(upload.format, upload.format)


def _upload_view(upload: Upload, report: Mapping[str, Any]) -> UploadView:
    return UploadView(
        address=f"/admin/uploads/{upload.key}",
        name=upload.name,
        format=_format_name(upload),
        files=[(file["name"], size(file["size_bytes"])) for file in upload.files],
        facts=_facts(upload.report) if upload.footage_id is None else _film_facts(report),
        note_groups=_note_groups(report.get("notes", ())),
        created=day(upload.created_at),
    )


def _facts(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    kinds = ", ".join(f"{n:,} {kind}" for kind, n in report["kinds"].items())
    lanes = f"{report['n_lanes']:,} lanes" if report["n_lanes"] else "none in the files"
    return [
        ("Road users", f"{report['n_tracks']:,} ({kinds})"),
        ("Samples", f"{report['n_samples']:,}, one every {report['step_s']:g} s"),
        ("Time", f"{report['duration_s']:.1f} s, from {seconds(report['start_s'])} s"),
        ("Road map", lanes),
    ]


def _film_facts(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    sound = "Has sound, which raters will not hear" if report["has_sound"] else "None"
    return [
        ("Picture", f"{report['width_px']} × {report['height_px']} pixels"),
        ("Length", f"{report['duration_s']:.2f} s"),
        ("Pictures", f"{report['n_frames']:,}, {report['frames_per_s']:.4g} per second"),
        ("Codec", report["codec"]),
        ("Sound", sound),
    ]


def _note_groups(notes: Sequence[Mapping[str, Any]]) -> list[NoteGroup]:
    groups = []
    for kind, (title, meaning) in NOTE_GROUPS.items():
        sentences = [_note(note) for note in notes if note["kind"] == kind]
        if sentences:
            groups.append(NoteGroup(title, meaning, sentences))
    return groups


def _note(note: Mapping[str, Any]) -> str:
    times = f" ({note['n']:,} times)" if note["n"] > 1 else ""
    return f"{note['sentence']}{times}"


def _scene_view(upload: Upload, scene: UploadedScene) -> SceneView:
    still_url = f"/admin/{still_key(upload.key, scene.scene.content_hash)}"
    return SceneView(
        name=scene.scene.name,
        words=_words(scene),
        still_url="" if scene.still_problem else still_url,
        still_problem=scene.still_problem,
    )


def _words(scene: UploadedScene) -> str:
    choices = scene.choices
    window = f"{seconds(choices['start_s'])} to {seconds(choices['end_s'])} s"
    n_users = counted(scene.scene.n_tracks, "road user", "road users")
    return f"Ego {choices['ego_id']} · {window} · {n_users}"


def _scene_line(upload: Upload, scene: UploadedScene, is_shown: bool) -> SceneLine:
    name = short_hash(scene.scene)
    return SceneLine(
        address=f"/admin/uploads/{upload.key}?scene={name}",
        name=scene.scene.name,
        words=_words(scene),
        snippet=f'scene: {{uploaded: "{name}"}}',
        json_url=f"/api/v1/scenes/{name}.json.gz",
        csv_url=f"/api/v1/scenes/{name}.csv",
        is_shown=is_shown,
    )


def _suggestion_line(one: Mapping[str, Any], chosen: Mapping[str, Any]) -> SuggestionLine:
    asked = (one["ego_id"], one["start_s"], one["end_s"])
    start_s, duration_s = seconds(one["start_s"]), seconds(one["end_s"] - one["start_s"])
    return SuggestionLine(
        ego_id=one["ego_id"],
        start_s=start_s,
        duration_s=duration_s,
        words=f"{duration_s} s from {start_s} s",
        reason=one["reason"],
        is_chosen=asked == (chosen["ego_id"], chosen["start_s"], chosen["end_s"]),
    )


def _attempt(choices: Mapping[str, Any]) -> Attempt:
    """The form as the shown scene would fill it; roles are left to be suggested."""
    fields = {
        "name": choices["name"],
        "kind": choices["kind"],
        "ego": choices["ego_id"] or "",
        "start_s": seconds(choices["start_s"]),
        "duration_s": seconds(choices["end_s"] - choices["start_s"]),
    }
    return Attempt(fields, problem="")


def _cut_view(plan: Plan, attempt: Attempt, shown: str) -> CutView:
    ids = sorted((_id_order(track.id), track) for track in plan.tracks)
    words = {
        track.id: f"{track.id} · {track.kind} · "
        f"{seconds(track.points[0][0])}–{seconds(track.points[-1][0])} s"
        for _, track in ids
    }

    def pick(chosen: str | None) -> list[Choice]:
        return [Choice(one, text, one == chosen) for one, text in words.items()]

    fields = attempt.fields
    return CutView(
        problem=attempt.problem,
        shown=shown,
        name=fields.get("name", ""),
        start_s=fields.get("start_s", ""),
        duration_s=fields.get("duration_s", ""),
        egos=pick(fields.get("ego")),
        roles=[RoleChoice(r, ROLE_WORDS[r], pick(fields.get(r))) for r in ROLES],
        kinds=[Choice(k.value, KIND_WORDS[k], k.value == fields.get("kind")) for k in SceneKind],
    )


def _id_order(track_id: str) -> tuple[int, int, str]:
    """Numbers by their value, before names by their letters."""
    is_number = track_id.isascii() and track_id.isdigit() and len(track_id) < 19
    return (0, int(track_id), "") if is_number else (1, 0, track_id)
