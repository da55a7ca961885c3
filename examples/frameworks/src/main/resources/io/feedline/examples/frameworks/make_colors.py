"""Makes colors.onnx: python3 make_colors.py, with onnx. The mean of each channel of pixels (n, 3, h, w)."""
from pathlib import Path

import onnx
from onnx import TensorProto, helper

graph = helper.make_graph(
    [
        helper.make_node("GlobalAveragePool", ["pixels"], ["means"]),
        helper.make_node("Flatten", ["means"], ["scores"]),
    ],
    "colors",
    [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["n", 3, "h", "w"])],
    [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 3])],
)
model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
onnx.checker.check_model(model)
onnx.save(model, Path(__file__).with_name("colors.onnx"))
