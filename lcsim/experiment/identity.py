"""What decides a unit's result, and the hash that names it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lcsim import __version__, rules
from lcsim.rules import Ruleset
from lcsim.rules.ruleset import list_fields
from lcsim.store import SCHEMA_VERSION
from lcsim.strategy import LoadedStrategy

ID_DIGITS = 24


@cache
def digest_rules() -> str:
    """Return a digest of the source of the rules: other rules, other results."""
    folder = Path(rules.__file__).parent
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:12]


def name_source(name: str, digest: str) -> str:
    """Return the name under which a run keeps the source of a strategy of that name and digest."""
    return f"{name}-{digest[:8]}.py"


def name_file(name: str, digest: str) -> str:
    """Return the name under which a run keeps a file from beside a strategy's source."""
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}-{digest[:8]}{dot}{suffix}"


def list_sources(strategy: LoadedStrategy) -> dict[str, bytes]:
    """Return what a run keeps of a strategy, by name: its source, and what lies beside that."""
    kept = {name_source(strategy.name, strategy.digest): strategy.source.encode()}
    for name, digest in strategy.file_digests.items():
        kept[name_file(name, digest)] = strategy.files[name]
    return kept


def describe_files(strategy: LoadedStrategy) -> dict[str, dict[str, str]]:
    """Return what a manifest says of the files beside a strategy's source, where it has some."""
    return {"files": strategy.file_digests} if strategy.files else {}


def resolve_fields(ruleset: Ruleset) -> dict[str, Any]:
    """Return every field of a ruleset with its value, as plain JSON values."""
    values = {field.name: getattr(ruleset, field.name) for field in list_fields(ruleset)}
    plain: dict[str, Any] = json.loads(json.dumps(values))
    return plain


def describe_matchup(label: str, ruleset: Ruleset, digests: Sequence[str], seed: int) -> str:
    """Return a text of all that decides a matchup's rows, beside the deals played.

    The label and the ruleset's spec are columns of the rows, so they belong to it.
    """
    return describe_entries(
        schema=SCHEMA_VERSION,
        engine=__version__,
        rules=digest_rules(),
        kind=ruleset.kind,
        ruleset=ruleset.spec,
        fields=resolve_fields(ruleset),
        label=label,
        strategies=list(digests),
        seed=seed,
    )


def describe_entries(
    *,
    schema: int,
    engine: str,
    rules: str,
    kind: str,
    ruleset: str,
    fields: Mapping[str, Any],
    label: str,
    strategies: Sequence[str],
    seed: int,
) -> str:
    """Return the text of `describe_matchup` from its entries as a manifest has them."""
    return json.dumps(locals(), sort_keys=True)


def hash_unit(decides: str, first_deal: int, n_deals: int, *, has_forks: bool = False) -> str:
    """Return the id of the unit of these deals of the matchup that `decides` describes.

    With `has_forks` it is that of the unit which forks the moves of those deals.
    """
    text = f"{decides}\n{first_deal}\n{n_deals}"
    if has_forks:
        text += "\nforks"
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]
