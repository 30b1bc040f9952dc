"""What the kernels work on."""

import numpy as np

from app.rendering.canvas import kernel


def test_a_kernel_computes_what_its_function_says():
    @kernel
    def add_up(values):
        total = 0.0
        for value in values:
            total += value
        return total

    values = np.array([0.1, 0.2, 0.3])
    assert add_up(values) == 0.1 + 0.2 + 0.3  # in this order: no fast maths
