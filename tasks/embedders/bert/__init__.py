"""The default model's architecture, computed by OpenVINO."""
