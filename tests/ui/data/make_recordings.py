#!/usr/bin/env python3
"""Writes the recordings that tests and screenshots of the window replay. They are made by hand, in
the recorded format: shapes of real checks, not measurements of any machine."""
import json
import pathlib
import random

here = pathlib.Path(__file__).parent
note = "A fixture made by hand, not measured"
device = {"name": "Fixture GPU", "chip": "GH100", "compute_capability": 90, "driver": "580.0",
          "toolkit": "13.0", "simulated": False, "multiprocessors": 132, "l2_bytes": 62914560,
          "memory_bytes": 150000000000, "shared_per_multiprocessor_bytes": 233472,
          "registers_per_multiprocessor": 65536, "memory_free_bytes": 140000000000}
values = {  # name: (flawed, candidate, optimized)
    "global_load_sectors_per_request": (32, 4, 4),
    "dram_throughput_pct": (11.4, 84.2, 92.8),
    "dram_bytes": (4.31e9, 0.541e9, 0.538e9),
    "l1_hit_rate_pct": (46.1, 0.4, 0.2),
    "l2_hit_rate_pct": (52.3, 49.9, 50.1),
    "achieved_occupancy_pct": (91.2, 88.4, 76.1),
    "issue_active_pct": (3.1, 21.7, 18.0),
    "registers_per_thread": (26, 24, 40),
}


def samples(rng, median, count, spread=0.002):
    return [median * (1 + abs(rng.gauss(0, spread))) for _ in range(count)]


def interval(values):
    ordered = sorted(values)
    middle = ordered[len(ordered) // 2]
    return {"median": middle, "low": ordered[len(ordered) * 2 // 5], "high": ordered[len(ordered) * 3 // 5]}


def gate(name, subject, verdict, measured=None, target="", unit="", source=None, detail="", advice=""):
    return dict(name=name, subject=subject, verdict=verdict, measured=measured, target=target, unit=unit,
                source=source, detail=detail, advice=advice)


def base(verdict, conclusion, gates, errors=()):
    return {"lab": "02-coalescing", "variant": "mine", "backend": "gpu", "verdict": verdict,
            "conclusion": conclusion, "gates": gates, "device": device, "seed": 4242,
            "date": "2026-01-01T12:00:00Z", "source_digest": "0" * 64, "errors": list(errors),
            "times": {"variants": {}}, "ratio": None, "counters": {}, "compiler": {}, "phase_seconds": {}}


def counters(column):
    result = {}
    for name, triple in values.items():
        source = "compiler" if name.startswith("registers") else "measured"
        result[name] = {"value": triple[column], "source": source, "reason": ""}
    return result


class Recording:
    def __init__(self):
        self.lines = [{"recording": 1, "lab": "02-coalescing", "note": note}]
        self.at = 0.0

    def tell(self, kind, phase, text="", record=None, wait=0.02):
        self.at += wait
        line = {"at_s": round(self.at, 4), "kind": kind, "phase": phase}
        if text:
            line["text"] = text
        if record:
            line["record"] = record
        self.lines.append(line)

    def result(self, result, wait=0.1):
        self.at += wait
        self.lines.append({"at_s": round(self.at, 4), "result": result})

    def write(self, name):
        (here / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.lines))


def begin(build_fails=False):
    r = Recording()
    r.tell("phase_started", "build", "Building", wait=0)
    if build_fails:
        return r
    r.tell("phase_ended", "build", "Built", wait=1.6)
    return r


def verify(r, correct=True, stop_after=3):
    r.tell("phase_started", "verify", "Running phase verify")
    r.tell("record", "verify", record={"type": "hello", "protocol": 1, "backend": "gpu"}, wait=0.2)
    r.tell("record", "verify", record={"type": "device", "facts": device})
    for n, size in enumerate([[1, 1], [33, 7], [1000, 333]][:stop_after]):
        good = correct or n < 1
        r.tell("record", "verify", record={
            "type": "verified", "variant": "candidate", "size": size, "seed": 4242, "correct": good,
            "problem": "" if good else "not written", "buffer": "out", "index": None if good else 224,
            "got": None, "want": None if good else 0.731, "got_text": "" if good else "nan",
            "tolerance": 1e-6, "wrong": 0 if good else 7, "total": size[0] * size[1]})


def time(r, medians, count=60, seed=1, throttled=()):
    rng = random.Random(seed)
    r.tell("phase_ended", "verify", "Finished phase verify")
    r.tell("phase_started", "time", "Running phase time")
    taken = {name: samples(rng, median, count) for name, median in medians.items()}
    for i in range(count):
        for name in medians:
            r.tell("record", "time", record={"type": "sample", "variant": name, "seconds": taken[name][i],
                                             "sm_clock_mhz": 1980.0}, wait=0.008)
    r.tell("record", "time", record={"type": "timed", "stopped_because": "interval narrow enough",
                                     "throttle_reasons": list(throttled), "launches_per_sample": 1,
                                     "least_bytes": 5.37e8, "least_flops": 6.7e7})
    r.tell("phase_ended", "time", "Finished phase time")
    return taken


def count(r, refused=False):
    r.tell("phase_started", "counters", "Running phase counters")
    for step in range(1, 6):
        r.tell("record", "counters", record={"type": "progress", "step": "pass", "index": step, "total": 5}, wait=0.15)
        if refused:
            break
    if not refused:
        for column, name in enumerate(["flawed", "candidate", "optimized"]):
            r.tell("record", "counters", record={"type": "counters", "variant": name,
                                                 "values": counters(column), "passes": 5})
    r.tell("phase_ended", "counters", "Finished phase counters")


def timing(result, taken):
    result["times"] = {"variants": {name: {"seconds": interval(v), "samples_s": v, "sm_clock_mhz": []}
                                    for name, v in taken.items()},
                       "cliffs_delta": 1.0, "throttle_reasons": [], "cold_l2": True,
                       "stopped_because": "interval narrow enough"}
    flawed, mine = interval(taken["flawed"]), interval(taken["candidate"])
    ratio = flawed["median"] / mine["median"]
    result["ratio"] = {"median": ratio, "low": ratio * 0.997, "high": ratio * 1.003}
    result["compiler"] = {"candidate": [{"kernel": "scale_rows(Args)", "registers": 24, "stack_bytes": 0,
                                         "spill_store_bytes": 0, "spill_load_bytes": 0, "static_shared_bytes": 0}]}


built = gate("built", "nvcc", "pass", source="compiler", detail="Built in 1.6 s.")
correct = gate("correct", "result", "pass", 0, "== 0", "wrong elements", "checked",
               "3 runs over 3 sizes agree with the double-precision reference.")


def same(ms="178.6 us"):
    return gate("same work", "physics floor", "pass", 1.786e-4, ">= 110 us", "s", "measured",
                f"It takes {ms}; this device needs at least 110 us for the least work the task allows.")


def cause(value, verdict):
    return gate("cause", "global_load_sectors_per_request", verdict, value, "<= 4.5", "sectors", "measured",
                "A warp that reads 32 neighbouring floats touches 4 sectors.",
                "" if verdict == "pass" else "Let neighbouring threads read neighbouring words.")


def passed():
    r = begin(); verify(r)
    taken = time(r, {"flawed": 1.42e-3, "candidate": 1.786e-4, "optimized": 1.38e-4}); count(r)
    result = base("pass", "Right, 7.95x as fast, and for the taught reason.", [
        built, correct, same(), cause(4.0, "pass"),
        gate("time", "speedup", "pass", 7.95, ">= 5x", "x", "measured", "7.95x of the flawed kernel's speed, in the same run."),
        gate("time", "dram_copy", "pass", 84.2, ">= 80 %", "%", "measured", "84.2 % of what this device was measured to do.")])
    result["rungs"] = [
        {"name": "coalesced", "verdict": "pass", "gates": result["gates"][3:]},
        {"name": "as fast as a copy", "verdict": "fail", "gates": [
            gate("time", "dram_copy", "fail", 84.2, ">= 95 %", "%", "measured", "84.2 % of what this device was measured to do.")]}]
    result["score"] = 94.7
    timing(result, taken); result["counters"] = {n: counters(i) for i, n in enumerate(["flawed", "candidate", "optimized"])}
    r.result(result); r.write("passed")


def slow():
    r = begin(); verify(r)
    taken = time(r, {"flawed": 1.42e-3, "candidate": 1.41e-3, "optimized": 1.38e-4}, seed=2); count(r)
    result = base("fail", "Right, but not faster: the cause is still there.", [
        built, correct, same("1.41 ms"), cause(32.0, "fail"),
        gate("time", "speedup", "fail", 1.007, ">= 5x", "x", "measured", "1.01x of the flawed kernel's speed, in the same run.",
             "Look at the counters for what limits it now; `klab hint` gives the next hint."),
        gate("time", "dram_copy", "fail", 10.6, ">= 80 %", "%", "measured", "10.6 % of what this device was measured to do.",
             "Fewer bytes, wider accesses, or more independent loads in flight bring it nearer to the ceiling.")])
    timing(result, taken); result["counters"] = {n: counters([0, 0, 2][i]) for i, n in enumerate(["flawed", "candidate", "optimized"])}
    r.result(result); r.write("slow")


def inconclusive():
    r = begin(); verify(r)
    taken = time(r, {"flawed": 1.42e-3, "candidate": 2.84e-4, "optimized": 1.38e-4}, seed=3, throttled=["SwPowerCap"]); count(r)
    result = base("inconclusive", "The interval straddles the target of 5x.", [
        built, correct, same("284 us"), cause(4.0, "pass"),
        gate("time", "speedup", "inconclusive", 5.0, ">= 5x", "x", "measured",
             "5x (4.9 to 5.1) of the flawed kernel's speed, in the same run.",
             "Close other programs on this GPU and check again, or make the kernel clearly faster.")])
    timing(result, taken); result["times"]["throttle_reasons"] = ["SwPowerCap"]
    result["counters"] = {n: counters(i) for i, n in enumerate(["flawed", "candidate", "optimized"])}
    r.result(result); r.write("inconclusive")


def refused():
    r = begin(); verify(r)
    taken = time(r, {"flawed": 1.42e-3, "candidate": 1.786e-4, "optimized": 1.38e-4}, seed=4); count(r, refused=True)
    error = {"code": "profiler_denied", "what": "The driver refused the hardware counters.",
             "remedy": "On the GPU's host, as root: put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` into /etc/modprobe.d/klab.conf, rebuild the initramfs and reboot. The other gates go on without it.", "detail": ""}
    result = base("not checkable here", "Right and fast; the cause could not be seen here.", [
        built, correct, same(), gate("cause", "global_load_sectors_per_request", "not checkable here", None, "<= 4.5", "sectors", None,
                                     "The driver refused the hardware counters.", ""),
        gate("time", "speedup", "pass", 7.95, ">= 5x", "x", "measured", "7.95x of the flawed kernel's speed, in the same run.")], [error])
    timing(result, taken)
    result["counters"] = {"candidate": {"global_load_sectors_per_request": {"value": None, "source": "measured", "reason": "The driver refused the hardware counters."}}}
    r.result(result); r.write("counters_refused")


def simulated():
    r = begin(); verify(r); r.tell("phase_ended", "verify", "Finished phase verify"); count(r)
    sim = dict(device, name="simulated sm_90 (no timing)", simulated=True, driver="")
    none = "Time needs a GPU: the simulator counts, it does not time."
    counted = dict(cause(4.0, "pass"), source="counted")
    result = base("not checkable here", "Right, and the cause is gone; time needs a GPU.", [
        built, correct, gate("same work", "physics floor", "not checkable here", detail=none), counted,
        gate("time", "speedup", "not checkable here", None, ">= 5x", detail=none)])
    result["device"] = sim; result["backend"] = "sim"
    result["counters"] = {n: {"global_load_sectors_per_request": {"value": v, "source": "counted", "reason": ""}}
                          for n, v in [("flawed", 32), ("candidate", 4), ("optimized", 4)]}
    r.result(result); r.write("no_device")


def not_run(why):
    return [gate("same work", "physics floor", "not checkable here", detail=why),
            gate("cause", "global_load_sectors_per_request", "not checkable here", None, "<= 4.5", detail=why),
            gate("time", "speedup", "not checkable here", None, ">= 5x", detail=why)]


def build_failed():
    r = begin(build_fails=True); r.tell("phase_ended", "build", "The compiler rejected the kernel", wait=0.9)
    log = ('/fixture/workbook/02_coalescing.cu(12): error: identifier "colum" is undefined\n'
           "      const int i = row * args.columns + colum;\n"
           "                                         ^\n\n"
           '/fixture/workbook/02_coalescing.cu(13): warning #177-D: variable "gain" was declared but never referenced\n\n'
           "1 error detected in the compilation of \"02_coalescing.cu\".\n")
    error = {"code": "build_failed", "what": '02_coalescing.cu:12: identifier "colum" is undefined',
             "remedy": "Correct the first message of the compiler and save again.", "detail": log}
    why = "Not run, because it is not built."
    r.result(base("fail", "It does not compile.", [
        gate("built", "nvcc", "fail", source="checked", detail=error["what"], advice=error["remedy"]),
        gate("correct", "result", "not checkable here", detail=why)] + not_run(why), [error]))
    r.write("build_failed")


def broken(name, code, what, remedy, detail="", correct_detail=None, stop_after=1):
    r = begin(); verify(r, correct=code is not None, stop_after=3 if code is None else stop_after)
    r.tell("phase_ended", "verify", what, wait=0.4)
    why = "No time was taken, because an earlier gate did not pass."
    error = [] if code is None else [{"code": code, "what": what, "remedy": remedy, "detail": detail}]
    bad = gate("correct", "result", "fail", 7 if code is None else None, "== 0", "wrong elements", "checked", correct_detail or what, remedy)
    r.result(base("fail", what if code else "The result is wrong.", [built, bad] + not_run(why), error))
    r.write(name)


def hanging():
    r = begin(); verify(r, stop_after=2)
    r.tell("record", "verify", record={"type": "progress", "step": "verify", "index": 3, "total": 3})
    r.write("hanging")


passed(); slow(); inconclusive(); refused(); simulated(); build_failed(); hanging()
broken("wrong", None, "", "Some outputs are never written: check which threads cover which elements.",
       correct_detail="7 of 231 elements of out are wrong (not written); the first is [224]: got nan, want 0.731 within 1e-06 at size 33 x 7, seed 4242.")
broken("crashed", "device_fault", "The kernel read or wrote an illegal address (crashed in verify, size 33 x 7).",
       "Run the same kernel under compute-sanitizer to see the line, and check the bounds of every index.",
       "CUDA error 700: an illegal memory access was encountered\n")
broken("hung", "hang", "The kernel did not end within 20 s and was killed (in verify, size 1 x 1).",
       "Look for a loop that never ends, or a barrier that not every thread of the block reaches.")
