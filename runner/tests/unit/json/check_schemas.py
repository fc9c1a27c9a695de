#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Checks our documents with a JSON Schema validator that is not ours.

usage: check_schemas.py BASELINES EXAMPLE_WRITER

The written examples and every baseline that is kept below BASELINES must follow BASELINES/schema; a few broken
examples must not. Exit 77 says that there is no validator here.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)


def damaged(example):
    """Copies of the example that no reader may accept, each with what is wrong."""
    without_schema = copy.deepcopy(example)
    del without_schema["schema"]
    yield "no schema", without_schema
    next_version = copy.deepcopy(example)
    next_version["schema"] = example["schema"].rsplit("/", 1)[0] + "/2"
    yield "another version", next_version
    for name, value in example.items():
        wrong_type = copy.deepcopy(example)
        wrong_type[name] = 1.5 if not isinstance(value, float) else "text"
        yield f"a fraction as {name}", wrong_type


def main(baselines, writer):
    schema_folder = baselines / "schema"
    failures = []
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([writer, folder], check=True)
        for file in sorted(schema_folder.glob("*.schema.json")):
            schema = json.loads(file.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            examples = [path for path in pathlib.Path(folder).iterdir() if path.name.split(".")[0] == file.name.split(".")[0]]
            failures += [] if examples else [f"{file.name}: no example is written"]
            for path in sorted(examples):
                example = json.loads(path.read_text())
                failures += [f"{path.name}: {error.json_path}: {error.message}" for error in validator.iter_errors(example)]
                failures += [f"{path.name}: its schema accepts {what}" for what, bad in damaged(example)
                             if validator.is_valid(bad)]
                checked += 1
    baseline_schema = jsonschema.Draft202012Validator(json.loads((schema_folder / "baseline.schema.json").read_text()))
    for file in sorted(baselines.glob("*/*.json")):
        if file.parent != schema_folder:
            errors = baseline_schema.iter_errors(json.loads(file.read_text()))
            failures += [f"{file}: {error.json_path}: {error.message}" for error in errors]
            checked += 1
    print("\n".join(failures) if failures else f"{checked} documents follow their schemas")
    return 1 if failures or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
