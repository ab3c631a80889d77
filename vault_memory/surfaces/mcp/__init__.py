"""The door for agents: tools, resources and a prompt by the Model Context Protocol, on stdin and stdout."""
