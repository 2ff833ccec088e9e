"""Which names mean the same in two versions of the program, and which are not compared. Edit this when a format changes."""

import re

# Old name -> new name: keys of JSON files, columns of CSV files, tensors, and values that are a single word.
# A dotted name stands for a whole quantity, such as "gamma.paper".
RENAMED = {
    "cosine_paper": "cosine_at_input",
    "paper": "at_input",
}

# Levels of nesting that carry no meaning: {"evaluation": {"hidden": […]}} is {"series": {"hidden": […]}}.
WRAPPERS = {"evaluation", "series", "notes"}

# The list of a named series: {"hidden": {"at": "state", "values": […]}} is {"hidden": […]}. Where it is measured is said beside it.
LIST = "values"
BESIDE_LIST = "at"

# Times, and what depends on them (a checkpoint's digest covers its seconds, the length of the log their digits).
# Members of a group are positions in a list whose items are known by their names here.
IGNORED = {"started", "ended", "resumed", "machine", "threads", "digest", "checkpoint", "metrics_bytes", "members"}
IGNORED_SUFFIX = "seconds"

# Names of formats and runs. They may change with the format; a change is shown, but is no difference.
IDENTITIES = {"schema", "version", "recipe_hash", "training_hash"}

# Items of a list are known by the first of these keys that all of them have, else by their position. A dot leads inside.
LABELS = (("subject.id",), ("check",), ("unit",), ("name",), ("run",), ("kind", "of"), ("eta",), ("a", "b", "of"))

# Words that carry a verdict: a sentence may be written anew, but these and its numbers must stay.
VERDICTS = re.compile(r"\b(pass|passes|passed|fail|fails|failed|fires|fired|quiet|not assessed|unreliable|nothing|yes|no)\b", re.I)
NUMBERS = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def canonical(name):
    """The new name of a key, column or one-word value."""
    return RENAMED.get(name, name)


def is_ignored(name):
    return name in IGNORED or name.endswith(IGNORED_SUFFIX)


def meaning(text):
    """What a sentence must keep when its words change."""
    return VERDICTS.findall(text.lower()), NUMBERS.findall(text)
