"""Exact odds of the Black Powder procedures, worked out apart from houserule, with fractions.

Run it: python3 tests/independent/black_powder.py
It prints the expected values that stand in scenarios/black-powder/*.toml. It knows neither the rules files nor the
program: every chart is written here a second time, as the lowest score of each result.
"""

from fractions import Fraction as F
from math import comb


def dice(number, chance):
    """How many of some dice succeed: a list, from none to all."""
    return [comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)]


TWO_DICE = {score: F(6 - abs(7 - score), 36) for score in range(2, 13)}

DRAFTS = ("original", "modified")

# The lowest score that does not break, by draft, troop type and column; in brackets if shaken.
STANDS_AT = {
    ("original", "infantry", "S"): 5, ("original", "infantry", "H"): 5,
    ("original", "cavalry", "S"): 5, ("original", "cavalry", "H"): 5,
    ("original", "artillery", "S"): 7, ("original", "artillery", "H"): 99,
    ("original", "skirmishers", "S"): 5, ("original", "skirmishers", "H"): 5,
    ("modified", "infantry", "S"): 4, ("modified", "infantry", "H"): (3, 5),
    ("modified", "cavalry", "S"): 5, ("modified", "cavalry", "H"): (4, 6),
    ("modified", "artillery", "S"): 4, ("modified", "artillery", "H"): 99,
    ("modified", "skirmishers", "S"): 6, ("modified", "skirmishers", "H"): (8, 9),
}

# The lowest score at which a unit holds its ground, the player holding wherever he may.
HOLDS_AT = {
    ("original", "infantry", "H"): 7, ("original", "cavalry", "H"): 99,
    ("modified", "infantry", "H"): 8, ("modified", "cavalry", "H"): 10,
}


def chance_to_score(lowest):
    return sum((chance for score, chance in TWO_DICE.items() if score >= lowest), F(0))


def breaks(draft, troop, column, minus, shaken=True):
    lowest = STANDS_AT[draft, troop, column]
    if isinstance(lowest, tuple):
        lowest = lowest[shaken]
    return 1 - chance_to_score(lowest + minus)


def shots(number, to_hit, save):
    """(casualties, a six among the shots) of a volley: chances."""
    found = {}
    one = {(0, False): F(to_hit - 1, 6), (1, False): F(6 - to_hit, 6), (1, True): F(1, 6)}
    hits = {(0, False): F(1)}
    for _ in range(number):
        grown = {}
        for (hit, six), chance in hits.items():
            for (more, other), weight in one.items():
                key = hit + more, six or other
                grown[key] = grown.get(key, 0) + chance * weight
        hits = grown
    for (hit, six), chance in hits.items():
        for lost, weight in enumerate(dice(hit, F(save - 1, 6))):
            found[lost, six] = found.get((lost, six), 0) + chance * weight
    return found


def volley(draft, troop, firing, to_hit, save, start, stamina=3, guns=False):
    """(no test, break) of ordinary fire: test A."""
    untested = broken = F(0)
    for (lost, six), chance in shots(firing, to_hit, save).items():
        excess = start + lost - stamina
        if excess <= 0:
            untested += chance
        else:
            broken += chance * breaks(draft, troop, "S", excess + six + guns)
    return untested, broken


def closing_fire(draft, troop, column, firing, to_hit, save, start, stamina=3, guns=False):
    """(no test, break) of closing fire: test B."""
    untested = broken = F(0)
    for (lost, six), chance in shots(firing, to_hit, save).items():
        shaken = start + lost >= stamina
        if guns and lost > 0 or shaken and start < stamina:
            minus = max(0, start + lost - stamina) + six + (guns and lost > 0)
            broken += chance * breaks(draft, troop, column, minus, shaken)
        else:
            untested += chance
    return untested, broken


def melee(draft, attacker, defender, stamina=3, fighting=6, save=4):
    """How one round ends for both; a side is its troop type, casualties, to hit, result bonus; none is disordered."""
    found = {}
    losses = [dice(fighting, F(7 - side[2], 6) * F(save - 1, 6)) for side in (defender, attacker)]
    for lost_a, chance_a in enumerate(losses[0]):
        for lost_d, chance_d in enumerate(losses[1]):
            edge = lost_d + attacker[3] - lost_a - defender[3]
            ends_a = after_combat(draft, attacker, lost_a, edge, stamina)
            ends_d = after_combat(draft, defender, lost_d, -edge, stamina)
            for end_a, weight_a in ends_a.items():
                for end_d, weight_d in ends_d.items():
                    key = end_a, end_d
                    found[key] = found.get(key, 0) + chance_a * chance_d * weight_a * weight_d
    return found


def after_combat(draft, side, lost, edge, stamina):
    troop, start = side[:2]
    shaken = start + lost >= stamina
    if edge > 0 or edge == 0 and not shaken:
        return {"hold": F(1)}
    minus = max(0, start + lost - stamina)
    broken = breaks(draft, troop, "H", minus, shaken)
    holds = chance_to_score(HOLDS_AT[draft, troop, "H"] + minus)
    return {"hold": holds, "retreat": 1 - holds - broken, "break": broken}


def attrition(draft, troop, firing, to_hit, save, rating, turns, stamina=3):
    """The chance that the unit is gone by the end of the last of some enemy turns."""
    rallies = 1 - chance_to_score(rating + 1)
    here, gone = {0: F(1)}, F(0)
    for _ in range(turns):
        left = {}
        for start, chance in here.items():
            for (lost, six), weight in shots(firing, to_hit, save).items():
                excess = start + lost - stamina
                stays = chance * weight
                if excess > 0:
                    broken = breaks(draft, troop, "S", excess + six)
                    gone += stays * broken
                    stays *= 1 - broken
                now = min(start + lost, stamina)
                down = rallies if now > 1 else F(0)
                left[now] = left.get(now, 0) + stays * (1 - down)
                left[now - 1] = left.get(now - 1, 0) + stays * down
        here = left
    return gone


def mean_turns(*unit):
    """The mean turn in which the unit is gone, to about nine digits: the sum of the chances to stand longer."""
    draft, troop, firing, to_hit, save, rating = unit
    rallies = float(1 - chance_to_score(rating + 1))
    here, mean, longest = [1.0, 0.0, 0.0, 0.0], 0.0, 0
    volleys = [(key, float(chance)) for key, chance in shots(firing, to_hit, save).items()]
    while sum(here) > 1e-13 and longest < 100_000:
        mean, longest, left = mean + sum(here), longest + 1, [0.0] * 4
        for start, chance in enumerate(here):
            for (lost, six), weight in volleys:
                excess = start + lost - 3
                stays = chance * weight * (1 - float(breaks(draft, troop, "S", excess + six)) if excess > 0 else 1)
                now = min(start + lost, 3)
                down = rallies if now > 1 else 0.0
                left[now] += stays * (1 - down)
                left[now - 1] += stays * down
        here = left
    return mean, longest


def show(what, *values):
    print(f"{what:72}", *(f"{value} = {float(value):.4%}" for value in values))


def show_volleys():
    for draft, troop in [("original", "infantry"), ("modified", "infantry"), ("modified", "cavalry"),
                         ("modified", "skirmishers")]:
        show(f"volley, {draft} {troop} at Stamina, 3 dice, 4+: no test, break", *volley(draft, troop, 3, 4, 4, 3))
    for draft in DRAFTS:
        show(f"volley, {draft} skirmishers at Stamina, 3 dice, 5+", *volley(draft, "skirmishers", 3, 5, 4, 3))
        show(f"volley, {draft} infantry at Stamina, 2 dice of guns, save 6+",
             *volley(draft, "infantry", 2, 4, 6, 3, guns=True))
        show(f"volley, {draft} infantry with 2 casualties, 4 dice", *volley(draft, "infantry", 4, 4, 4, 2))


def show_closing_fire():
    for draft, column in [("original", "S"), ("modified", "S"), ("modified", "H")]:
        for troop in ("infantry", "cavalry"):
            show(f"closing fire, {draft} {column}, {troop} with 2 casualties, 3 dice, 3+",
                 *closing_fire(draft, troop, column, 3, 3, 4, 2))
        show(f"closing fire, {draft} {column}, fresh infantry, 3 dice of guns, save 6+",
             *closing_fire(draft, "infantry", column, 3, 3, 6, 0, guns=True))


def show_melees():
    ends = {"defender breaks": ("hold", "break"), "defender retreats": ("hold", "retreat"),
            "fights on": ("hold", "hold"), "attacker retreats": ("retreat", "hold"),
            "attacker breaks": ("break", "hold")}
    for draft in DRAFTS:
        for arm, start in [("infantry", 0), ("infantry", 2), ("cavalry", 0)]:
            found = melee(draft, (arm, 0, 3, 0), ("infantry", start, 4, 0))
            for name, end in ends.items():
                show(f"melee, {draft}: charging {arm} on infantry with {start}: {name}", found.get(end, F(0)))


def show_attrition():
    for draft in DRAFTS:
        for troop, to_hit in (("infantry", 4), ("skirmishers", 5)):
            for turns in (2, 3):
                show(f"attrition, {draft} {troop}, 4 dice, rating 8, gone by turn {turns}",
                     attrition(draft, troop, 4, to_hit, 4, 8, turns))
            for firing in (4, 5, 6):
                print(f"    mean turn, {firing} dice: {mean_turns(draft, troop, firing, to_hit, 4, 8)[0]:.6f}")


if __name__ == "__main__":
    show_volleys()
    show_closing_fire()
    show_melees()
    show_attrition()
