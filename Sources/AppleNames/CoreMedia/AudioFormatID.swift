// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The format of sound, as a four-character code.
public typealias AudioFormatID = UInt32
/// Flags whose meaning depends on the format of sound.
public typealias AudioFormatFlags = UInt32

/// AAC.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// Uncompressed samples.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// FLAC, lossless.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// Dolby Digital.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// MPEG-1 or MPEG-2, layer 3.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// µ-law.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// A-law.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177

// The flags of uncompressed samples.

/// The samples are floating point numbers; full scale is 1.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
/// The samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 2
/// The samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 4
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 8
/// The bits of a sample are aligned to the high end of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 16
/// The samples of each channel are contiguous, in a buffer of their own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 32
/// The byte order of the machine.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = Int(1).littleEndian == 1 ? 0 : kAudioFormatFlagIsBigEndian
/// Packed floating point numbers in the byte order of the machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked

/// As ``kAudioFormatFlagIsFloat``.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// As ``kAudioFormatFlagIsBigEndian``.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// As ``kAudioFormatFlagIsSignedInteger``.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// As ``kAudioFormatFlagIsPacked``.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// As ``kAudioFormatFlagIsAlignedHigh``.
public let kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh
/// As ``kAudioFormatFlagIsNonInterleaved``.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved
