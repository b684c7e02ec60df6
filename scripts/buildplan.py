# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The compiler's commands in the build plan of `swift build`, for scripts that compile the sources differently."""

import json
import re
import sys

# Options that choose the outputs, each with the number of its values.
OUTPUTS = {"-c": 0, "-emit-module": 0, "-emit-dependencies": 0, "-serialize-diagnostics": 0, "-parseable-output": 0,
           "-emit-objc-header": 0, "-O": 0, "-g": 0, "-gnone": 0, "-emit-module-path": 1, "-output-file-map": 1,
           "-emit-objc-header-path": 1, "-index-store-path": 1}


def planned(folder, configuration, target):
    """The compiler's arguments for a target, from the build plan."""
    plan = (folder / f"{configuration}.yaml").read_text(encoding="utf-8")
    found = re.search(rf'^  "C\.{target}-[^"]*\.module":\n(?:    .*\n)*?    args: (\[.*\])$', plan, re.MULTILINE)
    if not found:
        sys.exit(f"{folder}/{configuration}.yaml has no command for {target}")
    return json.loads(found[1])


def without(arguments, options):
    """The arguments without these options and their values. Options after -Xcc are Clang's, and are kept."""
    kept, rest = [], list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "-Xcc":
            kept += [word, rest.pop(0)]
        elif word in options:
            del rest[:options[word]]
        else:
            kept.append(word)
    return kept
