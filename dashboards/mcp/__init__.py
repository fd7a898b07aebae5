"""The server of the Model Context Protocol (MCP): tools, documents as resources, and prompts."""
