"""How many examples are drawn: few and always the same ones, or many with `HYPOTHESIS_PROFILE=long`."""

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile(
    "properties", max_examples=3, derandomize=True, database=None, deadline=None, suppress_health_check=SLOW
)
settings.register_profile("long", max_examples=200, deadline=None, suppress_health_check=SLOW)
PROFILE = settings.get_profile("long" if os.environ.get("HYPOTHESIS_PROFILE") == "long" else "properties")
