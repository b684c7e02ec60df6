// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension URL {
    /// Returns the URL with a name appended. The extension of a type is added, unless the name already has an extension
    /// of this type.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        appendingPathComponent(contentType.fileName(partialName))
    }

    /// Appends a name and the extension of a type, like ``appendingPathComponent(_:conformingTo:)``.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// Returns the URL with the extension of a type, unless it already has an extension of this type.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard let added = contentType.addedExtension(to: lastPathComponent) else { return self }
        return appendingPathExtension(added)
    }

    /// Appends the extension of a type, like ``appendingPathExtension(for:)``.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension UTType {
    /// The extension that a file of the type needs; nil if its name has one already, and for a type without extensions.
    fileprivate func addedExtension(to name: String) -> String? {
        let present = URL(fileURLWithPath: "/\(name)").pathExtension
        let isOfType = Self.types(tag: present, tagClass: .filenameExtension, conformingTo: self).isEmpty == false
        return isOfType ? nil : preferredFilenameExtension
    }

    fileprivate func fileName(_ name: String) -> String {
        addedExtension(to: name).map { "\(name).\($0)" } ?? name
    }
}
