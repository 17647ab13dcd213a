"""Writes graphlab/ops/data/joe_kuo_6_21201.bin from the table that S. Joe and F. Y. Kuo publish.

    python tools/sobol_numbers.py new-joe-kuo-6.21201

The table is at https://web.maths.unsw.edu.au/~fkuo/sobol/. A line has a dimension, the degree s of its polynomial, the
polynomial's inner coefficients as one number, and s odd numbers of which the j-th is below 2 ** j. The file keeps the
bits that say something: for each degree in turn, as many rows as `graphlab.ops.sobol.ROWS` says, each of s - 1
coefficients and of the numbers' bits above the last.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from graphlab.ops.sobol import DATA, ROWS, row_widths


def packed(text: str) -> bytes:
    """The table's bits.  ValueError if it is another table."""
    rows: dict[int, list[list[bool]]] = {degree: [] for degree in range(1, len(ROWS) + 1)}
    for at, line in enumerate(text.splitlines()[1:]):
        dimension, degree, coefficients, *numbers = map(int, line.split())
        if dimension != at + 2 or len(numbers) != degree or rows.get(degree + 1):
            raise ValueError(f"The line of dimension {dimension} is not where or what it should be.")
        values = [coefficients, *(number >> 1 for number in numbers[1:])]
        widths = row_widths(degree)
        rows[degree].append(
            [bool(value >> bit & 1) for value, w in zip(values, widths, strict=True) for bit in range(w)]
        )
    if tuple(len(rows[degree]) for degree in rows) != ROWS:
        raise ValueError("The table has another number of rows of a degree.")
    bits = np.array([bit for degree in rows for row in rows[degree] for bit in row], np.uint8)
    return np.packbits(bits, bitorder="little").tobytes()


if __name__ == "__main__":
    (Path(__file__).resolve().parent.parent / "graphlab/ops" / DATA).write_bytes(packed(Path(sys.argv[1]).read_text()))
