"""How researchers film a scene today: matplotlib's FuncAnimation, in its two usual forms."""

from __future__ import annotations

import time
from collections.abc import Callable

import av
import matplotlib as mpl
import numpy as np
from matplotlib.animation import AbstractMovieWriter, FuncAnimation
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from app.rendering.encoder import encode
from app.rendering.style import FilmStyle
from app.scenes.geometry import box_corners_m
from app.scenes.resampling import TrackStates, sample_track
from app.scenes.road_map import Marking
from app.scenes.scene import Scene

DOTS_PER_INCH = 100


def clear_and_redraw_s(scene: Scene, style: FilmStyle, n_frames: int) -> float:
    """Seconds per picture if every picture starts from empty axes."""
    moves = _moves(scene, style, n_frames)

    def draw(axes: Axes, k: int) -> None:
        axes.clear()
        _draw_road(axes, scene)
        for index in range(len(moves)):
            _add_vehicle(axes, scene, moves, index, k)
        _look_at_ego(axes, scene, style, moves, k)

    return _seconds_per_picture(style, n_frames, draw)


def updated_artists_s(scene: Scene, style: FilmStyle, n_frames: int) -> float:
    """Seconds per picture if the road is drawn once and vehicles are moved."""
    moves = _moves(scene, style, n_frames)
    patches: list[Polygon] = []

    def draw(axes: Axes, k: int) -> None:
        if not patches:
            _draw_road(axes, scene)
            patches.extend(_add_vehicle(axes, scene, moves, i, k) for i in range(len(moves)))
        for index, patch in enumerate(patches):
            patch.set_xy(_corners_m(scene, moves, index, k))
        _look_at_ego(axes, scene, style, moves, k)

    return _seconds_per_picture(style, n_frames, draw)


class _Writer(AbstractMovieWriter):
    """Pictures as they come, for the same encoder that our films go through."""

    def setup(self, fig: Figure, outfile: str, dpi: float | None = None) -> None:
        super().setup(fig, outfile, dpi=dpi)
        self.pictures: list[av.VideoFrame] = []

    def grab_frame(self, **savefig_kwargs: object) -> None:
        self.fig.canvas.draw()
        picture = np.asarray(self.fig.canvas.buffer_rgba())
        frame = av.VideoFrame.from_ndarray(picture, format="rgba")
        self.pictures.append(frame.reformat(format="yuv420p", dst_colorspace="ITU709"))

    def finish(self) -> None:
        width_px, height_px = self.fig.canvas.get_width_height()
        encode(self.pictures, width_px, height_px, self.fps)


def _seconds_per_picture(
    style: FilmStyle, n_frames: int, draw: Callable[[Axes, int], None]
) -> float:
    size = style.width_px / DOTS_PER_INCH, style.height_px / DOTS_PER_INCH
    with mpl.rc_context({"path.simplify": True}):
        figure = Figure(figsize=size, dpi=DOTS_PER_INCH)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        start_s = time.perf_counter()
        film = FuncAnimation(
            figure, lambda k: draw(axes, k), frames=n_frames, init_func=lambda: None
        )
        film.save("unused.mp4", writer=_Writer(fps=style.fps), dpi=DOTS_PER_INCH)
        return (time.perf_counter() - start_s) / n_frames


def _moves(scene: Scene, style: FilmStyle, n_frames: int) -> list[TrackStates]:
    times_s = np.arange(n_frames) / style.fps
    return [sample_track(track, times_s) for track in scene.tracks]


def _draw_road(axes: Axes, scene: Scene) -> None:
    for lane in scene.road_map.lanes:
        axes.fill(*lane.polygon_m.T, color="#868C93", linewidth=0)
    for line in scene.road_map.boundaries:
        dashes = (0, (8, 16)) if line.marking is Marking.dashed else "solid"
        axes.plot(*line.points_m.T, color="white", linewidth=1.2, linestyle=dashes)


def _corners_m(scene: Scene, moves: list[TrackStates], index: int, k: int) -> np.ndarray:
    track, at = scene.tracks[index], moves[index]
    return box_corners_m(at.x_m[k], at.y_m[k], at.heading_rad[k], track.length_m, track.width_m)


def _add_vehicle(axes: Axes, scene: Scene, moves: list[TrackStates], index: int, k: int) -> Polygon:
    is_ego = scene.tracks[index].id == scene.ego_id
    colour = "#D55E00" if is_ego else "#0072B2"
    patch = Polygon(_corners_m(scene, moves, index, k), facecolor=colour, edgecolor="black")
    axes.add_patch(patch)
    return patch


def _look_at_ego(
    axes: Axes, scene: Scene, style: FilmStyle, moves: list[TrackStates], k: int
) -> None:
    index = [track.id for track in scene.tracks].index(str(scene.ego_id))
    half_x_m = style.width_m / 2
    half_y_m = half_x_m * style.height_px / style.width_px
    x_m, y_m = moves[index].x_m[k], moves[index].y_m[k]
    axes.set_xlim(x_m - half_x_m, x_m + half_x_m)
    axes.set_ylim(y_m - half_y_m, y_m + half_y_m)
    axes.set_facecolor("#D6DECA")
    axes.set_axis_off()
