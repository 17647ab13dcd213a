"""Asks TensorFlow for the right answers: writes `recorded/`.

Run with the Python of an environment that has TensorFlow, from the root of the checkout:

    python -m tests.oracle.record [programs|ops|graphdefs|reprs] [name ...]
"""

import os
import sys

if __name__ == "__main__":
    os.environ["GRAPHLAB_ORACLE_MODULE"] = "tensorflow"
    from tests.oracle.recording import main

    main(sys.argv[1:])
