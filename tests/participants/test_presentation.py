from app.participants.models import Assignment
from app.participants.presentation import not_open_page, rate_clip_page, start_page
from app.participants.progress import RateClip
from app.studies.models import StudyClip, StudyState
from tests.factories.platform import make_clip, make_document


def page_at(db, position, n_clips, **changes):
    clip = StudyClip(clip=make_clip(db), name="secret-name", condition="secret-condition")
    assignment = Assignment(id=7, position=position, study_clip=clip)
    return rate_clip_page(make_document(3, **changes), RateClip(assignment, n_clips), "/here", "")


def test_the_first_clip_of_36_is_section_2_of_37(database):
    with database.write.begin() as db:
        page = page_at(db, 1, 36)
    assert (page.heading, page.progress) == ("Video 1", "Section 2 of 37")
    assert (page.section, page.sections) == (2, 37)


def test_choices_are_numbered_from_one_in_the_order_of_the_scale(database):
    with database.write.begin() as db:
        page = page_at(db, 1, 3)
    assert [choice.value for choice in page.choices] == [1, 2, 3, 4, 5]
    assert page.choices[0].label == "Very unrealistic"
    assert page.choices[4].label == "Very realistic"


def test_the_words_are_the_studys_own(database):
    texts = {"heading": "Clip no. {number}", "progress": "{section}/{sections}"}
    with database.write.begin() as db:
        page = page_at(db, 2, 3, texts=texts)
    assert (page.heading, page.progress) == ("Clip no. 2", "3/4")


def test_a_page_tells_nothing_about_the_clips_name_or_condition(database):
    with database.write.begin() as db:
        assert "secret" not in repr(page_at(db, 1, 3))


def test_the_start_page_states_duration_and_number_of_clips():
    page = start_page(make_document(36), "/go")
    assert (page.minutes, page.n_clips) == (15, 36)


def test_every_start_page_has_a_key_of_its_own():
    keys = {start_page(make_document(), "/go").key for _ in range(5)}
    assert len(keys) == 5


def test_a_draft_is_not_yet_open_and_a_closed_study_no_more():
    draft = not_open_page(make_document(), StudyState.draft)
    closed = not_open_page(make_document(), StudyState.closed)
    assert "not open yet" in draft.heading
    assert "closed" in closed.heading
