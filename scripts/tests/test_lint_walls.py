# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that lint-walls finds each forbidden pattern, and accepts similar code that is allowed."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "lint-walls"
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: The Obscura authors\n"

TARGETS = {
    "ObscuraMedia": ["ObscuraBase"],
    "ObscuraImaging": ["ObscuraMedia", "CPixelKernels", "CLibYUV"],
    "ObscuraCapture": ["ObscuraMedia", "ObscuraImaging"],
    "ObscuraFFmpeg": ["ObscuraMedia", "CFFmpeg"],
    "ObscuraMovies": ["ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraFFmpeg"],
    "Obscura": ["ObscuraMedia", "ObscuraImaging", "ObscuraCapture", "ObscuraMovies"],
    "ObscuraCLI": ["Obscura"],
    "ObscuraBase": [],
}
PRODUCTS = {"ObscuraCapture": ["Logging"], "ObscuraCLI": ["ArgumentParser"]}
C_MODULES = {"CPixelKernels": "ClangTarget", "CLibYUV": "ClangTarget", "CFFmpeg": "ClangTarget"}
TESTS = {
    "ObscuraImagingTests": ["ObscuraMedia", "ObscuraImaging", "CPixelKernels"],
    "ObscuraCaptureTests": ["ObscuraMedia", "ObscuraCapture"],
}


class LintWallsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        feature = {"kind": {"enableUpcomingFeature": {"_0": "InternalImportsByDefault"}}, "tool": "swift"}
        self.targets = {}
        self.settings = {}
        for name, dependencies in {**TARGETS, **TESTS, **dict.fromkeys(C_MODULES, [])}.items():
            is_test = name in TESTS
            self.targets[name] = {
                "name": name,
                "path": f"{'Tests' if is_test else 'Sources'}/{name}",
                "type": "test" if is_test else "library",
                "module_type": C_MODULES.get(name, "SwiftTarget"),
                "target_dependencies": list(dependencies),
                "product_dependencies": PRODUCTS.get(name, []),
            }
            self.settings[name] = [feature]
        names = "".join(f'.target(name: "{name}"),\n' for name in self.targets)
        self.write("Package.swift", f"// swift-tools-version: 6.2\n{LICENCE}let targets = [\n{names}]\n", "")

    def write(self, path, body, licence=LICENCE):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(licence + body, encoding="utf-8")

    def lint(self):
        describe = self.root / "describe.json"
        manifest = self.root / "manifest.json"
        describe.write_text(json.dumps({"targets": list(self.targets.values())}))
        manifest.write_text(json.dumps(
            {"targets": [{"name": name, "settings": settings} for name, settings in self.settings.items()]}))
        command = [sys.executable, str(SCRIPT), "--root", str(self.root),
                   "--describe", str(describe), "--manifest", str(manifest)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def assert_clean(self):
        run = self.lint()
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout + run.stderr)

    def assert_found(self, place, words):
        run = self.lint()
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 1, run.stdout)
        self.assertTrue(lines[0].startswith(place + ": "), lines[0])
        self.assertIn(words, lines[0])

    def assert_all_found(self, path, words, bodies):
        for body in bodies:
            with self.subTest(body):
                self.write(path, body)
                self.assert_found(f"{path}:3", words)

    def test_a_clean_tree_passes(self):
        self.write("Sources/ObscuraBase/Threads/Lock.swift",
                   "internal import Glibc\nlet pointer: UnsafeMutablePointer<Int>? = nil\n")
        self.write("Sources/ObscuraImaging/PixelKernels.swift",
                   "internal import CPixelKernels\npublic import ObscuraMedia\nlet a: UnsafeRawPointer? = nil\n")
        self.write("Sources/ObscuraImaging/Stills/LibYUV.swift", "import CLibYUV\n")
        self.write("Sources/ObscuraCapture/A.swift", "import Logging\npublic import ObscuraMedia\n")
        self.write("Sources/ObscuraFFmpeg/Reading/Demuxer.swift", "import CFFmpeg\nlet a: OpaquePointer? = nil\n")
        self.write("Sources/ObscuraCLI/Main.swift", 'import ArgumentParser\nimport Obscura\nprint("done")\n')
        self.write("Sources/CFFmpeg/include/CFFmpeg.h", "#include <libavformat/avformat.h>\n")
        self.write("Tests/ObscuraImagingTests/A.swift",
                   "import CPixelKernels\nimport Testing\n@testable import ObscuraImaging\n")
        self.write("Examples/Sources/Hello/main.swift", 'import Obscura\nprint("hello")\n')
        self.assert_clean()

    def test_comments_literals_and_look_alikes_pass(self):
        self.write("Sources/ObscuraCapture/A.swift", r'''
/* fatalError( /* try! */ as! */
/// Never `print(` here; AsyncStream { } is bare, Task.sleep( too, UnsafePointer as well.
let a = "fatalError( \("print(" + name("try!")) Mutex<Int> \\"
let b = """
    import CFFmpeg
    print("x") \(value("as! Int")) !
    """
let c = #"a " \(x!) \#(y) "# + ##"""
    " "# try! """#
    """##
let d = a != b && !a.isEmpty || x! == nil ? 1 : 2
'''.replace("x! == nil", "x !== y"))
        self.write("Sources/ObscuraCapture/B.swift", r'''
let pattern = /"fatalError\((try!)/
let halves = (a / b, c / d)
if try !begin(), x as Bool, !y { }
let other = #/ "print( try! /#
func stream() -> AsyncStream<Int> { make() }
var events: AsyncStream<(Int, () -> Void)> { make() }
extension AsyncStream { func f() {} }
let limited = AsyncStream<Int>(bufferingPolicy: .bufferingNewest(1)) { $0.finish() }
let pulled = AsyncStream(unfolding: { nil as Int? })
let (s, c) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(4))
let continuation = await withUnsafeContinuation { $0.resume() }
func `it can't sleep(1) or "print(" it!`() {}
func `default`() {}
func fingerprint(_ a: Int) { log.print(a) }
''')
        self.assert_clean()

    def test_code_after_a_literal_is_seen_again(self):
        self.write("Sources/ObscuraCapture/A.swift", 'let a = "it\'s \\(b("c")) " + d\nfatalError(a)\n')
        self.assert_found("Sources/ObscuraCapture/A.swift:4", "throw an error")

    def test_code_in_an_interpolation_is_code(self):
        self.write("Sources/ObscuraCapture/A.swift", 'let a = "\\(b!)"\n')
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "forced")

    def test_text_of_an_error(self):
        self.write("Sources/ObscuraCapture/A.swift", 'let a = error.reason.contains("busy")\n')
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "must not inspect")
        self.write("Sources/ObscuraCapture/A.swift", 'let a = error.remedy?.advice?\n    .replacing("a", with: "b")\n')
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "must not inspect")

    def test_options_and_commands_in_texts_of_the_library(self):
        for text in ("Give it with --port.", "List them: obscura devices.", "Run: sudo modprobe x"):
            self.write("Sources/ObscuraCapture/A.swift", f'let a = "{text}"\n')
            self.assert_found("Sources/ObscuraCapture/A.swift:3", "no option and no command")
            self.write("Sources/ObscuraCapture/A.swift", f'// {text}\nlet a = "a -- b, obscura and pseudo"\n')
            self.assert_clean()
            self.write("Sources/ObscuraCapture/A.swift", "")
            self.write("Sources/ObscuraCLI/A.swift", f'let a = "{text}"\n')
            self.assert_clean()

    # (a) Dependencies.

    def test_an_import_that_is_not_allowed_is_found(self):
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "reverse the dependency", [
            "import ObscuraMovies\n", "public import ObscuraMovies\n", "@preconcurrency import Obscura // Why.\n",
            "internal import struct ObscuraMovies.Movie\n", "  import ObscuraMovies\n"])

    def test_a_target_may_not_import_one_beside_it(self):
        self.targets["ObscuraDevices"] = dict(
            self.targets["ObscuraMovies"], name="ObscuraDevices", path="Sources/ObscuraDevices",
            target_dependencies=["ObscuraMedia"])
        self.settings["ObscuraDevices"] = self.settings["ObscuraMovies"]
        self.write("Sources/ObscuraMovies/A.swift", "import ObscuraDevices\n")
        self.assert_found("Sources/ObscuraMovies/A.swift:3", "may not import `ObscuraDevices`")

    def test_a_transitive_import_is_found(self):
        self.targets["ObscuraCapture"]["target_dependencies"].remove("ObscuraMedia")
        self.write("Sources/ObscuraCapture/A.swift", "import ObscuraMedia\n")
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "without declaring it")

    def test_a_transitive_product_is_found(self):
        self.write("Sources/ObscuraMovies/A.swift", "import Logging\n")
        self.assert_found("Sources/ObscuraMovies/A.swift:3", "without declaring it")

    def test_a_test_may_import_only_what_it_declares(self):
        self.write("Tests/ObscuraCaptureTests/A.swift", "import Testing\nimport ObscuraMovies\n")
        self.assert_found("Tests/ObscuraCaptureTests/A.swift:4", "without declaring it")

    def test_a_test_module_has_no_place_in_a_library(self):
        self.write("Sources/ObscuraMedia/A.swift", "import Testing\n")
        self.assert_found("Sources/ObscuraMedia/A.swift:3", "without declaring it")

    def test_a_dependency_that_is_not_allowed_is_found_in_the_manifest(self):
        self.targets["ObscuraMedia"]["target_dependencies"] = ["ObscuraImaging"]
        self.assert_found("Package.swift:5", "`ObscuraMedia` may not depend on `ObscuraImaging`")

    def test_a_target_that_is_not_listed_is_found(self):
        self.targets["ObscuraNew"] = dict(self.targets["ObscuraMedia"], name="ObscuraNew", path="Sources/ObscuraNew")
        self.settings["ObscuraNew"] = self.settings["ObscuraMedia"]
        self.assert_found("Package.swift:1", "`ObscuraNew` is not listed")

    def test_an_example_imports_only_the_umbrella(self):
        self.write("Examples/Sources/Hello/main.swift", "import ObscuraCapture\n")
        self.assert_found("Examples/Sources/Hello/main.swift:3", "users import only the products")

    def test_testable_imports_belong_to_tests(self):
        self.write("Sources/ObscuraCapture/A.swift", "@testable import ObscuraMedia\n")
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "@testable")

    def test_only_the_umbrella_exports_other_modules(self):
        self.write("Sources/Obscura/A.swift", "@_exported public import struct ObscuraMedia.MediaTime\n")
        self.assert_clean()
        self.write("Sources/ObscuraCapture/A.swift", "@_exported public import ObscuraMedia\n")
        self.assert_found("Sources/ObscuraCapture/A.swift:3", "@_exported")

    def test_an_xctest_would_not_be_run_and_is_found(self):
        self.write("Tests/ObscuraCaptureTests/A.swift", "import XCTest\n")
        self.assert_found("Tests/ObscuraCaptureTests/A.swift:3", "`import Testing`")

    # (b) C modules.

    def test_a_c_module_outside_its_owner_files_is_found(self):
        for path in ["Sources/ObscuraMovies/Movie.swift", "Sources/ObscuraImaging/FFmpeg/A.swift",
                     "Sources/ObscuraCLI/A.swift", "Tests/ObscuraCaptureTests/A.swift"]:
            with self.subTest(path):
                self.write(path, "import CFFmpeg\n")
                self.assert_found(f"{path}:3", "only its owner files use C")
                (self.root / path).unlink()

    def test_an_owner_file_may_not_import_the_c_module_of_another(self):
        self.write("Sources/ObscuraImaging/LibYUV.swift", "import CPixelKernels\n")
        self.assert_found("Sources/ObscuraImaging/LibYUV.swift:3", "only its owner files use C")

    def test_a_c_dependency_of_another_target_is_found(self):
        self.targets["ObscuraCapture"]["target_dependencies"].append("CFFmpeg")
        self.assert_found("Package.swift:7", "`ObscuraCapture` may not depend on `CFFmpeg`")

    def test_a_c_module_without_owner_is_found(self):
        self.targets["CNew"] = dict(self.targets["CFFmpeg"], name="CNew", path="Sources/CNew")
        self.assert_found("Package.swift:1", "`CNew` has no owner")

    # (c) Pointers, (d) Foundation.

    def test_a_pointer_outside_its_owner_files_is_found(self):
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "only owner files use pointers", [
            "let a: UnsafePointer<Int>\n", "let a: UnsafeMutableRawBufferPointer\n", "Unmanaged.passRetained(a)\n",
            "let a: OpaquePointer\n", "a.withUnsafeBytes { _ in }\n", "let a = unsafeBitCast(b, to: Int.self)\n",
            "let a = b.unsafelyUnwrapped\n", "RawSpan(_unsafeStart: a, byteCount: 1)\n",
            "memcpy(a.base, b.base, 3)\n", "try a.withMutablePlanes { $0[0].base }\n"])

    def test_a_pointer_in_a_wrong_target_or_an_example_is_found(self):
        for path in ["Sources/ObscuraCapture/Lock.swift", "Sources/ObscuraMedia/VideoFrame.swift",
                     "Sources/Obscura/PixelStorage.swift", "Examples/Sources/Hello/main.swift"]:
            with self.subTest(path):
                self.write(path, "let a: UnsafeRawPointer\n")
                self.assert_found(f"{path}:3", "only owner files use pointers")
                (self.root / path).unlink()

    def test_foundation_in_the_values_is_found(self):
        for target in ("ObscuraBase", "ObscuraMedia"):
            self.assert_all_found(f"Sources/{target}/A.swift", target, [
                "import Foundation\n", "public import FoundationEssentials\n", "import struct Foundation.Data\n"])
            (self.root / f"Sources/{target}/A.swift").unlink()

    # (e) Forbidden code.

    def test_mutexes_are_found(self):
        self.assert_all_found("Sources/ObscuraMedia/A.swift", "use `Lock`", [
            "let a: Mutex<Int>\n", "let a = Mutex(0)\n", "import struct Synchronization.Mutex\n"])
        self.write("Sources/ObscuraMedia/A.swift", "import Synchronization\nlet a = Atomic<Int>(0)\n")
        self.assert_clean()

    def test_sleeps_are_found(self):
        for path in ["Sources/ObscuraCapture/A.swift", "Tests/ObscuraCaptureTests/A.swift"]:
            self.assert_all_found(path, "sleeping waits for time", [
                "try await Task.sleep(for: .seconds(1))\n", "usleep(1)\n", "sleep(1)\n",
                "Thread.sleep(forTimeInterval: 1)\n", "try await clock.sleep(until: a)\n"])
            (self.root / path).unlink()

    def test_a_sleep_in_a_python_test_is_found_but_where_conditions_are_waited_for(self):
        text = "import time\n\n# time.sleep(1)\ntime.sleep(1)\n"
        for path in ("Tests/Browser/test_page.py", "Tests/support/waiting.py", "scripts/run.py"):
            self.write(path, text, licence=LICENCE.replace("//", "#"))
        self.assert_found("Tests/Browser/test_page.py:6", "sleeping waits for time")

    def test_a_sleep_in_c_is_found(self):
        self.write("Sources/CPixelKernels/kernels.c", "/* sleep( */ char a = '\"';\nvoid f(void) { usleep(1); }\n")
        self.assert_found("Sources/CPixelKernels/kernels.c:4", "sleeping waits for time")

    def test_traps_are_found(self):
        path = "Sources/ObscuraCapture/A.swift"
        self.assert_all_found(path, "fatalError", ['fatalError("a")\n', "Swift.fatalError ()\n"])
        self.assert_all_found(path, "`try!` traps", ["let a = try! b()\n", "try!b()\n"])
        self.assert_all_found(path, "`as!` traps", ["let a = b as! Int\n"])

    def test_forced_and_implicit_unwraps_are_found(self):
        for path in ["Sources/ObscuraCapture/A.swift", "Tests/ObscuraCaptureTests/A.swift"]:
            self.assert_all_found(path, "forced or implicitly unwrapped", [
                "let a = b!\n", "b!.c()\n", "f(b!, c)\n", "let a = b[0]!\n", "let a = b()!\n", "var a: Int!\n",
                "var a: [Int]!\n", "var a: Set<Int>!\n", 'let a = Int("1")!\n', "if b! != c {}\n", "a = b!\n"])
            (self.root / path).unlink()

    def test_a_printing_library_is_found(self):
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "the library prints nothing", [
            'print("a")\n', "debugPrint(a)\n", "{ fputs(a, stderr) }()\n"])

    def test_unsafe_flags_are_found_in_the_text_and_in_the_settings(self):
        manifest = self.root / "Package.swift"
        text = manifest.read_text()
        manifest.write_text(text + 'let flags = [.unsafeFlags(["-O"])]\n')
        self.assert_found(f"Package.swift:{text.count(chr(10)) + 1}", "unsafeFlags")
        manifest.write_text(text)
        self.settings["ObscuraMedia"].append({"kind": {"unsafeFlags": {"_0": ["-O"]}}, "tool": "swift"})
        self.assert_found("Package.swift:5", "unsafeFlags")

    def test_promises_without_a_reason_are_found(self):
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "without a reason", [
            "final class A: @unchecked Sendable {}\n", "nonisolated(unsafe) var a = 0\n",
            "@preconcurrency import Dispatch\n", "unowned(unsafe) let a: A\n"])
        self.write("Sources/ObscuraCapture/A.swift", "\n// MARK: A\n\nfinal class A: @unchecked Sendable {}\n")
        self.assert_found("Sources/ObscuraCapture/A.swift:6", "without a reason")

    def test_promises_with_a_reason_pass(self):
        self.write("Sources/ObscuraCapture/A.swift", """
/// All state is under the lock.
public final class A: Base,
    @unchecked Sendable {}
struct B: @unchecked Sendable {}  // Never written after init.
// Written only before the threads begin.
nonisolated(unsafe) var a = 0
""")
        self.assert_clean()

    def test_streams_without_a_limit_are_found(self):
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "`bufferingPolicy`", [
            "let a = AsyncStream<Int> { $0.finish() }\n", "let a = AsyncStream { $0.finish() }\n",
            "let a = AsyncStream(Int.self) { $0.finish() }\n", "let a = AsyncStream.makeStream(of: Int.self)\n",
            "let a = AsyncThrowingStream<(Int, Int), any Error>.makeStream()\n", "return AsyncStream<Int>.init { b }\n"])
        self.assert_all_found("Sources/ObscuraCapture/A.swift", "unbounded", [
            "let a = AsyncStream(Int.self, bufferingPolicy: .unbounded) { $0.finish() }\n"])

    # (f) Settings, (g) licence, (h) size.

    def test_a_target_without_internal_imports_is_found(self):
        self.settings["ObscuraCaptureTests"] = []
        self.assert_found("Package.swift:14", "`ObscuraCaptureTests` lacks InternalImportsByDefault")

    def test_a_file_without_licence_is_found(self):
        for path in ["Sources/ObscuraMedia/A.swift", "Sources/CFFmpeg/shim.h", "Examples/Sources/Hello/main.swift"]:
            with self.subTest(path):
                self.write(path, "\n", licence="")
                self.assert_found(f"{path}:1", "SPDX")
                (self.root / path).unlink()

    def test_half_a_licence_is_found(self):
        self.write("Sources/ObscuraMedia/A.swift", "\n", licence=LICENCE.splitlines()[0] + "\n")
        self.assert_found("Sources/ObscuraMedia/A.swift:1", "SPDX-FileCopyrightText")

    def test_a_long_file_without_a_reason_is_found(self):
        path = "Sources/ObscuraMedia/A.swift"
        self.write(path, "\n" * 498)
        self.assert_clean()
        self.write(path, "\n" * 499)
        self.assert_found(f"{path}:501", "more than 500 lines")
        self.write(path, 'let a = """\n// Size: a table.\n"""\n' + "\n" * 499)
        self.assert_found(f"{path}:504", "more than 500 lines")
        self.write(path, "// Size: a table of all formats, which nobody reads in two places.\n" + "\n" * 499)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
