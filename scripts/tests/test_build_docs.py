# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that build-docs finds declarations without comments and topics, and makes one graph of a product."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCRIPTS))
LOADER = importlib.machinery.SourceFileLoader("build_docs", str(SCRIPTS / "build-docs"))
build_docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("build_docs", LOADER))
LOADER.exec_module(build_docs)


def symbol(name, comment="A thing.", *, is_synthesized=False):
    found = {"identifier": {"precise": f"s:{name}"}, "pathComponents": name.split(".")}
    if comment:
        found["docComment"] = {"module": "Inner", "lines": [{"text": line} for line in comment.splitlines()]}
    if not is_synthesized:
        found["location"] = {"uri": "file:///package/Sources/Inner/Thing.swift", "position": {"line": 6}}
    return found


def graph(*symbols, relationships=()):
    return {"module": {"name": "Inner"}, "symbols": list(symbols), "relationships": list(relationships)}


class FaultsTest(unittest.TestCase):

    def setUp(self):
        self.catalog = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "Product.docc"
        self.catalog.mkdir()
        (self.catalog / "Product.md").write_text(
            "# ``Product``\n\n- ``Other``\n\n## Topics\n\n### Things\n\n- ``Thing``\n- <doc:Article>\n")

    def faults(self, *symbols):
        return list(build_docs.faults("Product", graph(*symbols), self.catalog))

    def test_a_good_declaration_has_none(self):
        self.assertEqual(self.faults(symbol("Thing"), symbol("Thing.size", "The size.")), [])

    def test_a_missing_comment_is_found_with_its_place(self):
        self.assertEqual(self.faults(symbol("Thing"), symbol("Thing.size", None)),
                         ["Inner/Thing.swift:7: Thing.size has no comment"])

    def test_the_compilers_own_declarations_need_none(self):
        self.assertEqual(self.faults(symbol("Thing"), symbol("Thing.init(rawValue:)", None, is_synthesized=True)), [])

    def test_a_comment_that_asks_is_found(self):
        for word in ("What", "Who", "Where", "How"):
            self.assertEqual(self.faults(symbol("Thing", f"{word} comes.")),
                             [f"Inner/Thing.swift:7: the comment of Thing begins with {word}"])
        self.assertEqual(self.faults(symbol("Thing", "Whether it is one.")), [])

    def test_a_declaration_without_a_topic_is_found(self):
        # A link outside of the topics is none of them.
        self.assertEqual(self.faults(symbol("Thing"), symbol("Other")), ["Product.docc: no list of topics has Other"])


class GraphTest(unittest.TestCase):

    def test_comments_belong_to_the_product_and_name_it_for_declarations_of_the_main_one(self):
        main = graph(symbol("Error"), symbol("Thing"))
        given = graph(symbol("Thing", "Throws ``Error/Code/closed``, see ``Thing/size`` and ``Unknown``."))
        found = build_docs.documented("Product", given, main)
        comment = found["symbols"][0]["docComment"]
        self.assertEqual((found["module"]["name"], comment["module"]), ("Product", "Product"))
        self.assertEqual(comment["lines"][0]["text"],
                         "Throws ``/Obscura/Error/Code/closed``, see ``Thing/size`` and ``Unknown``.")

    def test_members_of_foreign_types_are_left_out(self):
        member = {"kind": "memberOf", "source": "s:Data.init(_:)", "target": "s:Foundation.Data"}
        own = {"kind": "memberOf", "source": "s:Thing.size", "target": "s:Thing"}
        found = build_docs.documented(
            "Product", graph(symbol("Thing"), symbol("Thing.size"), symbol("Data.init(_:)"),
                             relationships=(member, own)), graph())
        self.assertEqual([one["pathComponents"] for one in found["symbols"]], [["Thing"], ["Thing", "size"]])
        self.assertEqual(found["relationships"], [own])


if __name__ == "__main__":
    unittest.main()
