# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The Studio's openapi.json, and the validation of responses against it."""

import json

import jsonschema


class Description:

    def __init__(self, text):
        self.document = json.loads(text)
        self.validators = {}

    @property
    def operations(self):
        """Each (method, path, operation)."""
        for path, entry in self.document["paths"].items():
            for method, operation in entry.items():
                if method != "parameters":
                    yield method.upper(), path, operation

    def resolved(self, value):
        """The target of a reference."""
        while isinstance(value, dict) and "$ref" in value:
            place = self.document
            for step in value["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            value = place
        return value

    def parameters(self, path, operation):
        return [
            self.resolved(one)
            for one in self.document["paths"][path].get("parameters", []) + operation.get("parameters", [])
        ]

    def _validator(self, schema):
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {
                "$schema": "https://json-schema.org/draft/2020-12/schema", "components": self.document["components"],
                **schema
            }
            jsonschema.Draft202012Validator.check_schema(whole)
            self.validators[key] = jsonschema.Draft202012Validator(whole)
        return self.validators[key]

    def complaints(self, schema, value):
        """The violations of the schema by the value; empty if it is valid."""
        if isinstance(schema, str):
            schema = {"$ref": f"#/components/schemas/{schema}"}
        return [
            f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
            for error in self._validator(schema).iter_errors(value)
        ]

    def complaints_of(self, method, path, answer):
        """The deviations of the response to a request of this path from the description."""
        operation = self.document["paths"][path][method.lower()]
        responses = operation["responses"]
        if str(answer.status) not in responses and answer.status < 400:
            return [f"{answer.status} is not described"]
        response = self.resolved(responses.get(str(answer.status), responses["default"]))
        content = response.get("content", {})
        kind = (answer.headers.get("Content-Type") or "").split(";")[0].strip()
        if not content:
            return [f"{answer.status} has a body: {answer.body[:100]!r}"] if answer.body else []
        if not any(kind == one or one == "*/*" or (one.endswith("/*") and kind.startswith(one[:-1]))
                   for one in content):
            # A request for a page without the token gets a page as the response.
            return [] if answer.status == 401 and kind == "text/html" else [f"{answer.status} comes as {kind!r}"]
        schema = content.get(kind, {}).get("schema")
        if kind != "application/json" or schema is None:
            return []
        return self.complaints(schema, answer.json)
