"""What scripts over the test programs share: which files, how many at once, what a first line expects."""
import concurrent.futures, os, pathlib, re

root = pathlib.Path(__file__).resolve().parent.parent


def arguments(words):
    """`[-j N] [FILE...]`: how many at once, and the files: of tests/programs and docs/examples, if none is named."""
    jobs = os.cpu_count() or 1
    if words[:1] == ["-j"]:
        jobs, words = int(words[1]), words[2:]
    return jobs, [pathlib.Path(word) for word in words] or sorted(
        file for folder in ("tests/programs", "docs/examples") for file in (root / folder).rglob("*.c"))


def expectations(path):
    """Property → verdict, and the options that the first line names; no property: the file is no test of its own."""
    first = path.open(encoding="utf-8").readline()
    if not first.startswith("// EXPECT:"):
        return {}, []
    return (dict(re.findall(r"\b([a-z]+)=(violated|verified-within-bounds|verified|incomplete|unsupported)", first)),
            re.findall(r"option=(\S+)", first))


def over(files, jobs, examine, shows):
    """Prints what `examine` says of each file, where `shows` holds for its result, and then how often each result came."""
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for path, (result, text) in zip(files, pool.map(examine, files)):
            counts[result] = counts.get(result, 0) + 1
            if shows(result):
                print(f"{path.relative_to(root) if path.is_relative_to(root) else path}: {result}: {text}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return counts
