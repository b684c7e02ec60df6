// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The superclass of requests that search in a part of an image.
public class VNImageBasedRequest: VNRequest {
    /// The part of the upright image to search, as fractions from the lower left corner; by default the whole image.
    /// Results are relative to this part. If the part is empty, or extends beyond the image, the request fails.
    public var regionOfInterest = VNNormalizedIdentityRect
}
