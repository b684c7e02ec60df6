// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraDevices
internal import ObscuraMedia
internal import ObscuraMovies

extension Diagnosis {
    /// Checks the cameras and microphones of this machine: their device nodes and permissions, the processes that use
    /// them, the user's settings, and the decoders that cameras with compressed formats need. Opens each camera
    /// briefly.
    public static func ofThisMachine() -> Diagnosis {
        let cameras = cameraProviders.flatMap(\.findings)
        let microphones = MicrophoneKinds.machine.compactMap { $0 as? MicrophoneDeviceProvider }.flatMap(\.findings)
        return Diagnosis(findings: cameras + microphones + decoders)
    }

    /// Returns the video nodes of the kernel that are not listed as cameras, with the reason for each node: for example
    /// infrared sensors, metadata nodes, and raw sensors that need libcamera.
    public static func nodesNotOffered() -> [Finding] { cameraProviders.flatMap(\.nodesNotOffered) }

    private static var cameraProviders: [CameraDeviceProvider] {
        CameraKinds.machine.compactMap { $0 as? CameraDeviceProvider }
    }

    private static var decoders: [Finding] {
        guard let failure = FFmpegDecoders.loadingFailure else { return decoders(canDecode: FFmpegDecoders.canDecode) }
        return [Finding(.problem, "FFmpeg", failure.reason, cause: .decoderMissing, remedy: failure.remedy)]
    }

    static func decoders(canDecode: (PixelFormat) -> Bool) -> [Finding] {
        PixelFormat.allCases.filter { $0.isCompressed && !canDecode($0) }.map { format in
            Finding(
                .problem, "FFmpeg", "it has no decoder for the format \(format.rawValue), which many cameras use",
                cause: .decoderMissing,
                remedy: .installPackages(["libavcodec-extra"]))
        }
    }
}
