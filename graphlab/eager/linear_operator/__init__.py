"""Linear operators: matrices known by what they do, in classes that use their structure."""
