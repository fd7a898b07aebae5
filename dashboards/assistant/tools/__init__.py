"""What an assistant can do here: plain typed functions over the warehouse, the same for chat, MCP and HTTP."""
