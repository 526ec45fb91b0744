#!/usr/bin/env python3
"""Recomputes every number that stands behind `#!` in tests/cases/published/, without houserule.

    python3 tests/independent/published.py [published.jsonl]

Each case has a model of its own here: plain enumeration, recursion or a closed form in fractions. A choice that is
best by its aim is found by trying all moves. With a file of known answers as argument, every number of every answer
must also stand in the case's file. Only the standard library is used.

The notation of the comments is described at the top of tests/published.rs.
"""

import json
import re
import sys
from collections import Counter
from fractions import Fraction as F
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / "cases" / "published"


# ---- dice: distributions are dictionaries from a value to its probability ---------------------------------------

@lru_cache(None)
def pool(n, faces=6):
    """All ways that n dice can fall, sorted from the highest, each with its probability."""
    ways = combinations_with_replacement(range(faces, 0, -1), n)
    count = lambda way: factorial(n) // prod(factorial(c) for c in Counter(way).values())
    return {way: F(count(way), faces**n) for way in ways}


def binomial(n, p):
    return {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}


def gather(pairs):
    """A distribution from pairs of a value and a probability."""
    dist = {}
    for value, p in pairs:
        dist[value] = dist.get(value, 0) + p
    return dist


def of(*dists):
    """Independent things together: values as tuples."""
    for combination in product(*(dist.items() for dist in dists)):
        yield tuple(value for value, _ in combination), prod(p for _, p in combination)


def each(function, *dists):
    """The distribution of a function of independent things."""
    return gather((function(*values), p) for values, p in of(*dists))


def flag(p):
    return {"yes": p, "no": 1 - p}


TWO_DICE = gather((a + b, F(1, 36)) for a in range(1, 7) for b in range(1, 7))
D6 = {face: F(1, 6) for face in range(1, 7)}


# ---- the cases: entry, situation and policies to a distribution ------------------------------------------------
# A value is a result, or a result with its records: (result, {"name": value} as sorted pairs).

def dba(_, s, __):
    def end(a, d):
        a, d = a + s["attack"], d + s["defence"]
        winner = "draw" if a == d else "attacker" if a > d else "defender"
        return winner if a == d else winner + ("_doubles" if max(a, d) >= 2 * min(a, d) else "_wins")
    return each(end, D6, D6)


def best_of_five(entry, s, _):
    cells = [(a, b + s["bonus"]) for a in range(1, 21) for b in range(1, 21)]
    won, lost = sum(a > b for a, b in cells), sum(a < b for a, b in cells)
    p = F(won, won + lost)
    if entry == "round":
        return flag(p)
    return flag(sum(comb(2 + k, k) * p**3 * (1 - p) ** k for k in range(3)))


def isaksen(_, s, __):
    score = lambda mine, theirs: sum((a > b) - (a < b) for a, b in zip(mine, theirs))
    return each(score, pool(s["n"]), pool(s["n"]))


def leadership(_, s, __):
    dice = 3 if s["cold"] == "yes" else 2
    p = sum(q for way, q in pool(dice).items() if sum(way[-2:]) <= s["leadership"])
    return flag(1 - (1 - p) ** 2 if s["reroll"] == "yes" else p)


def moves(command, roll):
    under = command - roll
    return 0 if under < 0 else 1 if under < 2 else min(under, 3)


def command(_, s, __):
    return each(lambda roll: moves(s["command"], roll), TWO_DICE)


def command_at_half(_, s, __):
    allowed = lambda roll: 3 if F(roll) <= F(s["command"], 2) else 2
    return each(lambda roll: min(moves(s["command"], roll), allowed(roll)), TWO_DICE)


def foul(_, s, __):
    def end(armour, injury):
        broken, total = sum(armour) >= s["armour"], sum(injury)
        double = armour[0] == armour[1] or broken and injury[0] == injury[1]
        hurt = "casualty" if total >= 10 else "knocked_out" if total >= 8 else "stunned"
        return (hurt if broken else "armour_holds", (("sent_off", "yes" if double else "no"),))
    return each(end, pool(2), pool(2))


def old_world(_, s, __):
    def end(roll):
        if roll == 2 or roll + s["lost_by"] <= s["leadership"]:
            return "gives_ground"
        return "breaks" if roll > s["leadership"] else "falls_back_in_good_order"
    return each(end, TWO_DICE)


def club_morale(entry, s, _):
    old = ["rout", "shaken", "shaken"] + 4 * ["pass"]
    new = [None, "rout", "shaken_retreat", "disordered_retreat", "disordered", "pass", "pass"]
    if entry == "old_test":
        return each(lambda roll: old[min(max(roll + s["modifier"], 0), 6)], D6)
    return each(lambda roll: new[min(max(roll + s["modifier"], 1), 6)], D6)


def charge(entry, s, policy):
    need = s["need"]
    once = sum(p for total, p in TWO_DICE.items() if total >= need)
    if entry == "plain" or policy.get("charge") == "none":
        return flag(once)
    if entry == "reroll_both" or policy.get("charge") == "all":
        return flag(once + (1 - once) * once)
    if entry == "in_terrain":
        return flag(sum(p for way, p in pool(3).items() if sum(way[1:]) >= need))
    def best(high, low):
        if high + low >= need:
            return F(1)
        keep = lambda die: F(sum(die + other >= need for other in range(1, 7)), 6)
        return max(once, keep(high), keep(low))
    return flag(sum(p * best(*way) for way, p in pool(2).items()))


def shots(_, s, __):
    return binomial(s["shots"], F(1, 2) * F(1, 2) * F(2, 3))


def kill_team(_, s, policy):
    def sorts(dice):
        for crits in range(dice + 1):
            for hits in range(dice + 1 - crits):
                ways = factorial(dice) // factorial(crits) // factorial(hits) // factorial(dice - crits - hits)
                yield (crits, hits), ways * F(1, 6) ** crits * F(1, 3) ** hits * F(1, 2) ** (dice - crits - hits)
    def damage(attack, defence):
        (crits, hits), (crit_saves, saves) = attack, defence
        def left(on_crits, doubled):
            spare = crit_saves - on_crits + saves - 2 * doubled
            return 13 * (crits - on_crits - doubled) + 11 * max(0, hits - spare)
        if policy["critical"] == policy["pairs"] == "lowest":
            return left(0, 0)
        return min(left(a, b) for a in range(min(crits, crit_saves) + 1)
                   for b in range(min(crits - a, saves // 2) + 1))
    return each(damage, gather(sorts(s["attack_dice"])), gather(sorts(s["defence_dice"])))


def infinity(_, s, __):
    a_value, b_value = s["a_value"], s["b_value"]
    def side(dice, value, others, other_value):
        """Criticals and successes of one side, before the other side's criticals are looked at."""
        best = max((die for die in others if die <= other_value), default=0)
        return dice.count(value), sum(best < die < value for die in dice)
    def end(a, b):
        (ac, ah), (bc, bh) = side(a, a_value, b, b_value), side(b, b_value, a, a_value)
        values = (0 if bc else ac, 0 if bc else ah, 0 if ac else bc, 0 if ac else bh)
        return (None, tuple(zip(("a_crit", "a_hits", "b_crit", "b_hits"), values)))
    return each(end, pool(s["a_dice"], 20), pool(s["b_dice"], 20))


def xwing(_, s, __):
    hits, evades = binomial(s["red_dice"], F(3, 4)), binomial(s["green_dice"], F(3, 8))
    return each(lambda hit, evaded: max(0, hit - evaded), hits, evades)


def leaders(_, s, __):
    pairs = []
    for first, p in binomial(5, F(1, 3)).items():
        again = binomial(min(s["leaders"], 5 - first), F(1, 3))
        pairs += [(first + second, p * q) for second, q in again.items()]
    return gather(pairs)


def explosions(_, __, ___):
    @lru_cache(None)
    def total(pending, budget):
        if pending == 0:
            return {0: F(1)}
        pairs = []
        for face in range(1, 7):
            more = face == 6 and budget > 0
            rest = total(pending - 1 + more, budget - more)
            pairs += [(face + value, p / 6) for value, p in rest.items()]
        return gather(pairs)
    return total(3, 3)


def risk(_, s, __):
    @lru_cache(None)
    def wins(a, d):
        if d == 0 or a == 1:
            return F(d == 0)
        def after(attack, defence):
            lost = sum(x > y for x, y in zip(attack, defence))
            return lost, min(len(attack), len(defence)) - lost
        rounds = each(after, pool(min(3, a - 1)), pool(min(2, d)))
        return sum(p * wins(a - mine, d - theirs) for (theirs, mine), p in rounds.items())
    return flag(wins(s["attackers"], s["defenders"]))


def vampire(_, s, __):
    kind = lambda calm, hungry: "plain" if calm + hungry < 2 else "messy" if hungry else "critical"
    return each(kind, binomial(s["normal"], F(1, 10)), binomial(s["hunger"], F(1, 10)))


def green_red(_, __, ___):
    def end(*dice):
        green, red = Counter(dice[:2]), Counter(dice[2:])
        left = sorted([(f, "g") for f in (green - red).elements()] + [(f, "r") for f in (red - green).elements()])
        colours = {colour for _, colour in left[-2:]}
        return {("g",): "success", ("r",): "failure"}.get(tuple(colours), "partial")
    return each(end, *({face: F(1, n) for face in range(1, n + 1)} for n in (10, 8, 6, 8)))


def savage(_, s, __):
    """Results of 8 and more are all called 8."""
    def open_ended(faces):
        return gather((min(8, start + face), F(1, faces) ** (1 + start // faces))
                      for start in range(0, 8, faces) for face in range(1, faces + (start + faces >= 8)))
    return each(max, open_ended(s["trait"]), open_ended(6))


def tension(_, s, __):
    def table(total):
        return ("very_rare" if total in (2, 3, 4, 18, 19, 20) else "rare" if total in (5, 6, 16, 17) else
                "uncommon" if total in (7, 8, 14, 15) else "common")
    quiet = F(5, 6) ** s["tension"]
    found = gather((table(a + b), (1 - quiet) / 96) for a in range(1, 9) for b in range(1, 13))
    return {"none": quiet, **found}


def craps(_, __, ___):
    point = sum(TWO_DICE[n] * TWO_DICE[n] / (TWO_DICE[n] + TWO_DICE[7]) for n in (4, 5, 6, 8, 9, 10))
    return flag(TWO_DICE[7] + TWO_DICE[11] + point)


def pig_turn(wanted):
    """What a turn of Pig scores that goes on until `wanted` or a 1."""
    done, running = {}, {0: F(1)}
    while running:
        total, p = running.popitem()
        for face in range(1, 7):
            end = 0 if face == 1 else total + face
            target = done if end == 0 or end >= wanted else running
            target[end] = target.get(end, 0) + p / 6
    return done


def pig(_, s, __):
    """In floating point: both positions of a pair of scores depend on each other, by two linear equations."""
    turns = [None] + [{k: float(p) for k, p in pig_turn(wanted).items()} for wanted in range(1, s["hold"] + 1)]
    turn = lambda score: turns[min(s["hold"], 100 - score)]
    wins = {}
    value = lambda mine, theirs: 1.0 if mine >= 100 else 1 - wins[theirs, mine]
    known = lambda mine, theirs: sum(p * value(mine + k, theirs) for k, p in turn(mine).items() if k)
    for both in range(198, -1, -1):
        for a in range(max(0, both - 99), min(99, both) + 1):
            b = both - a
            p, q = turn(a)[0], turn(b)[0]
            x, y = known(a, b), known(b, a)
            wins[a, b] = (x + p - p * (y + q)) / (1 - p * q)     # x + p (1 - (y + q (1 - wins)))
    return flag(wins[0, 0])


def artillery(_, __, ___):
    """Every round after the first is called round 2."""
    hit, pairs = F(1, 3), []
    for name, p in [("attacker_survives", hit * (1 - hit)), ("both_die", hit * hit), ("defender_survives", hit * (1 - hit))]:
        whole = p / (1 - (1 - hit) ** 2)
        pairs += [((name, (("rounds", 1),)), p), ((name, (("rounds", 2),)), whole - p)]
    return gather(pairs)


def yahtzee(_, __, policy):
    if policy["yahtzee"] == "none":
        return flag(F(6, 6**5))
    @lru_cache(None)
    def best(dice, rolls):
        if rolls == 0:
            return F(len(set(dice)) == 1)
        keeps = {tuple(die for die, kept in zip(dice, mask) if kept) for mask in product((0, 1), repeat=5)}
        return max(after(kept, rolls) for kept in keeps)
    @lru_cache(None)
    def after(kept, rolls):
        ways = pool(5 - len(kept)).items()
        return sum(p * best(tuple(sorted(kept + way, reverse=True)), rolls - 1) for way, p in ways)
    return flag(after((), 3))


def memoir(_, s, __):
    """More than eight dice are called nine; the mean is that of a negative binomial."""
    figures, p = {"infantry": (4, F(1, 2)), "armour": (3, F(1, 3)), "artillery": (2, F(1, 6))}[s["arm"]]
    dist = {n: comb(n - 1, figures - 1) * p**figures * (1 - p) ** (n - figures) for n in range(figures, 9)}
    return {**dist, 9: 1 - sum(dist.values())}, figures / p


def threes(_, s, policy):
    cost = lambda face: 0 if face == 3 else face
    @lru_cache(None)
    def mean(n):
        if n == 0:
            return F(0)
        def best(way):
            costs = sorted(map(cost, way))
            kept = [n] if policy["threes"] == "all" else range(1, n + 1)
            return min(sum(costs[:k]) + mean(n - k) for k in kept)
        return sum(p * best(way) for way, p in pool(n).items())
    return {}, mean(s["n"])


MODELS = {
    "dba-4v2": dba, "best-of-5-d20": best_of_five, "isaksen-sorted-ties": isaksen, "ld-cold-blooded": leadership,
    "bp-command-moves": command, "bp-command-moves-houserule": command_at_half, "bb-foul": foul,
    "tow-break-test": old_world, "napoleonic-morale-old-new": club_morale, "charge-8in": charge, "lasgun-10": shots,
    "kt-2v1": kill_team, "infinity-f2f": infinity, "xwing-3red-focus": xwing, "wotr-leader-rerolls": leaders,
    "limited-explosions": explosions, "risk-battle-3v3": risk, "vampire-3+2": vampire, "green-red": green_red,
    "savage-worlds": savage, "tension-pool": tension, "craps": craps, "pig-hold-20": lambda *_: pig_turn(20),
    "pig-first-player": pig, "aa-artillery-infantry": artillery, "yahtzee-3-rolls": yahtzee,
    "memoir44-dice-to-kill": memoir, "threes": threes,
}

# The outcomes over which a file asks for a range, in order.
ORDERS = {"bb-foul": ["armour_holds", "stunned", "knocked_out", "casualty"]}


# ---- the comments ------------------------------------------------------------------------------------------------

def plain(word):
    return int(word) if re.fullmatch(r"-?\d+", word) else word


def values_of(text):
    """The values of a factor in a check: one, `a..b`, or `{a, b}`."""
    if text.startswith("{"):
        return [plain(word) for word in text.strip("{}").split(", ")]
    ends = text.split("..")
    return list(range(int(ends[0]), int(ends[1]) + 1)) if len(ends) == 2 else [plain(text)]


def checks(path):
    """Every number of a file: its entry, situation, policies, quantity, and the value as it is written."""
    text = path.read_text()
    defaults = {name: plain(value) for name, value in re.findall(r"^factor (\w+):.* = (\w+)", text, re.MULTILINE)}
    lines = [line[3:].strip() for line in text.splitlines() if line.startswith("#! ")]
    joined = re.sub(r"([=,])\n", r"\1 ", "\n".join(lines)).splitlines()
    entry, policy = None, {}
    for line in joined:
        word, _, rest = line.partition(" ")
        if word == "test":
            entry, policy = rest, {}
        elif word == "policy":
            name, text = rest.split(" = ", 1)
            policy = {**policy, name: text.strip('"')}
        elif word not in ("source", "exact", "sampled", "aim", "#"):
            for entry, situation, *rest in numbers(entry, policy, line):
                yield entry, {**defaults, **situation}, *rest


def numbers(entry, policy, line):
    situation, quantity, values = re.fullmatch(r"(?:(.*): )?((?:P|mean)\(.*\)) = (.*)", line).groups()
    settings = re.findall(r"(\w+) = (\{[^}]*\}|[^,]+)", situation or "")
    situations = [dict(zip((name for name, _ in settings), combination))
                  for combination in product(*(values_of(text) for _, text in settings))]
    items = quantity[2:-1].split(", ") if quantity.startswith("P") else [quantity]
    values = values.split(", ")
    assert len(values) == len(situations) * len(items), line
    for (situation, item), value in zip(product(situations, items), values):
        yield entry, situation, policy, item, value


def holds(condition, value, order):
    name, _, wanted = condition.rpartition(" is ")
    result, records = value if isinstance(value, tuple) else (value, ())
    actual = dict(records)[name] if name else result
    place = order.index if order and not name else int
    if wanted.endswith("+"):
        return place(actual) >= place(wanted[:-1])
    if ".." in wanted:
        low, high = wanted.split("..")
        return (not low or place(low) <= place(actual)) and (not high or place(actual) <= place(high))
    return str(actual) == wanted


@lru_cache(None)
def model(case, entry, situation, policy):
    return MODELS[case](entry, dict(situation), dict(policy))


def recomputed(case, entry, situation, policy, item):
    dist = model(case, entry, tuple(situation.items()), tuple(policy.items()))
    dist, mean = dist if isinstance(dist, tuple) else (dist, None)
    if item == "mean(result)":
        return sum(value * p for value, p in dist.items()) if mean is None else mean
    assert abs(sum(dist.values()) - 1) < 1e-12
    fits = lambda value: all(holds(one, value, ORDERS.get(case)) for one in item.split(" and "))
    return sum(p for value, p in dist.items() if fits(value))


def same(value, written):
    if "." in written:
        return abs(value - float(written)) < 0.51 * 10 ** -len(written.split(".")[1])
    return value == F(written)


def leaves(answer):
    """Every number of a known answer."""
    return [leaf for part in answer.values() for leaf in leaves(part)] if isinstance(answer, dict) else [answer]


def main():
    known = {}
    for line in open(sys.argv[1]) if len(sys.argv) > 1 else []:
        case = json.loads(line)
        known[case["id"]] = leaves({key: part for key, part in case["expect"].items() if key != "kind"})
    wrong, compared = [], 0
    for case in sorted(MODELS):
        written = Counter()
        for entry, situation, policy, item, value in checks(CASES / f"{case}.rules"):
            compared += 1
            written[F(value)] += 1
            answer = recomputed(case, entry, situation, policy, item)
            if not same(answer, value):
                wrong.append(f"{case}: {entry} {situation} {policy} {item} is {answer}, not {value}")
        missing = Counter(map(F, known.get(case, []))) - written
        wrong += [f"{case}: the answer {value} does not stand in the file" for value in missing]
    if known and set(known) != set(MODELS) or {path.stem for path in CASES.glob("*.rules")} != set(MODELS):
        wrong.append("the cases, the files and the models here are not the same")
    print("\n".join(wrong + [f"{compared} numbers compared, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
