// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A codec of video, as a four-character code.
public typealias CMVideoCodecType = FourCharCode

/// H.264.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// HEVC.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// JPEG.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// MPEG-4, part 2.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// VP9.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// AV1.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// Apple ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
