// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

extension CaptureDevice {
    /// Refuses a device that does not give what is wanted of it: a file of sound alone as a camera, a camera as a
    /// microphone. An address passes; it tells only once it runs.
    ///
    /// - Throws: ``ObscuraError/Code/unreadable``.
    public func require(_ mediaType: MediaType) throws(ObscuraError) {
        guard !mediaTypes.contains(mediaType) else { return }
        throw mediaType == .video ? .noPictures(self) : .noSound(self)
    }
}

extension CaptureSession {
    /// Refuses an input that has turned out to give sound alone, once it runs.
    func requirePictures(of input: CaptureDeviceInput) throws(ObscuraError) {
        if activeFormat(of: input) == nil, activeAudioFormat(of: input) != nil { throw .noPictures(input.device) }
    }
}

extension ObscuraError {
    fileprivate static func noPictures(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has sound but no moving picture")
    }

    fileprivate static func noSound(_ device: CaptureDevice) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: device.uniqueID, reason: "it has no sound")
    }
}
