// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The types and the options of detectors.

/// A detector of faces.
public let CIDetectorTypeFace = "CIDetectorTypeFace"

/// The key of the accuracy of a detector: ``CIDetectorAccuracyLow`` or ``CIDetectorAccuracyHigh``.
public let CIDetectorAccuracy = "CIDetectorAccuracy"
/// A faster search, which misses more faces.
public let CIDetectorAccuracyLow = "CIDetectorAccuracyLow"
/// A slower search, which misses fewer faces.
public let CIDetectorAccuracyHigh = "CIDetectorAccuracyHigh"
/// The key of a Boolean: whether the images are successive frames of a video. If true, each face has the same
/// ``CIFaceFeature/trackingID`` in all frames.
public let CIDetectorTracking = "CIDetectorTracking"
/// The key of the minimum size of a face, as a fraction of the shorter side of the image; by default 0.15.
public let CIDetectorMinFeatureSize = "CIDetectorMinFeatureSize"

/// The key of the orientation of an image, 1 to 8 as in EXIF, for ``CIDetector/features(in:options:)``.
public let CIDetectorImageOrientation = "CIDetectorImageOrientation"
