"""After the warm-up, filming compiles and loads nothing more."""

import subprocess
import sys

# In a process of its own: in this one, other tests have filmed before.
FIRST_CLIP = """
from numba.core.dispatcher import Dispatcher
from app.clips.warming import warm_up
from app.rendering.film import film
from app.rendering.style import FilmStyle, View
from app.simulation.scenarios import simulate

compiled = []
load_or_compile = Dispatcher.compile
def noting(self, signature):
    compiled.append(self.__name__)
    return load_or_compile(self, signature)
Dispatcher.compile = noting

warm_up()
assert compiled, "nothing was compiled or loaded: this test looks at the wrong place"
compiled.clear()
scene = simulate("highway", "aggressive", seed=2, duration_s=2.0)
for view in View:
    film(scene, FilmStyle(width_px=320, height_px=180, fps=10, duration_s=1.0, view=view))
print(compiled)
"""


def test_no_kernel_is_compiled_or_loaded_after_the_warm_up():
    result = subprocess.run(
        [sys.executable, "-c", FIRST_CLIP], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
