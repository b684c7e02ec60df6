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
/// The number of bits of each uncompressed sample. In movies, only 16 is supported.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether uncompressed samples are big-endian. Must be false for movies.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether uncompressed samples are floating point numbers. Must be false for movies.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether the uncompressed samples of each channel are contiguous. Must be false for movies.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
