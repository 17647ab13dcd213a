"""The module that the oracle's programs run under, as `tf`.

It is graphlab, unless the environment variable GRAPHLAB_ORACLE_MODULE names another: `record.py` sets it to
`tensorflow` to ask for the right answers, and the tests of this folder run against TensorFlow itself in the same way
(which tests the tests).
"""

import importlib
import os

NAME = os.environ.get("GRAPHLAB_ORACLE_MODULE", "graphlab")

if NAME == "tensorflow":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

tf = importlib.import_module(NAME)
