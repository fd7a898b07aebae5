"""The default model's architecture, computed by OpenVINO, which nothing imports before it is needed."""
