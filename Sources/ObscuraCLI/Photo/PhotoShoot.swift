// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

extension PhotoCommand {
    func run() async throws {
        try await PhotoShoot(self).run()
    }
}

/// One run of `obscura photo`.
struct PhotoShoot {
    private let command: PhotoCommand
    private let paths: [String]
    private let settings: PhotoSettings

    /// - Throws: `ValidationError`.
    init(_ command: PhotoCommand) throws {
        self.command = command
        paths = try command.paths()
        settings = try command.settings()
    }

    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run() async throws {
        // Checked before the camera is opened.
        if !command.overwriting.overwrite, let path = paths.first(where: { FileStatus.exists($0) }) {
            throw ObscuraError.fileExists(path)
        }
        let device = try CaptureDevice.named(
            command.source.resolvedName, reading: MovieReadingOptions(trust: command.source.trust))
        try device.require(.video)
        let photos = PhotoOutput()
        let session = CaptureSession()
        try await session.configure { [settings, command] in
            // There are no other outputs: the camera runs in the photo's mode from the beginning.
            $0.preset = settings.size == .stream ? .high : .photo
            try $0.addInput(CaptureDeviceInput(device: device, startsWhenAvailable: command.source.wait))
            try $0.addOutput(photos)
        }
        let (outcome, code) = await Interruption.cancelling {
            do {
                try await shoot(with: photos, of: session, device)
            } catch {
                await session.stop()
                throw error
            }
            await session.stop()
        }
        if let code { throw ExitCode(code) }
        try outcome.get()
    }

    private func shoot(with photos: PhotoOutput, of session: CaptureSession, _ device: CaptureDevice) async throws {
        let notice = command.source.waitNotice(for: device, isQuiet: command.verbosity.quiet)
        defer { notice.end() }
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            try await session.start()
        } onCancel: {
            Task { await session.stop() }
        }
        notice.end()
        // Real cameras need time to adapt their exposure.
        let delay = command.delay?.time.duration ?? (device.deviceType == .virtual ? .zero : .seconds(1))
        let moment = HostTime.now + delay
        guard paths.count > 1 else {
            return try await write(photos.capture(settings, pressedAt: moment), to: paths[0])
        }
        let burst = try await photos.captureBurst(
            count: paths.count, interval: command.interval?.time.duration ?? .milliseconds(200), settings: settings,
            pressedAt: moment)
        var written = 0
        for try await photo in burst {
            try await write(photo, to: paths[written])
            written += 1
        }
    }

    private func write(_ photo: Photo, to path: String) async throws {
        try await photo.write(to: path, overwrites: command.overwriting.overwrite)
        guard !command.verbosity.quiet else { return }
        Terminal.note("\(path): \(photo.size), \(NumberText.bytes(Int64(photo.data.count)))\n")
    }
}
