"""A researcher is told what is wrong, on which line and in which field."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.studies.demo_study import demo_yaml
from app.studies.document import Order
from app.studies.yaml_reader import (
    Problem,
    StudyFormatError,
    decode_text,
    parse_study,
    read_study,
)

STUDY = """\
slug: my-study
title: Mine
order: fixed
video:
  duration_s: 5
clips:
  - name: one
    condition: calm
    scene:
      simulate: highway
      model: attentive
      seed: 1
  - name: two
    scene: {file: scenes/two.json, start_s: 2}
"""


def problems(text):
    with pytest.raises(StudyFormatError) as caught:
        read_study(text)
    return [str(problem) for problem in caught.value.problems]


def found_in(content):
    try:
        read_study(decode_text(content))
    except StudyFormatError as error:
        return error.problems
    return ()


def test_a_correct_document_is_read():
    document = read_study(STUDY)
    assert (document.slug, document.order, document.video.duration_s) == (
        "my-study",
        Order.fixed,
        5.0,
    )
    assert [clip.name for clip in document.clips] == ["one", "two"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("seed: 1", "seed: one", "line 12, clips[0].scene.seed: Input should be a valid integer"),
        ("seed: 1", "seed: '1'", "line 12, clips[0].scene.seed: Input should be a valid integer"),
        ("seed: 1", "seed: true", "line 12, clips[0].scene.seed: Input should be a valid integer"),
        (
            "seed: 1",
            "seed: -1",
            "line 12, clips[0].scene.seed: Input should be greater than or equal to 0",
        ),
        ("      seed: 1\n", "", "line 9, clips[0].scene.seed: the field is missing"),
        (
            "simulate: highway",
            "simulat: highway",
            "line 9, clips[0].scene: "
            "Input should have one of 'simulate' (a scenario), 'file' (a path)",
        ),
        (
            "seed: 1",
            "seed: 1\n      file: x",
            "line 13, clips[0].scene.file: there is no such field",
        ),
        (
            "start_s: 2",
            "start_s: .inf",
            "line 14, clips[1].scene.start_s: Input should be a finite number",
        ),
        ("start_s: 2", "seed: 2", "line 14, clips[1].scene.seed: there is no such field"),
        ("title: Mine\n", "", "line 1, title: the field is missing"),
        ("  - name: two\n    scene", "  - scene", "line 13, clips[1].name: the field is missing"),
        ("title:", "titel:", "line 2, titel: there is no such field; did you mean 'title'?"),
        ("slug: my-study", "slug: My Study", "line 1, slug: Input should be lower-case letters"),
        ("title: Mine", "title: 7", "line 2, title: Input should be a text; put it in quotes"),
        ("title: Mine", "title:", "line 2, title: nothing stands here"),
        ("title: Mine", "title: ' '", "line 2, title: String should have at least 1 character"),
        (
            "title: Mine",
            'title: "a\\0b"',
            "line 2, title: String should not contain the control character U+0000",
        ),
        ("fixed", "other", "line 3, order: Input should be 'fixed' or 'random'"),
        (
            "duration_s: 5",
            "ego_colour: #D55E00",
            "line 5, video.ego_colour: nothing stands here; a text that begins with # needs quotes",
        ),
        (
            "duration_s: 5",
            "ego_colour: red",
            "line 5, video.ego_colour: Input should be a colour such as '#D55E00'",
        ),
        (
            "duration_s: 5",
            "duration_s: 500",
            "line 5, video.duration_s: Input should be less than or equal to 60",
        ),
        ("name: two", "name: one", "line 13, clips[1].name: Two clips are called 'one'"),
        (
            "order: fixed",
            "scale: [a]",
            "line 3, scale: the list is too short; it needs at least 2",
        ),
        ("order: fixed", "scale: [a,\n b, a]", "line 4, scale[2]: Two options are called 'a'"),
        ("order: fixed", "scale: yes", "line 3, scale: Input should be a list"),
        (
            "order: fixed",
            "texts: Hello",
            "line 3, texts: Input should be fields of its own, indented below",
        ),
        (
            "order: fixed",
            "texts:\n  heading: Video {nr}",
            "line 4, texts.heading: Only {number} can stand in braces",
        ),
        ("order: fixed", "roadrater: 2", "line 3, roadrater: Input should be 1"),
    ],
)
def test_a_mistake_is_told_alone_with_its_line_and_field(old, new, problem):
    assert old in STUDY
    found = problems(STUDY.replace(old, new, 1))
    if old == "title:":  # the misspelt field is missing under its right name, too
        assert found.pop(0) == "line 1, title: the field is missing"
    (told,) = found
    assert told.startswith(problem)


def test_all_mistakes_are_told_at_once():
    wrong = (
        STUDY.replace("fixed", "other").replace("seed: 1", "seed: x").replace("slug: ", "slug: _")
    )
    assert [problem.split(":")[0] for problem in problems(wrong)] == [
        "line 1, slug",
        "line 3, order",
        "line 12, clips[0].scene.seed",
    ]


@pytest.mark.parametrize("text", ["just words", "[1, 2]", "12"])
def test_what_is_no_list_of_fields_is_refused(text):
    assert problems(f"\n{text}") == [
        "line 2: a study document consists of fields such as 'slug: my-study'"
    ]


def test_a_field_can_be_found_wrong_later_by_its_line():
    source = parse_study(STUDY)
    problem = source.problem(("clips", 0, "scene", "model"), "nobody knows it")
    assert problem == Problem(11, "clips[0].scene.model", "nobody knows it")


@given(st.text())
@example("a: !!binary x")
@example("? ")
@example("<<: {a: 1}")
@example("a: &a [*a]")
@example("\x85")
@example("--- ---")
@example('"\\ud800": 1')
def test_an_arbitrary_text_is_refused_with_a_sentence(text):
    with pytest.raises(StudyFormatError) as caught:
        read_study(text)
    assert all(str(problem).startswith("line ") for problem in caught.value.problems)


@given(st.data())
def test_a_damaged_document_is_read_or_refused_with_a_sentence(data):
    start = data.draw(st.integers(0, len(STUDY)))
    end = data.draw(st.integers(start, len(STUDY)))
    damage = data.draw(st.text(max_size=5) | st.text("[]{}:-?&*!|>'\"%@`#, \n\t", max_size=5))
    text = STUDY[:start] + damage + STUDY[end:]
    n_lines = len(text.splitlines()) + 1
    assert all(1 <= problem.line <= n_lines for problem in found_in(text.encode(errors="replace")))


@given(st.binary())
def test_arbitrary_bytes_are_text_or_refused_with_a_sentence(content):
    assert all(problem.message for problem in found_in(content))


def test_bytes_that_are_not_utf_8_are_refused_with_their_line():
    with pytest.raises(StudyFormatError, match="line 2: the file is not UTF-8 text"):
        decode_text(b"a: 1\nb: \xff\n")


def test_a_byte_order_mark_is_not_part_of_the_text():
    assert read_study(decode_text(b"\xef\xbb\xbf" + STUDY.encode())) == read_study(STUDY)


def test_a_large_study_is_read_fast():
    text = demo_yaml(5_000)
    began = time.perf_counter()
    assert len(read_study(text).clips) == 5_000
    assert time.perf_counter() - began < 10.0


def test_a_document_with_mistakes_everywhere_is_refused_fast():
    text = "".join(f"field{number}: 1\n" for number in range(20_000))
    began = time.perf_counter()
    assert len(problems(text)) == 20_003
    assert time.perf_counter() - began < 10.0
