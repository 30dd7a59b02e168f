"""The edge: reads documents into the core's records, and writes pages out of its views."""
