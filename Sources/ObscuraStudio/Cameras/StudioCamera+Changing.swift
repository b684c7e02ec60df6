// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

extension StudioCamera {
    /// Applies the changes one at a time, beginning with those that may fail. Changes made before a failure remain.
    ///
    /// - Throws: ``ObscuraError`` for invalid values, or an error of the device.
    func apply(_ change: CameraChange) async throws {
        try await mutex.perform { try await applyInTurn(change) }
    }

    private func applyInTurn(_ change: CameraChange) async throws {
        defer { announcer.noteChange() }
        guard !state.withLock({ $0.isRemoved }) else { throw ObscuraError.noSuchCamera }
        if let names = change.effects { _ = try EffectMenu.effects(names, ripple: ripple) }
        if let id = change.device { try await setDevice(try await find(id, .video)) }
        if let microphone = change.microphone {
            if let id = microphone {
                try await setMicrophone(try await find(id, .audio))
            } else {
                try await removeMicrophone()
            }
        }
        if let preset = change.preset { try await setPreset(preset) }
        if let faces = change.faces { try await setFaces(faces) }
        state.withLock { state in
            if let isMirrored = change.isMirrored { state.isMirrored = isMirrored }
            if let orientation = change.orientation { state.orientation = orientation }
            if let effects = change.effects { state.effects = effects }
        }
        try applyPictureSettings()
        if change.zoom != nil || change.torch != nil || change.focus != nil { try await setLens(change) }
    }

    /// Handles a tap at relative coordinates from 0 to 1: starts a wave of the effect `ripple`, and focuses once.
    func tap(x: Double, y: Double) async throws {
        let (device, lens, effects) = state.withLock { ($0.device, $0.lens, $0.effects) }
        if effects.contains("ripple") { ripple.tap(x: x, y: y) }
        guard let focus = lens.focus, focus.modes.contains(.autoFocus) else { return }
        try await onWorker { try device.lockForConfiguration { try $0.setFocusMode(.autoFocus) } }
        await readLens()
    }

    /// Returns the controls of the device; empty if it has none.
    func controls() async throws -> [ControlDescription] {
        let device = state.withLock { $0.device }
        return try await onWorker {
            do throws(ObscuraError) {
                return try device.controls.map(ControlDescription.init)
            } catch {
                if error.code == .unsupportedControl { return [] }
                throw error
            }
        }
    }

    /// Sets controls in the order of their names.
    func setControls(_ values: [String: Int64]) async throws {
        let device = state.withLock { $0.device }
        try await onWorker {
            try device.lockForConfiguration { device in
                for (name, value) in values.sorted(by: { $0.key < $1.key }) { try device.set(name, to: value) }
            }
        }
        await readLens()
    }

    /// Reads the state of the camera's lens and LED.
    func readLens() async {
        let device = state.withLock { $0.device }
        let lens = (try? await onWorker { try CameraLens(of: device) }) ?? CameraLens()
        let isOther = state.withLock { state in
            guard state.device == device, state.lens != lens else { return false }
            state.lens = lens
            return true
        }
        if isOther { announcer.noteChange() }
    }

    // MARK: Devices

    private func find(_ id: String, _ mediaType: MediaType) async throws -> CaptureDevice {
        try await onWorker { [devices] in try devices.device(id, mediaType) }
    }

    private func setDevice(_ device: CaptureDevice) async throws {
        let (former, isSame) = state.withLock { ($0.input, $0.device == device) }
        if !isSame {
            if let former {
                let input = try await onWorker { try CaptureDeviceInput(device: device) }
                try await session.configure { try $0.replaceInput(former, with: input) }
                state.withLock { $0.input = input }
            }
            state.withLock { state in
                state.device = device
                state.lens = CameraLens()
            }
            // A problem of the previous device no longer applies.
            set(former != nil && session.isRunning ? .running : .idle)
            await readLens()
        }
        // Choosing a camera also restarts one that has failed.
        if state.withLock({ $0.users > 0 }) { try await startInTurn() }
    }

    func setMicrophone(_ device: CaptureDevice) async throws {
        let (hasCamera, former) = state.withLock { state in
            state.microphone = device
            return (state.input != nil, state.microphoneInput)
        }
        // Without a camera in the session, the microphone is added later, together with the camera.
        guard hasCamera, former?.device != device else { return }
        do {
            let input = try await onWorker { try CaptureDeviceInput(device: device) }
            try await session.configure { [movie] configuration in
                if let former {
                    try configuration.replaceInput(former, with: input)
                } else {
                    try configuration.addInput(input)
                    try configuration.connect(movie, to: input)
                }
            }
            state.withLock { $0.microphoneInput = input }
        } catch {
            state.withLock { $0.microphone = former?.device }
            throw error
        }
    }

    private func removeMicrophone() async throws {
        if let input = state.withLock({ $0.microphoneInput }) { try await session.configure { $0.removeInput(input) } }
        state.withLock { state in
            state.microphone = nil
            state.microphoneInput = nil
        }
    }

    private func setPreset(_ preset: CaptureSession.Preset) async throws {
        if state.withLock({ $0.input != nil }) { try await session.configure { $0.preset = preset } }
        state.withLock { $0.preset = preset }
    }

    private func setLens(_ change: CameraChange) async throws {
        let device = state.withLock { $0.device }
        try await onWorker {
            try device.lockForConfiguration { device in
                if let zoom = change.zoom { try device.setVideoZoomFactor(zoom) }
                if let torch = change.torch { try device.setTorchMode(torch ? .on : .off) }
                if let focus = change.focus { try device.setFocusMode(focus) }
            }
        }
        await readLens()
    }

    // MARK: Pictures

    /// Applies the same orientation, mirroring and effects to all outputs.
    func applyPictureSettings() throws {
        let (isMirrored, orientation, names, faces) = state.withLock {
            ($0.isMirrored, $0.orientation, $0.effects, $0.faces)
        }
        var effects = try EffectMenu.effects(names, ripple: ripple)
        if let output = state.withLock({ $0.faceOutput }) {
            switch faces {
            case .none: break
            case .mask: effects.append(FaceMask().effect(of: output))
            case .mosaic: effects.append(.mosaic(of: output))
            }
        }
        for connection in [preview.connection, photos.connection, movie.connection(with: .video)].compactMap(\.self) {
            connection.isMirrored = isMirrored
            connection.orientation = orientation
            connection.effects = effects
        }
    }

    private func setFaces(_ faces: CameraDescription.Faces) async throws {
        let former = state.withLock { $0.faceOutput }
        if faces != .none, former == nil {
            let output = try await onWorker { try FaceOutput() }
            // Faces are detected in frames that have the displayed orientation.
            if state.withLock({ $0.input != nil }) {
                try await session.configure { try $0.addOutput(output) }
            }
            state.withLock { $0.faceOutput = output }
        } else if faces == .none, let former {
            try await session.configure { $0.removeOutput(former) }
            state.withLock { $0.faceOutput = nil }
        }
        state.withLock { $0.faces = faces }
    }

    func onWorker<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await devices.onWorker(body)
    }
}
