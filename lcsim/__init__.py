"""lcsim plays Lost Cities millions of times and says what it found, with its error."""

__version__ = "0.1.0"
