"""Finds good parameters for a strategy: settings searched by play, and judged on fresh deals."""
