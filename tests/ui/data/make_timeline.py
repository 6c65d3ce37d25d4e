#!/usr/bin/env python3
"""Writes timeline.jsonl: a recording that holds a synthetic timeline for tests and pictures of the
timeline page. Nothing in it was measured; the device's name says so."""
import json
import pathlib
import random

here = pathlib.Path(__file__).parent
device = {"name": "Synthetic GPU (made by hand, not measured)", "chip": "GH100", "compute_capability": 90,
          "driver": "", "toolkit": "13.0", "simulated": False, "multiprocessors": 132, "l2_bytes": 62914560,
          "memory_bytes": 150000000000, "shared_per_multiprocessor_bytes": 233472,
          "registers_per_multiprocessor": 65536, "memory_free_bytes": 140000000000}
STEPS, RUNS = 60, 3
order = ["range", "call", "wait", "memory", "kernel", "copy", "overhead"]


class Variant:
    def __init__(self, name):
        self.name, self.names, self.tracks, self.runs, self.now, self.correlation = name, [], {}, [], 0, 0
        self.rng = random.Random(name)

    def add(self, kind, label, name, start, duration, correlation=0, size=None, stream=None):
        if name not in self.names:
            self.names.append(name)
        self.tracks.setdefault((kind, label), []).append(
            (int(start), int(duration), self.names.index(name), correlation, size, stream))

    def around(self, ns):
        return int(ns * self.rng.uniform(0.9, 1.15))

    def call(self, name, duration, driver=None, correlation=0):
        duration = self.around(duration)
        self.add("call", "CUDA calls", name, self.now, duration, correlation)
        if driver:
            self.add("call", "CUDA calls", driver, self.now + duration * 0.15, duration * 0.75, correlation)
        self.now += duration

    def launch(self, kernel, duration, free_at):
        """Returns when the kernel ends."""
        self.correlation += 1
        self.call("cudaLaunchKernel", 2900, "cuLaunchKernel", self.correlation)
        start = max(self.now + self.around(1300), free_at + 900)
        length = self.around(duration)
        self.add("kernel", "Stream 7", kernel, start, length, self.correlation, stream=7)
        return start + length

    def wait(self, name, until):
        self.add("wait", "Waits", "wait for the device", self.now + 300, max(until - self.now, 500))
        self.call(name, 0)
        last = self.tracks[("call", "CUDA calls")].pop()
        length = max(until - self.now, 0) + self.around(1500)
        self.tracks[("call", "CUDA calls")].append((last[0], length) + last[2:])
        self.now += length

    def copy_back(self, free_at):
        self.correlation += 1
        start = max(self.now + self.around(3800), free_at + 900)
        length = self.around(1150)
        self.add("copy", "Copies to the host", "copy device to pinned", start, length, self.correlation, 4, 7)
        end = start + length + self.around(2600)
        self.add("call", "CUDA calls", "cudaMemcpy", self.now, end - self.now, self.correlation)
        self.add("call", "CUDA calls", "cuMemcpyDtoH_v2", self.now + 700, end - self.now - 1000, self.correlation)
        self.now = end
        return start + length

    def run(self, body):
        begin = self.now
        end_of_work = body()
        launched = self.now
        self.wait("cudaDeviceSynchronize (harness)", end_of_work)
        number = len(self.runs) + 1
        self.add("range", "Ranges: klab", f"run {number}", begin, self.now - begin)
        self.add("range", "Ranges: klab", "launch", begin + 200, launched - begin - 300)
        self.add("range", "Ranges: klab", "harness waits for the device", launched, self.now - launched - 100)
        self.runs.append({"begin_ns": begin, "launched_ns": launched, "end_ns": self.now})
        self.now += 60_000

    def json(self):
        tracks = []
        for kind, label in sorted(self.tracks, key=lambda key: (order.index(key[0]), key[1])):
            spans = sorted(self.tracks[(kind, label)], key=lambda s: (s[0], -s[1]))
            track = {"kind": kind, "label": label}
            for i, column in enumerate(["start_ns", "duration_ns", "name", "correlation", "bytes", "stream"]):
                values = [span[i] for span in spans]
                if i < 3 or any(value not in (None, 0) for value in values):
                    track[column] = values
            tracks.append(track)
        return {"variant": self.name, "names": self.names, "runs": self.runs, "dropped_over_limit": 0,
                "dropped_by_profiler": 0, "clock": {"drift_ns": 40, "uncertainty_ns": 60}, "tracks": tracks}


SPREAD = "(anonymous namespace)::spread(float const*, float*, long)"


def flawed():
    v = Variant("flawed")

    def body():
        end = 0
        for _ in range(STEPS):
            end = v.launch(SPREAD, 2300, end)
            v.wait("cudaDeviceSynchronize", end)
            end = v.copy_back(end)
        return end
    for _ in range(RUNS):
        v.run(body)
    return v.json()


def candidate():
    v = Variant("candidate")

    def body():
        v.add("memory", "Memory", "allocate device", v.now + 900, 0, size=262144)
        v.call("cudaMalloc", 14_000, "cuMemAlloc_v2")
        end = 0
        for _ in range(STEPS):
            end = v.launch(SPREAD, 2300, end)
        v.wait("cudaStreamSynchronize", end)
        end = v.copy_back(end)
        v.add("memory", "Memory", "release device", v.now + 900, 0, size=262144)
        v.call("cudaFree", 21_000, "cuMemFree_v2")
        return end
    for _ in range(RUNS):
        v.run(body)
    return v.json()


def optimized():
    v = Variant("optimized")

    def body():
        v.correlation += 1
        graph = v.correlation
        v.call("cudaGraphLaunch", 6200, "cuGraphLaunch", graph)
        end = v.now + 4000
        for _ in range(STEPS):
            length = v.around(2250)
            v.add("kernel", "Stream 7", SPREAD, end, length, graph, stream=7)
            end += length + v.around(700)
        return v.copy_back(end)
    for _ in range(RUNS):
        v.run(body)
    return v.json()


def main():
    found = {"kind": "timeline", "lab": "05-sync-heavy", "backend": "gpu", "device": device,
             "date": "2026-01-01T12:00:00Z", "source_digests": {}, "errors": [],
             "found": {"variants": [flawed(), candidate(), optimized()]}}
    result = {"lab": "05-sync-heavy", "variant": "mine", "backend": "gpu", "verdict": "inconclusive",
              "conclusion": "A synthetic recording: nothing was checked.", "gates": [], "device": device, "seed": 1,
              "date": "2026-01-01T12:00:00Z", "source_digest": "0" * 64, "errors": [],
              "times": {"variants": {}}, "ratio": None, "counters": {}, "compiler": {}, "phase_seconds": {}}
    lines = [{"recording": 1, "lab": "05-sync-heavy", "note": "A synthetic timeline, made by hand, not measured"},
             {"at_s": 0.1, "result": result}, {"at_s": 0.2, "investigation": found}]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (here / "timeline.jsonl").write_text(text)


main()
