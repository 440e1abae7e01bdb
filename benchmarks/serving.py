"""What the server holds to: memory of an upload, pages as pictures, and many askers at once.

python -m benchmarks.serving examples/deal-room --questions examples/deal-room.gold.jsonl

A server of its own is started for it, as a user would. Askers are threads of this process, so what is told of them is the
server with its clients on the same cores. They ask in two ways: with a pause to read the answer, as people do, and without, as
programs do. The single asker is measured in the same run, before and after. Besides the time on the wall, the CPU time that the
server spent is told: it is what can be compared on a busy machine.

Without a pause the last of N waits for the work of all: on C cores a question that takes t seconds of CPU is answered after N t / C at
best, however it is served. That bound is told beside what was measured, and how much of the cores the crowd had. It is also told for each way to
serve: threads of one process (0), and so many processes.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from benchmarks.command_line import command_line, run, some, there

PIECE = b"line of a file that is long\n" * 37_449


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `deref serve`; yield its process and address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "deref.cli.main", "serve", *arguments, "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait()


def memory(process: subprocess.Popen[str], field: str) -> float:
    """Return the memory of a process in MB: VmHWM is the most so far, VmRSS what it holds now."""
    return memory_of(process.pid, field)


def memory_of(pid: int, field: str = "VmRSS") -> float:
    """Return the memory of a process by its number, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith(field))) / 1024


def _stat(pid: int) -> list[str]:
    """Return the fields of a process from its state on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def family(process: subprocess.Popen[str]) -> list[int]:
    """Return a process and those that it started, by number."""
    every = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()]
    below = []
    for pid in every:
        with suppress(OSError):  # One that has just ended.
            if int(_stat(pid)[1]) == process.pid:
                below.append(pid)
    return [process.pid, *below]


def cpu(process: subprocess.Popen[str]) -> float:
    """Return the CPU seconds that a process and those that it started have spent, the index jobs aside that have ended."""
    spent = 0
    for pid in family(process):
        fields = _stat(pid)
        spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def upload(folder: Path, size_mb: int) -> None:
    """Tell how much memory an upload takes."""
    with (
        serving("--library", str(folder / "team")) as (process, address),
        httpx.Client(timeout=300) as client,
    ):
        client.get(f"{address}/libraries")
        before = memory(process, "VmRSS")
        begun = time.perf_counter()
        sent = client.put(
            f"{address}/libraries/team/collections/c/files/large.txt?index=false",
            content=(PIECE for _ in range(size_mb)),
        )
        sent.raise_for_status()
        print(
            f"upload of {sent.json()['bytes'] / 2**20:.0f} MB: {time.perf_counter() - begun:.1f} s; the server held "
            f"{before:.0f} MB before and {memory(process, 'VmHWM'):.0f} MB at the most"
        )


def wait_for_job(client: httpx.Client, base: str) -> None:
    """Wait until the library is up to date."""
    while client.get(f"{base}/jobs").json()["items"][0]["state"] in ("queued", "running"):
        time.sleep(0.2)


def pictures(process: subprocess.Popen[str], client: httpx.Client, base: str) -> None:
    """Tell how long pages as pictures take, cold and warm."""
    documents = client.get(f"{base}/documents?limit=500").json()["items"]
    pages = [
        (d["document"], p)
        for d in documents
        if d["format"] == "pdf"
        for p in range(1, min(d["pages"], 12) + 1)
    ]
    spent: list[list[float]] = [[], []]
    used = [0.0, 0.0]
    for warm in (0, 1):
        started = cpu(process)
        for document, page in pages:
            begun = time.perf_counter()
            client.get(f"{base}/documents/{document}/pages/{page}/picture").raise_for_status()
            spent[warm].append((time.perf_counter() - begun) * 1000)
        used[warm] = (cpu(process) - started) * 1000 / len(pages)
    for name, times, each in zip(("cold", "warm"), spent, used, strict=True):
        print(
            f"{name} picture of a page, {len(times)} pages: median {statistics.median(times):.0f} ms, most {max(times):.0f} ms; "
            f"CPU {each:.0f} ms"
        )


def asked(address: str, questions: list[str], askers: int, each: int, pause: float = 0.0) -> list[float]:
    """Have many askers ask at once, each with pauses of `pause` seconds on average; return the seconds that each question took. Raises for an answer that is none."""
    spent: list[float] = []
    failed: list[str] = []
    lock = threading.Lock()

    def ask(n: int) -> None:
        with httpx.Client(timeout=300) as client:
            chance = random.Random(n)
            for turn in range(each):
                time.sleep(chance.uniform(0, 2 * pause))
                text = questions[(n * each + turn) % len(questions)]
                begun = time.perf_counter()
                response = client.post(f"{address}/ask", json={"question": text})
                took = time.perf_counter() - begun
                with lock:
                    spent.append(took)
                    if response.status_code != 200:
                        failed.append(response.text)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(askers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise SystemExit(f"{len(failed)} of {askers * each} questions failed, first with {failed[0]}")
    return spent


def told(name: str, spent: list[float]) -> float:
    """Print the times of a run; return its 95th percentile."""
    p95 = statistics.quantiles(spent, n=20)[-1]
    print(
        f"{name:26} {len(spent):5} questions, median {statistics.median(spent) * 1000:6.0f} ms, p95 {p95 * 1000:6.0f} ms"
    )
    return p95


def many(
    process: subprocess.Popen[str], address: str, questions: list[str], askers: int, each: int, pause: float
) -> None:
    """Tell how long questions take for one asker, and for many at once, beside what cores alone allow."""
    # What is loaded and remembered at first is there from then on, in each process.
    asked(address, questions, 4, len(questions))
    before = told("one asker", asked(address, questions, 1, len(questions)))
    people = told(f"{askers} who read, {pause:g} s", asked(address, questions, askers, each, pause))
    started, begun, clients = cpu(process), time.perf_counter(), time.process_time()
    crowd = told(f"{askers} without a pause", asked(address, questions, askers, each))
    wall = time.perf_counter() - begun
    server, mine = cpu(process) - started, time.process_time() - clients
    after = told("one asker, afterwards", asked(address, questions, 1, len(questions)))
    one, number, cores = min(before, after), askers * each, os.cpu_count() or 1
    best = askers * (server + mine) / number / cores
    print(
        f"CPU for a question of the crowd: server {server * 1000 / number:.0f} ms, client {mine * 1000 / number:.0f} ms; they had "
        f"{(server + mine) / wall:.2f} of {cores} cores, {number / wall:.1f} questions in a second"
    )
    print(
        f"{askers} x that on {cores} cores is {best * 1000:.0f} ms at best, {best / one:.1f} times one asker, however it is served"
    )
    print(
        f"p95 of {askers} askers is {people / one:.1f} times that of one, without a pause {crowd / one:.1f} times; no error; memory "
        f"of the server and its processes {', '.join(f'{memory_of(pid):.0f}' for pid in family(process))} MB"
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("path", type=there)
    parser.add_argument("--questions", type=there, required=True, help="JSON lines with a field `query` each")
    parser.add_argument(
        "--library", type=Path, help="where the library of the path is kept; default: a new one"
    )
    parser.add_argument("--askers", type=some, default=50)
    parser.add_argument("--each", type=some, default=6)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds that an asker reads, on average")
    parser.add_argument("--upload-mb", type=some, default=300)
    parser.add_argument(
        "--processes", type=int, nargs="+", default=[0, 1, 2], help="ways to serve, `serve.processes`"
    )
    parser.add_argument(
        "--traces", choices=["replayable", "events"], default="replayable", help="`serve.traces`"
    )
    given = parser.parse_args()
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in given.questions.read_text("utf-8").splitlines() if line
    ]
    questions = [row["query"] for row in rows]
    os.environ.setdefault("DEREF_MODELS_BACKGROUND", "1")
    with tempfile.TemporaryDirectory() as folder:
        if given.upload_mb:
            upload(Path(folder), given.upload_mb)
        library = given.library or Path(folder, "library")
        os.environ["DEREF_SERVE_TRACES"] = given.traces
        for turn, processes in enumerate(given.processes):
            os.environ["DEREF_SERVE_PROCESSES"] = str(processes)
            with (
                serving(str(given.path), "--library", str(library)) as (process, address),
                httpx.Client(timeout=300) as client,
            ):
                listed = client.get(f"{address}/libraries").json()["items"][0]["library"]
                base = f"{address}/libraries/{listed}"
                wait_for_job(client, base)
                if not turn:
                    pictures(process, client, base)
                print(
                    f"questions answered by {f'{processes} processes' if processes else 'threads of the server'}:"
                )
                many(process, base, questions, given.askers, given.each, given.pause)


if __name__ == "__main__":
    run(main)
