#!/usr/bin/env python3
"""Two ranks of one machine: the report is that of the ordinary command, also when one of them is killed.
usage: ranks_test.py same|killed|first_killed HEDDLE HEDDLE_MPI MPIRUN"""
import json, os, pathlib, shutil, signal, subprocess, sys, tempfile, time

what, heddle, heddle_mpi, mpirun = sys.argv[1:5]
examples = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/examples"
JOB = [mpirun, "--oversubscribe", "--enable-recovery", "-np", "2", heddle_mpi]
# A report under a box of steps is the same on any machine.
CHECK = ["check", "--format", "json", "--budget", "0", "--steps", "200000"]
SCAN = ["scan", "--format", "json", "--budget", "4m", "."]
# How small a witness gets is a matter of time, and a scan has no box of steps.
WITNESS = {"schedule", "steps", "replay"}
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")  # for containers
LONGEST = 200  # seconds


def without(value, names):
    """Without times and sizes of processes, and without these."""
    if isinstance(value, dict):
        return {name: without(inner, names) for name, inner in value.items()
                if "seconds" not in name and name != "peak_rss_mb" and name not in names}
    return [without(inner, names) for inner in value] if isinstance(value, list) else value


def differences(one, other, at=""):
    if isinstance(one, dict) and isinstance(other, dict):
        return [line for name in sorted({*one, *other})
                for line in differences(one.get(name), other.get(name), f"{at}/{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [line for i, pair in enumerate(zip(one, other)) for line in differences(*pair, f"{at}/{i}")]
    return [] if one == other else [f"{at}: {one!r} != {other!r}"]


def same(one, other, names=frozenset()):
    # `check` writes one report a program.
    reports, others = ([without(json.loads(line), names) for line in text.splitlines()] for text in (one, other))
    assert reports, "no report"
    found = differences(reports, others)
    assert not found, "the reports differ:\n" + "\n".join(found)


def ordinary(words, folder):
    return subprocess.run([heddle, *words], cwd=folder, capture_output=True, text=True, timeout=LONGEST)


def start(words, folder):
    return subprocess.Popen([*JOB, "--code", "code", *words], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def children(process):
    try:
        return [int(child) for task in pathlib.Path(f"/proc/{process}/task").iterdir()
                for child in (task / "children").read_text().split()]
    except OSError:
        return []


def is_rank(process, rank):
    try:
        return f"OMPI_COMM_WORLD_RANK={rank}".encode() in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def wait_for(condition, of):
    """What the condition gives, once it gives something."""
    end = time.monotonic() + LONGEST
    while not (result := condition()):
        assert time.monotonic() < end, f"waited too long for {of}"
        time.sleep(0.002)
    return result


def kill_when_busy(job, rank):
    """Kills the rank as soon as it has its first request: it makes a process to explore it then."""
    process = wait_for(lambda: next((c for c in children(job.pid) if is_rank(c, rank)), None), f"rank {rank}")
    wait_for(lambda: children(process), f"the first request of rank {rank}")
    os.kill(process, signal.SIGKILL)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for file in sorted(examples.glob("*.[ch]")):
        shutil.copy(file, folder)
    files = sorted(file.name for file in folder.glob("*.c"))
    if what == "same":
        for words, left_out in ((CHECK + files, set()), (SCAN, WITNESS)):
            expected = ordinary(words if words[0] == "check" else words + ["-j", "2"], folder)
            job = start(words, folder)
            out, err = job.communicate(timeout=LONGEST)
            same(expected.stdout, out, left_out)
            assert (folder / "code").read_text() == f"{expected.returncode}\n", err
            assert "rank 1 is dead" not in err, err
    elif what == "killed":
        for words, left_out in ((CHECK + files, set()), (SCAN, WITNESS)):
            expected = ordinary(words if words[0] == "check" else words + ["-j", "2"], folder)
            job = start(words, folder)
            kill_when_busy(job, 1)
            out, err = job.communicate(timeout=LONGEST)
            assert "rank 1 is dead" in err and "is given to another rank" in err, err
            same(expected.stdout, out, left_out)
            assert (folder / "code").read_text() == f"{expected.returncode}\n", err
    else:  # the others end by themselves
        job = start(CHECK + files, folder)
        other = wait_for(lambda: next((c for c in children(job.pid) if is_rank(c, 1)), None), "rank 1")
        kill_when_busy(job, 0)
        out, err = job.communicate(timeout=LONGEST)
        assert "rank 1 ends: rank 0 is dead" in err, err
        assert not pathlib.Path(f"/proc/{other}").exists(), f"rank 1, process {other}, is still there"
    print("as it should be")
