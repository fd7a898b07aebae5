"""OpenVINO without its converter of models: importing that reports to its maker, and costs a tenth of a second.

Nothing else here imports OpenVINO by itself. The library does without the converter where it is not installed.
"""

from __future__ import annotations

import sys

sys.modules["openvino.tools.ovc"] = None  # type: ignore[assignment]

from openvino import AsyncInferQueue, Core, Model, Node, Type, opset15, properties  # noqa: E402

__all__ = ["AsyncInferQueue", "Core", "Model", "Node", "Type", "opset15", "properties"]
