// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite struct OptionalLibraryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func failure(_ name: String) -> OptionalLibrary.Failure? {
        do throws(OptionalLibrary.Failure) {
            _ = try OptionalLibrary(name, in: folder.path)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a library that is missing or damaged is distinguished from one that lacks another`() throws {
        let missing = try #require(failure("ObscuraNoSuch"))
        #expect(missing.isOfLibrary && missing.reason.contains("libObscuraNoSuch.so"))
        _ = try folder.write("libObscuraWords.so", "no library")
        let damaged = try #require(failure("ObscuraWords"))
        #expect(damaged.isOfLibrary && !damaged.reason.isEmpty)
        try SharedLibrary.make("ObscuraDependent", lacking: "Other", in: folder)
        let lacking = try #require(failure("ObscuraDependent"))
        #expect(!lacking.isOfLibrary && lacking.reason.contains("libOther.so"))
    }

    @Test func `a table is read if its version is the expected one`() throws {
        let text = "static const int table[] = {7, 42}; const void *get(void) { return table; }"
        try SharedLibrary.make("ObscuraOwn", of: text, in: folder)
        let library = try OptionalLibrary("ObscuraOwn", in: folder.path)
        let table = try library.table("get", version: 7, as: (version: Int32, value: Int32).self)
        #expect(table.version == 7 && table.value == 42)
        for (name, version) in [("get", 8), ("none", 7)] as [(String, Int32)] {
            let error = #expect(throws: OptionalLibrary.Failure.self) {
                try library.table(name, version: version, as: Int32.self)
            }
            #expect(error?.isOfLibrary == true)
        }
    }
}
