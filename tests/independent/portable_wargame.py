"""Exact odds of the portable shooting rule and of its attrition baseline, apart from houserule, with fractions.

Run it: python3 tests/independent/portable_wargame.py
It prints the expected values that stand in scenarios/portable-wargame/*.toml. It knows neither the rules files nor the
program: both rules are written here a second time, as steps from one state of the target to the next.
"""

from fractions import Fraction as F

STRENGTH = {"artillery": 2, "cavalry": 3, "infantry": 4}
QUALITY = {"green": -1, "regular": 0, "veteran": 1}
COSTS_STRENGTH = {"green": 4, "regular": 3, "veteran": 2}


def to_hit(bonus):
    """The chance of 5+ on a die with a bonus."""
    return F(min(6, max(0, 2 + bonus)), 6)


def revised(arm, quality, shaken, charge):
    """What a hit does: {result: chance}."""
    low = F(STRENGTH[arm] + QUALITY[quality], 6)
    if shaken or charge:
        return {"retreats": low, "destroyed": 1 - low}
    return {"shaken": low, "retreats": 1 - low}


def exchange(arm, quality, chances, charge=False, shaken=False):
    """The worst that happens in some shots: {result: chance}; a retreat turns later charges into fire."""
    here, order = {("unharmed", shaken, charge): F(1)}, ["unharmed", "shaken", "retreats", "destroyed"]
    for hit in chances:
        left = {}
        for (worst, now, close), chance in here.items():
            steps = {None: 1 - hit}
            if worst == "destroyed":
                steps = {None: F(1)}
            else:
                steps |= {end: hit * part for end, part in revised(arm, quality, now, close).items()}
            for end, part in steps.items():
                key = (worst, now, close)
                if end:
                    key = max(worst, end, key=order.index), True, close and end != "retreats"
                left[key] = left.get(key, 0) + chance * part
        here = left
    return {end: sum((c for key, c in here.items() if key[0] == end), F(0)) for end in order}


def guns_exchange(arm, quality, shots):
    """One battery fires at one target: +1 from the second shot on, until the target retreats. Chance to destroy it."""
    here = {(False, False): F(1)}
    gone = F(0)
    for _ in range(shots):
        left = {}
        for (shaken, ranged_in), chance in here.items():
            hit = to_hit(1 if ranged_in else 0)
            left[shaken, True] = left.get((shaken, True), 0) + chance * (1 - hit)
            for end, part in revised(arm, quality, shaken, False).items():
                if end == "destroyed":
                    gone += chance * hit * part
                else:
                    key = True, end != "retreats"
                    left[key] = left.get(key, 0) + chance * hit * part
        here = left
    return gone


def cards(shooters):
    """How many shots fall between two activations when each turn's deck is shuffled: {shots: chance}."""
    found = {}
    for before in range(shooters + 1):
        for after in range(shooters + 1):
            found[before + after] = found.get(before + after, 0) + F(1, (shooters + 1) ** 2)
    return found


def attrition(arm, quality, hits_on, shots):
    """The baseline: the chance to lose so many strength points in some shots, and to be destroyed."""
    lose = hits_on * F(COSTS_STRENGTH[quality], 6)
    alive = [F(1)] + [F(0)] * (STRENGTH[arm] - 1)
    for _ in range(shots):
        alive = [alive[k] * (1 - lose) + (alive[k - 1] * lose if k else 0) for k in range(len(alive))]
    return 1 - sum(alive)


def duel(turns, first_leads, rule="revised", arm="infantry", assault=False):
    """Two regular units of one arm, two squares apart: chances that the first and the second is destroyed.

    Both stand and fire; in an assault the first closes in whenever it is not adjacent.
    """
    here, ends = {(0, 0, 2): F(1)}, [F(0), F(0)]  # what ails each: shaken, or the strength points lost; the range
    for _ in range(turns):
        left = {}
        for state, chance in here.items():
            for leader, weight in ((0, first_leads), (1, 1 - first_leads)):
                paths = {state: chance * weight}
                for who in (leader, 1 - leader):
                    paths = act(paths, who, rule, arm, assault and who == 0, ends)
                for after, part in paths.items():
                    left[after] = left.get(after, 0) + part
        here = left
    return ends[1], ends[0]


def act(paths, who, rule, arm, closes_in, ends):
    """One activation in a duel; adds to `ends` what is destroyed."""
    grown = {}
    for state, chance in paths.items():
        ails, squares = list(state[:2]), state[2]
        moves = closes_in and squares > 1
        squares -= moves
        if rule == "revised":
            ails[who] = 0
        for end, back, share in blow(rule, arm, ails[1 - who], squares == 1, to_hit(0 if moves else 1)):
            if end is None:
                ends[1 - who] += chance * share
                continue
            ails_then = ails[:]
            ails_then[1 - who] = end
            key = (*ails_then, squares + back)
            grown[key] = grown.get(key, 0) + chance * share
    return grown


def blow(rule, arm, ails, charge, hit):
    """One shot: (state of the target or None, squares it retreats, chance)."""
    if rule == "attrition":
        lose = hit * F(COSTS_STRENGTH["regular"], 6)
        rest = None if ails + 1 >= STRENGTH[arm] else ails + 1
        return [(ails, 0, 1 - hit), (rest, 0, lose), (ails, 1, hit - lose)]
    found = [(ails, 0, 1 - hit)]
    for end, part in revised(arm, "regular", bool(ails), charge).items():
        found.append((None if end == "destroyed" else 1, int(end == "retreats"), hit * part))
    return found


def main():
    third, half = F(1, 3), F(1, 2)
    print("facts 8.5: destroyed after 2 and 3 unanswered shots, by strength")
    for arm, quality in (("artillery", "regular"), ("cavalry", "regular"), ("infantry", "regular"), ("infantry", "veteran")):
        for hit in (third, half):
            print(f"  {arm} {quality} p={hit}", *(exchange(arm, quality, [hit] * n)["destroyed"] for n in (1, 2, 3, 4)))
    print("one shot that hits on 4+, regular, fresh:", {a: dict(scaled(revised(a, "regular", False, False), half)) for a in STRENGTH})
    print("one charge, moved (5+), regular:", {a: dict(scaled(revised(a, "regular", False, True), third)) for a in STRENGTH})
    print("one charge in flank, standing (3+):", {a: dict(scaled(revised(a, "regular", False, True), to_hit(2))) for a in STRENGTH})
    print("canister at infantry in flank (3+):", scaled(revised("infantry", "regular", False, True), to_hit(2)))
    print("fire at infantry in cover by guns (6):", scaled(revised("infantry", "regular", False, False), to_hit(-1)))
    print("exchange, infantry regular, 2 shots of 4+:", exchange("infantry", "regular", [half] * 2))
    print("exchange of charges, infantry regular, 2 of 4+:", exchange("infantry", "regular", [half] * 2, charge=True))
    for arm in STRENGTH:
        print(f"cards, {arm}, n = 1, 2, 3, 4 (4+):", *(
            sum(w * exchange(arm, "regular", [half] * k)["destroyed"] for k, w in cards(n).items()) for n in (1, 2, 3, 4)))
    print("one battery, infantry regular, 2, 3, 4 shots:", *(guns_exchange("infantry", "regular", n) for n in (2, 3, 4)))
    print("attrition destroyed, 4+:", {(a, n): str(attrition(a, "regular", half, n)) for a in STRENGTH for n in (2, 3, 4)})
    for assault in (False, True):
        for arm in ("infantry", "cavalry"):
            for leads, name in ((F(1), "turn about"), (half, "cards")):
                for rule in ("revised", "attrition"):
                    for turns in (2, 8):
                        won, lost = duel(turns, leads, rule, arm, assault)
                        print(f"{'assault' if assault else 'duel'} {arm} {name} {rule} {turns} turns:",
                              f"won {short(won)} lost {short(lost)}")


def scaled(ends, hit):
    return {end: str(part * hit) for end, part in ends.items()} | {"unharmed": str(1 - hit)}


def short(fraction):
    return f"{fraction} = {float(fraction):.6f}" if fraction.denominator < 10**15 else f"{float(fraction):.9f}"


if __name__ == "__main__":
    main()
