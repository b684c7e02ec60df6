// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The keys and values of the settings of compressed video.

/// The codec: an ``AVVideoCodecType``, or its raw value. Required.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// The width in pixels. Without a width and a height, the movie has the size of its first frame.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// The height in pixels.
public let AVVideoHeightKey = "AVVideoHeightKey"

/// The fit of frames whose aspect ratio differs from that of the movie; ``AVVideoScalingModeResize`` if absent.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// Frames are stretched to the size of the movie.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Frames are scaled without cropping; the borders are black.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// Frames are scaled to fill the movie, and cropped.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"

/// A dictionary with settings of the encoder.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// The average bit rate, in bits per second; without it, the quality is constant.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// The quality, from 0 to 1, for all codecs. Without effect if a bit rate is set.
public let AVVideoQualityKey = "Quality"
/// The maximum number of frames from one key frame to the next, at the expected frame rate. With 1, all frames are key
/// frames.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// The maximum time from one key frame to the next, in seconds. 0 means ten minutes, the largest possible value.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// The expected frame rate, in frames per second: a hint for the encoder.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"

/// The profile of H.264.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// The Baseline profile, for the simplest players.
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
/// The Main profile.
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
/// The High profile.
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
