"""Compare the pictures of the panel with those in tests/browser/baseline, or renew them after a change of its looks.

    python tools/pictures.py            compare; what differs is left in build/pictures
    python tools/pictures.py --update   keep new pictures of what looks different, and of what is new

Look at every picture that was renewed before it is committed.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Run the tests that take the pictures."""
    update = sys.argv[1:] == ["--update"]
    environment = os.environ | ({"GRAPHLAB_UPDATE_PICTURES": "1"} if update else {})
    command = [sys.executable, "-m", "pytest", "-q", "tests/browser/test_pictures.py"]
    ended = subprocess.run(command, check=False, cwd=ROOT, env=environment)
    if update:
        subprocess.run(["git", "status", "--short", "tests/browser/baseline"], check=False, cwd=ROOT)
    raise SystemExit(ended.returncode)


if __name__ == "__main__":
    main()
