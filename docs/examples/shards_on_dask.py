"""Plays the shards of one run on the workers of a Dask cluster, kills a worker on the way, and merges the parts.

    pip install distributed
    python docs/examples/shards_on_dask.py scenarios/black-powder/break-test.toml --trials 3_000_000

A scheduler needs to know nothing of houserule: a shard is a command. When a worker dies, Dask gives its shard to another
one, which goes on from what the dead one left in the folder that all of them see. In the end the merged run is compared,
byte for byte, with one that nobody disturbed.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import psutil
from distributed import Client, LocalCluster


def play(words, shard, shards):
    """One shard, on a worker."""
    command = [*words, "--shard", f"{shard}/{shards}", "--threads", "1"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def kill_one(client):
    """Kills a worker in the middle of a shard, and the shard, as if its machine had lost power; says which shard."""
    while True:
        for number in client.run(os.getpid).values():
            worker = psutil.Process(number)
            playing = [child for child in worker.children() if child.name().startswith("houserule")]
            try:
                words = [child.cmdline() for child in playing]
                time.sleep(0.5)
                for child in playing:
                    child.send_signal(signal.SIGKILL)
            except psutil.NoSuchProcess:
                continue  # it ended before; wait for the next one
            if words:
                worker.send_signal(signal.SIGKILL)
                return words[0][words[0].index("--shard") + 1]


def written(folder):
    """All files of a run but its record, which says how long it took."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    skipped = {".houserule", "parts", "run.json"}
    return {str(name): (folder / name).read_bytes() for name in names if name.parts[0] not in skipped}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("scenario")
    arguments.add_argument("--trials", default="1_000_000")
    arguments.add_argument("--shards", type=int, default=7)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--houserule", default="houserule")
    asked = arguments.parse_args()
    run = [asked.houserule, "run", asked.scenario, "--trials", asked.trials, "--out"]
    with tempfile.TemporaryDirectory() as folder:
        spread, alone = pathlib.Path(folder, "spread"), pathlib.Path(folder, "alone")
        with LocalCluster(asked.workers, threads_per_worker=1) as cluster, Client(cluster) as client:
            shards = range(1, asked.shards + 1)
            begun = time.perf_counter()
            played = [
                client.submit(play, [*run, str(spread)], shard, asked.shards, key=f"shard {shard}", pure=False)
                for shard in shards
            ]
            print("killed a worker while it played shard", kill_one(client))
            for shard, said in zip(shards, client.gather(played)):
                reused = [line for line in said.splitlines() if line.startswith("Reused")]
                print(f"shard {shard}:", *reused or ["played in one go"])
            print(f"all shards took {time.perf_counter() - begun:.0f} s")
        parts = [str(part) for part in (spread / "parts").iterdir()]
        subprocess.run([asked.houserule, "merge", "--quiet", *parts, "--out", str(spread)], check=True)
        subprocess.run([*run, str(alone), "--quiet"], check=True)
        same = written(spread) == written(alone)
        print(len(written(alone)), "files are", "the same to the byte" if same else "NOT the same")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
