// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The keys of the settings of sound.

/// The format, such as ``kAudioFormatMPEG4AAC``. Required.
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate in hertz; 48,000 if absent.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels; 2 if absent.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The bit rate of all channels, in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bit rate of each channel, in bits per second.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The number of bits of each uncompressed sample. Movies have 16.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether uncompressed samples are big-endian. Those of movies are not.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether uncompressed samples are floating point numbers. Those of movies are not.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether the uncompressed samples of each channel are contiguous. Those of movies are not.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
