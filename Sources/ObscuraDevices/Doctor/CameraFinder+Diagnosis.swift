// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension CameraFinder {
    /// The findings about the nodes, their permissions and users, the user's settings, and hot-plug.
    var findings: [Diagnosis.Finding] {
        nodeFindings + settingsFindings + (reportsChanges ? [] : [.scansPeriodically])
    }

    private var nodeFindings: [Diagnosis.Finding] {
        let candidates = candidates
        let cameras = CameraListing(candidates, settings: DeviceSettings()).cameras
        var findings: [Diagnosis.Finding] = []
        var unusable: [Diagnosis.Finding] = []
        for candidate in candidates {
            let camera = cameras.first { $0.path == candidate.node.path }
            let subject = "\(camera?.name ?? candidate.node.name) (\(candidate.node.path))"
            switch candidate.description {
            case .success(let description) where camera == nil:
                // A camera's metadata node is of no interest to users.
                if let finding = Diagnosis.Finding.unusable(description.kind, subject), finding.cause != .metadata {
                    unusable.append(finding)
                }
            case .success(let description):
                let users = DeviceUsers(of: candidate.node.path, in: files)
                findings.append(.ready(subject, users.names, isFed: description.isFed))
            case .failure(let error):
                guard candidate.node.mayBeCamera else { continue }
                findings.append(.failure(error, subject, candidate, files))
            }
        }
        guard findings.isEmpty else { return findings + unusable }
        return unusable + [.none("cameras", builtIn: "pattern", path: "/dev/video0")]
    }

    /// The nodes that are not offered as cameras, with the reasons.
    var nodesNotOffered: [Diagnosis.Finding] {
        candidates.compactMap { candidate in
            (try? candidate.description.get()).flatMap {
                .unusable($0.kind, "\(candidate.node.name) (\(candidate.node.path))")
            }
        }
    }

    private var settingsFindings: [Diagnosis.Finding] {
        guard let settings else {
            return [
                .init(
                    .note, "settings", "neither XDG_CONFIG_HOME nor HOME is set to an absolute path", cause: .settings,
                    remedy: .advice("Set HOME or XDG_CONFIG_HOME."))
            ]
        }
        do throws(ObscuraError) {
            let count = try settings.read().cameras.count
            return count == 0
                ? []
                : [
                    .init(
                        .fine, settings.path, "read; it has settings for \(count) device\(count == 1 ? "" : "s")",
                        cause: .ready)
                ]
        } catch {
            return [.init(.problem, error.subject, error.reason, cause: .settings, remedy: error.remedy)]
        }
    }

    private var reportsChanges: Bool { ChangeSources(files: files, filter: eventFilter)?.reportChanges == true }
}

extension Diagnosis.Finding {
    fileprivate static let scansPeriodically = Diagnosis.Finding(
        .note, "hot-plug", "the system does not report device changes, so cameras are searched for once a second",
        cause: .changesNotReported, remedy: .raiseLimit(.fileWatches))

    /// Returns the finding for a camera that can be opened.
    ///
    /// - Parameters:
    ///   - names: other processes that have it open.
    ///   - isFed: whether one of them writes its frames.
    fileprivate static func ready(_ subject: String, _ names: String?, isFed: Bool) -> Diagnosis.Finding {
        guard let names else { return .init(.fine, subject, "ready", cause: .ready) }
        guard !isFed else {
            return .init(
                .fine, subject, "ready; it is open in \(names), which may supply its frames", cause: .ready)
        }
        return .init(
            .note, subject, "it is open in \(names)", cause: .inUse,
            remedy: .advice("If it delivers no frames here, end the other program."))
    }

    /// Returns the finding for a source of frames that is not listed as a camera; nil for other nodes.
    fileprivate static func unusable(_ kind: NodeDescription.Kind, _ subject: String) -> Diagnosis.Finding? {
        switch kind {
        case .rawSensor:
            .init(
                .note, subject, "raw sensor node; it needs libcamera", cause: .rawSensor,
                remedy: .advice(
                    "Start PipeWire and WirePlumber with libcamera's plug-in (in Debian: libspa-0.2-libcamera). The "
                        + "camera is then listed as a PipeWire camera."))
        case .infrared:
            .init(
                .note, subject, "infrared sensor for face recognition; the color camera is another node",
                cause: .infrared)
        case .metadata:
            .init(
                .note, subject, "metadata node: it describes the frames of another node, and delivers no frames",
                cause: .metadata)
        case .unknownLayouts(let names):
            .init(
                .note, subject, "it offers only unsupported pixel formats: \(names.prefix(4).joined(separator: ", "))",
                cause: .unsupportedFormats,
                remedy: .advice("If it is a raw sensor node (Bayer), it needs libcamera."))
        case .camera, .other: nil
        }
    }

    fileprivate static func failure(
        _ error: ObscuraError, _ subject: String, _ candidate: CameraListing.Candidate, _ files: FileTree
    ) -> Diagnosis.Finding {
        switch error.code {
        case .noSuchDevice where files.status(of: candidate.node.path) == nil:
            .noFile(subject, path: candidate.node.path)
        case .deviceInUse: .init(.note, subject, error.reason, cause: .inUse, remedy: error.remedy)
        case .notAuthorized: .notAuthorized(subject, candidate.access.remedy ?? error.remedy)
        default: .init(.problem, subject, error.reason, cause: .deviceFailed, remedy: error.remedy)
        }
    }
}
