"""What a person reads in a terminal is what was stored."""

from app.cli.study_tables import print_study, print_study_list
from app.clips.models import ClipState
from app.dashboard.answers import Sittings, StudyAnswer, StudyClipAnswer, StudySummary
from app.studies.models import StudyState
from tests.factories.platform import NOW


def make_clip_answer(**changes):
    fields = {
        "position": 1,
        "name": "calm",
        "condition": "c",
        "state": ClipState.ready,
        "frames_done": 1,
        "frames_total": 1,
        "reason": "",
        "url": "/clips/x.mp4",
        "counts": [0, 2],
        "n_ratings": 2,
        "mean": 2.0,
    }
    return StudyClipAnswer.model_validate(fields | changes)


def make_answer(*clips):
    return StudyAnswer(
        slug="mine",
        title="A [red]title[/red]",
        state=StudyState.open,
        version=2,
        document_hash="0" * 64,
        created_at=NOW,
        opened_at=NOW,
        closed_at=None,
        scale=["no", "yes"],
        sittings=Sittings(started=3, in_progress=1, finished=2, declined=0),
        n_ratings=1234,
        clips=list(clips),
    )


def test_a_study_is_told_in_three_lines_and_a_table(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    print_study(make_answer(make_clip_answer()), "https://rate.example.org/study/mine")
    title, address, state, *table = capsys.readouterr().out.splitlines()
    assert title == "A [red]title[/red]"
    assert address == "https://rate.example.org/study/mine"
    assert state == ("open, version 2; 1 of 1 clips ready; 3 started, 2 finished, 1,234 ratings")
    assert ["1", "calm", "c", "ready", "2", "2.00"] in [line.split() for line in table]


def test_a_failed_clip_tells_why(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    clip = make_clip_answer(state=ClipState.failed, reason="no ego", n_ratings=0, mean=None)
    print_study(make_answer(clip), "x")
    out = capsys.readouterr().out
    assert "0 of 1 clips ready" in out
    assert "failed: no ego" in out


def test_a_long_address_is_not_broken(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    address = "https://rate.example.org/study/" + "x" * 60
    print_study(make_answer(), address)
    assert address in capsys.readouterr().out.splitlines()


def test_a_list_has_a_line_for_each_study(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    summary = StudySummary(
        slug="mine",
        title="Mine",
        state=StudyState.draft,
        created_at=NOW,
        n_clips=36,
        n_ready=4,
        n_finished=0,
        n_ratings=0,
    )
    print_study_list([summary])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["mine", "Mine", "draft", "4", "of", "36", "0", "0"] in lines


def test_an_empty_list_says_how_to_begin(capsys):
    print_study_list([])
    assert "roadrater study create FILE" in capsys.readouterr().out
