#!/usr/bin/env python3
"""Tries programs that others wrote under `klab sim` and writes a table of what became of them.

Usage: try_programs.py KLAB OUTPUT.md KIND=FOLDER[@REVISION] ...

Each folder below FOLDER that holds a .cu file with a main() is one program, built from all its
.cu and .cpp files; where several files have a main(), each is a program of its own. Nothing of
the sources is kept: the table holds names and outcomes.
"""
import concurrent.futures
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD_S, RUN_S = 180, 60
MAIN = re.compile(r"\bmain\s*\(")


def text_of(path):
    return path.read_text(errors="replace")


def programs_below(folder):
    """(name, sources) of each program."""
    for place in sorted({path.parent for path in folder.rglob("*.cu")}):
        sources = sorted(place.glob("*.cu")) + sorted(place.glob("*.cpp"))
        mains = [path for path in sources if MAIN.search(text_of(path))]
        name = str(place.relative_to(folder)) if place != folder else folder.name
        if len(mains) == 1:
            yield name, sources
        else:
            for path in mains:
                yield f"{name}/{path.stem}", [path]


def include_folders(folder, sources):
    """The program's own folder, and every folder named Common, common or include above it."""
    places = {path.parent for path in sources}
    for path in sources:
        for above in path.parents:
            places.update(above / name for name in ("Common", "common", "include", "inc"))
            if above == folder:
                break
    return [f"-I{place}" for place in sorted(places) if place.is_dir()]


def first_line(text, *marks):
    for line in text.splitlines():
        if any(mark in line for mark in marks):
            return re.sub(r"^\S*/", "", line.strip().removeprefix("error: "))
    return ""


def build(folder, sources, program):
    command = ["nvcc", "-std=c++17", "-cudart", "shared", "-lineinfo", "-w", "-Xcompiler",
               "-fopenmp", "-gencode", "arch=compute_90,code=compute_90",
               *include_folders(folder, sources), "-o", program, *map(str, sources)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=BUILD_S)
    except subprocess.TimeoutExpired:
        return f"nvcc took more than {BUILD_S} s"
    if done.returncode == 0:
        return ""
    missing = re.search(r"fatal error: (\S+): No such file", done.stderr)
    if missing:
        return f"needs `{missing[1]}`"
    unresolved = re.search(r"undefined reference to `([^'(]+)", done.stderr)
    if unresolved:
        return f"needs a library with `{unresolved[1]}`"
    return first_line(done.stderr, "error") or "does not build"


def try_program(klab, folder, sources):
    """(outcome, remark) of one program."""
    with tempfile.TemporaryDirectory() as scratch:
        program = f"{scratch}/program"
        fault = build(folder, sources, program)
        if fault:
            return "not built", fault
        try:
            done = subprocess.run([klab, "sim", "--threads", "1", program], cwd=sources[0].parent,
                                  capture_output=True, text=True, errors="replace", timeout=RUN_S,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "too long", f"more than {RUN_S} s"
        said = done.stderr.replace(scratch, "")
        if done.returncode == 4:
            return "refused", " ".join(said.split())[:160]
        if re.search(r"does not support|not supported by the simulator|cannot simulate", said):
            return "refused", first_line(said, "support", "simulate")[:160]
        if "signal" in said and done.returncode != 0:
            return "ended by a signal", first_line(said, "signal")[:160]
        if done.returncode != 0 and re.search(r"\bwaiv", done.stdout, re.IGNORECASE):
            return "waives itself", (done.stdout.strip().splitlines())[-1][:160]
        if done.returncode != 0:
            return "says it failed", (done.stdout.strip().splitlines() or [said.strip()])[-1][:160]
        return "ran", ""


def main():
    klab, output, *kinds = sys.argv[1:]
    klab = str(pathlib.Path(klab).resolve())  # programs are started in folders of their own
    lines, totals = [], {}
    for kind in kinds:
        name, _, place = kind.partition("=")
        place, _, revision = place.partition("@")
        lines += ["", f"## {name}" + (f" at `{revision}`" if revision else ""), "",
                  "| program | outcome | |", "|---|---|---|"]
        folder = pathlib.Path(place)
        programs = list(programs_below(folder))

        def try_and_tell(program):
            outcome, remark = try_program(klab, folder, program[1])
            print(f"{program[0]}: {outcome} {remark}", file=sys.stderr, flush=True)
            return outcome, remark

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tries = list(pool.map(try_and_tell, programs))
        for (program, _), (outcome, remark) in zip(programs, tries):
            count = totals.setdefault(name, {})
            count[outcome] = count.get(outcome, 0) + 1
            # Names of files, not where they lay.
            remark = re.sub(r"(?:/[^/\s:]+)+/", "", remark).replace("|", "\\|")
            lines.append(f"| {program} | {outcome} | {remark} |")
    outcomes = sorted({o for count in totals.values() for o in count}, key=lambda o: (o != "ran", o))
    table = ["| from | " + " | ".join(outcomes) + " |", "|---" * (len(outcomes) + 1) + "|"]
    for name, count in totals.items():
        table.append(f"| {name} | " + " | ".join(str(count.get(o, 0)) for o in outcomes) + " |")
    head = ["# Programs tried on the simulator", "",
            "Written by `tests/simulator/tried/try_programs.py` from sources fetched elsewhere.",
            "\"ran\" means that the program ended with exit code 0; what checks itself was right.",
            "What needs a display, a camera or a library of the GPU's maker is not built here. Each program had",
            f"{RUN_S} s on one core ({datetime.date.today()}); many of those that took longer run the same kernel hundreds",
            "of times to measure it. \"waives itself\" is the program's own word for what it does not find.", ""]
    pathlib.Path(output).write_text("\n".join(head + table + lines) + "\n")


if __name__ == "__main__":
    main()
