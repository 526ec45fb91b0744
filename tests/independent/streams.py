#!/usr/bin/env python3
"""Recomputes the frozen numbers of src/random.rs, src/random/streams.rs, tests/engines/lanes.rs and docs/streams.md,
without houserule.

    python3 tests/independent/streams.py

Written from the recipe in docs/streams.md and from the published description of PCG64 DXSM (M. E. O'Neill's
pcg-cpp, `cm_setseq_dxsm_128_64`, which NumPy has as `PCG64DXSM`). Only the standard library is used.
"""

MASK64 = 2**64 - 1
MASK128 = 2**128 - 1
MULTIPLIER = 0xDA942042E4DD58B5


def finalise(word):
    """The finaliser of SplitMix64."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK64
    return word ^ (word >> 31)


def feistel(key, left, right):
    """Four rounds; the round keys are 3, 5, 7 and 9 times the key."""
    for factor in (3, 5, 7, 9):
        left, right = right, left ^ finalise(right ^ (key * factor & MASK64))
    return left, right


def dxsm(state, increment):
    """The numbers of a generator from its state: output first, then step."""
    while True:
        high, low = state >> 64, state & MASK64 | 1
        high ^= high >> 32
        high = high * MULTIPLIER & MASK64
        high ^= high >> 48
        yield high * low & MASK64
        state = (state * MULTIPLIER + increment) & MASK128


def started(state, increment):
    """As all of the PCG family begin: the increment is added, then one step is taken."""
    return dxsm(((state + increment) * MULTIPLIER + increment) & MASK128, increment)


def lane(seed, name, chunk, number):
    """The generator of one lane of one chunk of what is named by 32 bytes."""
    name = int.from_bytes(name[:8], "little")
    a, b = feistel(finalise(seed ^ 0x9E3779B97F4A7C15), name, (chunk << 3 | number) & MASK64)
    c, d = feistel(finalise(seed ^ 0xD1B54A32D192ED03), a, b)
    return started(b << 64 | a, d << 64 | c | 1)


def words(seed, name, chunk, count, lanes=4):
    """The 16-bit words of a chunk: a number of each lane in turns, each from its low end."""
    generators = [lane(seed, name, chunk, number) for number in range(lanes)]
    found = []
    while len(found) < count:
        for generator in generators:
            number = next(generator)
            found += [number >> shift & 0xFFFF for shift in (0, 16, 32, 48)]
    return found[:count]


def dice(generator, faces, count):
    """Lemire's way: the upper half of a product, drawn again where that would favour a face."""
    found = []
    while len(found) < count:
        product = (next(generator) >> 32) * faces
        if product & 0xFFFFFFFF >= 2**32 % faces:
            found.append((product >> 32) + 1)
    return found


class Stock:
    """The words of a chunk as many trials at once take them."""

    def __init__(self, seed, name, chunk):
        self.generators = [lane(seed, name, chunk, number) for number in range(4)]
        self.ahead, self.spare = [], []

    def drawn(self, count):
        numbers = (next(generator) for _ in range(count // 16) for generator in self.generators)
        return [number >> shift & 0xFFFF for number in numbers for shift in (0, 16, 32, 48)]

    def group(self):
        self.ahead = self.ahead or self.drawn(4096)
        group, self.ahead = self.ahead[:256], self.ahead[256:]
        return group

    def single(self):
        self.spare = self.spare or self.drawn(64)
        return self.spare.pop(0)


def from_one_word(faces):
    """How many dice a word is enough for."""
    many = 1
    while many < 12 and faces ** (many + 1) <= 4096 and 700 * (2**16 % faces ** (many + 1)) <= 2**16:
        many += 1
    return many


def rolled(stock, faces, count, lanes):
    """So many dice of each lane."""
    shown = []
    for first in range(0, lanes, 256):
        group = [[] for _ in range(256)]
        while len(group[0]) < count:
            many = min(from_one_word(faces), count - len(group[0]))
            ways, found = faces**many, stock.group()
            for at, word in enumerate(found):
                while word * ways % 2**16 < 2**16 % ways:
                    word = stock.single()
                for _ in range(many):
                    group[at].append((word * faces >> 16) + 1)
                    word = word * faces % 2**16
        shown += group[: lanes - first]
    return shown


def trials(seed, name, chunk, faces, count, number):
    """The dice of each trial that is one roll."""
    stock, shown = Stock(seed, name, chunk), []
    while len(shown) < number:
        shown += rolled(stock, faces, count, min(1024, number - len(shown)))
    return shown


def summed(shown):
    """All dice in one number: each time the number before times 31 and the die."""
    total = 0
    for die in (die for trial in shown for die in trial):
        total = (total * 31 + die) & MASK64
    return total


def published():
    """The generator and the finaliser against figures that others have printed."""
    generator = started(42, 54 << 1 | 1)
    assert [next(generator) for _ in range(6)] == PCG_42_54
    gamma = 0x9E3779B97F4A7C15
    assert finalise((1234567 + gamma) & MASK64) == 6457827717110365317
    assert finalise((1234567 + 2 * gamma) & MASK64) == 3203168211198807973


# The first numbers from state 42 and stream 54 by pcg-cpp, as the tests of the rand_pcg crate list them.
PCG_42_54 = [
    17331114245835578256,
    10267467544499227306,
    9726600296081716989,
    10165951391103677450,
    12131334649314727261,
    10134094537930450875,
]

if __name__ == "__main__":
    published()
    counting = bytes(range(32))
    print("d6   ", dice(lane(1815, counting, 7, 3), 6, 24))
    print("d100 ", dice(lane(1815, counting, 7, 3), 100, 8))
    print("words")
    for seed, name, chunk in [(1815, counting, 7), (0, bytes(32), 0), (MASK64, b"\xff" * 32, 2**61 - 1)]:
        print(f"  seed {seed}, chunk {chunk}, name {name.hex()}")
        found = words(seed, name, chunk, 32)
        for at in range(0, 32, 8):
            print("   ", ", ".join(f"0x{word:04x}" for word in found[at:at + 8]))
    print("trials")
    for faces, count in [(6, 2), (10, 1), (1000, 1), (10, 3), (2, 30)]:
        shown = trials(1815, counting, 7, faces, count, 3000)
        print(f"  {count}d{faces}: 0x{summed(shown):016x}", shown[:16] if count < 3 else "")
    for faces, alike, count in [(6, 3, 7), (10, 2, 5)]:
        shown = trials(1815, counting, 7, faces // alike, count, 3000)
        shown = [[(die - 1) * alike + 1 for die in trial] for trial in shown]
        print(f"  {count}d{faces}, of which {alike} faces in a row are alike: 0x{summed(shown):016x}")
