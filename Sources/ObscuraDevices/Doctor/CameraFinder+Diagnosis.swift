// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension CameraFinder {
    /// What there is to say of the nodes, the rights to them, who uses them, and the user's settings.
    package var findings: [Diagnosis.Finding] {
        nodeFindings + settingsFindings + (canTellChanges ? [] : [.changesAreUntold])
    }

    private var nodeFindings: [Diagnosis.Finding] {
        let seen = seen
        let cameras = CameraListing(seen, settings: DeviceSettings()).cameras
        var findings: [Diagnosis.Finding] = []
        var unusable: [Diagnosis.Finding] = []
        for seen in seen {
            let camera = cameras.first { $0.path == seen.node.path }
            let subject = "\(camera?.name ?? seen.node.name) (\(seen.node.path))"
            switch seen.description {
            case .success(let description) where camera == nil:
                if let finding = Diagnosis.Finding.unusable(description.kind, subject) { unusable.append(finding) }
            case .success(let description):
                let users = DeviceUsers(of: seen.node.path, in: files)
                findings.append(.ready(subject, users.names, isFed: description.isFed))
            case .failure(let error):
                guard seen.node.mayBeCamera else { continue }
                findings.append(.failure(error, subject, seen, files))
            }
        }
        guard findings.isEmpty else { return findings + unusable }
        return unusable + [
            .init(
                .note, "cameras", "this machine has none but the built-in one, pattern",
                remedy: .addDeviceToContainer("/dev/video0"))
        ]
    }

    private var settingsFindings: [Diagnosis.Finding] {
        guard let settings else {
            return [
                .init(.note, "settings", "there is no home for them", remedy: .advice("Set HOME or XDG_CONFIG_HOME."))
            ]
        }
        do throws(ObscuraError) {
            let count = try settings.read().cameras.count
            return count == 0 ? [] : [.init(.fine, settings.path, "read, \(count) camera\(count == 1 ? "" : "s")")]
        } catch {
            return [.init(.problem, error.subject, error.reason, remedy: error.remedy)]
        }
    }

    private var canTellChanges: Bool { ChangeSources(files: files, signs: signs)?.areTold == true }
}

extension Diagnosis.Finding {
    fileprivate static let changesAreUntold = Diagnosis.Finding(
        .note, "hot-plug", "the system does not tell of cameras that come and go, so they are looked for each second",
        remedy: .raiseLimit(.fileWatches))

    /// A camera that can be opened.
    ///
    /// - Parameters:
    ///   - names: who has it open as well.
    ///   - isFed: whether one of them has to: without it there would be no pictures.
    fileprivate static func ready(_ subject: String, _ names: String?, isFed: Bool) -> Diagnosis.Finding {
        guard let names else { return .init(.fine, subject, "ready") }
        guard !isFed else { return .init(.fine, subject, "ready; it is open in \(names), which may be what feeds it") }
        return .init(
            .note, subject, "is open in \(names)",
            remedy: .advice("If no pictures come from it here, end the other program."))
    }

    /// Why a node that gives pictures is not among the cameras; nil for one that gives none.
    fileprivate static func unusable(_ kind: NodeDescription.Kind, _ subject: String) -> Diagnosis.Finding? {
        switch kind {
        case .rawSensor:
            .init(
                .note, subject, "raw sensor node; it needs libcamera",
                remedy: .advice("Let libcamera run it and hand its pictures on, for instance into a v4l2loopback."))
        case .unknownLayouts(let names):
            .init(
                .note, subject,
                "only \(names.prefix(4).joined(separator: ", ")) come\(names.count == 1 ? "s" : "") from it, "
                    + "which Obscura does not know",
                remedy: .advice("If it is a raw sensor node (Bayer), it needs libcamera."))
        case .camera, .other: nil
        }
    }

    fileprivate static func failure(
        _ error: ObscuraError, _ subject: String, _ seen: CameraListing.Seen, _ files: FileTree
    ) -> Diagnosis.Finding {
        switch error.code {
        case .noSuchDevice where files.status(of: seen.node.path) == nil:
            .init(
                .problem, subject, "the kernel has it, but there is no such file",
                remedy: .addDeviceToContainer(seen.node.path))
        case .deviceInUse: .init(.note, subject, error.reason, remedy: error.remedy)
        case .notAuthorized:
            .init(.problem, subject, "this process may not use it", remedy: seen.access.remedy ?? error.remedy)
        default: .init(.problem, subject, error.reason, remedy: error.remedy)
        }
    }
}
