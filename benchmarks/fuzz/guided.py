"""Inputs that coverage guides: atheris (libFuzzer) changes those that reached new code.

``python -m benchmarks.fuzz.guided --seconds 600`` needs Linux and ``pip install 'quoridor-net[fuzz]'``. Every
target has a process of its own, forked when the package has been instrumented. What it learned is kept in the
folder of ``--corpus`` and the next run goes on from there.
"""

from __future__ import annotations

import importlib.util
import math
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from attrs import frozen

from benchmarks.fuzz.corpus import kept_inputs, replace_inputs
from benchmarks.fuzz.failures import keep
from benchmarks.fuzz.target import Target
from benchmarks.table import print_table

#: Bytes of the longest input; ``benchmarks.fuzz`` makes longer ones, and has a limit of time for them.
LONGEST = 4096

#: Seconds after which an input is given up, and megabytes that a target may use.
PATIENCE = 10
MEMORY = 4096

_PROGRESS = re.compile(rb"cov: (\d+) ft: (\d+) corp: (\d+)")
_EXECUTED = re.compile(rb"stat::number_of_executed_units: (\d+)")


@frozen
class Settings:
    """How every target is fuzzed.

    Attributes:
        inputs: to execute; 0 for no limit.
        seconds: after which to stop, in whole seconds; 0 for no limit.
        seed: of libFuzzer.
        corpus: folder with a folder of inputs for each target.
        failures: folder for inputs that fail.
    """

    inputs: int
    seconds: int
    seed: int
    corpus: Path
    failures: Path


@frozen
class Exploration:
    """What came of one target.

    Attributes:
        executed: inputs.
        seconds: that it took.
        coverage: edges of the package's code that were reached.
        features: edges and how often they were passed, as libFuzzer counts.
        corpus: inputs that are worth changing further.
        failures: files with inputs that fail; libFuzzer stops at the first.
        said: the last lines of libFuzzer where an input failed, a traceback among them.
    """

    name: str
    executed: int
    seconds: float
    coverage: int
    features: int
    corpus: int
    failures: Sequence[Path]
    said: str


def instrumented_targets() -> Sequence[Target]:
    """Import everything that the targets need, with counters in the code of this project."""
    import atheris

    with atheris.instrument_imports(include=["quoridor_net"]):
        from benchmarks.fuzz.targets import TARGETS
    return TARGETS


class Explorer:
    """One target that is being fuzzed in a process of its own."""

    def __init__(self, target: Target, settings: Settings) -> None:
        self._target = target
        self._settings = settings
        self._begun = time.monotonic()
        # Not a TemporaryDirectory, which the process that is forked would remove when it ends.
        self._path = Path(tempfile.mkdtemp(prefix="fuzz-"))
        self._artifacts = self._path / "artifacts"
        self._artifacts.mkdir()
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            self._fuzz()

    def _fuzz(self) -> None:
        """Fuzz until libFuzzer ends this process."""
        import atheris

        with (self._path / "log").open("wb") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        settings, target = self._settings, self._target
        grown = settings.corpus / target.name
        grown.mkdir(parents=True, exist_ok=True)
        seeds = self._path / "seeds"
        seeds.mkdir()
        right = target.samples(random.Random(settings.seed))
        _write_all(seeds, (*kept_inputs(target.name), *(sample[:LONGEST] for sample in right)))
        words = self._path / "words"
        words.write_text("".join(f'"{_quoted(word)}"\n' for word in target.words if word), "ascii")
        options = {
            "runs": settings.inputs or -1,
            "max_total_time": settings.seconds,
            "seed": settings.seed or 1,
            "max_len": LONGEST,
            "timeout": PATIENCE,
            "rss_limit_mb": MEMORY,
            "print_final_stats": 1,
            "verbosity": 1,
            "artifact_prefix": f"{self._artifacts}/",
            "dict": words,
        }
        arguments = [f"-{name}={value}" for name, value in options.items()]
        atheris.Setup(["fuzz", *arguments, str(grown), str(seeds)], target.run)
        atheris.Fuzz()
        os._exit(0)

    def finish(self) -> Exploration:
        """Return what came of it, when the process has ended."""
        log = (self._path / "log").read_bytes()
        failures = [
            keep(self._settings.failures, self._target.name, path.read_bytes())
            for path in sorted(self._artifacts.iterdir())
        ]
        coverage, features, corpus = map(int, (_PROGRESS.findall(log) or [(0, 0, 0)])[-1])
        executed = _EXECUTED.search(log)
        is_whole = executed is not None and not failures
        exploration = Exploration(
            self._target.name,
            0 if executed is None else int(executed[1]),
            time.monotonic() - self._begun,
            coverage,
            features,
            corpus,
            failures,
            "" if is_whole else log[-3000:].decode("utf-8", "replace"),
        )
        shutil.rmtree(self._path)
        return exploration


def explore(targets: Iterable[Target], settings: Settings, processes: int) -> list[Exploration]:
    """Fuzz every target, as many at once as there are ``processes``."""
    waiting = list(targets)
    running: dict[int, Explorer] = {}
    found = []
    while waiting or running:
        while waiting and len(running) < processes:
            explorer = Explorer(waiting.pop(0), settings)
            running[explorer.process] = explorer
        process, _ = os.wait()
        found.append(running.pop(process).finish())
        show_failure(found[-1])
    return found


def show_failure(exploration: Exploration) -> None:
    """Print what went wrong with a target, if anything did."""
    if exploration.said:
        kept = ", ".join(map(str, exploration.failures)) or "no input was kept"
        print(f"{exploration.said}\nFAILED {exploration.name}: {kept}", flush=True)


def _write_all(folder: Path, inputs: Iterable[bytes]) -> None:
    for number, data in enumerate(inputs):
        (folder / str(number)).write_bytes(data)


def _quoted(word: bytes) -> str:
    """Return a word as libFuzzer's dictionaries have it."""
    return "".join(f"\\x{byte:02x}" for byte in word)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--inputs", type=click.IntRange(1), help="Inputs to execute, all targets together.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Time after which to stop.")
@click.option("--seed", type=click.IntRange(1), default=1, show_default=True, help="Of libFuzzer.")
@click.option(
    "--processes", type=click.IntRange(1), default=os.cpu_count() or 1, help="[default: one per core]"
)
@click.option("--target", "names", multiple=True, help="Feed this parser alone; may be repeated.")
@click.option(
    "--corpus", type=click.Path(file_okay=False, path_type=Path), default=Path("fuzz-corpus"),
    show_default=True, help="Folder for inputs that reached new code.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), default=Path("fuzz-failures"),
    show_default=True, help="Folder for inputs that fail.",
)  # fmt: skip
@click.option(
    "--keep", "keeps", is_flag=True, help="Replace the corpus of the tests by short inputs of this one."
)
def main(
    inputs: int | None,
    seconds: float | None,
    seed: int,
    processes: int,
    names: tuple[str, ...],
    corpus: Path,
    output: Path,
    keeps: bool,
) -> None:
    """Feed all parsers with inputs that coverage guides; the exit status is 1 when an input fails."""
    if importlib.util.find_spec("atheris") is None:
        raise click.ClickException(
            "atheris is not installed: pip install 'quoridor-net[fuzz]', on Linux; benchmarks.fuzz needs none"
        )
    targets = instrumented_targets()
    unknown = set(names) - {target.name for target in targets}
    if unknown:
        raise click.BadParameter(f"there is no target {min(unknown)}", param_hint="--target")
    chosen = [target for target in targets if not names or target.name in names]
    if inputs is None and seconds is None:
        seconds = 60.0
    share = 0 if inputs is None else -(-inputs // len(chosen))
    rounds = math.ceil(len(chosen) / processes)
    time_each = 0 if seconds is None else max(1, int(seconds / rounds))
    begun = time.monotonic()
    found = explore(chosen, Settings(share, time_each, seed, corpus, output), processes)
    show(found, time.monotonic() - begun)
    if keeps:
        for target in chosen:
            grown = (path.read_bytes() for path in (corpus / target.name).iterdir())
            print(f"{target.name}: {replace_inputs(target.name, grown)} inputs kept")
    sys.exit(1 if any(exploration.said for exploration in found) else 0)


def show(found: Sequence[Exploration], elapsed: float) -> None:
    """Print what came of all targets."""
    rows = [
        [each.name, f"{each.executed:,}", f"{each.executed / each.seconds:,.0f}", str(each.coverage),
         str(each.features), str(each.corpus)]
        for each in sorted(found, key=lambda each: each.name)
    ]  # fmt: skip
    print_table("Targets", ["parser", "inputs", "a second", "edges", "features", "corpus"], rows)
    total = sum(each.executed for each in found)
    print(f"\n{total:,} inputs of up to {LONGEST} bytes in {elapsed:.0f} s: {total / elapsed:,.0f} a second.")
    if not any(each.said for each in found):
        print("No failure.")


if __name__ == "__main__":
    main()
