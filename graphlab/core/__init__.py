"""The lowest package: dtypes, shapes, specs, nest, errors, and what every other package stands on."""
