"""Pairs of programs that look alike: of the first a rule speaks, about the second none does."""

import contextlib
import io

import pytest

from graphlab.inspect import advice, lint
from graphlab.inspect.lint import lint_code
from graphlab.messages import LANGUAGES
from graphlab.tracing import records

# rule, how the pair differs, the program that is told of, the one that is not; `attempt` calls and swallows the error
CALLED = [
    (
        "effect.list_in_loop", "a loop over tf.unstack is Python's",
        "@tf.function\ndef f(x):\n    out = []\n    for v in x:\n        out.append(v)\n    return len(out)\nattempt(f, tf.ones(2))",
        "@tf.function\ndef f(x):\n    out = []\n    for v in tf.unstack(x):\n        out.append(v)\n    return out\nf(tf.ones(2))",
    ),
    (
        "effect.list_in_loop", "so is one over a name that holds a list of tensors",
        ("@tf.function\ndef f(x):\n    parts = x * 2\n    out = []\n    for v in parts:\n        out.append(v)\n    return len(out)\n"
        "attempt(f, tf.ones(2))"),
        ("@tf.function\ndef f(x):\n    parts = tf.split(x, 2)\n    out = []\n    for v in parts:\n        out.append(v)\n    return out\n"
        "f(tf.ones(2))"),
    ),
    (
        "effect.list_in_loop", "and one over a list of tensors that was written out",
        ("@tf.function\ndef f(x):\n    out = []\n    for v in tf.stack([x, -x]):\n        out.append(v)\n    return len(out)\n"
        "attempt(f, tf.ones(2))"),
        "@tf.function\ndef f(x):\n    out = []\n    for v in [x, -x]:\n        out.append(v)\n    return out\nf(tf.ones(2))",
    ),
    (
        "loop.shape_grows", "a shape that was unknown before may stay so",
        ("@tf.function\ndef f(x, n):\n    for _ in tf.range(n):\n        x = tf.concat([x, x], 0)\n    return x\n"
        "attempt(f, tf.ones(2), tf.constant(2))"),
        ("@tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)])\ndef f(x, n):\n"
        "    for _ in tf.range(n):\n        x = tf.concat([x, x], 0)\n    return x\nf(tf.ones(2), tf.constant(2))"),
    ),
    (
        "loop.shape_grows", "a window keeps its length",
        ("@tf.function\ndef f(x, n):\n    for i in tf.range(n):\n        x = tf.concat([x, [1.0]], 0)\n    return x\n"
        "attempt(f, tf.ones(2), tf.constant(2))"),
        ("@tf.function\ndef f(x, n):\n    for i in tf.range(n):\n        x = tf.concat([x[1:], [1.0]], 0)\n    return x\n"
        "f(tf.ones(2), tf.constant(2))"),
    ),
    (
        "loop.shape_grows", "the shape is asserted afterwards",
        ("@tf.function\ndef f(x, n):\n    for i in tf.range(n):\n        x = tf.pad(x, [[1, 0]])\n    return x\n"
        "attempt(f, tf.ones(2), tf.constant(2))"),
        ("@tf.function\ndef f(x, n):\n    for i in tf.range(n):\n        x = tf.pad(x, [[1, 0]])\n        x = tf.ensure_shape(x[:2], [2])\n"
        "    return x\nf(tf.ones(2), tf.constant(2))"),
    ),
    (
        "loop.shape_grows", "the grown tensor is another one in each iteration",
        ("@tf.function\ndef f(x, n):\n    y = x\n    while n > 0:\n        y = tf.concat([y, x], 0)\n        n -= 1\n    return y\n"
        "attempt(f, tf.ones(2), tf.constant(2))"),
        ("@tf.function\ndef f(x, n):\n    y = tf.concat([x, x], 0)\n    while n > 0:\n        y = tf.concat([x, x + 1.0], 0)\n        n -= 1\n"
        "    return y\nf(tf.ones(2), tf.constant(2))"),
    ),
    (
        "control.branch_dtype", "a Python number beside a tensor takes the tensor's dtype",
        ("@tf.function\ndef f(x):\n    if x > 0:\n        y = tf.cast(x, tf.float32)\n    else:\n        y = 2\n    return y\n"
        "attempt(f, tf.constant(1))"),
        ("@tf.function\ndef f(x):\n    if x > 0:\n        y = tf.cast(x, x.dtype)\n    else:\n        y = x * 2\n    return y\n"
        "f(tf.constant(1))\nf(tf.constant(1.0))"),
    ),
    (
        "control.branch_dtype", "a name that was cast before has the new dtype",
        "@tf.function\ndef f(x):\n    y = 0.5\n    if x > 0:\n        y = x * 2\n    return y\nattempt(f, tf.constant(1))",
        ("@tf.function\ndef f(x):\n    x = tf.cast(x, tf.float32)\n    y = 0.5\n    if x > 0:\n        y = x * 2\n    return y\n"
        "f(tf.constant(1))"),
    ),
    (
        "control.return_dtype", "of attributes nothing is known",
        "@tf.function\ndef f(x):\n    if x > 0:\n        return x * 2\n    return 0.5\nattempt(f, tf.constant(1))",
        ("class A(tf.Module):\n    def __init__(self):\n        self.size = tf.Variable(2.0)\n    @tf.function\n    def f(self, x):\n"
        "        if self.size > 1.0:\n            return x * 0.0\n        return 3.0 * self.size**2 * x\na = A()\na.f(tf.constant(1.0))"),
    ),
    (
        "control.return_dtype", "true division of integers makes floats",
        "@tf.function\ndef f(x):\n    if x > 0:\n        return x / 2\n    return x\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    if x > 0:\n        return x / 2\n    return tf.cast(x, tf.float64)\nf(tf.constant(1))",
    ),
    (
        "control.undefined_in_branch", "the other branch leaves",
        "@tf.function\ndef f(x):\n    if x > 0:\n        y = x\n    return y\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    if x > 0:\n        y = x\n    else:\n        return x - 1\n    return y\nf(tf.constant(1))",
    ),
    (
        "control.raise", "a Python value decides",
        "@tf.function\ndef f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    if x.shape.rank > 1:\n        raise ValueError('a matrix')\n    return x\nf(tf.constant(1))",
    ),
    (
        "control.raise", "a size is a number, even under the tensor's name",
        ("@tf.function\ndef f(x):\n    n = tf.shape(x)[0]\n    if n < 1:\n        raise ValueError('empty')\n    return x\n"
        "attempt(f, tf.ones(2))"),
        "@tf.function\ndef f(x):\n    n = x.shape[0]\n    if n < 1:\n        raise ValueError('empty')\n    return x\nf(tf.ones(2))",
    ),
    (
        "control.is", "a variable is one object, and None is",
        "@tf.function\ndef f(x, y):\n    return 1 if x is y else 2\nf(tf.constant(1), tf.constant(2))",
        "@tf.function\ndef f(x, y=None):\n    return 1 if y is None else 2\nf(tf.constant(1))",
    ),
    (
        "control.not_number", "a comparison is a bool",
        "@tf.function\ndef f(n):\n    return 1 if not n else 2\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(n):\n    return 1 if not n > 0 else 2\nf(tf.constant(1))",
    ),
    (
        "control.shape_unknown", "the size is asked for None first",
        "@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n    return x.shape[0] * 2\nattempt(f, tf.ones(2))",
        ("@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n    if x.shape[0] is not None:\n        return x.shape[0] * 2\n"
        "    return tf.shape(x)[0] * 2\nf(tf.ones(2))"),
    ),
    (
        "control.shape_unknown", "the name is another tensor by then",
        "@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n    return x.shape[0] * 2\nattempt(f, tf.ones(4))",
        ("@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n    x = tf.reshape(x, [2, 2])\n    return x.shape[0] * 2\n"
        "f(tf.ones(4))"),
    ),
    (
        "control.recursion", "a Python number ends it",
        "@tf.function\ndef f(n):\n    if n > 0:\n        return f(n - 1)\n    return n\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x, n):\n    if n > 0:\n        return f(x, n - 1)\n    return x\nf(tf.constant(1), 1)",
    ),
    (
        "effect.print", "facts of the trace",
        "@tf.function\ndef f(x):\n    print(x, x.shape)\n    return x\nf(tf.constant(1))",
        "@tf.function\ndef f(x):\n    print(x.shape, x.dtype, f'rank {x.shape.rank}', type(x))\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "a list of what was traced",
        "calls = []\n@tf.function\ndef f(x):\n    calls.append(1)\n    return x\nf(tf.constant(1))",
        "traced = []\n@tf.function\ndef f(x):\n    traced.append(1)\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "an item that counts traces, by its name",
        "state = {'n': 0}\n@tf.function\ndef f(x):\n    state['n'] += 1\n    return x\nf(tf.constant(1))",
        "state = {'traces': 0}\n@tf.function\ndef f(x):\n    state['traces'] += 1\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "an item of the function's own dict is deleted",
        "state = {'n': 0}\n@tf.function\ndef f(x):\n    del state['n']\n    return x\nf(tf.constant(1))",
        "@tf.function\ndef f(x):\n    state = {'n': 0}\n    del state['n']\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "facts of the trace",
        "seen = []\n@tf.function\ndef f(x):\n    seen.append('again')\n    return x\nf(tf.constant(1))",
        "seen = []\n@tf.function\ndef f(x):\n    seen.append((x.shape, x.dtype))\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "the function's own list",
        "rest = []\n@tf.function\ndef f(x):\n    rest.extend([1, 2])\n    return x\nf(tf.constant(1))",
        "@tf.function\ndef f(x):\n    rest = []\n    rest.extend([1, 2])\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "a table that is filled once",
        "table = {}\n@tf.function\ndef f(x):\n    table['n'] = 3\n    return x\nf(tf.constant(1))",
        "table = {}\n@tf.function\ndef f(x):\n    if 'n' not in table:\n        table['n'] = 3\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.mutation", "variables are kept alive by a list",
        "kept = []\n@tf.function\ndef f(x):\n    kept.append(2.0)\n    return x\nf(tf.constant(1.0))",
        ("kept = []\n@tf.function\ndef f(x):\n    if not kept:\n        kept.append(tf.Variable(2.0))\n    return x * kept[0]\n"
        "f(tf.constant(1.0))"),
    ),
    (
        "effect.leak", "a value is kept, not a tensor of the trace",
        "kept = []\n@tf.function\ndef f(x):\n    kept.append(x * 2)\n    return x\nf(tf.constant(1))",
        "kept = []\n@tf.function\ndef f(x):\n    kept.append((x * 2).shape)\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.attribute", "a flag that says the variables are there",
        "class A:\n    n = 0\na = A()\n@tf.function\ndef f(x):\n    a.n += 1\n    return x\nf(tf.constant(1))",
        ("class A:\n    built = False\na = A()\n@tf.function\ndef f(x):\n    if not a.built:\n        a.w = tf.Variable(1.0)\n"
        "        a.built = True\n    return x * a.w\nf(tf.constant(1.0))"),
    ),
    (
        "effect.global", "a counter of traces",
        "count = 0\n@tf.function\ndef f(x):\n    global count\n    count += 1\n    return x\nf(tf.constant(1))",
        "trace_count = 0\n@tf.function\ndef f(x):\n    global trace_count\n    trace_count += 1\n    return x\nf(tf.constant(1))",
    ),
    (
        "effect.time", "a parameter with the module's name",
        "import time\n@tf.function\ndef f(x):\n    return x + time.time()\nf(tf.constant(1.0))",
        ("class Clock:\n    def time(self):\n        return 1.0\n@tf.function\ndef f(x, time):\n    return x + time.time()\n"
        "f(tf.constant(1.0), Clock())"),
    ),
    (
        "frozen.random", "a variable's first value is drawn once",
        "@tf.function\ndef f(x):\n    return x + np.random.normal()\nf(tf.constant(1.0))",
        ("made = []\n@tf.function\ndef f(x):\n    if not made:\n        made.append(tf.Variable(np.random.normal(size=[2]).astype('float32')))\n"
        "    return x + made[0]\nf(tf.constant(1.0))"),
    ),
    (
        "frozen.random", "graphlab's own random numbers",
        "import random\n@tf.function\ndef f(x):\n    return x + random.random()\nf(tf.constant(1.0))",
        "@tf.function\ndef f(x):\n    return x + tf.random.normal([])\nf(tf.constant(1.0))",
    ),
    (
        "frozen.numpy", "an eager tensor from outside has its value",
        "@tf.function\ndef f(x):\n    return np.sum(x)\nattempt(f, tf.ones(2))",
        "table = tf.constant([1.0, 2.0])\n@tf.function\ndef f(x):\n    return x * np.sum(table)\nf(tf.ones(2))",
    ),
    (
        "frozen.numpy", "sizes are numbers",
        "@tf.function\ndef f(x):\n    return np.prod(x)\nattempt(f, tf.ones(2))",
        "@tf.function\ndef f(x):\n    return x / np.prod(x.shape).astype('float32')\nf(tf.ones(2))",
    ),
    (
        "frozen.global", "it is what it was",
        "k = 2\n@tf.function\ndef f(x):\n    return x * k\nf(tf.constant(1))\nk = 3\nf(tf.constant(1))",
        "k = 2\n@tf.function\ndef f(x):\n    return x * k\nf(tf.constant(1))\nk = 1 + 1\nf(tf.constant(1))",
    ),
    (
        "value.literal_mix", "the name was cast",
        "@tf.function\ndef f(x):\n    return x * 0.5\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    x = tf.cast(x, tf.float32)\n    return x * 0.5\nf(tf.constant(1))",
    ),
    (
        "value.literal_mix", "one side is decided while tracing",
        "@tf.function\ndef f(x):\n    return x + 1.5\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    if x.dtype.is_floating:\n        return x + 1.5\n    return x + 1\nf(tf.constant(1))",
    ),
    (
        "value.literal_mix", "a list with one float makes floats",
        "@tf.function\ndef f():\n    x = tf.constant([1, 2])\n    return x * 0.5\nattempt(f)",
        "@tf.function\ndef f():\n    x = tf.constant([1, 2.0])\n    return x * 0.5\nf()",
    ),
    (
        "value.numpy", "in the branch for eager code",
        "@tf.function\ndef f(x):\n    return x.numpy()\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x):\n    if tf.executing_eagerly():\n        return x.numpy()\n    return x\nf(tf.constant(1))",
    ),
    (
        "value.unused_result", "the result is taken",
        "@tf.function\ndef f(x):\n    tf.reshape(x, [2, 1])\n    return x\nf(tf.ones(2))",
        "@tf.function\ndef f(x):\n    x = tf.reshape(x, [2, 1])\n    return x\nf(tf.ones(2))",
    ),
    (
        "variable.created", "made when it is missing",
        "@tf.function\ndef f(x):\n    v = tf.Variable(1.0)\n    return x + v\nattempt(f, tf.constant(1.0))",
        ("class A(tf.Module):\n    @tf.function\n    def f(self, x):\n        try:\n            self.v\n        except AttributeError:\n"
        "            self.v = tf.Variable(1.0)\n        return x + self.v\na = A()\na.f(tf.constant(1.0))"),
    ),
    (
        "argument.mutable_default", "a default that is only read",
        "@tf.function\ndef f(x, found=[]):\n    found.append(1)\n    return x\nattempt(f, tf.constant(1))",
        "@tf.function\ndef f(x, sizes=[1, 2]):\n    return x * sizes[0] + len(sizes)\nf(tf.constant(1))",
    ),
    (
        "gradient.where_nan", "the other side does not reach 0",
        ("x = tf.constant([0.0, 2.0])\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    y = tf.where(x > 1.0, tf.math.log(x), 0.0)\n"
        "tape.gradient(y, x)"),
        ("x = tf.constant([1.0, 6.0])\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    y = tf.where(x < 5.0, tf.math.log(x), 0.0)\n"
        "tape.gradient(y, x)"),
    ),
    (
        "gradient.where_nan", "nothing is differentiated",
        "x = tf.constant(0.0)\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    y = tf.where(x > 0, 1.0 / x, 0.0)\ntape.gradient(y, x)",
        "x = tf.constant(0.0)\ny = tf.where(x > 0, 1.0 / x, 0.0)",
    ),
    (
        "gradient.where_nan", "a square has a derivative at 0",
        "x = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.where(x > 0, tf.pow(x, 0.5), 0.0)\ntape.gradient(y, x)",
        "x = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.where(x > 0, tf.pow(x, 2.0), 0.0)\ntape.gradient(y, x)",
    ),
    (
        "gradient.unwatched", "watched in a loop",
        "x = tf.constant(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)",
        "x = tf.constant(1.0)\nwith tf.GradientTape() as tape:\n    for v in [x]:\n        tape.watch(v)\n    y = x * x\ntape.gradient(y, x)",
    ),
    (
        "gradient.unwatched", "the name is a variable by then",
        "x = tf.constant(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)",
        "x = tf.constant(1.0)\nx = tf.Variable(x)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)",
    ),
    (
        "gradient.integer", "an integer of another function",
        "n = tf.Variable(3)\nwith tf.GradientTape() as tape:\n    y = n * n\ntape.gradient(y, n)",
        ("def other():\n    n = tf.constant(3)\n    return n\ndef slope(n):\n    with tf.GradientTape() as tape:\n        y = n * n\n"
        "    return tape.gradient(y, n)\nslope(tf.Variable(2.0))"),
    ),
    (
        "gradient.tape_spent", "two ways out of one function",
        ("x = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)\nattempt(tape.gradient, y, x)\n"
        "def again():\n    with tf.GradientTape() as tape:\n        y = x * x\n    tape.gradient(y, x)\n    tape.gradient(y, x)\n"
        "attempt(again)"),
        ("x = tf.Variable(1.0)\ndef slope(twice):\n    with tf.GradientTape() as tape:\n        y = x * x\n    if twice:\n"
        "        return tape.gradient(y * 2.0, x)\n    return tape.gradient(y, x)\nslope(True)"),
    ),
    (
        "gradient.custom_variables", "a parameter with the variable's name",
        ("w = tf.Variable(2.0)\n@tf.custom_gradient\ndef f(x):\n    def grad(dy):\n        return dy * w\n    return w * x, grad\n"
        "x = tf.Variable(1.0)\ndef run():\n    with tf.GradientTape() as tape:\n        f(x)\nattempt(run)"),
        ("w = tf.Variable(2.0)\n@tf.custom_gradient\ndef f(x, w):\n    def double(v):\n        return v * 2.0\n    def grad(dy):\n"
        "        return dy * w, dy * x\n    return w * x, grad\nf(tf.constant(1.0), tf.constant(2.0))"),
    ),
]  # fmt: skip

# what is in a function that the traced one calls, and lines that the graph leaves out
HELPERS = [
    (
        "effect.print", "a helper of which the branch that prints never ran",
        "def note(x, loud):\n    if loud:\n        print(x)\n    return x\n@tf.function\ndef f(x):\n    return note(x, True)\nf(tf.ones(2))",
        "def note(x, loud):\n    if loud:\n        print(x)\n    return x\n@tf.function\ndef f(x):\n    return note(x, False)\nf(tf.ones(2))",
    ),
    (
        "effect.attribute", "an object that the trace makes for itself",
        ("class Sum:\n    total = 0\n    def add(self, k):\n        self.total += k\nkept = Sum()\n@tf.function\ndef f(x):\n"
        "    kept.add(1)\n    return x\nf(tf.ones(2))"),
        ("class Sum:\n    total = 0\n    def add(self, k):\n        self.total += k\n        return self\n@tf.function\ndef f(x):\n"
        "    own = Sum()\n    own.add(1)\n    return x * own.add(2).total\nf(tf.ones(2))"),
    ),
    (
        "effect.attribute", "an object in a container of the traced object, and one that is made in a loop",
        ("class Layer:\n    calls = 0\n    def __call__(self, x):\n        self.calls += 1\n        return x\n"
        "class Net:\n    layers = [Layer()]\n    @tf.function\n    def f(self, x):\n        for layer in self.layers:\n"
        "            x = layer(x)\n        return x\nnet = Net()\nnet.f(tf.ones(2))"),
        ("class Layer:\n    calls = 0\n    def __call__(self, x):\n        self.calls += 1\n        return x\n"
        "class Net:\n    @tf.function\n    def f(self, x):\n        for layer in [Layer(), Layer()]:\n"
        "            x = layer(x)\n        return x\nnet = Net()\nnet.f(tf.ones(2))"),
    ),
    (
        "effect.attribute", "what a constructor sets",
        ("class Box:\n    def put(self, k):\n        self.k = k\nbox = Box()\n@tf.function\ndef f(x):\n    box.put(3)\n    return x\n"
        "f(tf.ones(2))"),
        ("class Box:\n    def __init__(self, x):\n        self.x = x + 1.0\n@tf.function\ndef f(x):\n    return Box(x).x\n"
        "f(tf.ones(2))"),
    ),
    (
        "effect.mutation", "a list that is handed on, the program's or the function's own",
        ("log = []\ndef keep(where, k):\n    where.append(k)\n@tf.function\ndef f(x):\n    keep(log, 3)\n    return x\nf(tf.ones(2))"),
        ("def keep(where, k):\n    where.append(k)\n@tf.function\ndef f(x):\n    own = []\n    keep(own, 3)\n    return x * own[0]\n"
        "f(tf.ones(2))"),
    ),
    (
        "effect.leak", "what a helper keeps is a tensor, or certainly none",
        "log = []\ndef keep(k):\n    log.append(k)\n@tf.function\ndef f(x):\n    keep(x * 2.0)\n    return x\nf(tf.ones(2))",
        "traced = []\ndef keep(k):\n    traced.append(k)\n@tf.function\ndef f(x):\n    keep(3)\n    return x\nf(tf.ones(2))",
    ),
    (
        "effect.global", "a counter of the function around, made outside or in the trace",
        ("def make():\n    n = 0\n    def count():\n        nonlocal n\n        n += 1\n        return n\n    return count\ncount = make()\n"
        "@tf.function\ndef f(x):\n    return x * count()\nf(tf.constant(1))"),
        ("def make():\n    n = 0\n    def count():\n        nonlocal n\n        n += 1\n        return n\n    return count\n"
        "@tf.function\ndef f(x):\n    count = make()\n    return x * count() * count()\nf(tf.constant(1))"),
    ),
    (
        "effect.mutation", "a function inside of the traced one, and a list of that one",
        ("seen = []\n@tf.function\ndef f(x):\n    def double(v):\n        seen.append(2)\n        return v * 2.0\n    return double(x)\n"
        "f(tf.ones(2))"),
        ("@tf.function\ndef f(x):\n    parts = []\n    def double(v):\n        parts.append(v)\n        return v * 2.0\n"
        "    return double(x) + parts[0]\nf(tf.ones(2))"),
    ),
    (
        "frozen.random", "a helper that draws, and one that only looks so",
        ("import random\ndef noise():\n    return random.random()\n@tf.function\ndef f(x):\n    return x * noise()\nf(tf.ones(2))"),
        ("class Source:\n    def random(self):\n        return 4.0\ndef noise(random):\n    return random.random()\n@tf.function\n"
        "def f(x):\n    return x * noise(Source())\nf(tf.ones(2))"),
    ),
    (
        "frozen.random", "as it is, without AutoGraph",
        ("@tf.autograph.experimental.do_not_convert\ndef noise(x):\n    return x * np.random.rand()\n@tf.function(autograph=False)\n"
        "def f(x):\n    return noise(x)\nf(tf.ones(2))"),
        ("@tf.autograph.experimental.do_not_convert\ndef noise(x):\n    return x * tf.random.uniform([])\n"
        "@tf.function(autograph=False)\ndef f(x):\n    return noise(x)\nf(tf.ones(2))"),
    ),
    (
        "frozen.global", "a number that only a helper reads, changed since or not",
        "rate = 2.0\ndef scaled(x):\n    return x * rate\n@tf.function\ndef f(x):\n    return scaled(x)\nf(tf.ones(2))\nrate = 3.0",
        "rate = 2.0\ndef scaled(x):\n    return x * rate\n@tf.function\ndef f(x):\n    return scaled(x)\nf(tf.ones(2))\nrate = 2.0",
    ),
    (
        "control.raise", "the condition is a tensor, or a number, as the call says",
        ("def checked(x, n):\n    if n > 3:\n        raise ValueError('large')\n    return x\n@tf.function\ndef f(x, n):\n"
        "    return checked(x, n)\nattempt(f, tf.ones(2), tf.constant(1))"),
        ("def checked(x, n):\n    if n > 3:\n        raise ValueError('large')\n    return x\n@tf.function\ndef f(x):\n"
        "    return checked(x, 5)\nattempt(f, tf.ones(2))"),
    ),
    (
        "effect.list_in_loop", "a loop over a tensor, and one over what may be one",
        ("def parts(v):\n    out = []\n    for part in v:\n        out.append(part)\n    return len(out)\n@tf.function\ndef f(x):\n"
        "    return parts(x)\nattempt(f, tf.ones(2))"),
        ("def parts(v):\n    out = []\n    for part in v:\n        out.append(part)\n    return out\n@tf.function\ndef f(x):\n"
        "    return parts([x, x])\nf(tf.ones(2))"),
    ),
    (
        "effect.leak", "one of two calls gives a number",
        ("last = {}\ndef keep(k):\n    last['k'] = k\n@tf.function\ndef f(x):\n    keep(x)\n    keep(x + 1.0)\n    return x\nf(tf.ones(2))"),
        ("traces = {}\ndef keep(k):\n    traces['k'] = k\n@tf.function\ndef f(x):\n    keep(x)\n    keep(3)\n    return x\nf(tf.ones(2))"),
    ),
    (
        "value.unused_result", "in a helper",
        "def cut(v):\n    tf.clip_by_value(v, 0.0, 1.0)\n    return v\n@tf.function\ndef f(x):\n    return cut(x)\nf(tf.ones(2))",
        "def cut(v):\n    v = tf.clip_by_value(v, 0.0, 1.0)\n    return v\n@tf.function\ndef f(x):\n    return cut(x)\nf(tf.ones(2))",
    ),
    (
        "value.unused_result", "a name that nobody reads, and one that only its shape is asked for",
        "@tf.function\ndef f(x):\n    y = tf.exp(x)\n    return x * 2.0\nf(tf.ones(2))",
        "@tf.function\ndef f(x):\n    y = tf.exp(x)\n    return x * float(y.shape[0])\nf(tf.ones(2))",
    ),
    (
        "value.unused_result", "an expression that stands alone, and one in a branch that reads it",
        "@tf.function\ndef f(x):\n    x + 1.0\n    return x * 2.0\nf(tf.ones(2))",
        ("@tf.function\ndef f(x):\n    y = x + 1.0\n    if tf.reduce_sum(x) > 9.0:\n        return y\n    return x * 2.0\n"
        "f(tf.ones(2))"),
    ),
    (
        "value.unused_result", "one of two results of a helper, and a name that says that it is not read",
        "def both(v):\n    e = tf.exp(v)\n    return v\n@tf.function\ndef f(x):\n    return both(x)\nf(tf.ones(2))",
        ("def both(v):\n    e = tf.exp(v)\n    _rest = tf.sin(v)\n    return e, v\n@tf.function\ndef f(x):\n    e, v = both(x)\n"
        "    return v\nf(tf.ones(2))"),
    ),
    (
        "value.unused_result", "a check that stands alone, and a variable that changes",
        "@tf.function\ndef f(x):\n    tf.sqrt(x)\n    return x\nf(tf.ones(2))",
        ("v = tf.Variable(1.0)\n@tf.function\ndef f(x):\n    tf.debugging.check_numerics(x, 'x')\n    tf.ensure_shape(x, [2])\n"
        "    v.assign_add(1.0)\n    return x\nf(tf.ones(2))"),
    ),
    (
        "effect.time", "a wrapper of a decorator, around the graph or inside",
        ("import time\ndef timed(g):\n    def wrapper(*args):\n        start = time.time()\n        return g(*args) * start\n"
        "    return wrapper\n@tf.function\n@timed\ndef f(x):\n    return x\nf(tf.ones(2))"),
        ("import time\ndef timed(g):\n    def wrapper(*args):\n        start = time.time()\n        return g(*args) * start\n"
        "    return wrapper\n@timed\n@tf.function\ndef f(x):\n    return x\nf(tf.ones(2))"),
    ),
]  # fmt: skip

# the same for code that was not run
UNCALLED = [
    (
        "control.raise", "a parameter that is compared with None",
        "@tf.function\ndef f(x):\n    if x > 0:\n        raise ValueError\n    return x",
        "@tf.function\ndef f(x, y):\n    if y is None or y > 0:\n        raise ValueError\n    return x",
    ),
    (
        "control.raise", "an annotation",
        "@tf.function\ndef f(x, n: tf.Tensor):\n    if n > 3:\n        raise ValueError\n    return x",
        "@tf.function\ndef f(x, n: int):\n    if n > 3:\n        raise ValueError\n    return x",
    ),
    (
        "value.literal_mix", "the constant is cast",
        "@tf.function\ndef f():\n    x = tf.constant(2)\n    return x * 0.5",
        "@tf.function\ndef f():\n    x = tf.constant(2)\n    x = tf.cast(x, tf.float32)\n    return x * 0.5",
    ),
    (
        "control.branch_dtype", "the dtype asked for is a name",
        "@tf.function\ndef f(x):\n    if x > 0:\n        y = tf.constant(1)\n    else:\n        y = 1.0\n    return y",
        ("def g(dtype):\n    @tf.function\n    def f(x):\n        if x > 0:\n            y = tf.constant(1, dtype)\n        else:\n"
        "            y = 1.0\n        return y\n    return f"),
    ),
    (
        "effect.print", "a formatted text of facts",
        "@tf.function\ndef f(x):\n    print('%s' % x)",
        "@tf.function\ndef f(x):\n    print(f'shape {x.shape}')",
    ),
    (
        "loop.shape_grows", "the shape is set",
        "@tf.function\ndef f(x):\n    while tf.size(x) < 9:\n        x = tf.tile(x, [2])\n    return x",
        "@tf.function\ndef f(x):\n    while tf.size(x) < 9:\n        x = tf.tile(x, [2])\n        x.set_shape([None])\n    return x",
    ),
]  # fmt: skip
IMPORTS = "import graphlab as tf\nimport numpy as np\n"


def attempt(function, *args):
    with contextlib.suppress(Exception):
        function(*args)


def wrong(report):
    """What is told of as wrong: no notes, and nothing about time, which other tests hold to the records."""
    return {id_ for id_ in report.ids if not advice.rule_of(id_).cost}


def names(pairs):
    return [f"{rule}: {difference}" for rule, difference, *_ in pairs]


@pytest.mark.parametrize(("rule", "difference", "loud", "quiet"), CALLED + HELPERS, ids=names(CALLED + HELPERS))
def test_one_is_told_of_and_the_other_is_not(rule, difference, loud, quiet, run, monkeypatch):
    made, register = [], records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    told = []
    for source in (loud, quiet):
        made.clear()
        with contextlib.redirect_stdout(io.StringIO()):
            run(IMPORTS + source, attempt=attempt)
        told.append(wrong(lint_code(IMPORTS + source, list(made))))
    assert rule in told[0]
    assert told[1] == set(), difference


@pytest.mark.parametrize(("rule", "difference", "loud", "quiet"), UNCALLED, ids=names(UNCALLED))
def test_the_same_of_code_that_was_not_run(rule, difference, loud, quiet):
    assert rule in wrong(lint(IMPORTS + loud))
    assert wrong(lint(IMPORTS + quiet)) == set(), difference


# rule, the program with a mark where the question belongs, the question
ASKED = [
    (
        "gradient.unwatched",
        "x = tf.constant(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n#\ntape.gradient(y, x)",
        "tf.inspect.explain_gradient(tape, y, x)",
    ),
    (
        "gradient.integer",
        (
            "n, v = 2, tf.Variable(3.0)\nk = tf.Variable(3)\nwith tf.GradientTape() as t:\n    y = tf.cast(k, tf.float32) * v\n#\n"
            "t.gradient(y, [v, k])"
        ),
        "tf.inspect.explain_gradient(t, y, k)",
    ),
    (
        "gradient.cast",
        "v = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    y = tf.cast(tf.cast(v, tf.int32), tf.float32)\n#\nt.gradient(y, v)",
        "tf.inspect.explain_gradient(t, y, v)",
    ),
    (
        "gradient.unrecorded",
        (
            "v = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n    with t.stop_recording():\n        y = v * v\n#\n"
            "t.gradient(y, sources=v)"
        ),
        "tf.inspect.explain_gradient(t, y, v)",
    ),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("id_", "source", "question"), ASKED, ids=[case[0] for case in ASKED])
def test_the_advice_gives_the_question_about_the_gradient(id_, source, question, lang, run):
    source = f"import graphlab as tf\n{source}"
    (item,) = [item for item in lint(source, lang=lang).data["source"] if item["id"] == id_]
    assert f"`{question}`" in item["evidence"]["text"]
    assert "`None`" in item["evidence"]["text"]
    report = run(source.replace("#", f"report = {question}")).names["report"]
    assert not report.connected


@pytest.mark.parametrize(
    "end",
    ["tape.gradient(y, [x, x])\ntape.gradient(z, x)", "tape.gradient([y, z], x)"],
    ids=["several", "a list of targets"],
)
def test_no_question_where_it_is_not_known_which(end):
    source = (
        "import graphlab as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape(persistent=True) as tape:\n"
        f"    y = tf.cast(tf.cast(x, tf.int32), tf.float32)\n    z = y * x\n{end}\n"
    )
    (item,) = [item for item in lint(source).data["source"] if item["id"] == "gradient.cast"]
    assert item["evidence"] is None
