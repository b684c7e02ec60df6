// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation

/// Owns the session. Its calls block while the camera is opened or closed, and so run on a queue of their own.
actor CaptureService {
    /// News of the session.
    enum Event: Sendable, CustomStringConvertible {
        case interrupted
        case interruptionEnded
        case failed(String)

        var description: String {
            switch self {
            case .interrupted: "The camera delivers nothing: another program uses it, or it was unplugged."
            case .interruptionEnded: "The camera delivers again."
            case .failed(let reason): reason
            }
        }
    }

    private let queue = SessionQueue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    nonisolated let events: AsyncStream<Event>
    private let session = AVCaptureSession()
    private let photos = AVCapturePhotoOutput()
    private let movies = AVCaptureMovieFileOutput()
    private var camera: AVCaptureDeviceInput
    private var movie: MovieCapture?

    /// Asks for permission, and sets up the session with the default camera, and the microphone if there is one.
    init() async throws {
        guard await AVCaptureDevice.requestAccess(for: .video) else { throw CaptureError.denied }
        guard let device = AVCaptureDevice.default(for: .video) else { throw CaptureError.noCamera }
        camera = try AVCaptureDeviceInput(device: device)
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(16))
        events = stream
        Self.observe(session, continuation)
        let hasSound = await AVCaptureDevice.requestAccess(for: .audio)
        session.beginConfiguration()
        session.sessionPreset = .high
        try add(camera)
        if hasSound, let microphone = AVCaptureDevice.default(for: .audio) {
            try add(AVCaptureDeviceInput(device: microphone))
        }
        for output in [photos, movies] where session.canAddOutput(output) { session.addOutput(output) }
        session.commitConfiguration()
    }

    func start() { session.startRunning() }

    /// Stops the session, after the movie that is being recorded is complete.
    func stop() async {
        _ = try? await endMovie()
        session.stopRunning()
    }

    /// Takes a photo: a file in memory.
    func takePhoto() async throws -> Data {
        let settings = AVCapturePhotoSettings()
        if photos.supportedFlashModes.contains(.auto) { settings.flashMode = .auto }
        return try await withCheckedThrowingContinuation { continuation in
            photos.capturePhoto(with: settings, delegate: PhotoCapture(continuation))
        }
    }

    /// Begins a movie and returns nil with its first frame, or ends it and returns its file.
    func toggleMovie() async throws -> URL? {
        if movie != nil { return try await endMovie() }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mov")
        let begun = MovieCapture()
        movies.startRecording(to: file, recordingDelegate: begun)
        try await begun.begin()
        movie = begun
        return nil
    }

    /// Ends the movie, and returns its file when it is complete; nil without a movie.
    private func endMovie() async throws -> URL? {
        defer { movie = nil }
        movies.stopRecording()
        return try await movie?.file
    }

    /// Changes to the next camera, and returns its name. Outputs and a movie continue.
    func switchCamera() throws -> String {
        let cameras = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
        ).devices
        let place = cameras.firstIndex(of: camera.device) ?? 0
        guard cameras.count > 1 else { return camera.device.localizedName }
        let next = try AVCaptureDeviceInput(device: cameras[(place + 1) % cameras.count])
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.removeInput(camera)
        do {
            try add(next)
            camera = next
        } catch {
            try add(camera)
            throw error
        }
        return camera.device.localizedName
    }

    private func add(_ input: AVCaptureDeviceInput) throws {
        guard session.canAddInput(input) else { throw CaptureError.unusable(input.device.localizedName) }
        session.addInput(input)
    }

    /// Reports what happens to the session, for the life of the program.
    private static func observe(_ session: AVCaptureSession, _ events: AsyncStream<Event>.Continuation) {
        func observe(_ name: Notification.Name, _ event: @escaping @Sendable (Notification) -> Event) {
            _ = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { notification in
                events.yield(event(notification))
            }
        }
        observe(AVCaptureSession.wasInterruptedNotification) { _ in .interrupted }
        observe(AVCaptureSession.interruptionEndedNotification) { _ in .interruptionEnded }
        observe(AVCaptureSession.runtimeErrorNotification) { notification in
            let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error
            return .failed(error?.localizedDescription ?? "The session has failed.")
        }
    }
}

/// Why there is no camera.
enum CaptureError: LocalizedError {
    case denied
    case noCamera
    case unusable(String)

    var errorDescription: String? {
        switch self {
        case .denied: "This program may not use the camera."
        case .noCamera: "There is no camera."
        case .unusable(let name): "\(name) cannot be used."
        }
    }
}
