"""The public namespace: names are found when they are used, and importing graphlab loads next to nothing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import graphlab as tf
from graphlab import _index, core
from graphlab.core import export

ROOT = Path(__file__).resolve().parent.parent


def modules_after(program: str) -> set[str]:
    """The modules that a fresh Python has loaded after ``program`` and had not before."""
    code = (
        f"import sys, json; before = set(sys.modules)\n{program}\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(run.stdout))


def test_importing_graphlab_loads_only_numpy_and_core_modules():
    loaded = modules_after("import graphlab")
    virtual = {f"graphlab.{name}" for name, real in _index.NAMESPACES.items() if not real}
    own = {name for name in loaded if name.partition(".")[0] == "graphlab"} - virtual - {"graphlab", "graphlab._index"}
    foreign = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"graphlab", "numpy"}
    assert foreign == set()
    assert {name.rpartition(".")[0] for name in own} <= {"graphlab", core.__name__}
    assert len(own) <= 10


def test_an_operation_loads_its_family_and_no_optional_package():
    loaded = modules_after("import graphlab as tf\nassert int(tf.add(1, 2)) == 3")
    assert "graphlab.ops.math" in loaded
    assert {"graphlab.ops.linalg", "graphlab.ops.strings", "graphlab.inspect", "graphlab.jupyter"}.isdisjoint(loaded)
    for package in ("IPython", "ipywidgets", "graphviz", "pygments", "ml_dtypes", "keras", "jax", "google"):
        assert package not in loaded


@pytest.mark.parametrize("name", sorted(_index.PUBLIC))
def test_every_public_name_leads_to_an_object(name):
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    assert found is export.resolve(name)


@pytest.mark.parametrize("module", sorted(set(_index.OPS.values())))
def test_the_records_of_ops_are_where_the_index_says(module):
    __import__(module)
    defined = {value.type for value in vars(sys.modules[module]).values() if type(value).__name__ == "Op"}
    assert {op for op, place in _index.OPS.items() if place == module} <= defined


def test_namespaces_can_be_imported():
    code = (
        "import graphlab.math\n"
        "import graphlab.dtypes.experimental as low\n"
        "from graphlab.math import add\n"
        "from graphlab.nest import flatten\n"
        "assert graphlab.math.add is add is graphlab.add\n"
        "assert low.int4.name == 'int4' and flatten([1]) == [1]"
    )
    assert "graphlab.ops.math" in modules_after(code)


def test_dir_lists_what_can_be_had():
    assert {"add", "float32", "nest", "math", "__version__"} <= set(dir(tf))
    assert {"flatten", "map_structure"} <= set(dir(tf.nest))
    assert "experimental" in dir(tf.dtypes)
    assert "add" not in dir(tf.nest)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("tf.log", "graphlab has no tf.log. Perhaps you mean tf.math.log."),
        ("tf.reshap", "graphlab has no tf.reshap. Perhaps you mean tf.reshape."),
        ("tf.math.exponent", "graphlab has no tf.math.exponent."),
        ("tf.nest.flaten", "graphlab has no tf.nest.flaten. Perhaps you mean tf.nest.flatten."),
        ("tf.zzzz", "graphlab has no tf.zzzz."),
    ],
)
def test_a_missing_name_says_so_and_offers_the_nearest(expression, message):
    with pytest.raises(AttributeError) as caught:
        eval(expression, {"tf": tf})
    assert str(caught.value).startswith(message)


def test_asking_whether_a_name_exists_is_cheap():
    assert "difflib" not in modules_after("import graphlab\nassert not hasattr(graphlab, 'nothing')")


def test_versions():
    assert tf.__version__ == tf.version.VERSION == "2.21.0"
    assert tf.version.__version__ != tf.__version__


def test_the_index_and_the_stubs_are_up_to_date():
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_index.py", "--check"], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
