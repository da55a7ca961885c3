"""Makes line.onnx: python3 make_model.py, with onnx. y = x w + b for x (n, 3), as Points.java has it."""
from pathlib import Path

import onnx
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("Gemm", ["x", "w", "b"], ["y"])],
    "line",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])],
    [
        helper.make_tensor("w", TensorProto.FLOAT, [3, 1], [2, -1, 0.5]),
        helper.make_tensor("b", TensorProto.FLOAT, [1], [3]),
    ],
)
model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
onnx.checker.check_model(model)
onnx.save(model, Path(__file__).with_name("line.onnx"))
