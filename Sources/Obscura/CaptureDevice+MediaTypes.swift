// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

extension CaptureDevice {
    /// Throws if the device does not supply the media type, such as an audio-only file that is used as a camera. Does
    /// not throw for network sources, whose media types are unknown before they run.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable``.
    public func require(_ mediaType: MediaType) throws(ObscuraError) {
        guard !mediaTypes.contains(mediaType) else { return }
        throw mediaType == .video ? .noPictures(self) : .noSound(self)
    }
}

extension CaptureSession {
    /// Throws if a running input supplies audio only.
    func requirePictures(of input: CaptureDeviceInput) throws(ObscuraError) {
        if activeFormat(of: input) == nil, activeAudioFormat(of: input) != nil { throw .noPictures(input.device) }
    }
}

extension ObscuraError {
    fileprivate static func noPictures(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has audio but no video")
    }

    fileprivate static func noSound(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has no audio")
    }
}
