// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The format of sound, as a four-character code.
public typealias AudioFormatID = UInt32

/// AAC.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Uncompressed samples.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// FLAC, lossless.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573

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
