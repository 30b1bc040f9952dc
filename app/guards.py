"""What every request and response passes: limits, checks, headers, and an answer when we fail."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web import error_answer

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    # Not "no-referrer": that turns the Origin header of our own forms into "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

OUR_FAULT = (
    "Something went wrong on our side; your earlier answers are saved. "
    "Please load the page again in a moment."
)


class BodyTooLarge(Exception):
    """The request's body passed the limit while it was being read."""


class BodyLimit:
    """Answers 413 to a body over the limit, whether announced or only sent.

    A few doors take larger bodies, from those whom they let in: `larger` maps a path to its
    limit. Whoever is answered before the whole body came is not listened to any longer.
    """

    def __init__(
        self, app: ASGIApp, max_bytes: int, larger: Mapping[str, int] | None = None
    ) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.larger = larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what arrives; stop reading at the limit."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        max_bytes = self.larger.get(scope["path"], self.max_bytes)
        headers = Headers(scope=scope)
        announced = headers.get("content-length", "0")
        if not announced.isdigit() or int(announced) > max_bytes:
            await self._refuse(scope, receive, send, max_bytes)
            return
        # Without a body nothing is missing, and the next request may come the same way.
        whole = int(announced) == 0 and "transfer-encoding" not in headers
        read, answered = 0, False

        async def counted() -> Message:
            nonlocal read, whole
            message = await receive()
            read += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if read > max_bytes:
                raise BodyTooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal answered
            if read > max_bytes and not answered:
                raise BodyTooLarge  # whatever else the reader made of its broken body
            if message["type"] == "http.response.start" and not whole:
                MutableHeaders(scope=message)["connection"] = "close"
            answered = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except BodyTooLarge:
            if answered:
                raise
            await self._refuse(scope, receive, send, max_bytes)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, max_bytes: int) -> None:
        sentence = f"The request is larger than the {max_bytes:,} bytes that are accepted."
        close = {"connection": "close"}
        answer = error_answer(Request(scope), 413, "Too large", sentence, close)
        await answer(scope, receive, send)


class CrossSiteCheck:
    """Refuses forms that another site's page sent in a signed-in person's name.

    Browsers say where a request comes from (Sec-Fetch-Site, Origin); a client that
    says neither is no browser and carries nobody's cookies by accident.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let safe methods and our own pages pass."""
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            headers = Headers(scope=scope)
            if not came_from_us(headers):
                sentence = "This form was sent by another site, so nothing was changed."
                answer = error_answer(Request(scope), 403, "Not allowed", sentence)
                await answer(scope, receive, send)
                return
        await self.app(scope, receive, send)


def came_from_us(headers: Headers) -> bool:
    """Whether the browser says that one of our own pages sent this."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in {"same-origin", "none"}
    return origin is None or urlsplit(origin).netloc == headers.get("host")


class FailureAnswer:
    """Answers kindly when we fail; the error goes on to the server, which logs its traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for whoever did not, unless an answer is already on its way."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answered = False

        async def noted(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception:
            if not answered:
                answer = error_answer(Request(scope), 500, "Something went wrong", OUR_FAULT)
                await answer(scope, receive, send)
            raise


class SecurityHeaders:
    """Adds the security headers, and no-store unless the answer says how long it may be kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Complete the headers when the answer starts."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("cache-control", "no-store")
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, completed)
