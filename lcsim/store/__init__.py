"""Where results are kept: Parquet parts, and the run's manifest beside them."""

from lcsim.store.parts import (
    check_part,
    iter_parts,
    read_part,
    scan_parts,
    write_part,
)
from lcsim.store.run_dir import RunDir, claim_run, find_difference, open_run
from lcsim.store.schema import SCHEMA_VERSION, build_schema

__all__ = [
    "SCHEMA_VERSION",
    "RunDir",
    "build_schema",
    "check_part",
    "claim_run",
    "find_difference",
    "iter_parts",
    "open_run",
    "read_part",
    "scan_parts",
    "write_part",
]
