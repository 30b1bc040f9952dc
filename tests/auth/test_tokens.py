"""Secrets are random and stored hashed."""

import re

from app.auth.tokens import API_TOKEN_PREFIX, hash_token, new_token


def test_a_token_has_256_bits_and_fits_into_an_address():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_an_api_token_is_recognised_by_its_prefix():
    assert new_token(API_TOKEN_PREFIX).startswith("rr_")


def test_the_hash_does_not_contain_the_token():
    token = new_token()
    assert token not in hash_token(token)
    assert hash_token(token) == hash_token(token)
