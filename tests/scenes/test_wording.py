from app.scenes.wording import quoted, seconds


def test_few_names_are_all_told_and_long_ones_are_cut():
    assert quoted(["a", "b" * 50], most=2) == f"'a', '{'b' * 40}'"


def test_of_many_names_it_is_told_how_many_more_there_are():
    assert quoted([str(i) for i in range(2002)], most=2) == "'0', '1' and 2,000 more"


def test_a_time_that_counts_from_1970_is_told_in_full():
    assert seconds(1.6e9 + 1.9) == "1600000001.9 s"
