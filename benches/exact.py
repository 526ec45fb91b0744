#!/usr/bin/env python3
"""Three tests of nerve worked out by hand, with plain dictionaries from states to probabilities, and how long that takes.

    python3 benches/exact.py

Each line: the case, microseconds (median of samples), the probability that the unit breaks. What dice and charts come
to is made once and not timed; only the standard library is used. Each case answers what a plan is asked for: `volley`
gives its outcomes, its casualties, and both together. Probabilities are floating point numbers, where the solver's are
fractions. The rules are those of benches/volley.rules, and of the break test in scenarios/black-powder.
"""

import time
from math import comb

TWO_DICE = {score: (6 - abs(7 - score)) / 36 for score in range(2, 13)}


def saved(hits):
    """How many of so many hits are not saved on 4+."""
    return {lost: comb(hits, lost) / 2**hits for lost in range(hits + 1)}


def shots():
    """Six dice: how many hit on 4+, and whether one is a 6."""
    pool = {}
    for hits in range(7):
        ways = comb(6, hits) * 3**6
        without = comb(6, hits) * 2**hits * 3**(6 - hits)
        pool[hits, False] = without / 6**6
        if hits:
            pool[hits, True] = (ways - without) / 6**6
    return pool


SHOTS = shots()
SAVED = [saved(hits) for hits in range(7)]


def break_chart(score, shaken):
    """The modified Hail Caesar chart: infantry, hand to hand."""
    if score >= 8:
        return "hold"
    if score >= 6:
        return "retreat"
    if score == 5 or score > 2 and not shaken:
        return "retreat_disordered"
    return "break"


def break_test(excess, disordered, shaken):
    results = {}
    for roll, p in TWO_DICE.items():
        score = roll - excess - (1 if disordered else 0)
        result = break_chart(score, shaken)
        results[result] = results.get(result, 0) + p
    return results


def nerve_result(score, troop):
    if score >= 8:
        return "hold"
    if score >= 5 and troop != "artillery":
        return "hold" if score == 7 and troop == "infantry" else "retire"
    return "break"


NERVE = {
    troop: {score: nerve_result(score, troop) for score in range(-8, 13)}
    for troop in ("infantry", "cavalry", "artillery")
}


def losses():
    """One volley: the casualties, and whether a 6 disorders."""
    taken = {}
    for (hits, six), p in SHOTS.items():
        for lost, q in SAVED[hits].items():
            taken[lost, six] = taken.get((lost, six), 0) + p * q
    return taken


def volley(troop, stamina):
    """The distributions of the outcome, of the casualties, and of both together."""
    chart = NERVE[troop]
    together = {}
    for (lost, six), p in losses().items():
        if lost <= stamina:
            together[lost, "untested"] = together.get((lost, "untested"), 0) + p
            continue
        modifier = stamina - lost - six
        for roll, q in TWO_DICE.items():
            end = lost, chart[roll + modifier]
            together[end] = together.get(end, 0) + p * q
    outcomes, casualties = {}, {}
    for (lost, outcome), p in together.items():
        outcomes[outcome] = outcomes.get(outcome, 0) + p
        casualties[lost] = casualties.get(lost, 0) + p
    return outcomes, casualties, together


def ten_volleys(troop, stamina):
    """In which volley the unit breaks; 11 if in none."""
    chart = NERVE[troop]
    volleys = losses()
    rallies = sum(p for roll, p in TWO_DICE.items() if roll <= 8)
    results = {}
    states = {(0, False): 1.0}
    for turn in range(1, 11):
        hit = {}
        for (casualties, disordered), p in states.items():
            for (lost, six), q in volleys.items():
                state = casualties + lost, disordered or six
                hit[state] = hit.get(state, 0) + p * q
        stood = {}
        for (casualties, disordered), p in hit.items():
            if casualties > stamina:
                modifier = stamina - casualties - disordered
                breaks = sum(q for roll, q in TWO_DICE.items() if chart[roll + modifier] == "break")
                results[turn] = results.get(turn, 0) + p * breaks
                casualties, p = stamina, p * (1 - breaks)
            stood[casualties, disordered] = stood.get((casualties, disordered), 0) + p
        states = {}
        for (casualties, disordered), p in stood.items():
            rallied = max(0, casualties - 1), False
            states[rallied] = states.get(rallied, 0) + p * rallies
            stays = casualties, disordered
            states[stays] = states.get(stays, 0) + p * (1 - rallies)
    results[11] = sum(states.values())
    return results


def seconds(work, times):
    start = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - start


def microseconds(work):
    """The median of nine samples of at least 20 ms each."""
    times = 1
    while seconds(work, times) < 0.02:
        times *= 2
    samples = sorted(seconds(work, times) / times for _ in range(9))
    return 1e6 * samples[4]


def main():
    cases = {
        "break_test": (lambda: break_test(1, False, True), lambda result: result["break"]),
        "volley": (lambda: volley("infantry", 3), lambda answers: answers[0]["break"]),
        "ten_volleys": (lambda: ten_volleys("infantry", 3), lambda turns: 1 - turns[11]),
    }
    for name, (work, breaks) in cases.items():
        print(name, microseconds(work), breaks(work()))


if __name__ == "__main__":
    main()
