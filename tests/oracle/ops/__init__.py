"""Every op kernel by itself: calls and inputs as data (`families/`), what TensorFlow gives (`../recorded/ops/`)."""
