#!/usr/bin/python3
"""Prints the first JSON body on stdin, one a line, that has the member named by a path such as message.apns. Of a batch
only its first entry is shown. Numbers keep their digits: json would print 129.90 as 129.9."""

import json
import re
import sys


def has(value, path):
    for name in path:
        if isinstance(value, list):
            value = value[int(name)]
        elif name in value:
            value = value[name]
        else:
            return False
    return True


path = sys.argv[1].split(".")
for line in sys.stdin:
    body = json.loads(line, parse_float=lambda digits: f"\0{digits}")
    if has(body, path):
        if "push_batch_request" in body:
            del body["push_batch_request"]["batch"][1:]
        text = json.dumps(body, indent=2, ensure_ascii=False)
        print(re.sub(r'"\\u0000([^"]*)"', r"\1", text))
        break
else:
    sys.exit(f"no body has {sys.argv[1]}")
