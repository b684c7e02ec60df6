// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import Obscura
internal import ObscuraWeb

/// The routes for cameras: list, change, take photos, record.
struct CameraRoutes: Sendable {
    let studio: Studio

    func add(to router: Router<WebContext>) {
        router.get("api/cameras") { _, _ in try Response.json(["cameras": await descriptions()]) }
        router.post("api/cameras") { request, context in
            let camera = try await studio.add(try await request.object(CameraRequest.self))
            return try Response.json(studio.description(of: camera), status: .created)
        }
        router.get("api/cameras/{id}") { _, context in try Response.json(studio.description(of: try camera(context))) }
        router.patch("api/cameras/{id}") { request, context in
            let camera = try camera(context)
            let change = try await request.object(CameraChange.self)
            guard studio.rules.allowsDevices || (change.device == nil && change.microphone == nil) else {
                throw Studio.noDevices
            }
            try await camera.apply(change)
            return try Response.json(studio.description(of: camera))
        }
        router.delete("api/cameras/{id}") { _, context in
            try await studio.removeCamera(try context.parameter("id"))
            return Response(status: .noContent)
        }
        router.post("api/cameras/{id}/start") { _, context in
            let camera = try camera(context)
            try await camera.use {}
            return try Response.json(studio.description(of: camera))
        }
        router.post("api/cameras/{id}/tap") { request, context in
            let tap = try await request.object(TapRequest.self)
            guard (0...1).contains(tap.x), (0...1).contains(tap.y) else {
                throw ObscuraError(.studio, .invalidRequest, subject: "tap", reason: "x and y must be 0 to 1")
            }
            try await camera(context).tap(x: tap.x, y: tap.y)
            return Response(status: .noContent)
        }
        router.get("api/cameras/{id}/controls") { _, context in
            let camera = try camera(context)
            return try Response.json(["controls": try await camera.controls()])
        }
        router.patch("api/cameras/{id}/controls") { request, context in
            let camera = try camera(context)
            try await camera.setControls(try await request.decode([String: ControlValue].self).mapValues(\.number))
            return try Response.json(["controls": try await camera.controls()])
        }
        router.get("api/cameras/{id}/statistics") { _, context in
            try Response.json(try camera(context).statistics(viewers: []))
        }
        addTaking(to: router)
    }

    private func addTaking(to router: Router<WebContext>) {
        router.post("api/cameras/{id}/photos") { request, context in
            // Read before the body: the photo shows the moment at which the button was pressed.
            let pressedAt = HostTime.now
            let camera = try camera(context)
            let wanted = try await request.object(PhotosRequest.self)
            let names = try await studio.takePhotos(wanted, with: camera, pressedAt: pressedAt)
            return try Response.json(["items": await studio.items(names)], status: .created)
        }
        router.post("api/cameras/{id}/recording") { request, context in
            let camera = try camera(context)
            try await studio.startRecording(try await request.object(RecordingRequest.self), with: camera)
            return try Response.json(try await recording(of: camera), status: .created)
        }
        router.patch("api/cameras/{id}/recording") { request, context in
            let camera = try camera(context)
            try camera.setRecordingPaused(try await request.object(RecordingChange.self).isPaused)
            return try Response.json(try await recording(of: camera))
        }
        router.delete("api/cameras/{id}/recording") { _, context in
            let (name, result) = try await camera(context).stopRecording()
            let item = result.isUsable ? try await studio.folder.item(named: name) : nil
            return try Response.json(
                RecordingOutcome(item: item, reason: result.reason, message: "\(name) \(result.words)."))
        }
    }

    private func camera(_ context: WebContext) throws -> StudioCamera {
        try studio.camera(try context.parameter("id"))
    }

    private func descriptions() async -> [CameraDescription] { await studio.description().cameras }

    private func recording(of camera: StudioCamera) async throws -> RecordingDescription {
        guard let recording = camera.recordingDescription(freeSpace: studio.freeSpace.bytes) else {
            throw ObscuraError(
                .studio, .wrongState, subject: camera.device.localizedName, reason: "the recording has already ended")
        }
        return recording
    }
}
