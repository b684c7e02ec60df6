// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The key of a Boolean in the information about a result: whether a better result follows. Always false.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
/// The key of a Boolean in the information about a result: whether the file must be downloaded first. Always false.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
/// The key of the number of the request, in the information about a result.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
/// The key of a Boolean in the information about a result: whether the request was cancelled.
public let PHImageCancelledKey = "PHImageCancelledKey"
/// The key of the error, a ``PHPhotosError``, in the information about a failed request.
public let PHImageErrorKey = "PHImageErrorKey"
