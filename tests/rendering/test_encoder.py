"""Pictures in, a file out."""

import io
import threading

import av
import numpy as np

from app.rendering.encoder import encode

WIDTH_PX, HEIGHT_PX = 128, 96


def pictures(n, levels=None):
    """One picture painted over again and again, as a film does it."""
    frame = av.VideoFrame(WIDTH_PX, HEIGHT_PX, "yuv420p")
    planes = [np.frombuffer(memoryview(frame.planes[i]), np.uint8) for i in range(3)]
    for k in range(n):
        planes[0][:] = levels[k] if levels else 40 + k
        planes[1][:] = planes[2][:] = 128
        yield frame


def decoded_levels(data):
    with av.open(io.BytesIO(data)) as container:
        return [frame.to_ndarray()[:HEIGHT_PX].mean() for frame in container.decode(video=0)]


def test_a_picture_may_be_painted_over_when_the_next_is_asked_for():
    levels = [40 + 11 * (k * 7 % 16) for k in range(40)]
    data = encode(pictures(40, levels), WIDTH_PX, HEIGHT_PX, 30)
    np.testing.assert_allclose(decoded_levels(data), levels, atol=2)


def test_one_picture_is_a_film():
    assert len(decoded_levels(encode(pictures(1), WIDTH_PX, HEIGHT_PX, 30))) == 1


def test_threads_do_not_disturb_each_other():
    alone = encode(pictures(30), WIDTH_PX, HEIGHT_PX, 30)
    made: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: made.append(encode(pictures(30), WIDTH_PX, HEIGHT_PX, 30)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [alone] * 4
