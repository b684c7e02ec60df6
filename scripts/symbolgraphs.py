# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The public declarations of the products with a Swift API, as the compiler's symbol graphs state them."""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where `./test` builds.
BUILD = ".build/tests/release"
# The modules of each product. Users of Obscura see those that it exports as well.
PRODUCTS = ("Obscura", "ObscuraDrivers", "ObscuraHLS", "ObscuraLibrary", "ObscuraMetrics", "ObscuraStudio")
EXPORTED = re.compile(r"^@_exported public import (?:(?:struct|class|enum|protocol) )?(\w+)(?:\.(\w+))?$",
                      re.MULTILINE)
# The system libraries of the package.
PKG_CONFIG = re.compile(r'\bpkgConfig: "([^"]+)"')


class NoSymbolGraph(Exception):
    """The compiler made no symbol graph; the text is what it printed."""


def exports(root, product):
    """The modules of a product, each with the declarations that the product exports; None for all of them."""
    path = root / "Sources" / product / "Exports.swift"
    found = {product: None}
    for module, name in EXPORTED.findall(path.read_text(encoding="utf-8") if path.exists() else ""):
        if name:
            found.setdefault(module, set()).add(name)
        else:
            found[module] = None
    return found


class SymbolGraphs:
    """The symbol graphs of the modules of a build."""

    def __init__(self, root, build):
        self.root = root
        build = build.resolve()
        # The imported C modules: some packages bring their module maps, for the others SwiftPM makes one.
        maps = [*root.glob("Sources/*/module.modulemap"), *build.glob("*.build/module.modulemap"),
                *build.parent.parent.glob("checkouts/*/Sources/*/include/module.modulemap"),
                *build.parent.parent.glob("checkouts/*/Sources/GRDBSQLite/module.modulemap")]
        folders = [build / "Modules", *(path.parent for path in sorted(maps))]
        self.options = ["-target", build.parent.name, "-minimum-access-level", "public", "-skip-synthesized-members",
                        "-skip-inherited-docs", "-omit-extension-block-symbols"]
        for folder in folders:
            self.options += ["-I", folder]
        if libraries := PKG_CONFIG.findall((root / "Package.swift").read_text(encoding="utf-8")):
            self.options += subprocess.run(["pkg-config", "--cflags-only-I", *libraries], stdout=subprocess.PIPE,
                                           text=True, check=True).stdout.split()

    def read(self, module):
        """The graph of a module, and those of its extensions of other modules' types."""
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-output-dir", folder, *self.options],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if run.returncode != 0:
                raise NoSymbolGraph(f"no symbol graph of {module}:\n{run.stdout}")
            return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.json"))]

    def products(self):
        """One graph for each product, with the declarations that its users see."""
        of_product = {product: exports(self.root, product) for product in PRODUCTS}
        every = sorted({module for exported in of_product.values() for module in exported})
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            of_module = dict(zip(every, threads.map(self.read, every)))
        return {product: combined({module: of_module[module] for module in exported}, exported)
                for product, exported in of_product.items()}


def combined(of_module, exported):
    """One graph of several modules, without the declarations that are not exported."""
    hidden = set().union(*(top_level(of_module[module]) - names for module, names in exported.items() if names))
    graphs = [graph for graphs in of_module.values() for graph in graphs]
    symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    left_out = {identifier for identifier, symbol in symbols.items() if symbol["pathComponents"][0] in hidden}
    return {
        "metadata": graphs[0]["metadata"], "module": graphs[0]["module"],
        "symbols": [symbol for identifier, symbol in symbols.items() if identifier not in left_out],
        "relationships": [relation for graph in graphs for relation in graph["relationships"]
                          if relation["source"] not in left_out]}


def top_level(graphs):
    """The names of a module's top-level declarations."""
    return {symbol["pathComponents"][0] for graph in graphs for symbol in graph["symbols"]
            if len(symbol["pathComponents"]) == 1}
