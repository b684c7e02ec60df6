// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@_exported public import Foundation

// The names of Core Foundation that signatures of the other modules contain. On Linux they are Swift's own types, so
// that `key as String` and `attributes as CFDictionary` compile.

/// A string.
public typealias CFString = String
/// A dictionary with strings as keys.
public typealias CFDictionary = [String: Any]
/// A number.
public typealias CFNumber = NSNumber
/// The type of a four-character code.
public typealias OSType = UInt32
/// The result of a function; 0 is success.
public typealias OSStatus = Int32

/// An allocator. There is only the default one.
public struct CFAllocator: Sendable, Hashable {
    fileprivate init() {}
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = CFAllocator()
/// True, as a value of a dictionary.
public let kCFBooleanTrue: Bool? = true
/// False, as a value of a dictionary.
public let kCFBooleanFalse: Bool? = false
