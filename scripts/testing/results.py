# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The outcome of each test, in files with one JSON object per line:

    {"name": "Module.Suite/test()", "seconds": 0.12, "outcome": "passed" | "failed" | "skipped" | "unfinished"}

An unfinished test was running when its process ended: it crashed, or was ended because another test had failed.
"""

import dataclasses
import json


FAILURES = ("failed", "unfinished")


@dataclasses.dataclass(frozen=True)
class Result:
    name: str
    seconds: float
    outcome: str


def read(path):
    """The results in the file; empty if it does not exist. Incomplete lines are skipped."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return found
    for line in lines:
        try:
            found.append(Result(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def append(path, results):
    with path.open("a", encoding="utf-8") as file:
        for one in results:
            file.write(json.dumps(dataclasses.asdict(one)) + "\n")


def of_swift_testing(path):
    """The results in an event stream of Swift Testing (version 0), and whether the run completed."""
    functions, begun, results, failed, is_whole = set(), {}, [], set(), False
    # Not `splitlines`: test arguments may contain other line separators.
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return [], False
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            # The process ended while it wrote this line.
            break
        payload = record["payload"]
        if record["kind"] == "test":
            if payload["kind"] == "function":
                functions.add(payload["id"])
            continue
        kind, test = payload["kind"], payload.get("testID")
        moment = payload.get("instant", {}).get("absolute", 0)
        if kind == "runEnded":
            is_whole = True
        if test not in functions:
            continue
        if kind == "testStarted":
            begun[test] = moment
        elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown", False):
            failed.add(test)
        elif kind == "testEnded":
            outcome = "failed" if test in failed else "passed"
            results.append(Result(name_of(test), moment - begun.pop(test, moment), outcome))
        elif kind == "testSkipped":
            results.append(Result(name_of(test), 0, "skipped"))
    results += [Result(name_of(test), 0, "failed" if test in failed else "unfinished") for test in begun]
    return results, is_whole


def name_of(identifier):
    """The name without the source location that Swift Testing adds: `Module.Suite/test()/File.swift:1:2`."""
    head, _, tail = identifier.rpartition("/")
    return head if ".swift:" in tail else identifier
