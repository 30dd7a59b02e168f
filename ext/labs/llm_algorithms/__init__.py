"""Labs of the series ``llm-algorithms``."""
