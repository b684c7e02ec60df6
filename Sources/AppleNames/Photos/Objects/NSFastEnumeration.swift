// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A list of objects, as a parameter: an array, a set, or a fetch result.
public protocol NSFastEnumeration {}

extension NSArray: NSFastEnumeration {}
extension NSSet: NSFastEnumeration {}
extension NSOrderedSet: NSFastEnumeration {}
/// Without a conversion to `NSArray`, which Apple's platforms make by themselves for `assets as NSFastEnumeration`.
extension Array: NSFastEnumeration where Element: AnyObject {}
extension PHFetchResult: NSFastEnumeration {}
