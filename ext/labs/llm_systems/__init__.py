"""Labs of the series ``infra``."""
