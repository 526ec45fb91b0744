#!/usr/bin/env python3
"""How fast the rules of benches are beside what people would use instead: NumPy, plain Python, icepool, dyce, `probl`.

    python3 benches/compare.py            all workloads
    python3 benches/compare.py volley     those with this word in their names

It needs cargo. What it compares with it installs for itself under target/compare, and it says plainly what could not be
installed. houserule's side is `cargo bench --bench throughput -- --plain`, whose exact probabilities all others must
meet. Samples are taken in turns and their medians are printed, one thread each. NumPy has the generator that houserule
has, PCG64DXSM, and the batch size that suits it best. Ratios are what to compare; the absolute figures hold for one
machine on one day.
"""

import functools
import importlib
import importlib.metadata
import json
import math
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "target" / "compare"

#: How often each figure is taken, and how long a sample takes at least, in seconds.
SAMPLES = 9
SAMPLE = 0.05

#: Beyond this z-score counts do not fit: a false alarm about once in three million comparisons.
ALARM = 5

#: The casualties before each volley.
CASUALTIES = {"volley": 0, "weak-volley": 2}
STAMINA = 3


def break_chart(score):
    if score >= 7:
        return max(0, 9 - score)
    if score >= 5:
        return 3
    return 4 if score == 4 else 5 if score == 3 else 6


def volley_chart(score):
    return 1 if score >= 7 else 2 if score >= 5 else 3


def volley_cell(taken, six, roll):
    tested = taken > STAMINA
    return taken * 4 + (volley_chart(roll - (taken - STAMINA) - six) if tested else 0)


def key(workload, cell):
    """What houserule calls the outcome that is counted in a cell."""
    return str(cell) if workload == "break-test" else f"{cell // 4},{cell % 4}"


# ---- plain Python


def python_break_test(trials):
    counts = [0] * 7
    for _ in range(trials):
        score = random.randint(1, 6) + random.randint(1, 6) - 2
        counts[break_chart(score)] += 1
    return counts


def python_volley(casualties, trials):
    counts = [0] * 36
    for _ in range(trials):
        shots = [random.randint(1, 6) for _ in range(6)]
        hits = sum(shot >= 4 for shot in shots)
        taken = casualties + sum(random.randint(1, 6) < 4 for _ in range(hits))
        outcome = 0
        if taken > STAMINA:
            score = random.randint(1, 6) + random.randint(1, 6) - (taken - STAMINA) - (6 in shots)
            outcome = volley_chart(score)
        counts[taken * 4 + outcome] += 1
    return counts


# ---- NumPy


class Numpy:
    """The workloads in NumPy: as one writes it first, and as one does who takes pains."""

    def __init__(self, numpy):
        self.np = np = numpy
        self.dice = np.random.Generator(np.random.PCG64DXSM(1))
        falls = np.arange(36)
        self.two_dice = falls % 6 + falls // 6 + 2
        self.break_chart = np.array([break_chart(score) for score in range(11)])
        self.break_falls = self.break_chart[self.two_dice - 2]
        self.volley_chart = np.array([volley_chart(score) for score in range(-6, 13)])
        ends = [volley_cell(taken, six, roll) for taken in range(9) for six in (0, 1) for roll in self.two_dice]
        self.volley_ends = np.array(ends)
        six_dice = np.stack([np.arange(6**6) // 6**die % 6 + 1 for die in range(6)])
        self.shots = ((six_dice > 3).sum(axis=0) * 2 + (six_dice == 6).any(axis=0)).astype(np.uint16) << 6
        self.failed = sum((six_dice[die] < 4).astype(np.uint8) << die for die in range(6)).astype(np.uint8)
        lost = [bin(bits & ((1 << hits) - 1)).count("1") * 2 + six
                for hits in range(7) for six in (0, 1) for bits in range(64)]
        self.lost = np.array(lost, dtype=np.uint8)

    def plain_break_test(self, trials):
        score = self.dice.integers(1, 7, (trials, 2)).sum(axis=1) - 2
        return self.np.bincount(self.break_chart[score], minlength=7)

    def tuned_break_test(self, trials):
        """The falls of two dice are counted; then each of the 36 is looked up."""
        falls = self.np.bincount(self.dice.integers(0, 36, trials, dtype=self.np.uint8), minlength=36)
        return self.np.bincount(self.break_falls, weights=falls, minlength=7)

    def paired_break_test(self, trials):
        """The falls of two pairs of dice are counted together; no trial is looked at alone."""
        pairs = self.dice.integers(0, 36 * 36, trials // 2, dtype=self.np.uint16)
        pairs = self.np.bincount(pairs, minlength=36 * 36).reshape(36, 36)
        falls = pairs.sum(axis=0) + pairs.sum(axis=1)
        return self.np.bincount(self.break_falls, weights=falls, minlength=7)

    def plain_volley(self, casualties, trials):
        np = self.np
        shots = self.dice.integers(1, 7, (trials, 6))
        hits = (shots >= 4).sum(axis=1)
        six = (shots == 6).any(axis=1)
        saves = self.dice.integers(1, 7, (trials, 6))
        taken = casualties + ((saves < 4) & (np.arange(6) < hits[:, None])).sum(axis=1)
        score = self.dice.integers(1, 7, (trials, 2)).sum(axis=1) - np.maximum(taken - STAMINA, 0) - six
        outcome = np.where(taken > STAMINA, self.volley_chart[score + 6], 0)
        return np.bincount(taken * 4 + outcome, minlength=36)

    def tuned_volley(self, casualties, trials):
        """A column of bytes for each die; only those who test roll for it."""
        np = self.np
        shots = self.dice.integers(1, 7, (6, trials), dtype=np.uint8)
        hits = (shots > 3).sum(axis=0, dtype=np.uint8)
        six = (shots == 6).any(axis=0)
        saves = self.dice.integers(1, 7, (6, trials), dtype=np.uint8)
        failed = (saves < 4) & (np.arange(6, dtype=np.uint8)[:, None] < hits)
        lost = failed.sum(axis=0, dtype=np.uint8)
        return self.ends(casualties, lost * np.uint8(2) + six)

    def tabled_volley(self, casualties, trials):
        """Tables for the falls of six dice; only those who test roll for it."""
        shots = self.shots.take(self.dice.integers(0, 6**6, trials, dtype=self.np.uint16))
        shots |= self.failed.take(self.dice.integers(0, 6**6, trials, dtype=self.np.uint16))
        return self.ends(casualties, self.lost.take(shots))

    def ends(self, casualties, lost):
        """The cells of all trials, by twice what is lost, and 1 more where there is a 6."""
        np = self.np
        counts = np.zeros(36, dtype=np.int64)
        stand = max(0, STAMINA - casualties + 1)
        counts[casualties * 4 : (casualties + 7) * 4 : 4] = np.bincount(lost, minlength=14).reshape(7, 2).sum(axis=1)
        counts[(casualties + stand) * 4 :] = 0
        tested = lost[lost >= 2 * stand]
        falls = tested.astype(np.uint16) * np.uint16(36)
        falls += self.dice.integers(0, 36, len(tested), dtype=np.uint8)
        falls = np.bincount(falls, minlength=14 * 36)
        ends = self.volley_ends[casualties * 72 : casualties * 72 + 14 * 36]
        return counts + np.bincount(ends, weights=falls, minlength=36).astype(np.int64)


# ---- exactly


def icepool_break_test(icepool):
    return (2 @ icepool.d6).map(lambda roll: break_chart(roll - 2))


def icepool_volley(icepool, casualties):
    two = 2 @ icepool.d6

    def end(taken, six):
        return two.map(lambda roll: volley_cell(taken, six, roll)) if taken > STAMINA else taken * 4

    shots = 6 @ icepool.d6.map(lambda die: icepool.Vector((int(die > 3), int(die == 6))))
    shots = shots.map(lambda hits: (hits[0], min(hits[1], 1)), star=False)
    lost = shots.map(lambda hits, six: (hits @ icepool.coin(1, 2)).map(lambda lost: (casualties + lost, six)))
    return lost.map(end)


def dyce_break_test(dyce):
    return (2 @ dyce.H(6)).apply(lambda roll: break_chart(roll - 2))


def dyce_volley(dyce, casualties):
    d6, failed = dyce.H(6), dyce.H({0: 1, 1: 1})
    two = 2 @ d6

    def lost(shots):
        hits, six = shots.outcome % 100, int(shots.outcome >= 100)
        return (hits @ failed) * 2 + six if hits else six

    def end(lost):
        taken, six = casualties + lost.outcome // 2, lost.outcome % 2
        return two.apply(lambda roll: volley_cell(taken, six, roll)) if taken > STAMINA else taken * 4

    shots = 6 @ d6.apply(lambda die: int(die > 3) + 100 * (die == 6))
    return dyce.expand(end, dyce.expand(lost, shots))


# ---- probl

PROBL_BREAK_TEST = """
fn chart(total: int): int {
  if total >= 9 { 0 } else if total == 8 { 1 } else if total == 7 { 2 } else if total >= 5 { 3 }
  else if total == 4 { 4 } else if total == 3 { 5 } else { 6 }
}
let roll ~ 2d6
report "{chart(roll - 2)}" as "end"
"""

PROBL_VOLLEY = """
fn chart(total: int): int {
  if total >= 7 { 1 } else if total >= 5 { 2 } else { 3 }
}
var taken = CASUALTIES
var hits = 0
var six = 0
repeat 6 {
  let shot ~ d6
  if shot >= 4 { hits += 1 }
  if shot == 6 { six = 1 }
}
repeat hits {
  let save ~ d6
  if save < 4 { taken += 1 }
}
var outcome = 0
if taken > 3 {
  let roll ~ 2d6
  outcome = chart(roll - (taken - 3) - six)
}
report "{taken},{outcome}" as "end"
"""


class Probl:
    """A workload for `probl`, in a file."""

    def __init__(self, program, workload, folder):
        source = PROBL_BREAK_TEST
        if workload in CASUALTIES:
            source = PROBL_VOLLEY.replace("CASUALTIES", str(CASUALTIES[workload]))
        self.file = Path(folder) / f"{workload}.probl"
        self.file.write_text(source)
        self.program = program

    def run(self, *options):
        done = subprocess.run([self.program, "run", *options, self.file], check=True, capture_output=True, text=True)
        return done.stdout

    def __call__(self, trials):
        return self.run("--threads", "1", "--seed", "1", "--runs", str(trials))

    def check(self, shares):
        """Its own enumeration, and a sample, as far as it prints them."""
        for text, trials in ((self.run(), math.inf), (self(40_000), 40_000)):
            found = re.findall(r"(\d+(?:,\d+)?) (\d[\d.e-]*)%", text)
            assert len(found) > 5, text
            for name, percent in found:
                share = shares[name]
                room = 0.0006 * (1 if trials < math.inf else 0.1) + ALARM * math.sqrt(share / trials)
                assert abs(float(percent) / 100 - share) < room, f"probl, {name}: {percent} %, exactly {share}"


# ---- installing, checking, timing


def complain(what, error):
    output = getattr(error, "stderr", None) or str(error)
    print(f"NOT COMPARED with {what}, which could not be installed: {output.strip().splitlines()[-1]}")


def packages(names):
    """The packages that can be had, from an environment of their own."""
    found = {}
    python = HOME / "python" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    try:
        if not python.exists():
            venv.create(HOME / "python", with_pip=True)
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        sys.path.append(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    except (OSError, subprocess.CalledProcessError) as error:
        complain(", ".join(names), error)
        return found
    for name in names:
        try:
            install = [python, "-m", "pip", "install", "--quiet", name]
            subprocess.run(install, check=True, capture_output=True, text=True)
            found[name] = importlib.import_module(name)
            print(f"{name} {importlib.metadata.version(name)}")
        except (OSError, subprocess.CalledProcessError, ImportError) as error:
            complain(name, error)
    return found


def probl():
    """The command, or nothing."""
    program = HOME / "probl" / "bin" / ("probl.exe" if sys.platform == "win32" else "probl")
    try:
        if not program.exists():
            install = ["cargo", "install", "--quiet", "--locked", "--root", HOME / "probl", "probl-cli"]
            subprocess.run(install, check=True, capture_output=True, text=True)
        print(subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip())
        return program
    except (OSError, subprocess.CalledProcessError) as error:
        complain("probl", error)
        return None


def bench():
    """The program of the bench, built."""
    build = ["cargo", "bench", "--bench", "throughput", "--no-run", "--message-format", "json"]
    lines = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    built = [line for line in map(json.loads, lines) if line.get("executable") and line["target"]["name"] == "throughput"]
    return built[-1]["executable"]


def plain(program):
    """What the bench says: exact shares by workload, and times by workload and player in nanoseconds."""
    shares, times = {}, {}
    said = subprocess.run([program, "--plain"], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in said.splitlines():
        match line.split():
            case ["share", workload, name, share]:
                shares.setdefault(workload, {})[name] = float(share)
            case ["time", workload, engine, nanoseconds]:
                times[workload, f"houserule, {engine}"] = float(nanoseconds)
            case ["solve", workload, nanoseconds]:
                times[workload, "houserule, exactly"] = float(nanoseconds)
    return shares, times


def check(name, counts, workload, shares):
    """Whether counts fit: chi-square, its cube root taken as normal (Wilson and Hilferty 1931)."""
    counted = {key(workload, cell): int(count) for cell, count in enumerate(counts) if count}
    assert counted.keys() <= shares.keys(), f"{name}: {counted.keys() - shares.keys()} cannot come up"
    trials = sum(counted.values())
    cells = [(counted.get(outcome, 0), share * trials) for outcome, share in shares.items()]
    cells = [cell for cell in cells if cell[1] >= 10]
    degrees = len(cells)
    chi = sum((count - expected) ** 2 / expected for count, expected in cells)
    spread = 2 / (9 * degrees)
    z = ((chi / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    assert z < ALARM, f"{name}, {workload}: z {z:.1f}, counted {counted}, exactly {shares}"


def check_exactly(name, solved, workload, shares):
    found = {key(workload, cell): float(share) for cell, share in solved}
    assert found.keys() == shares.keys(), f"{name}: {found}"
    assert all(abs(found[outcome] - share) < 1e-12 for outcome, share in shares.items()), f"{name}: {found}, {shares}"


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Sampler:
    """Something that plays trials, and how many of them at a time."""

    def __init__(self, play, sizes, goal=None):
        self.play, self.goal = play, goal
        self.size = min(sizes, key=lambda size: min(seconds(lambda: play(size)) for _ in range(3)) / size)
        self.times = max(1, math.ceil(SAMPLE / seconds(lambda: play(self.size))))

    def sample(self):
        """Nanoseconds a trial."""
        return 1e9 * seconds(lambda: [self.play(self.size) for _ in range(self.times)]) / self.times / self.size


class Solver:
    """Something that finds all probabilities; its samples are nanoseconds for the whole."""

    def __init__(self, solve):
        self.solve, self.goal = solve, None
        self.times = max(1, math.ceil(SAMPLE / seconds(solve)))

    def sample(self):
        return 1e9 * seconds(lambda: [self.solve() for _ in range(self.times)]) / self.times


def samplers(workload, shares, found, program, folder):
    """All that plays trials of a workload, checked."""
    casualties = CASUALTIES.get(workload)
    kind = "break_test" if casualties is None else "volley"
    first = () if casualties is None else (casualties,)
    plays = {"plain Python": (globals()[f"python_{kind}"], [10_000], None)}
    if "numpy" in found:
        numpy = Numpy(found["numpy"])
        sizes = [10**3, 10**4, 10**5, 10**6]
        plays["NumPy, plain"] = (getattr(numpy, f"plain_{kind}"), sizes, 25)
        tuned, tables = (4, "paired") if casualties is None else (6, "tabled")
        plays["NumPy, tuned"] = (getattr(numpy, f"tuned_{kind}"), sizes, tuned)
        plays[f"NumPy, {tables}"] = (getattr(numpy, f"{tables}_{kind}"), sizes, None)
    made = {}
    for name, (play, sizes, goal) in plays.items():
        bound = functools.partial(play, *first)
        check(name, bound(1_000_000 if name.startswith("NumPy") else 50_000), workload, shares)
        made[name] = Sampler(bound, sizes, goal)
    if program:
        sampling = Probl(program, workload, folder)
        sampling.check(shares)
        made["probl, sampling"] = Sampler(sampling, [100_000], 200)
    return made


def solvers(workload, shares, found):
    """All that finds the probabilities of a workload, checked."""
    casualties = CASUALTIES.get(workload)
    kind = "break_test" if casualties is None else "volley"
    first = () if casualties is None else (casualties,)
    made = {}
    if "icepool" in found:
        solve = functools.partial(globals()[f"icepool_{kind}"], found["icepool"], *first)
        check_exactly("icepool", zip(solve().outcomes(), solve().probabilities()), workload, shares)
        made["icepool, exactly"] = Solver(solve)
    if "dyce" in found:
        solve = functools.partial(globals()[f"dyce_{kind}"], found["dyce"], *first)
        check_exactly("dyce", solve().probability_items(), workload, shares)
        made["dyce, exactly"] = Solver(solve)
    return made


def table(workload, times, goals):
    """One workload's medians, each as so many times that of houserule."""
    medians = {name: statistics.median(samples) for (of, name), samples in times.items() if of == workload}
    engine = next(name for name in medians if name.startswith("houserule"))
    print(f"\n{workload:28} {'ns a trial':>14} {'ratio':>10} {'goal':>6}")
    for name, median in medians.items():
        if "exactly" not in name:
            ratio, goal = median / medians[engine], goals.get((workload, name))
            verdict = "" if goal is None else f" {goal:6} {'met' if ratio >= goal else 'MISSED'}"
            print(f"  {name:26} {median:14,.2f} {ratio:10,.2f}{verdict}")
    print(f"{'':28} {'microseconds':>14} {'ratio':>10}")
    for name, median in medians.items():
        if "exactly" in name:
            print(f"  {name:26} {median / 1e3:14,.2f} {median / medians['houserule, exactly']:10,.2f}")


def main():
    HOME.mkdir(parents=True, exist_ok=True)
    found, program, own = packages(["numpy", "icepool", "dyce"]), probl(), bench()
    shares, _ = plain(own)
    asked = [name for name in ("break-test", *CASUALTIES) if all(word in name for word in sys.argv[1:])]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce calls one of its functions experimental
        players = {}
        for workload in asked:
            made = samplers(workload, shares[workload], found, program, folder)
            made |= solvers(workload, shares[workload], found)
            players |= {(workload, name): player for name, player in made.items()}
        times = {}
        for _ in range(SAMPLES):
            for (workload, name), nanoseconds in plain(own)[1].items():
                times.setdefault((workload, name), []).append(nanoseconds)
            for place, player in players.items():
                times.setdefault(place, []).append(player.sample())
    goals = {place: player.goal for place, player in players.items()}
    for workload in asked:
        table(workload, times, goals)


if __name__ == "__main__":
    main()
