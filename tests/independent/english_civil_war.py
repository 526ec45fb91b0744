"""Exact odds of the English Civil War rules, worked out apart from houserule, with fractions.

Run it: python3 tests/independent/english_civil_war.py
It prints the expected values that stand in scenarios/english-civil-war/*.toml. It knows neither the rules
files nor the program. N is the points value with all modifiers in it.
"""

from fractions import Fraction as F
from itertools import product
from math import comb

ORDINARY = [1, 2, 3, 4, 5, 6]
AVERAGE = [2, 3, 3, 4, 4, 5]


def at_least(needed, faces=ORDINARY, dice=1):
    throws = list(product(faces, repeat=dice))
    return F(sum(sum(throw) >= needed for throw in throws), len(throws))


def scores(n, faces=ORDINARY):
    """The chance of each score of the morale chart, from 3 (or less) to 10 (or more)."""
    found = {}
    for face in faces:
        score = min(max(n + face, 3), 10)
        found[score] = found.get(score, 0) + F(1, len(faces))
    return found


def rallied(n, faces=ORDINARY, needed=(9, 10, 11)):
    fails = F(1)
    for least in needed:
        fails *= 1 - at_least(least - n, faces)
    return 1 - fails


def ceases(n, moves, faces=ORDINARY):
    return rallied(n, faces, [8 + min(move, 3) for move in range(1, moves + 1)])


def morale_and_rally(points, minus_to_both):
    """(under control, withdraws, rallies, runs) for a unit whose modifiers count in both tests, no general at hand."""
    n = points + minus_to_both
    chart = scores(n)
    control = chart.get(10, F(0)) + chart.get(9, F(0))
    withdraws = chart.get(8, F(0)) + chart.get(7, F(0))
    rallies = (chart.get(6, F(0)) + chart.get(5, F(0))) * rallied(n)
    return control, withdraws, rallies, 1 - control - withdraws - rallies


def losses(musket_hits, cannon_hits, needed):
    """The chance of each number of casualties."""
    found = {}
    for a in range(musket_hits + 1):
        for b in range(cannon_hits + 1):
            chance = binomial(musket_hits, a, F(needed - 1, 6)) * binomial(cannon_hits, b, F(min(needed, 6), 6))
            found[a + b] = found.get(a + b, 0) + chance
    return found


def binomial(dice, successes, chance):
    return comb(dice, successes) * chance**successes * (1 - chance) ** (dice - successes)


def under_fire(points, musket_hits, needed):
    """The chance that fresh foot that loses men to muskets is under full control, and that it retreats or routs."""
    control = gone = F(0)
    for lost, chance in losses(musket_hits, 0, needed).items():
        officers = lost // 6
        men = lost - officers
        n = points - 1 - -(-men // 6) - officers - 2 * (lost >= 6) - 2 * (officers > 0)
        control += chance * at_least(10 - n)
        gone += chance * (1 - at_least(7 - n))
    return control, gone


def show(what, *values):
    print(f"{what:72}", *(f"{value} = {float(value):.4%}" for value in values))


if __name__ == "__main__":
    for name, faces in (("ordinary", ORDINARY), ("average", AVERAGE)):
        for n in range(3, 10):
            chart = scores(n, faces)
            show(f"{name} dice, N = {n}: full control, retreats (6 or less)", chart.get(10, F(0)),
                 sum((chance for score, chance in chart.items() if score <= 6), F(0)))
            show(f"{name} dice, N = {n}: rallied in three tries, on the first",
                 rallied(n, faces), at_least(9 - n, faces))
            show(f"{name} dice, N = {n}: three even tries", rallied(n, faces, (9, 9, 9)))
            show(f"{name} dice, N = {n}: separate units exceed 10, reach 10",
                 at_least(11 - n, faces, 2), at_least(10 - n, faces, 2))
            show(f"{name} dice, N = {n}: ceases to charge in 3 moves, in 6", ceases(n, 3, faces), ceases(n, 6, faces))
            show(f"{name} dice, N = {n}: three even tries, ceases in 6 moves", rallied(n, faces, (9,) * 6))
    for points in (5, 7):
        show(f"points {points}, unsupported: control, withdraws, rallies, runs", *morale_and_rally(points, -1))
    mixed = losses(4, 2, 4)
    mean = sum(lost * chance for lost, chance in mixed.items())
    print("4 musket and 2 cannon hits on musketeers in the open: mean casualties", mean)
    show("the same: none lost, all six lost (an officer)", mixed[0], mixed[6])
    for needed, what in ((4, "musketeers in the open"), (2, "musketeers in hard cover")):
        show(f"points 7, 6 musket hits on {what}: full control, retreats", *under_fire(7, 6, needed))
