#!/usr/bin/python3
"""Prints what the stand-ins of FOLDER received, one JSON line a message, in the order of arrival. AppMetrica's requests
were saved whole and are opened here: one line for each id in id_values. --summary counts instead."""

import argparse
import collections
import heapq
import json
import sys
from pathlib import Path


def lines(path):
    """A line that kill -9 cut in two has no newline and was never answered: it is left out."""
    with open(path, "rb") as file:
        for raw in file:
            if raw.endswith(b"\n"):
                yield json.loads(raw.decode("utf-8", "replace"))


def constant(word):
    raise ValueError(f"{word} is no JSON")


def expanded(line, bodies):
    """Raises ValueError for a body that is no strict JSON; json itself refuses control characters inside strings."""
    name = line.pop("body", None)
    if name is None:
        yield line
        return
    request = json.loads((bodies / name).read_bytes().decode("utf-8"), parse_constant=constant)["push_batch_request"]
    line["client_transfer_id"] = request.get("client_transfer_id")
    line["tag"] = request.get("tag")
    for entry in request["batch"]:
        for device in entry["devices"]:
            for token in device["id_values"]:
                yield {**line, "token": token, "id_type": device["id_type"]}


def messages(folder):
    files = sorted((folder / "ledger").glob("worker-*.jsonl"))
    for line in heapq.merge(*map(lines, files), key=lambda each: each["time"]):
        name = line.get("body")
        try:
            yield from expanded(line, folder / "bodies")
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            # A body the stand-in refused for its form cannot be opened, and needs not be.
            if line["accepted"]:
                sys.exit(f"{folder / 'bodies' / name} was accepted but is no push_batch_request: {fault}")
            yield line


def summary(every):
    providers = {}
    for line in every:
        one = providers.setdefault(line["provider"], {
            "messages": 0, "accepted": 0, "requests": set(), "tokens": set(), "sent": collections.Counter(),
            "statuses": collections.Counter(), "codes": collections.Counter(),
        })
        one["messages"] += 1
        one["requests"].add(line["request"])
        one["tokens"].add(line["token"])
        one["statuses"][str(line["status"])] += 1
        if line["code"] is not None:
            one["codes"][line["code"]] += 1
        if line["accepted"]:
            one["accepted"] += 1
            one["sent"][line["token"], line["uid"]] += 1
    for one in providers.values():
        one["requests"] = len(one["requests"])
        one["tokens"] = len(one["tokens"])
        sent = one.pop("sent")
        one["duplicates"] = sum(sent.values()) - len(sent)
    return providers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the providers folder of a stack")
    parser.add_argument("--summary", action="store_true", help="counts per provider as one JSON object")
    given = parser.parse_args()
    if given.summary:
        print(json.dumps(summary(messages(given.folder)), indent=2, sort_keys=True))
        return
    for line in messages(given.folder):
        sys.stdout.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.stderr.close()
