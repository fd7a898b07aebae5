"""The server of the Model Context Protocol: tools, documents and ready questions for any agent."""
