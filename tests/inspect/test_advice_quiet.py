"""No false alarm: over the programs that are compared with TensorFlow, only what is really there is told."""

import contextlib
import importlib
import io
import pkgutil

import pytest

import tests.oracle.programs as programs
from graphlab.inspect import advice, gather
from graphlab.tracing import records
from tests.oracle.program import Program

# Programs that do on purpose what a rule tells of: the ids, looked at one by one. Every other program has none.
KNOWN = {
    "control_flow.insertion_sort": {"argument.shapes"},
    "control_flow.loop_over_python_values_unrolls": {"effect.mutation"},
    "control_flow.loop_over_rows": {"argument.shapes"},
    "control_flow.python_condition_is_decided_while_tracing": {"effect.mutation"},
    "control_flow.state_machine": {"argument.shapes"},
    "effects.both_branches_are_traced": {"effect.mutation"},
    "effects.effects_in_a_loop": {"argument.shapes"},
    "effects.python_effects_happen_while_tracing": {"effect.mutation"},
    "effects.where_the_code_runs": {"effect.mutation"},
    "errors.branches_that_do_not_agree": {"control.branch_dtype", "control.undefined_in_branch"},
    "errors.failure_in_a_loop": {"argument.shapes"},
    "errors.leaked_tensor": {"effect.leak"},
    "errors.loops_that_do_not_agree": {"loop.shape_grows"},
    "errors.python_error_while_tracing": {"argument.attribute_lost", "effect.mutation"},
    "functional_control.polynomial_by_loop_and_by_cond": {"argument.shapes"},
    "functional_control.tensor_array_that_grows": {"argument.shapes"},
    "retracing.an_input_signature_is_one_trace": {"effect.mutation"},
    "retracing.function_made_in_a_loop": {"effect.mutation", "place.function_again"},
    "retracing.nested_functions_trace_apart": {"effect.mutation"},
    "retracing.numpy_values_are_tensors": {"effect.mutation"},
    "retracing.python_values_each_have_a_trace": {"argument.python_number", "effect.mutation"},
    "retracing.reduce_retracing": {"effect.mutation"},
    "retracing.reduce_retracing_of_structures": {"effect.mutation"},
    "retracing.set_shape_and_ensure_shape": {"effect.mutation"},
    "retracing.tensors_share_by_dtype_and_shape": {"effect.mutation"},
    "retracing.unknown_shapes_inside": {"effect.mutation"},
    "variables.created_by_each_call_is_an_error": {"variable.created"},
    "variables.frozen_global_and_live_variable": {"frozen.attribute"},
    "variables.methods_trace_per_instance": {"effect.mutation"},
}


def everything():
    for module in pkgutil.iter_modules(programs.__path__):
        loaded = importlib.import_module(f"{programs.__name__}.{module.name}")
        for name, found in vars(loaded).items():
            if isinstance(found, Program):
                yield pytest.param(found, id=f"{module.name}.{name}")


@pytest.mark.parametrize("program", list(everything()))
def test_only_what_is_there_is_told(program, request, monkeypatch):
    made, register = [], records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    calls = {}
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        records.watch() as seen,
        contextlib.suppress(Exception),  # whether a program runs is tested elsewhere
    ):
        program.function()
    for function, record in seen:
        calls.setdefault(id(function), (function, []))[1].append(record)
    made += [function for function, _ in calls.values() if all(function is not other for other in made)]
    subjects = [
        gather.subject(function, calls=calls.get(id(function), (function, []))[1], watched=True) for function in made
    ]
    told = {finding.rule for subject in gather.together(subjects) for finding in advice.about(subject)}
    name = request.node.callspec.id
    wrong = {id_ for id_ in told if not advice.rule_of(id_).note}
    assert (name, wrong) == (name, KNOWN.get(name, set()))
