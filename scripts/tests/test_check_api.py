# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that check-api finds what breaks the users of a product, on a small package of the same products."""

import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-api"

MEDIA = """
public struct Frame: Sendable {
    public var width: Int
    public init(width: Int, height: Int = 1) { self.width = width }
    public func scaled(by factor: Int) -> Frame { self }
    func secret() {}
    package func internals() {}
}
public enum Fit { case crop, stretch }
"""
CAPTURE = """
public struct Session { public init() {} }
public protocol Driver { func run() }
extension Session: Equatable { public func add(_ driver: any Driver) {} }
extension Driver { public func stop() {} }
"""
EXPORTS = "@_exported public import ObscuraMedia\n@_exported public import struct ObscuraCapture.Session\n"
UMBRELLA = EXPORTS + "extension Frame { public var area: Int { 1 } }\n"
DRIVERS = "@_exported public import protocol ObscuraCapture.Driver\n"
WIDTH = "Obscura: Frame.width: var width: Int"


class CheckAPITest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        """Makes the package and its baseline once; each test gets a copy."""
        cls.original = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        first = cls()
        first.use(cls.original)
        for folder in ("scripts", "Sources/Obscura", "Sources/ObscuraDrivers"):
            (cls.original / folder).mkdir(parents=True)
        (cls.original / "Package.swift").write_text("")
        (cls.original / "Sources/Obscura/Exports.swift").write_text(EXPORTS)
        (cls.original / "Sources/ObscuraDrivers/Exports.swift").write_text(DRIVERS)
        first.compile("ObscuraMedia", MEDIA)
        first.compile("ObscuraCapture", CAPTURE)
        first.compile("Obscura", UMBRELLA)
        first.compile("ObscuraDrivers", DRIVERS)
        first.compile("ObscuraHLS", "public struct Server {}")
        first.compile("ObscuraMetrics", "public struct Metrics {}")
        first.compile("ObscuraLibrary", "public struct MediaLibrary {}")
        first.compile("ObscuraStudio", "public struct Studio {}")
        first.assertEqual(first.check("--update").returncode, 0)

    def setUp(self):
        self.use(pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "package")
        shutil.copytree(self.original, self.root)

    def use(self, root):
        self.root = root
        self.build = root / ".build/tests" / f"{platform.machine()}-unknown-linux-gnu/release"

    def compile(self, module, text):
        folder = self.build / "Modules"
        folder.mkdir(parents=True, exist_ok=True)
        source = self.root / f"{module}.swift"
        source.write_text(text)
        subprocess.run(
            ["swiftc", "-parse-as-library", "-emit-module", "-module-name", module, "-package-name", "small",
             "-enable-testing", "-I", folder, "-o", folder / f"{module}.swiftmodule", source], check=True)

    def check(self, *options):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root, self.build, *options],
                              capture_output=True, text=True, check=False)

    def allow(self, *lines):
        (self.root / "scripts/api-breakages.txt").write_text("".join(f"{line}\n" for line in ("# Intended.", *lines)))

    def assert_passes(self, words):
        run = self.check()
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertIn(words, run.stdout)

    def assert_fails(self, words):
        run = self.check()
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        self.assertIn(words, run.stdout)

    def test_the_baseline_has_the_public_declarations_and_the_conformances_alone(self):
        lines = (self.root / "scripts/api/Obscura.txt").read_text().splitlines()
        for line in ("Frame.scaled(by:): func scaled(by factor: Int) -> Frame", "Frame: conformsTo Sendable",
                     "Frame.area: var area: Int { get }", "Fit.crop: case crop",
                     "Frame.init(width:height:): init(width: Int, height: Int = 1)"):
            self.assertIn(line, lines)
        self.assertFalse([line for line in lines if "secret" in line or "internals" in line])
        self.assert_passes("no declaration of the baseline is removed or changed")

    def test_a_product_has_the_exported_declarations_of_a_module_alone(self):
        of_apps, of_drivers = ((self.root / f"scripts/api/{product}.txt").read_text()
                               for product in ("Obscura", "ObscuraDrivers"))
        self.assertIn("Session.add(_:): func add", of_apps)
        self.assertIn("Session: conformsTo Equatable", of_apps)
        self.assertNotIn("Driver.", of_apps)
        self.assertNotIn("Driver:", of_apps)
        self.assertIn("Driver.run(): func run()", of_drivers)
        self.assertIn("Driver.stop(): func stop()", of_drivers)
        self.assertNotIn("Session", of_drivers)

    def test_a_removed_declaration_fails(self):
        self.compile("ObscuraMedia", MEDIA.replace("public func scaled", "func scaled"))
        self.assert_fails("removed or changed: Obscura: Frame.scaled(by:): func scaled(by factor: Int) -> Frame\n")

    def test_a_removed_conformance_fails(self):
        self.compile("ObscuraMedia", MEDIA.replace(": Sendable", ""))
        self.assert_fails("removed or changed: Obscura: Frame: conformsTo Sendable\n")

    def test_a_changed_type_fails_unless_it_is_listed(self):
        self.compile("ObscuraMedia", MEDIA.replace("var width: Int", "var width: Int32").replace("= width", "= 1"))
        self.assert_fails(f"removed or changed: {WIDTH}\n")
        self.allow(WIDTH)
        self.assert_passes("added: Obscura: Frame.width: var width: Int32\n")

    def test_a_listed_breakage_that_is_none_fails(self):
        self.allow(WIDTH)
        self.assert_fails(f"remove the line: {WIDTH}\n")

    def test_an_added_declaration_is_listed_and_passes(self):
        self.compile("ObscuraHLS", "public struct Server { public init() {} }")
        self.assert_passes("added: ObscuraHLS: Server.init(): init()\n")

    def test_an_initializer_may_become_a_convenience_initializer(self):
        whole = "public final class Server { public init() {}\npublic %sinit(port: Int) { %s } }"
        self.compile("ObscuraHLS", whole % ("", ""))
        self.assertEqual(self.check("--update").returncode, 0)
        self.compile("ObscuraHLS", whole % ("convenience ", "self.init()"))
        self.assert_passes("no declaration of the baseline is removed or changed")

    def test_a_constant_may_become_a_computed_property_of_its_type(self):
        whole = "public struct Server { public init() {}\npublic %s }"
        self.compile("ObscuraHLS", whole % "let port: Int = 1")
        self.assertEqual(self.check("--update").returncode, 0)
        self.compile("ObscuraHLS", whole % "var port: Int { 1 }")
        self.assert_passes("no declaration of the baseline is removed or changed")
        self.compile("ObscuraHLS", whole % "var port: Int32 { 1 }")
        self.assert_fails("removed or changed: ObscuraHLS: Server.port: let port: Int\n")

    def test_a_declaration_may_move_to_another_module_of_the_product(self):
        self.compile("ObscuraMedia", MEDIA.replace("public enum Fit { case crop, stretch }", ""))
        self.compile("Obscura", UMBRELLA + "public enum Fit { case crop, stretch }")
        self.assert_passes("no declaration of the baseline is removed or changed")

    def test_a_missing_baseline_fails(self):
        (self.root / "scripts/api/ObscuraHLS.txt").unlink()
        self.assert_fails("ObscuraHLS has no baseline")

    def test_an_update_takes_the_present_declarations_and_clears_the_list(self):
        self.compile("ObscuraMedia", MEDIA.replace("public func scaled", "func scaled"))
        self.allow("Obscura: Frame.scaled(by:): func scaled(by factor: Int) -> Frame")
        self.assertEqual(self.check("--update").returncode, 0)
        self.assertEqual((self.root / "scripts/api-breakages.txt").read_text(), "# Intended.\n")
        self.assert_passes("no declaration of the baseline is removed or changed")


if __name__ == "__main__":
    unittest.main()
