# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what an expert's change of each program gains, on a machine with a GPU.

    python3 run.py FOLDER OUT [--seconds N] [--set first|second|third|fourth] [PROGRAM...]

FOLDER is the output of bench/predictions/build.sh. Each program (or those of the
set, or those named) is recorded once in full in its first form. Then both forms
run in turn, as the user compiled them and without autoprof, in rounds over all
programs, until N seconds (default 420) are over. A program that fails, or whose
forms compute different results, is reported and skipped from then on, and the
exit status is 1.
OUT gets measurements.tsv, with one line per run, and the recordings. The script
makes no report of them, so it shows no prediction.
"""
import argparse
import dataclasses
import gzip
import math
import pathlib
import re
import subprocess
import sys
import time


@dataclasses.dataclass
class Program:
    name: str
    steps: int = 1000  # In unrecorded runs.
    recorded: int = 200  # In the recording; enough for the rarest kind of step.

    def arguments(self, form, recorded=False):
        return ["./gains", self.name, form, str(self.recorded if recorded else self.steps)]


SETS = {
    "first": [
        Program("training_metrics", 2000),
        Program("detector_outputs"),
        Program("wave_snapshots", recorded=360),
        Program("merge_sort"),
        Program("image_sharpen"),
        Program("shortest_paths", 2000),
        Program("neighbor_list", 2000, recorded=400),
        Program("clean_peaks", 2000),
        Program("video_edges"),
        Program("reaction_checks", 2000),
        Program("option_pricing"),
        Program("batch_prefetch"),
        Program("sequence_align", 500, recorded=60),
        Program("power_iteration", 2000),
        Program("rank_documents"),
        Program("ray_march", 3000),
        Program("ising_phases", 2000, recorded=300),
    ],
    "second": [
        Program("shallow_water", 2000),
        Program("pressure_solve", 2000),
        Program("particle_filter", 2000),
        Program("group_rows"),
        Program("beam_forming", 2000),
        Program("contour_lines"),
        Program("back_projection", 500),
        Program("compress_tiles", 2000),
        Program("nbody_energy", 500),
        Program("speech_decode"),
        Program("membrane_relax", 2000, recorded=400),
        Program("vibration_mode", 2000),
    ],
    "third": [
        Program("kmer_count", 500),
        Program("hash_search"),
        Program("plasma_waves", 3000),
        Program("laser_heating"),
        Program("path_trace", 120, recorded=80),
        Program("join_tables"),
        Program("radar_doppler", 2000),
        Program("microscope_stack", 200, recorded=80),
        Program("optimal_transport", 200, recorded=60),
        Program("bird_flock", 2000),
        Program("drone_control", 2000),
        Program("spiking_network", 2000),
    ],
    "fourth": [
        Program("movie_ratings", 2000),
        Program("speech_denoise"),
        Program("vortex_sheet", 2000),
        Program("lattice_fluid", 2000, recorded=400),
        Program("stereo_depth"),
        Program("ground_water", 200, recorded=40),
        Program("photon_transport"),
        Program("run_lengths", 2000),
        Program("seismic_waves", 2000),
        Program("palette_video", 2000),
        Program("robot_arm", 2000),
        Program("drug_docking", 300, recorded=80),
    ],
}


class Failed(Exception):
    pass


def execute(folder, command):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)} took more than a minute") from None
    if done.returncode:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done


def measure(folder, program, form):
    """Runs a form; returns the time of a step in ns and the result."""
    done = execute(folder / "gains/plain", program.arguments(form))
    ns = re.search(rf"^{form} ([0-9.]+)$", done.stdout, re.M)
    result = re.search(rf"^{form} result (\S+)$", done.stderr, re.M)
    if not ns or not result:
        raise Failed(f"{program.name} {form} printed {done.stdout!r} and {done.stderr!r}")
    return float(ns[1]), float(result[1])


def record(folder, out, program):
    # The program runs in its own folder, because the command line is part of a recording.
    trace = out / f"{program.name}.pftrace"
    execute(folder / "gains/instrumented",
            [str(folder / "bin/autoprof"), "run", "-o", str(trace), "--"] + program.arguments("before", recorded=True))
    pathlib.Path(f"{trace}.gz").write_bytes(gzip.compress(trace.read_bytes(), 9, mtime=0))
    trace.unlink()


def gpu():
    done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], check=True,
                          capture_output=True, text=True)
    return done.stdout.splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="what build.sh made")
    parser.add_argument("out", type=pathlib.Path, help="for measurements and recordings")
    parser.add_argument("--seconds", type=float, default=420, help="when to stop (420)")
    parser.add_argument("--set", choices=SETS, help="run these programs only")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="by name; all if none is named")
    options = parser.parse_intermixed_args()
    candidates = SETS[options.set] if options.set else [program for programs in SETS.values() for program in programs]
    chosen = [program for program in candidates if not options.programs or program.name in options.programs]
    unknown = set(options.programs) - {program.name for program in chosen}
    if unknown:
        parser.error(f"no program is called {', '.join(sorted(unknown))}")
    end = time.monotonic() + options.seconds
    folder, out = options.folder.resolve(), options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    failed, number = set(), 0
    with open(out / "measurements.tsv", "w", buffering=1) as tsv:
        tsv.write(f"# {gpu()}\nprogram\tform\tstep_ns\n")
        while len(failed) < len(chosen):
            for program in chosen:
                if time.monotonic() > end:
                    return 1 if failed else 0
                if program.name in failed:
                    continue
                try:
                    if number == 0:
                        record(folder, out, program)
                    (before, expected), (after, result) = (measure(folder, program, form) for form in ("before", "after"))
                    # Sums by atomic additions differ in their last digits.
                    if not math.isclose(expected, result, rel_tol=1e-3):
                        raise Failed(f"the results differ: {expected} before, {result} after")
                    tsv.write(f"{program.name}\tbefore\t{before:.1f}\n{program.name}\tafter\t{after:.1f}\n")
                except Failed as error:
                    failed.add(program.name)
                    print(f"run.py: {program.name}: {error}", file=sys.stderr, flush=True)
            number += 1
            print(f"round {number} done, {end - time.monotonic():.0f} s left", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
