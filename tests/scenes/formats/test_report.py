import json

from app.scenes.formats.report import ImportReport, Note, NoteKind, Notes


def test_the_same_sentence_twice_is_one_note_that_counts():
    notes = Notes()
    notes.inferred("Headings computed.")
    notes.inferred("Headings computed.", 2)
    assert notes.listed() == (Note(NoteKind.inferred, "Headings computed.", 3),)


def test_nothing_is_noted_about_nothing():
    notes = Notes()
    notes.dropped("Rows without a place.", 0)
    assert notes.listed() == ()


def test_notes_are_listed_by_what_happened():
    notes = Notes()
    notes.assumed("d")
    notes.defaulted("c")
    notes.inferred("b")
    notes.dropped("a")
    notes.doubtful("0")
    assert [note.sentence for note in notes.listed()] == ["0", "a", "b", "c", "d"]


def test_a_report_is_plain_json():
    note = Note(NoteKind.assumed, "Metres.")
    report = ImportReport("csv", ("a.csv",), 1, 10, 0, 0.0, 0.9, 0.1, {"car": 1}, (note,))
    told = json.loads(json.dumps(report.to_json()))
    assert told["notes"] == [{"kind": "assumed", "sentence": "Metres.", "n": 1}]
    assert told["files"] == ["a.csv"]
