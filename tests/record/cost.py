#!/usr/bin/env python3
"""What recording costs: each program plain and recorded, in turns, RUNS times; the least processor time and time on the clock of each.

    cost.py HEDDLE RUNS NAME PLAIN RECORDED ARGUMENT... [, NAME PLAIN RECORDED ARGUMENT...]...

A name in parentheses is not part of the averages.
"""
import os
import shutil
import subprocess
import sys
import time


def run(words):
    """Processor time and time of one run, in microseconds."""
    shutil.rmtree("files", ignore_errors=True)
    os.mkdir("files")
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit("%s: status %d" % (" ".join(words), status))
    return int(1e6 * (used.ru_utime + used.ru_stime)), int(1e6 * (time.monotonic() - begin))


def groups(words):
    all_groups, one = [], []
    for word in words + [","]:
        if word != ",":
            one.append(word)
        elif one:
            all_groups.append(one)
            one = []
    return all_groups


def main():
    heddle, runs, rows = sys.argv[1], int(sys.argv[2]), groups(sys.argv[3:])
    least = {}
    for _ in range(runs):
        for name, plain, recorded, *args in rows:
            for kind, words in enumerate(([plain], [heddle, "record", "-o", "cost.rec", recorded])):
                cpu, wall = run(words + args)
                old = least.get((name, kind), (cpu, wall))
                least[name, kind] = min(cpu, old[0]), min(wall, old[1])
    print("%-20s %9s %9s %6s %9s %9s %6s" % ("program", "CPU us", "recorded", "cost", "us", "recorded", "cost"))
    costs = []
    for name, *_ in rows:
        (cpu, wall), (cpu_recorded, wall_recorded) = least[name, 0], least[name, 1]
        cost, on_clock = 100 * cpu_recorded / cpu - 100, 100 * wall_recorded / wall - 100
        print("%-20s %9d %9d %5.1f%% %9d %9d %5.1f%%" % (name, cpu, cpu_recorded, cost, wall, wall_recorded, on_clock))
        if not name.startswith("("):
            costs.append((cost, on_clock))
    print("%-20s %25.1f%% %25.1f%%" % ("average", sum(c for c, _ in costs) / len(costs), sum(w for _, w in costs) / len(costs)))
    print("%-20s %25.1f%% %25.1f%%" % ("worst", max(c for c, _ in costs), max(w for _, w in costs)))


main()
