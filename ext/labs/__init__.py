"""The programs behind the numbers, one module a note."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: the same sums anywhere, and no spinning
