// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The imports are grouped by topic.
// swift-format-ignore-file: OrderedImports

// The declarations of other targets that `import Obscura` provides. The API for drivers, decoders and clocks is exported
// by `ObscuraDrivers` instead.

// Values of media, metadata, encoder settings, and errors. The whole module, since the operators of a type (`+` of
// MediaTime) are not exported with it.
@_exported public import ObscuraMedia

// Image processing
@_exported public import enum ObscuraImaging.ImageTransformer
@_exported public import struct ObscuraImaging.UnitRect

// Effects
@_exported public import struct ObscuraImaging.BGRAPixel
@_exported public import struct ObscuraImaging.CubeFile
@_exported public import struct ObscuraImaging.EffectContext
@_exported public import struct ObscuraImaging.OverlayPlacement
@_exported public import class ObscuraImaging.Ripple
@_exported public import struct ObscuraImaging.TextStyle
@_exported public import struct ObscuraImaging.VideoEffect

// Stills
@_exported public import struct ObscuraImaging.Enhancement
@_exported public import enum ObscuraImaging.JPEGDecoder
@_exported public import class ObscuraImaging.JPEGEncoder
@_exported public import enum ObscuraImaging.PNGDecoder
@_exported public import class ObscuraImaging.PNGEncoder
@_exported public import struct ObscuraImaging.Still
@_exported public import enum ObscuraImaging.StillEdit
@_exported public import class ObscuraImaging.StillEncoder
@_exported public import enum ObscuraImaging.StillFormat
@_exported public import struct ObscuraImaging.StillInfo
@_exported public import struct ObscuraImaging.StillProperties
@_exported public import struct ObscuraImaging.StillRecipe

// Devices
@_exported public import enum ObscuraCapture.AccessReason
@_exported public import enum ObscuraCapture.AuthorizationStatus
@_exported public import enum ObscuraCapture.CameraDriverKind
@_exported public import struct ObscuraCapture.CameraDriverSelection
@_exported public import class ObscuraCapture.CaptureDevice
@_exported public import class ObscuraCapture.CaptureDeviceInput
@_exported public import struct ObscuraCapture.ControlChoice
@_exported public import struct ObscuraCapture.ControlRange
@_exported public import struct ObscuraCapture.DeviceConfiguration
@_exported public import struct ObscuraCapture.DeviceControl
@_exported public import enum ObscuraCapture.DeviceEvent
@_exported public import enum ObscuraCapture.MediaType
@_exported public import struct ObscuraDevices.CameraPermission
@_exported public import struct ObscuraDevices.DeviceSettings
@_exported public import struct ObscuraDevices.DeviceSettingsFile
@_exported public import struct ObscuraDevices.Diagnosis

// Session
@_exported public import class ObscuraCapture.CaptureConnection
@_exported public import class ObscuraCapture.CaptureSession
@_exported public import enum ObscuraCapture.InterruptionReason
@_exported public import struct ObscuraCapture.ModeChoice
@_exported public import enum ObscuraCapture.SessionEvent
@_exported public import enum ObscuraCapture.SessionPreset

// Outputs
@_exported public import class ObscuraCapture.AudioDataOutput
@_exported public import protocol ObscuraCapture.AudioDataOutputDelegate
@_exported public import enum ObscuraDevices.AudioPreviewEvent
@_exported public import class ObscuraDevices.AudioPreviewOutput
@_exported public import struct ObscuraDevices.AudioPreviewStatistics
@_exported public import enum ObscuraCapture.CallbackPlace
@_exported public import class ObscuraCapture.CaptureOutput
@_exported public import class ObscuraCapture.CaptureSynchronizer
@_exported public import class ObscuraCapture.DataOutput
@_exported public import struct ObscuraCapture.EncodedMediaSequence
@_exported public import enum ObscuraCapture.LateFramePolicy
@_exported public import class ObscuraCapture.PreviewOutput
@_exported public import class ObscuraCapture.PreviewSubscription
@_exported public import class ObscuraCapture.VideoDataOutput
@_exported public import protocol ObscuraCapture.VideoDataOutputDelegate
@_exported public import enum ObscuraCapture.VideoGravity

// Photos
@_exported public import struct ObscuraCapture.Photo
@_exported public import struct ObscuraCapture.PhotoBurst
@_exported public import class ObscuraCapture.PhotoOutput
@_exported public import struct ObscuraCapture.PhotoSettings

// Audio levels and mixing
@_exported public import class ObscuraMovies.AudioMixerSource
@_exported public import class ObscuraCapture.AudioChannel
@_exported public import struct ObscuraCapture.AudioLevel
@_exported public import struct ObscuraCapture.AudioLevelMeter

// Statistics
@_exported public import enum ObscuraCapture.DeliveryStage
@_exported public import struct ObscuraCapture.DeliveryStatistics
@_exported public import struct ObscuraCapture.DropCounts
@_exported public import enum ObscuraCapture.DropReason
@_exported public import struct ObscuraCapture.DroppedFrame
@_exported public import enum ObscuraCapture.FrameStage
@_exported public import struct ObscuraCapture.ReaderLedger
@_exported public import struct ObscuraCapture.SessionLedger
@_exported public import class ObscuraCapture.SessionTrace
@_exported public import struct ObscuraCapture.StageStatistics

// Reading movies and streams
@_exported public import struct ObscuraMovies.CertificateFingerprint
@_exported public import struct ObscuraMovies.MovieContents
@_exported public import struct ObscuraMovies.MovieInfo
@_exported public import struct ObscuraMovies.MovieReadingOptions
@_exported public import struct ObscuraMovies.MovieSoundInfo
@_exported public import enum ObscuraMovies.ServerTrust

// Writing movies
@_exported public import class ObscuraMovies.AssetWriter
@_exported public import class ObscuraMovies.AudioEncoder
@_exported public import struct ObscuraMovies.KeyFrameWait
@_exported public import enum ObscuraMovies.MediaSample
@_exported public import protocol ObscuraMovies.MediaWriter
@_exported public import class ObscuraMovies.MovieFileOutput
@_exported public import enum ObscuraMovies.MovieRecovery
@_exported public import enum ObscuraMovies.MovieTrimmer
@_exported public import struct ObscuraMovies.MovieTrack
@_exported public import enum ObscuraMovies.RecordingEvent
@_exported public import struct ObscuraMovies.RecordingResult
@_exported public import struct ObscuraMovies.TimedLocation
@_exported public import struct ObscuraMovies.TimedText
@_exported public import class ObscuraMovies.VideoEncoder
@_exported public import struct ObscuraMovies.WriterProgress
@_exported public import struct ObscuraMovies.WriterReport

// Broadcasting
@_exported public import struct ObscuraBroadcast.BroadcastDestination
@_exported public import enum ObscuraBroadcast.BroadcastEvent
@_exported public import class ObscuraBroadcast.BroadcastOutput
@_exported public import struct ObscuraBroadcast.BroadcastSettings
@_exported public import struct ObscuraBroadcast.BroadcastStatistics
@_exported public import class ObscuraBroadcast.BroadcastWriter

// Face detection
@_exported public import struct ObscuraVision.Face
@_exported public import class ObscuraVision.FaceDetector
@_exported public import struct ObscuraVision.FaceMask
@_exported public import class ObscuraVision.FaceOutput
@_exported public import class ObscuraVision.FaceTracker
