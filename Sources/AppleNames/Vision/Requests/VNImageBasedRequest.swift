// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The superclass of requests that search in a part of an image.
public class VNImageBasedRequest: VNRequest {
    /// The part of the upright image, as fractions from the lower left corner; by default the whole image. The results
    /// are relative to it. With an empty part, and with one that is not inside the image, the request fails.
    public var regionOfInterest = VNNormalizedIdentityRect
}
