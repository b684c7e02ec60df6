// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The imports are grouped by topic.
// swift-format-ignore-file: OrderedImports

// The API for kinds of devices that Obscura does not have, and for tests with a manual clock, beside `import Obscura`.

// Drivers
@_exported public import protocol ObscuraCapture.CaptureDeviceProvider
@_exported public import protocol ObscuraCapture.CaptureDriver
@_exported public import protocol ObscuraCapture.CaptureRun
@_exported public import protocol ObscuraCapture.CaptureSink
@_exported public import struct ObscuraCapture.MediaDemand
@_exported public import protocol ObscuraCapture.DeviceControls
@_exported public import struct ObscuraCapture.RunRequest
@_exported public import struct ObscuraCapture.SourceFormat

// Decoders and converters
@_exported public import protocol ObscuraCapture.AudioConverter
@_exported public import protocol ObscuraCapture.AudioConverterProvider
@_exported public import struct ObscuraCapture.DecodedFrame
@_exported public import protocol ObscuraCapture.FrameDecoder
@_exported public import protocol ObscuraCapture.FrameDecoderProvider
@_exported public import struct ObscuraMovies.FFmpegConverters
@_exported public import struct ObscuraMovies.FFmpegDecoders

// Clocks
@_exported public import class ObscuraCapture.CancellationToken
@_exported public import protocol ObscuraCapture.CaptureClock
@_exported public import class ObscuraCapture.ManualClock
@_exported public import struct ObscuraCapture.SystemClock

// Drivers of the library
@_exported public import struct ObscuraMovies.AudioMixerDriver
@_exported public import struct ObscuraCapture.PatternDeviceProvider
@_exported public import struct ObscuraCapture.PatternDriver
@_exported public import struct ObscuraCapture.PatternScene
@_exported public import struct ObscuraCapture.ReplayDeviceProvider
@_exported public import struct ObscuraCapture.ReplayDriver
@_exported public import struct ObscuraCapture.ReplayEvent
@_exported public import struct ObscuraCapture.ToneDeviceProvider
@_exported public import struct ObscuraCapture.ToneDriver
@_exported public import struct ObscuraDevices.MicrophoneDeviceProvider
@_exported public import struct ObscuraDevices.CameraDeviceProvider
@_exported public import struct ObscuraMovies.MovieDeviceProvider
@_exported public import struct ObscuraMovies.MovieDriver
