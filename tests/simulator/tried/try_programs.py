#!/usr/bin/env python3
"""Tries programs that others wrote under `klab sim` and writes a table of what became of them.

Usage: try_programs.py [--only REGEX] KLAB OUTPUT.md KIND=FOLDER[@REVISION] ...

Each folder below FOLDER that holds a .cu file with a main() is one program, built from all its
.cu and .cpp files; where several files have a main(), each is a program of its own. It is started
with the arguments that a `run` target of its Makefile gives. Nothing of the sources is kept: the
table holds names and outcomes. Programs that OUTPUT.md holds and that are not tried again keep
their rows.
"""
import argparse
import collections
import concurrent.futures
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BUILD_S, RUN_S = 180, 60
LONGEST = 260  # of a remark
MAIN = re.compile(r"\bmain\s*\(")
# What nvcc and nvlink say of a program that must be linked on the device.
SEPARATE = re.compile(r"separate compilation mode|nvlink error|Unresolved extern")
REFUSAL = re.compile(r"which the simulator|not part of the simulated|cannot simulate|needs? a GPU")
# The first of what `klab sim` finds wrong with kernels that a program nevertheless ends well with.
FINDING = re.compile(r"^  ✘ (.*(?:\n  (?! *[✘~]).*)*)", re.MULTILINE)
ROW = re.compile(r"\| (.*?) \| (.*?) \| (.*?) \|$")
# A program that finds its own results wrong need not end with a code that says so.
WRONG = re.compile(r"^(?!.*\b(?:0|no|not|any) (?:\w+ )?fail).*\b(?:FAIL|FAILED|Failed|failed|FAILURE|"
                   r"mismatch|INCORRECT|incorrect|Test FAIL)\b(?!\w*\s*[:=]\s*0\b).*$", re.MULTILINE)


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


def arguments_of(sources):
    """Those of the `run` target in the Makefile beside the sources."""
    for place in dict.fromkeys(path.parent for path in sources):
        if not (place / "Makefile").exists():
            continue
        run = re.search(r"^run:.*\n\t.*?\./\S+[ \t]*(.*)$", text_of(place / "Makefile"), re.MULTILINE)
        if run and "$" not in run[1]:
            return run[1].split()
    return []


def compile_and_link(folder, sources, program, separate):
    """What nvcc says; nothing for a program that is built. Files linked on the device keep their
    PTX only beside machine code."""
    machine = (["-arch=sm_90", "-rdc=true", "-lcudadevrt"] if separate else
               ["-gencode", "arch=compute_90,code=compute_90"])
    command = ["nvcc", "-std=c++17", "-cudart", "shared", "-lineinfo", "-w", "-Xcompiler",
               "-fopenmp", *machine, *include_folders(folder, sources), "-o", program,
               *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=BUILD_S)
    return "" if done.returncode == 0 else done.stdout + done.stderr or "error: no message"


def build(folder, sources, program):
    try:
        said = compile_and_link(folder, sources, program, False)
        if SEPARATE.search(said):
            said = compile_and_link(folder, sources, program, True)
    except subprocess.TimeoutExpired:
        return f"nvcc took more than {BUILD_S} s"
    if not said:
        return ""
    missing = re.search(r"fatal error: (\S+): No such file", said)
    if missing:
        return f"needs `{missing[1]}`"
    unresolved = re.search(r"undefined reference to `([^'(]+)", said)
    if unresolved:
        return f"needs a library with `{unresolved[1]}`"
    return first_line(said, "error") or "does not build"


def try_program(klab, folder, sources):
    """(outcome, remark) of one program."""
    with tempfile.TemporaryDirectory() as scratch:
        program = f"{scratch}/program"
        fault = build(folder, sources, program)
        if fault:
            return "not built", fault
        try:
            done = subprocess.run([klab, "sim", "--threads", "1", program,
                                   *arguments_of(sources)], cwd=sources[0].parent,
                                  capture_output=True, text=True, errors="replace", timeout=RUN_S,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "too long", f"more than {RUN_S} s"
        said = done.stderr.replace(scratch, "")
        if done.returncode == 4:
            refusals = [" ".join(each.split()) for each in said.split("  ~ ")[1:]]
            refusal = next((each for each in refusals if REFUSAL.search(each)), said)
            return "refused", refusal.partition(" The program ended")[0]
        if re.search(r"does not support|not supported by the simulator|cannot simulate", said):
            return "refused", first_line(said, "support", "simulate")
        if "after its budget" in " ".join(said.split()):
            return "too long", "a launch was stopped at its budget of instructions"
        if "signal" in said and done.returncode != 0:
            return "ended by a signal", first_line(said, "signal")[:160]
        found = FINDING.search(said)
        if done.returncode == 1 and found and "The program ended with status" not in said:
            return "ran", "with a finding: " + " ".join(found[1].split())
        if done.returncode != 0 and re.search(r"\bwaiv", done.stdout, re.IGNORECASE):
            return "waives itself", (done.stdout.strip().splitlines())[-1][:160]
        if done.returncode != 0:
            return "says it failed", (done.stdout.strip().splitlines() or [said.strip()])[-1][:160]
        wrong = WRONG.search(done.stdout)
        if wrong:
            return "says it failed", wrong[0].strip()[:160]
        return "ran", ""


def rows_of(output):
    """The rows that the table holds, by its headings."""
    sections, rows = {}, None
    for line in text_of(output).splitlines() if output.exists() else []:
        if line.startswith("## "):
            rows = sections.setdefault(line[3:], {})
        elif rows is not None and (row := ROW.match(line)) and row[1] != "program":
            rows[row[1]] = row.groups()[1:]
    return sections


def totals_of(sections):
    counts = {heading: collections.Counter(outcome for outcome, _ in rows.values())
              for heading, rows in sections.items()}
    outcomes = sorted({o for count in counts.values() for o in count}, key=lambda o: (o != "ran", o))
    lines = ["| from | " + " | ".join(outcomes) + " |", "|---" * (len(outcomes) + 1) + "|"]
    for heading, count in counts.items():
        lines.append(f"| {heading} | " + " | ".join(str(count[o]) for o in outcomes) + " |")
    return lines


def try_all(klab, folder, only):
    """name -> (outcome, remark)"""
    programs = [each for each in programs_below(folder) if re.search(only, each[0])]

    def try_and_tell(program):
        name, sources = program
        outcome, remark = try_program(klab, folder, sources)
        print(f"{name}: {outcome} {remark}", file=sys.stderr, flush=True)
        # Names of files, not where they lay.
        return name, (outcome, re.sub(r"(?:/[^/\s:]+)+/", "", remark)[:LONGEST].replace("|", "\\|"))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(try_and_tell, programs))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("klab", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("kinds", nargs="+")
    options = parser.parse_args()
    sections = rows_of(options.output)
    for kind in options.kinds:
        name, _, place = kind.partition("=")
        place, _, revision = place.partition("@")
        rows = sections.setdefault(name + (f" at `{revision}`" if revision else ""), {})
        rows |= try_all(options.klab, pathlib.Path(place), options.only)
    lines = ["# Programs tried on the simulator", "",
             "Written by `tests/simulator/tried/try_programs.py` from sources fetched elsewhere.",
             "\"ran\" means that the program ended with exit code 0 and did not say that it failed; what checks",
             "itself was right. What needs a display, a camera or a library of the GPU's maker is not built here.",
             f"Each program had {RUN_S} s on one of two busy cores; many of those that took longer run the same kernel",
             "hundreds of times to measure it. \"waives itself\" is the program's own word for what it does not find.",
             f"Last on {datetime.date.today()}: rows that were not tried again then keep what they said. Tests hold the totals to",
             "the rows, and each refusal to the runtime of today: who adds such a call tries these programs again.",
             "", *totals_of(sections)]
    for heading, rows in sections.items():
        lines += ["", f"## {heading}", "", "| program | outcome | |", "|---|---|---|"]
        lines += [f"| {name} | {outcome} | {remark} |" for name, (outcome, remark) in
                  sorted(rows.items())]
    options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
