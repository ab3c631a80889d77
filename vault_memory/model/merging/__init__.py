"""Three versions of a memory become one."""
