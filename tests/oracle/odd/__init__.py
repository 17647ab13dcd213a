"""Public functions called with one odd argument: what TensorFlow answers, by the class of its error or its result."""
