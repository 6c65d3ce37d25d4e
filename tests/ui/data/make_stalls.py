#!/usr/bin/env python3
"""Writes stalls.jsonl: a recording that holds a synthetic stalls investigation for tests and
pictures of the diagnosis page. Nothing in it was measured; the device's name says so."""
import hashlib
import json
import pathlib

here = pathlib.Path(__file__).parent
kernel = here.parents[2] / "kernels" / "02_coalescing" / "flawed.cu"
device = {"name": "Synthetic GPU (made by hand, not measured)", "chip": "GH100", "compute_capability": 90,
          "driver": "", "toolkit": "13.0", "simulated": False, "multiprocessors": 132, "l2_bytes": 62914560,
          "memory_bytes": 150000000000, "shared_per_multiprocessor_bytes": 233472,
          "registers_per_multiprocessor": 65536, "memory_free_bytes": 140000000000}


def facts(variant, seconds, values, traced):
    counters = {name: {"value": value, "source": "measured"} for name, value in values.items()}
    counters |= {name: {"value": value, "source": "traced"} for name, value in traced.items()}
    counters["spill_bytes"] = {"value": 0, "source": "compiler"}
    return {"variant": variant, "simulated": False, "counters": counters, "seconds": seconds,
            "ceilings": {"dram_copy": 4e12, "empty_launch": 2e-6}, "stalls_pct": {}}


def samples(variant, file, places, dropped=0):
    """`places`: (line, offset, {reason: samples})."""
    return {"variant": variant, "launches": 4, "period_cycles": 32768, "dropped": dropped, "elsewhere": 0,
            "buffer_full": False,
            "pcs": [{"kernel": "scale_rows(Args)", "offset": offset, "file": file, "line": line,
                     "by_reason": reasons, "not_issued": sum(reasons.values()) * 4 // 5}
                    for line, offset, reasons in places]}


once = {"kernels_executed": 1, "kernel_launches": 1, "host_synchronizations": 0, "gpu_idle_pct": 0}
flawed = {"instruction_throughput_pct": 0.4, "fma_pipe_pct": 0.1, "alu_pipe_pct": 0.2, "dram_throughput_pct": 26,
          "l2_throughput_pct": 13, "l1_throughput_pct": 13.5, "lsu_pipe_pct": 0.4, "dram_bytes_per_s": 1.25e12,
          "dram_bytes": 9.5e9, "dram_bytes_of_minimum": 8.9, "global_load_excess_pct": 87.5,
          "global_store_excess_pct": 87.5, "global_load_sectors_per_request": 32,
          "global_store_sectors_per_request": 32, "warps_active_pct": 96, "eligible_warps": 0.005,
          "issue_active_pct": 0.4, "threads_per_instruction": 32, "profiled_duration": 0.0077,
          "sm_active_cycles": 1.45e7, "sm_clock": 1.98e9, "sm_imbalance_pct": 1, "shared_load_wavefronts": 0,
          "shared_store_wavefronts": 0, "shared_bank_conflicts": 0, "flop_fp32": 1.3e8, "flop_fp64": 0,
          "local_load_sectors": 0}
mine = flawed | {"instruction_throughput_pct": 21, "dram_throughput_pct": 44, "l2_throughput_pct": 24,
                 "l1_throughput_pct": 12, "dram_bytes_per_s": 2.1e12, "dram_bytes": 1.06e9,
                 "dram_bytes_of_minimum": 1.0, "global_load_excess_pct": 0, "global_store_excess_pct": 0,
                 "global_load_sectors_per_request": 4, "global_store_sectors_per_request": 4,
                 "warps_active_pct": 38, "eligible_warps": 0.4, "issue_active_pct": 22,
                 "profiled_duration": 0.0005, "sm_active_cycles": 9.6e5}
optimized = mine | {"instruction_throughput_pct": 16, "dram_throughput_pct": 86, "l2_throughput_pct": 42,
                    "l1_throughput_pct": 16, "dram_bytes_per_s": 4.1e12, "global_load_sectors_per_request": 13,
                    "global_store_sectors_per_request": 16, "warps_active_pct": 51, "eligible_warps": 0.25,
                    "issue_active_pct": 16, "profiled_duration": 0.00026, "sm_active_cycles": 4.9e5}

name = "kernels/02_coalescing/flawed.cu"
report = {
    "facts": [facts("flawed", 7.7e-3, flawed, once), facts("candidate", 5.1e-4, mine, once),
              facts("optimized", 2.6e-4, optimized, once)],
    "samples": [
        samples("flawed", name,
                [(13, 0x190, {"lg_throttle": 30100, "long_scoreboard": 21900, "selected": 120, "wait": 210}),
                 (11, 0x1d0, {"wait": 610, "selected": 90, "branch_resolving": 70}),
                 (12, 0x150, {"wait": 340, "selected": 60}), (10, 0x80, {"long_scoreboard": 280}),
                 (9, 0x50, {"wait": 40, "imc_miss": 30, "no_instruction": 20})]),
        samples("candidate", name,
                [(13, 0x190, {"long_scoreboard": 29800, "lg_throttle": 900, "selected": 5300, "wait": 4200}),
                 (11, 0x1d0, {"wait": 2900, "selected": 2500, "branch_resolving": 1100, "not_selected": 700}),
                 (10, 0x80, {"long_scoreboard": 2300}), (12, 0x150, {"wait": 1300, "math_pipe_throttle": 600}),
                 (8, 0x30, {"no_instruction": 500, "drain": 400})], dropped=3),
        samples("optimized", "solutions/02_coalescing/optimized.cu",
                [(39, 0x310, {"long_scoreboard": 35200, "selected": 4700, "wait": 3300}),
                 (37, 0x2b0, {"lg_throttle": 2100, "selected": 2200, "not_selected": 600}),
                 (34, 0x220, {"wait": 1900, "branch_resolving": 500}), (19, 0x90, {"long_scoreboard": 1400})])]}
digest = hashlib.sha256(kernel.read_bytes()).hexdigest()
found = {"kind": "stalls", "lab": "02-coalescing", "backend": "gpu", "device": device,
         "date": "2026-01-01T00:00:00Z", "source_digests": {"flawed": digest, "candidate": digest},
         "errors": [], "found": report}
head = {"recording": 1, "lab": "02-coalescing", "note": "Synthetic stalls, made by hand, not measured"}
passed = (here / "passed.jsonl").read_text().splitlines()[1:]
with open(here / "stalls.jsonl", "w", encoding="utf-8") as out:
    out.write(json.dumps(head, separators=(",", ":")) + "\n")
    for line in passed:
        out.write(line + "\n")
    out.write(json.dumps({"at_s": 5, "investigation": found}, separators=(",", ":")) + "\n")
