// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension OpenFolder {
    /// The names of a folder.
    package struct Listing: Sendable {
        /// Names of all files in UTF-8, unordered.
        package var names: [String] = []
        /// Names that are not valid UTF-8, repaired for display. No call of this type can open such a file.
        package var invalidNames: [String] = []
    }

    /// Reads the names of all files. Reads through the descriptor, which remains valid if the folder is renamed.
    package func listing() throws(SystemError) -> Listing {
        let copy = try FileDescriptor(opening: ".", in: file, O_RDONLY | O_DIRECTORY)
        let number = dup(copy.number)
        guard number >= 0, let stream = fdopendir(number) else { throw .last }
        defer { closedir(stream) }
        var listing = Listing()
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last }
                return listing
            }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            if let name = String(validating: bytes, as: UTF8.self) {
                listing.names.append(name)
            } else {
                listing.invalidNames.append(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
