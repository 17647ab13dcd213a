"""Pictures of panels, compared with those that were looked at and found good, in `tests/browser/baseline/`.

Two machines draw the same letters a little differently; so a picture is compared by the mean colour of its blocks, and
a few blocks may differ. What differs from run to run (`data-volatile`) is covered before the picture is taken. When
one is not as it was, the expected one, the new one and their difference are left in `build/pictures/`.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, Final

from lab_session import ROOT
from PIL import Image, ImageChops

BASELINE: Final = ROOT / "tests" / "browser" / "baseline"
LEFT: Final = ROOT / "build" / "pictures"
UPDATE: Final = "GRAPHLAB_UPDATE_PICTURES"

BLOCK: Final = 6
"""The side of a block, in pixels of a kept picture: a letter or two."""
STEP: Final = 26
"""By how much (of 255) a block's mean may change, in any colour."""
SHARE: Final = 0.012
"""Which part of the blocks may change by more than that."""
SLACK: Final = 0.03
"""By how much a picture may be longer or shorter: a line that is broken elsewhere."""
HEIGHT: Final = 780
"""Pictures end here, in pixels of the screen: what follows is more of the same. They are kept at half the size."""
COLOURS: Final = 48


def taken(page: Any, element: Any) -> Image.Image:
    """A picture of an element, without what varies."""
    covered = [element.locator("[data-volatile]")]
    data = element.screenshot(mask=covered, mask_color="#808080", animations="disabled", caret="hide", scale="css")
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return picture.crop((0, 0, picture.width, min(picture.height, HEIGHT))).reduce(2)


def changed(expected: Image.Image, actual: Image.Image) -> tuple[str | None, Image.Image]:
    """What is wrong with a picture (None: nothing), and where it differs.

    >>> white, black = Image.new("RGB", (60, 60), "white"), Image.new("RGB", (60, 60), "black")
    >>> changed(white, white)[0] is None, changed(white, black)[0]
    (True, '100 of 100 blocks differ')
    """
    for side, a, b in (("wide", expected.width, actual.width), ("high", expected.height, actual.height)):
        if abs(a - b) > max(8, SLACK * a):
            return f"{b} pixels {side}, not {a}", actual
    size = min(expected.width, actual.width), min(expected.height, actual.height)
    a, b = (picture.crop((0, 0, *size)) for picture in (expected, actual))
    blocks = max(1, size[0] // BLOCK), max(1, size[1] // BLOCK)
    difference = ImageChops.difference(*(picture.resize(blocks, Image.Resampling.BOX) for picture in (a, b)))
    values = difference.tobytes()
    many = sum(max(values[i : i + 3]) > STEP for i in range(0, len(values), 3))
    total = blocks[0] * blocks[1]
    wrong = f"{many} of {total} blocks differ" if many > SHARE * total else None
    return wrong, difference.resize(size, Image.Resampling.NEAREST)


def check(page: Any, element: Any, name: str) -> None:
    """Compares an element with the picture of that name, or keeps its picture when pictures are renewed.

    Raises:
        AssertionError: It does not look as it did; the message says where the pictures are.
    """
    actual = taken(page, element)
    path = BASELINE / f"{name}.png"
    if os.environ.get(UPDATE):
        if path.is_file() and changed(Image.open(path).convert("RGB"), actual)[0] is None:
            return  # as good as the same: no new file
        path.parent.mkdir(parents=True, exist_ok=True)
        actual.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        return
    assert path.is_file(), f"there is no picture {name}: look at it, then python tools/pictures.py --update"
    expected = Image.open(path).convert("RGB")
    wrong, difference = changed(expected, actual)
    if wrong:
        folder = LEFT / name
        folder.mkdir(parents=True, exist_ok=True)
        for kind, picture in (("expected", expected), ("actual", actual), ("difference", difference)):
            picture.save(folder / f"{kind}.png")
        raise AssertionError(f"{name}: {wrong}; see {folder.relative_to(ROOT)}, and tests/browser/pictures.py")


def names() -> set[str]:
    """The pictures there are."""
    return {path.relative_to(BASELINE).with_suffix("").as_posix() for path in sorted(Path(BASELINE).rglob("*.png"))}
