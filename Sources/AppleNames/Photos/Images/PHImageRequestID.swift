// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The number of a request.
public typealias PHImageRequestID = Int32

/// A number that no request has.
public let PHInvalidImageRequestID: PHImageRequestID = 0
