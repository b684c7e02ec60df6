// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A shared library of Obscura that is loaded on first use, such as `libObscuraOpenCV.so`: until then, the program
/// neither needs nor loads the dependencies of the library.
///
/// The library is never unloaded, because it may have threads.
package struct OptionalLibrary {
    /// The reason why a library cannot be used.
    package struct Failure: Error, Hashable {
        /// The message of dlerror(3) or of this type.
        package let reason: String
        /// Whether the cause is the library itself, and not a dependency: the library is missing, damaged or of another
        /// version, or was built without its contents.
        package let isOfLibrary: Bool
    }

    private let handle: UnsafeMutableRawPointer

    /// Loads `lib<name>.so` from the folder of the program, else from the folders of the system.
    ///
    /// - Parameter folder: nil for the folder of the program.
    package init(_ name: String, in folder: String? = nil) throws(Failure) {
        let file = "lib\(name).so"
        let beside = (folder ?? Self.programFolder).map { "\($0)/\(file)" }
        let path = beside.flatMap { access($0, F_OK) == 0 ? $0 : nil } ?? file
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = Self.lastError
            throw Failure(reason: reason, isOfLibrary: reason.hasPrefix("\(path):"))
        }
        self.handle = handle
    }

    /// Returns a table of C functions. The function of the library with this name returns a pointer to the table.
    ///
    /// The caller ensures that a table of this version has this type. A table begins with its version, an `Int32`.
    package func table<Table>(_ name: String, version: Int32, as type: Table.Type) throws(Failure) -> Table {
        guard let symbol = dlsym(handle, name) else {
            throw Failure(reason: "it was built without its trait: \(Self.lastError)", isOfLibrary: true)
        }
        let getTable = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer).self)
        let table = getTable()
        guard table.load(as: Int32.self) == version else {
            throw Failure(reason: "it belongs to another version of Obscura", isOfLibrary: true)
        }
        return table.load(as: type)
    }

    /// The folder of this program's file; nil without /proc.
    private static var programFolder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        return PathParts(String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)).folder
    }

    /// The message of the last failure on this thread.
    private static var lastError: String { dlerror().map { String(cString: $0) } ?? "unknown error" }
}
