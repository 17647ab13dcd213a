"""Calls of convolutions, pools and what belongs to them, as data; `recorded/conv.json` has what TensorFlow gives."""

from tests.oracle.ops.table import FLOATS, Case, distinct, like, op, special, variants, x, y

NARROW = {"float16": 1e-2, "bfloat16": 6e-2}  # sums of many terms, in another order
SOME = ("float16", "bfloat16", "float32", "float64", "int8", "int32", "uint16", "uint32")
ALL = ("float16", "bfloat16", "float32", "float64", "int32")
F32, F64 = ("float32",), ("float64",)
BOTH = ("float32", "float64")
PLACES = [[0, 0], [2, 1], [0, 3], [0, 0]]
IMAGE = {
    "small": (x(2, 5, 6, 3), y(2, 3, 3, 4)),
    "thin": (x(1, 7, 3, 1), y(3, 1, 1, 9)),
}
DEEP = {"many channels": (x(1, 6, 5, 32), y(3, 3, 32, 8))}
PLANES = {"small": (x(2, 3, 5, 6), y(2, 3, 3, 4))}


def conv(*args, **options):
    return lambda tf, a, f: tf.nn.conv2d(a, f, *args, **options)


CONV = [
    *variants(
        "Conv2D",
        {
            "valid": conv(1, "VALID"),
            "same": conv(1, "SAME"),
            "strides": conv([2, 1], "VALID"),
            "same strides": conv([1, 2, 3, 1], "SAME"),
            "explicit": conv(1, PLACES),
            "explicit strides": conv(2, PLACES),
            "dilated": conv(1, "SAME", dilations=[1, 2]),
            "dilated strides": conv(2, PLACES, dilations=2),
        },
        IMAGE, ALL, gradient=True, rtol=NARROW,
    ),
    *variants("Conv2D", {"deep": conv(1, "SAME"), "deep strides": conv(2, "VALID")}, DEEP, BOTH, gradient=True),
    # TensorFlow's float32 kernel gives an empty batch the shape of the input; its other kernels the right one
    op("Conv2D", conv(1, "VALID"), {"empty": (x(0, 4, 4, 2), y(2, 2, 2, 3))}, ("float16", "float64", "int32"), "empty"),
    op("Conv2D", conv(1, "SAME"), {"1x1": (x(2, 3, 4, 5), y(1, 1, 5, 6))}, BOTH, "pointwise", gradient=True),
    op("Conv2D", conv(2, "SAME"), {"1x1": (x(2, 3, 4, 5), y(1, 1, 5, 6))}, BOTH, "pointwise strides", gradient=True),
    op("Conv2D", conv(1, "SAME"), {"two": (x(2, 4, 4, 6), y(2, 2, 3, 4))}, F32, "groups", gradient=True),
    op("Conv2D", conv(2, "VALID"), {"three": (x(2, 5, 5, 6), y(3, 3, 2, 6))}, F32, "groups strides", gradient=True),
    op("Conv2D", conv(1, "VALID"), {"batches": (x(2, 2, 4, 4, 3), y(2, 2, 3, 2))}, BOTH, "batches", gradient=True),
    *variants(
        "Conv2D",
        {
            "planes": conv(1, "VALID", data_format="NCHW"),
            "planes same": conv([1, 1, 2, 2], "SAME", data_format="NCHW"),
            "planes explicit": conv(1, [[0, 0], [0, 0], [1, 2], [0, 1]], data_format="NCHW"),
        },
        PLANES, F32, gradient=True,
    ),
    *variants(
        "conv2d_transpose",
        {
            "same": lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 6, 8, 3], 2),
            "valid": lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 7, 9, 3], 2, "VALID"),
            "plain": lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 5, 6, 3], 1, "VALID"),
            "explicit": lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 3, 5, 3], 1, [[0, 0], [1, 1], [0, 1], [0, 0]]),
        },
        {"small": (x(2, 3, 4, 4), y(3, 3, 3, 4))}, FLOATS, gradient=True, rtol=NARROW,
    ),
    op("conv2d_transpose", lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 5, 6, 3], 1, "VALID", dilations=[1, 2]),
       {"small": (x(2, 3, 2, 4), y(3, 3, 3, 4))}, F32, "dilated", gradient=True),
    op("conv2d_transpose",
       lambda tf, a, f: tf.nn.conv2d_transpose(a, f, [2, 3, 6, 8], 2, data_format="NCHW"),
       {"small": (x(2, 4, 3, 4), y(3, 3, 3, 4))}, F32, "planes", gradient=True),
    *variants(
        "conv1d",
        {
            "valid": lambda tf, a, f: tf.nn.conv1d(a, f, 1, "VALID"),
            "same": lambda tf, a, f: tf.nn.conv1d(a, f, 2, "SAME"),
            "dilated": lambda tf, a, f: tf.nn.conv1d(a, f, 1, "SAME", dilations=2),
        },
        {"small": (x(2, 7, 3), y(3, 3, 4)), "batches": (x(2, 2, 6, 3), y(2, 3, 4))}, FLOATS, gradient=True, rtol=NARROW,
    ),
    op("conv1d", lambda tf, a, f: tf.nn.conv1d(a, f, 2, "VALID", "NCW"), {"small": (x(2, 3, 7), y(3, 3, 4))}, F32,
       "planes", gradient=True),
    op("conv1d_transpose", lambda tf, a, f: tf.nn.conv1d_transpose(a, f, [2, 8, 3], 2),
       {"small": (x(2, 4, 4), y(3, 3, 4))}, FLOATS, gradient=True, rtol=NARROW),
    op("conv1d_transpose", lambda tf, a, f: tf.nn.conv1d_transpose(a, f, [1, 5, 1], 1, "VALID", dilations=2),
       {"small": (x(1, 3, 1), y(2, 1, 1))}, F32, "dilated", gradient=True),
    *variants(
        "Conv3D",
        {
            "valid": lambda tf, a, f: tf.nn.conv3d(a, f, [1] * 5, "VALID"),
            "same": lambda tf, a, f: tf.nn.conv3d(a, f, [1, 2, 1, 2, 1], "SAME"),
        },
        {"small": (x(2, 4, 3, 4, 2), y(2, 3, 2, 2, 3))}, FLOATS, gradient=True, rtol=NARROW,
    ),
    # TensorFlow has no kernels of other dtypes with holes in the filter
    op("Conv3D", lambda tf, a, f: tf.nn.conv3d(a, f, [1] * 5, "SAME", dilations=[1, 1, 2, 2, 1]),
       {"small": (x(2, 4, 3, 4, 2), y(2, 3, 2, 2, 3))}, F32, "dilated", gradient=True),
    op("conv3d_transpose", lambda tf, a, f: tf.nn.conv3d_transpose(a, f, [1, 4, 3, 4, 2], [2, 1, 2]),
       {"small": (x(1, 2, 3, 2, 3), y(2, 2, 3, 2, 3))}, BOTH, gradient=True),
    *variants(
        "conv_transpose",
        {
            "1": lambda tf, a, f: tf.nn.conv_transpose(a, f, [2, 8, 3], 2),
        },
        {"small": (x(2, 4, 4), y(3, 3, 4))}, BOTH, gradient=True,
    ),
    op("conv_transpose", lambda tf, a, f: tf.nn.conv_transpose(a, f, [2, 6, 6, 2], 2),
       {"small": (x(2, 3, 3, 4), y(2, 2, 2, 4))}, BOTH, "2", gradient=True),
    *variants(
        "convolution",
        {
            "valid": lambda tf, a, f: tf.nn.convolution(a, f),
            "same": lambda tf, a, f: tf.nn.convolution(a, f, strides=[2, 1], padding="SAME"),
            "dilated": lambda tf, a, f: tf.nn.convolution(a, f, dilations=[2, 1]),
            "dilated same": lambda tf, a, f: tf.nn.convolution(a, f, padding="SAME", dilations=2),
        },
        {"small": (x(2, 5, 6, 3), y(2, 3, 3, 4))}, BOTH, gradient=True,
    ),
    op("convolution", lambda tf, a, f: tf.nn.convolution(a, f, padding="SAME", dilations=[2], data_format="NWC"),
       {"small": (x(2, 7, 3), y(3, 3, 4))}, BOTH, "1", gradient=True),
    op("convolution", lambda tf, a, f: tf.nn.convolution(a, f, strides=[1, 2, 1], padding="SAME"),
       {"small": (x(1, 3, 4, 3, 2), y(2, 2, 2, 2, 3))}, BOTH, "3", gradient=True),
    *variants(
        "atrous_conv2d",
        {
            "valid": lambda tf, a, f: tf.nn.atrous_conv2d(a, f, 2, "VALID"),
            "same": lambda tf, a, f: tf.nn.atrous_conv2d(a, f, 3, "SAME"),
        },
        {"small": (x(1, 6, 7, 2), y(2, 3, 2, 3))}, BOTH, gradient=True,
    ),
    op("atrous_conv2d_transpose", lambda tf, a, f: tf.nn.atrous_conv2d_transpose(a, f, [1, 6, 7, 3], 2, "VALID"),
       {"small": (x(1, 4, 3, 2), y(2, 3, 3, 2))}, BOTH, "valid", gradient=True),
    op("atrous_conv2d_transpose", lambda tf, a, f: tf.nn.atrous_conv2d_transpose(a, f, [1, 4, 5, 3], 2, "SAME"),
       {"small": (x(1, 4, 5, 2), y(2, 3, 3, 2))}, BOTH, "same", gradient=True),
    *variants(
        "depthwise_conv2d",
        {
            "valid": lambda tf, a, f: tf.nn.depthwise_conv2d(a, f, [1, 1, 1, 1], "VALID"),
            "same": lambda tf, a, f: tf.nn.depthwise_conv2d(a, f, [1, 2, 2, 1], "SAME"),
            "explicit": lambda tf, a, f: tf.nn.depthwise_conv2d(a, f, [1, 1, 1, 1], [[0, 0], [1, 0], [0, 1], [0, 0]]),
            "dilated": lambda tf, a, f: tf.nn.depthwise_conv2d(a, f, [1, 1, 1, 1], "SAME", dilations=[2, 1]),
            "dilated strides": lambda tf, a, f: tf.nn.depthwise_conv2d(a, f, [1, 2, 2, 1], "SAME", dilations=[2, 2]),
        },
        {"one each": (x(2, 5, 6, 3), y(2, 3, 3, 1)), "two each": (x(2, 5, 6, 3), y(2, 3, 3, 2))}, FLOATS,
        gradient=True, rtol=NARROW,
    ),
    *variants(
        "separable_conv2d",
        {
            "valid": lambda tf, a, f, g: tf.nn.separable_conv2d(a, f, g, [1, 1, 1, 1], "VALID"),
            "dilated": lambda tf, a, f, g: tf.nn.separable_conv2d(a, f, g, [1, 1, 1, 1], "SAME", dilations=[1, 2]),
        },
        {"small": (x(2, 5, 6, 3), y(2, 3, 3, 2), x(1, 1, 6, 2))}, BOTH, gradient=True,
    ),
]  # fmt: skip

POOLS = [
    *variants(
        "MaxPool",
        {
            "valid": lambda tf, a: tf.nn.max_pool2d(a, 2, 2, "VALID"),
            "same": lambda tf, a: tf.nn.max_pool2d(a, 3, 2, "SAME"),
            "overlap": lambda tf, a: tf.nn.max_pool2d(a, [3, 2], 1, "VALID"),
            "gaps": lambda tf, a: tf.nn.max_pool2d(a, 1, 2, "SAME"),
            "explicit": lambda tf, a: tf.nn.max_pool2d(a, 3, 2, [[0, 0], [1, 2], [0, 1], [0, 0]]),
            "any rank": lambda tf, a: tf.nn.max_pool(a, 2, 2, "SAME"),
            "pool": lambda tf, a: tf.nn.pool(a, [2, 3], "MAX", strides=[2, 1], padding="SAME"),
            "pool dilated": lambda tf, a: tf.nn.pool(a, [2, 2], "MAX", dilations=[2, 1]),
        },
        {"distinct": (distinct(2, 5, 6, 3),), "equal": (like([[[[1], [1], [1]], [[1], [1], [1]], [[1], [1], [1]]]]),),
         "empty": (x(0, 4, 4, 2),)},
        SOME, gradient=True,
    ),
    op("MaxPool", lambda tf, a: tf.nn.max_pool2d(a, [1, 1, 1, 2], [1, 1, 1, 2], "VALID"), {"channels": (x(1, 2, 3, 4),)},
       BOTH, "channels"),
    op("MaxPool", lambda tf, a: tf.nn.max_pool2d(tf.reshape(a, [1, 1, 8, 1]), [1, 2], [1, 2], "SAME"),
       {"special": (special(),)}, BOTH, "special"),
    op("max_pool1d", lambda tf, a: tf.nn.max_pool1d(a, 3, 2, "SAME"), {"small": (distinct(2, 7, 3),)}, SOME, gradient=True),
    *variants(
        "MaxPool3D",
        {
            "valid": lambda tf, a: tf.nn.max_pool3d(a, 2, 2, "VALID"),
            "same": lambda tf, a: tf.nn.max_pool3d(a, [2, 3, 2], [1, 2, 1], "SAME"),
        },
        {"small": (distinct(1, 4, 3, 4, 2),)}, FLOATS, gradient=True,
    ),
    *variants(
        "MaxPoolWithArgmax",
        {
            "valid": lambda tf, a: tf.nn.max_pool_with_argmax(a, 2, 2, "VALID"),
            "same": lambda tf, a: tf.nn.max_pool_with_argmax(a, [3, 2], 1, "SAME", output_dtype=tf.int32),
            "batch": lambda tf, a: tf.nn.max_pool_with_argmax(a, 2, 1, "VALID", include_batch_in_index=True),
        },
        {"distinct": (distinct(2, 5, 4, 3),), "equal": (like([[[[2], [2]], [[2], [2]]]]),)}, SOME, gradient=True,
    ),
    op("MaxPoolWithArgmax", lambda tf, a: tf.nn.max_pool_with_argmax(tf.reshape(a, [1, 1, 8, 1]), [1, 2], [1, 2], "SAME"),
       {"special": (special(),)}, BOTH, "special"),
    *variants(
        "AvgPool",
        {
            "valid": lambda tf, a: tf.nn.avg_pool2d(a, 2, 2, "VALID"),
            "same": lambda tf, a: tf.nn.avg_pool2d(a, 3, 2, "SAME"),
            "overlap": lambda tf, a: tf.nn.avg_pool2d(a, [3, 2], 1, "SAME"),
            "any rank": lambda tf, a: tf.nn.avg_pool(a, 2, 2, "SAME"),
            "pool": lambda tf, a: tf.nn.pool(a, [2, 3], "AVG", strides=[2, 1], padding="SAME"),
            "pool dilated": lambda tf, a: tf.nn.pool(a, [2, 2], "AVG", dilations=[1, 2]),
        },
        {"small": (x(2, 5, 6, 3),), "empty": (x(0, 4, 4, 2),)}, FLOATS, gradient=True, rtol=NARROW,
    ),
    op("AvgPool", lambda tf, a: tf.nn.avg_pool2d(a, 2, 2, "SAME", "NCHW"), {"small": (x(1, 2, 3, 5),)}, F32, "planes",
       gradient=True),
    op("MaxPool", lambda tf, a: tf.nn.max_pool2d(a, 2, 2, "SAME", "NCHW"), {"small": (distinct(1, 2, 3, 5),)}, F32,
       "planes", gradient=True),
    *variants(
        "FractionalPool",
        {
            f"{kind}{' pseudo random' * pseudo}{' overlapping' * overlap}": lambda tf, a, kind=kind, pseudo=pseudo, overlap=overlap: (
                getattr(tf.nn, f"fractional_{kind}_pool")(a, [1.0, 1.45, 1.7, 1.0], pseudo, overlap, seed=5)
            )
            for kind in ("max", "avg") for pseudo in (False, True) for overlap in (False, True)
        },
        {"distinct": (distinct(1, 9, 8, 2),), "equal": (like([[[[1]] * 5] * 6]),)}, ("float32", "float64", "int32"), gradient=True,
    ),
    op("avg_pool1d", lambda tf, a: tf.nn.avg_pool1d(a, 3, 2, "SAME"), {"small": (x(2, 7, 3),)}, FLOATS, gradient=True,
       rtol=NARROW),
    *variants(
        "AvgPool3D",
        {
            "valid": lambda tf, a: tf.nn.avg_pool3d(a, 2, 2, "VALID"),
            "same": lambda tf, a: tf.nn.avg_pool3d(a, [2, 3, 2], [1, 2, 1], "SAME"),
        },
        {"small": (x(1, 4, 3, 4, 2),)}, F32, gradient=True,
    ),
]  # fmt: skip

IMAGES = [
    *variants(
        "LRN",
        {
            "default": lambda tf, a: tf.nn.lrn(a),
            "near": lambda tf, a: tf.nn.local_response_normalization(a, depth_radius=1, bias=2, alpha=0.5, beta=0.75),
        },
        {"small": (x(1, 2, 3, 7),)}, ("float16", "float32"), gradient=True, rtol=NARROW,
    ),
    *variants(
        "Dilation2D",
        {
            "valid": lambda tf, a, f: tf.nn.dilation2d(a, f, [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
            "same": lambda tf, a, f: tf.nn.dilation2d(a, f, [1, 2, 1, 1], "SAME", "NHWC", [1, 1, 2, 1]),
            "erosion": lambda tf, a, f: tf.nn.erosion2d(a, f, [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        },
        {"small": (distinct(2, 4, 5, 2), y(2, 3, 2))}, ("bfloat16", "float32", "float64", "int8", "int32", "uint16"),
        gradient=True,
    ),
    *variants(
        "ExtractImagePatches",
        {
            "valid": lambda tf, a: tf.image.extract_patches(a, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
            "same": lambda tf, a: tf.image.extract_patches(a, [1, 2, 3, 1], [1, 2, 2, 1], [1, 2, 1, 1], "SAME"),
        },
        {"small": (x(2, 4, 5, 2),)}, SOME, gradient=True,
    ),
    *variants(
        "resize",
        {
            f"{method}{' antialias' * antialias}": lambda tf, a, method=method, antialias=antialias: tf.image.resize(
                a, [4, 7], method, antialias=antialias
            )
            for method in (
                "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic",
            )
            for antialias in (False, True)
        },
        {"both ways": (x(2, 6, 5, 2),)}, ("float32", "uint8"),
    ),
    *variants(
        "resize",
        {
            f"{method} gradient": lambda tf, a, method=method: tf.image.resize(a, [4, 7], method)
            for method in ("bilinear", "nearest", "bicubic", "lanczos3")
        },
        {"both ways": (x(2, 6, 5, 2),), "one image": (x(2, 3, 1),)}, F32, gradient=True,
    ),
    *variants(
        "resize",
        {
            "ratio": lambda tf, a: tf.image.resize(a, [9, 9], preserve_aspect_ratio=True),
            "same size": lambda tf, a: tf.image.resize(a, [6, 5]),
            "same size nearest": lambda tf, a: tf.image.resize(a, [6, 5], "nearest"),
        },
        {"both ways": (x(2, 6, 5, 2),)}, ("float32", "uint8"),
    ),
    op("adjust_contrast", lambda tf, a: tf.image.adjust_contrast(a, 1.5), {"small": (x(1, 3, 3, 2),)},
       ("float32", "float64", "uint8", "int32")),
    *variants(
        "convert_image_dtype",
        {
            f"{to}{' saturated' * saturate}": lambda tf, a, to=to, saturate=saturate: tf.image.convert_image_dtype(
                tf.reshape(a, [-1]), getattr(tf, to), saturate
            )
            for to in ("uint8", "int16", "float32", "float64")
            for saturate in (False, True)
        },
        {"small": (like([[0, 1, 1]]),)}, ("float32", "float64", "uint8", "int16", "int32"),
    ),
]  # fmt: skip

CASES: list[Case] = [*CONV, *POOLS, *IMAGES]

# What is wrong, each with the call; TensorFlow says which class of error it is, eagerly and traced.
ERRORS = {
    "conv2d channels": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 3]), tf.ones([2, 2, 2, 2]), 1, "VALID"),
    "conv2d groups": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 4]), tf.ones([2, 2, 2, 3]), 1, "VALID"),
    "conv2d filter rank": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 1, 1]), 1, "VALID"),
    "conv2d window": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([5, 5, 1, 1]), 1, "VALID"),
    "conv2d padding": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "FULL"),
    "conv2d padding in small letters": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "same"),
    "conv2d paddings": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, [[0, 0]] * 3),
    "conv2d strides": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), [1, 1, 1], "VALID"),
    "conv2d stride 0": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 0, "VALID"),
    "conv2d stride of batch": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), [2, 1, 1, 1], "VALID"),
    "conv2d dilation 0": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "VALID", dilations=0),
    "conv2d format": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "VALID", "NWHC"),
    "conv2d dtypes": lambda tf: tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1], tf.float64), 1, "VALID"),
    "conv2d int64": lambda tf: tf.nn.conv2d(
        tf.ones([1, 3, 3, 1], tf.int64), tf.ones([2, 2, 1, 1], tf.int64), 1, "VALID"),
    "conv1d format": lambda tf: tf.nn.conv1d(tf.ones([1, 3, 1]), tf.ones([2, 1, 1]), 1, "VALID", "foo"),
    "conv1d stride": lambda tf: tf.nn.conv1d(tf.ones([1, 3, 1]), tf.ones([2, 1, 1]), [1, 2], "VALID"),
    "conv1d paddings": lambda tf: tf.nn.conv1d(tf.ones([1, 3, 1]), tf.ones([2, 1, 1]), 1, [[0, 0], [1, 1], [0, 0]]),
    "conv3d number": lambda tf: tf.nn.conv3d(tf.ones([1, 3, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1]), 1, "VALID"),
    "conv3d groups": lambda tf: tf.nn.conv3d(tf.ones([1, 3, 3, 3, 2]), tf.ones([2, 2, 2, 1, 2]), [1] * 5, "VALID"),
    "conv3d paddings": lambda tf: tf.nn.conv3d(
        tf.ones([1, 3, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1]), [1] * 5, [[0, 0]] * 5),
    "convolution rank": lambda tf: tf.nn.convolution(tf.ones([1, 2, 2, 2, 2, 1]), tf.ones([1, 1, 1, 1, 1, 1])),
    "convolution dilated strides": lambda tf: tf.nn.convolution(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 2, 3]), strides=2, dilations=2),
    "convolution dilated channels": lambda tf: tf.nn.convolution(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 3]), dilations=2),
    "convolution paddings": lambda tf: tf.nn.convolution(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 2, 3]), padding=[[0, 0]] * 4),
    "conv1d_transpose format": lambda tf: tf.nn.conv1d_transpose(
        tf.ones([1, 5, 2]), tf.ones([2, 3, 2]), [1, 5, 3], 1, data_format="foo"),
    "atrous rate": lambda tf: tf.nn.atrous_conv2d(tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 2, 3]), 0, "VALID"),
    "atrous transpose rate": lambda tf: tf.nn.atrous_conv2d_transpose(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 2]), [1, 5, 5, 3], 0, "VALID"),
    "atrous transpose padding": lambda tf: tf.nn.atrous_conv2d_transpose(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 2]), [1, 5, 5, 3], 2, "foo"),
    "atrous transpose channels": lambda tf: tf.nn.atrous_conv2d_transpose(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 3]), [1, 7, 7, 3], 2, "VALID"),
    "atrous transpose output": lambda tf: tf.nn.atrous_conv2d_transpose(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 2]), [1, 7, 7, 4], 2, "VALID"),
    "depthwise channels": lambda tf: tf.nn.depthwise_conv2d(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "VALID"),
    "depthwise number": lambda tf: tf.nn.depthwise_conv2d(tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 2, 1]), 1, "VALID"),
    "separable pointwise": lambda tf: tf.nn.separable_conv2d(
        tf.ones([1, 5, 5, 2]), tf.ones([2, 2, 2, 1]), tf.ones([2, 1, 2, 3]), [1, 1, 1, 1], "VALID"),
    "max_pool rank": lambda tf: tf.nn.max_pool(tf.ones([3, 3]), 2, 2, "SAME"),
    "max_pool window": lambda tf: tf.nn.max_pool2d(tf.ones([1, 3, 3, 1]), [2, 2, 2], 2, "SAME"),
    "max_pool window 0": lambda tf: tf.nn.max_pool2d(tf.ones([1, 3, 3, 1]), 0, 2, "SAME"),
    "max_pool padding": lambda tf: tf.nn.max_pool2d(tf.ones([1, 3, 3, 1]), 2, 2, "same"),
    "max_pool paddings": lambda tf: tf.nn.max_pool2d(tf.ones([1, 3, 3, 1]), 2, 2, [[0, 0]] * 3),
    "max_pool wide paddings": lambda tf: tf.nn.max_pool2d(
        tf.ones([1, 3, 3, 1]), 2, 2, [[0, 0], [2, 1], [1, 1], [0, 0]]),
    "max_pool3d float64": lambda tf: tf.nn.max_pool3d(tf.ones([1, 3, 3, 3, 1], tf.float64), 2, 2, "SAME"),
    "avg_pool paddings": lambda tf: tf.nn.avg_pool2d(tf.ones([1, 3, 3, 1]), 2, 2, [[0, 0]] * 4),
    "avg_pool integers": lambda tf: tf.nn.avg_pool2d(tf.ones([1, 3, 3, 1], tf.int32), 2, 2, "SAME"),
    "argmax format": lambda tf: tf.nn.max_pool_with_argmax(tf.ones([1, 1, 3, 3]), 2, 2, "SAME", "NCHW"),
    "argmax paddings": lambda tf: tf.nn.max_pool_with_argmax(tf.ones([1, 3, 3, 1]), 2, 2, [[0, 0]] * 4),
    "pool kind": lambda tf: tf.nn.pool(tf.ones([1, 3, 3, 1]), [2, 2], "MIN"),
    "pool dilated strides": lambda tf: tf.nn.pool(
        tf.ones([1, 5, 5, 1]), [2, 2], "MAX", strides=[2, 2], dilations=[2, 2]),
    "pool dilated same": lambda tf: tf.nn.pool(
        tf.ones([1, 5, 5, 1]), [2, 2], "AVG", padding="SAME", dilations=[2, 2]),
    "fractional ratio": lambda tf: tf.nn.fractional_max_pool(tf.ones([1, 5, 5, 1]), 0.5, seed=1),
    "fractional ratios": lambda tf: tf.nn.fractional_avg_pool(tf.ones([1, 5, 5, 1]), [1.5, 1.2], seed=1),
    "fractional rank": lambda tf: tf.nn.fractional_max_pool(tf.ones([5, 5]), 1.5, seed=1),
    "lrn rank": lambda tf: tf.nn.lrn(tf.ones([3, 3])),
    "dilation2d format": lambda tf: tf.nn.dilation2d(
        tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1]), [1] * 4, "SAME", "NCHW", [1] * 4),
    "dilation2d channels": lambda tf: tf.nn.dilation2d(
        tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 3]), [1] * 4, "SAME", "NHWC", [1] * 4),
    "dilation2d number": lambda tf: tf.nn.dilation2d(
        tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2]), 1, "SAME", "NHWC", [1] * 4),
    "patches window": lambda tf: tf.image.extract_patches(
        tf.ones([1, 3, 3, 1]), [1, 7, 7, 1], [1] * 4, [1] * 4, "VALID"),
    "patches channels": lambda tf: tf.image.extract_patches(
        tf.ones([1, 3, 3, 1]), [1, 2, 2, 2], [1] * 4, [1] * 4, "VALID"),
    "resize method": lambda tf: tf.image.resize(tf.ones([1, 3, 3, 1]), [2, 2], "foo"),
    "resize rank": lambda tf: tf.image.resize(tf.ones([3, 3]), [2, 2]),
    "resize three sizes": lambda tf: tf.image.resize(tf.ones([1, 3, 3, 1]), [2, 2, 1]),
    "resize size 0": lambda tf: tf.image.resize(tf.ones([1, 3, 3, 1]), [0, 2]),
    "resize float size": lambda tf: tf.image.resize(tf.ones([1, 3, 3, 1]), [2.5, 2]),
    "contrast rank": lambda tf: tf.image.adjust_contrast(tf.ones([3, 3]), 2.0),
}  # fmt: skip
