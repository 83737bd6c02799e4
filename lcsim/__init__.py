"""lcsim plays Lost Cities millions of times and says what it found, with its error."""

import os

__version__ = "0.1.0"

# Work is spread over threads here. Threads of NumPy's BLAS beside them wait for each other: on a
# busy machine that makes small products a hundred times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
