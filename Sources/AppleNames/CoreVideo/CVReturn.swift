// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The result of a function of Core Video.
public typealias CVReturn = Int32

/// No error.
public let kCVReturnSuccess: CVReturn = 0
/// An error without a more specific code.
public let kCVReturnError: CVReturn = -6660
/// An argument is invalid.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is not enough memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is invalid.
public let kCVReturnInvalidSize: CVReturn = -6681
/// All buffers of the pool are in use.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
