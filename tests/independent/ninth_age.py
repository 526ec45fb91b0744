"""Exact odds of The Ninth Age's break test, pursuit and rounds of combat, apart from houserule, with fractions.

Run it: python3 tests/independent/ninth_age.py
It prints the expected values that stand in scenarios/ninth-age/*.toml. It knows neither the rules files nor the
program: every rule is written here a second time.
"""

from fractions import Fraction as F
from itertools import product
from math import comb


def highest_two(dice):
    """The sum of the two highest of some dice: {sum: chance}."""
    found = {}
    for roll in product(range(1, 7), repeat=dice):
        total = sum(sorted(roll)[-2:])
        found[total] = found.get(total, 0) + F(1, 6**dice)
    return found


def passes(target, reroll=False, dice=2):
    """A Discipline Test; a failed one is rolled again where a Battle Standard stands near."""
    once = sum((c for total, c in highest_two(dice).items() if total <= target), F(0))
    return 1 - (1 - once) ** 2 if reroll else once


def caught(swift_flight, swift_pursuit):
    """Pursuit at least as far as the flight."""
    flight, chase = highest_two(2 + swift_flight), highest_two(2 + swift_pursuit)
    return sum(a * b for f, a in flight.items() for p, b in chase.items() if p >= f)


def penalty(edition, lost_by, ranks, enemy, flank=0, stubborn=False):
    """What the Combat Score takes off the Discipline; `flank`: ranks of an enemy in flank or rear."""
    if stubborn:
        return 0
    if edition == "second":
        return 0 if ranks > enemy and flank < 2 else lost_by
    proper = max(0, ranks - flank)
    if proper <= enemy:
        return lost_by
    return 0 if proper >= 3 else min(lost_by, 2)


def wounds(attacks, to_hit, to_wound, save):
    """How many attacks take a Health Point: a list of chances."""
    one = F(7 - to_hit, 6) * F(7 - to_wound, 6) * F(save - 1, 6)
    return [comb(attacks, k) * one**k * (1 - one) ** (attacks - k) for k in range(attacks + 1)]


def capped(chances, health):
    return chances[:health] + [sum(chances[health:], F(0))]


def added(one, other):
    found = [F(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return found


# A unit: health, attacks, standards, Discipline, Battle Standard near, charged; five Health Points to a rank,
# 4+ to hit, 4+ to wound, save 5+.
def one_against_one(edition, ours, theirs):
    """One round, front to front: the chances that ours and that theirs breaks, and that ours wins the round."""
    breaks_a = breaks_b = wins = F(0)
    losses_a = capped(wounds(min(theirs["attacks"], theirs["health"]), 4, 4, 5), ours["health"])
    losses_b = capped(wounds(min(ours["attacks"], ours["health"]), 4, 4, 5), theirs["health"])
    for a, chance_a in enumerate(losses_a):
        for b, chance_b in enumerate(losses_b):
            chance = chance_a * chance_b
            ranks_a, ranks_b = (ours["health"] - a) // 5, (theirs["health"] - b) // 5
            engaged = a < ours["health"] and b < theirs["health"]
            edge = b - a
            if engaged:
                edge += bonus(ours, ranks_a) - bonus(theirs, ranks_b)
            wins += chance * (edge > 0)
            if engaged and edge < 0:
                breaks_a += chance * fails(edition, ours, -edge, ranks_a, ranks_b)
            if engaged and edge > 0:
                breaks_b += chance * fails(edition, theirs, edge, ranks_b, ranks_a)
    return breaks_a, breaks_b, wins


def bonus(unit, ranks):
    return unit["charged"] + min(3, max(0, ranks - 1)) + unit["standards"]


def fails(edition, unit, lost_by, ranks, enemy, flank=0):
    value = unit["discipline"] - penalty(edition, lost_by, ranks, enemy, flank)
    return 1 - passes(value, unit["standard_near"])


TOUCH = {("A", "C"): "front", ("A", "D"): "front", ("B", "D"): "front",  # where the first stands at the second
         ("C", "A"): "flank", ("D", "A"): "flank", ("D", "B"): "front"}


def figure(edition, health, thin_at=0, attacks=4, discipline=None, general=None):
    """One round of the book's figure: A and B against C and D, who attack A in its flank; one standard each.

    General: the unit that carries him; it tests first. Chances: A breaks, B breaks, a friend of theirs panics at 7,
    theirs win, A and D are drawn apart, some unit has no more foes.
    """
    number = {name: min(attacks, health[name]) for name in "ABCD"}
    first = {name: wounds((number[name] + 1) // 2, 4, 4, 5) for name in "AD"}  # the odd attack strikes the first
    second = {name: wounds(number[name] // 2, 4, 4, 5) for name in "AD"}
    blows = {"A": added(wounds(number["C"], 4, 4, 5), first["D"]), "B": second["D"],
             "C": first["A"], "D": added(second["A"], wounds(number["B"], 4, 4, 5))}
    losses = {name: list(enumerate(capped(blows[name], health[name]))) for name in "ABCD"}
    answers = [F(0)] * 6
    for chosen in product(*(losses[name] for name in "ABCD")):
        chance, lost = F(1), {}
        for name, (number, part) in zip("ABCD", chosen):
            chance *= part
            lost[name] = number
        for k, answer in enumerate(after_blows(edition, health, lost, thin_at, discipline or {}, general)):
            answers[k] += chance * answer
    return answers


def after_blows(edition, health, lost, thin_at, discipline, general):
    left = {name: health[name] - lost[name] for name in "ABCD"}
    pairs = {pair: place for pair, place in TOUCH.items() if left[pair[0]] and left[pair[1]]}
    apart = left["A"] <= thin_at and left["B"] > 0 and left["C"] > 0 and ("A", "D") in pairs
    if apart:
        pairs = {pair: place for pair, place in pairs.items() if set(pair) != {"A", "D"}}
    engaged = {mine for mine, _ in pairs}
    ranks = {name: left[name] // 5 for name in "ABCD"}
    scores, deepest = [], []
    for team, foes in (("AB", "CD"), ("CD", "AB")):
        here = [name for name in team if name in engaged]
        deepest.append(max([ranks[name] for name in here], default=0))
        scores.append(sum(lost[name] for name in foes) + len(here) + min(3, max(0, deepest[-1] - 1))
                      + sum(place == "flank" for (mine, _), place in pairs.items() if mine in here))
    edge = scores[1] - scores[0]
    chances = {"A": F(0), "B": F(0)}
    if edge > 0:
        for name in "AB":
            if name in engaged:
                flank = max([ranks[mine] for (mine, foe), place in pairs.items() if foe == name and place == "flank"],
                            default=0)
                own = discipline.get(name, 7)
                led = max(own, discipline.get(general, 0)) if general else own
                off = penalty(edition, edge, ranks[name], deepest[1], flank)
                chances[name] = 1 - passes(led - off)
                if general and name != general:  # the general's unit, tested first, may have fled
                    fled = chances[general]
                    chances[name] = fled * (1 - passes(own - off)) + (1 - fled) * chances[name]
    panic = (1 - (1 - chances["A"]) * (1 - chances["B"])) * (1 - passes(7)) if not general else F(0)
    idle = any(left[name] and name not in engaged for name in "ABCD")
    return chances["A"], chances["B"], panic, F(edge > 0), F(apart), F(idle)


def main():
    print("facts 8.2, plain and with a re-roll, by the number needed:")
    for target in range(1, 11):
        print(f"  {target}: {passes(target)} {passes(target, True)}")
    for names in product((False, True), repeat=2):
        print("caught, swift flight and pursuit", names, caught(*names))
    print("restrain, plain and with Frenzy:", {d: (str(passes(d)), str(passes(d, dice=3))) for d in (7, 8, 9)})
    for edition in ("second", "steady"):
        deep = {"health": 20, "attacks": 5, "standards": 1, "discipline": 7, "standard_near": False, "charged": False}
        wide = deep | {"health": 10, "attacks": 10, "charged": True, "discipline": 8}
        print(edition, "deep against wide, one round:", *one_against_one(edition, deep, wide))
        print(edition, "the same with a Battle Standard:", *one_against_one(
            edition, deep | {"standard_near": True}, wide))
        equal = {"A": 20, "B": 20, "C": 10, "D": 10}
        for what, answers in (
            ("the figure", figure(edition, equal)),
            ("the figure, two attacks each", figure(edition, equal, attacks=2)),
            ("the figure, A thin at 18", figure(edition, equal, thin_at=18)),
            ("the figure, D has 1 Health Point", figure(edition, equal | {"D": 1})),
            ("all deep, two attacks, B led by A", figure(edition, dict.fromkeys("ABCD", 20), attacks=2,
                                                        discipline={"A": 9, "B": 6}, general="A")),
        ):
            print(f"{edition}, {what}: A breaks, B breaks, panic, theirs win, apart, no more foes")
            for answer in answers:
                print("   ", answer, float(answer))


if __name__ == "__main__":
    main()
