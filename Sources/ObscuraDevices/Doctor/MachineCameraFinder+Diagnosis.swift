// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension MachineCameraFinder {
    /// The findings about the kernel's nodes and PipeWire.
    var findings: [Diagnosis.Finding] { kernel.findings + pipeWireFindings + portalFindings }

    private var pipeWireFindings: [Diagnosis.Finding] {
        switch PipeWireLibrary.shared {
        case .failure(let error):
            return [.init(.note, error.subject, error.reason, cause: .pipeWireMissing, remedy: error.remedy)]
        case .success(let library):
            // Without the permission there is no connection, and the portal's findings give the reason.
            if remote.isPortal(), !remote.isAvailable() { return [] }
            do throws(ObscuraError) {
                let objects = try graph.objects()
                let cameras = objects.nodes.filter(\.isCamera)
                let names = cameras.isEmpty ? "no cameras" : cameras.map(\.name).joined(separator: ", ")
                // A connection of the portal does not show the session manager.
                guard remote.isPortal() || objects.hasSessionManager else { return [.noSessionManager] }
                return [.init(.fine, "PipeWire \(library.version)", "runs; it has \(names)", cause: .ready)]
            } catch {
                // A server without a desktop needs none.
                return [.init(.note, error.subject, error.reason, cause: .pipeWireNotRunning, remedy: error.remedy)]
            }
        }
    }

    /// The findings about the permission that the desktop portal keeps. A program outside a sandbox does not need it.
    private var portalFindings: [Diagnosis.Finding] {
        guard CameraPortal.isUsed else { return [] }
        let access = CameraPortal.shared.access
        guard let reason = access.reason else {
            return [.init(.fine, "desktop portal", "access to cameras is granted", cause: .ready)]
        }
        let level = reason == .notAsked ? Diagnosis.Finding.Level.note : .problem
        return [.init(level, "desktop portal", reason.sentence, cause: .cameraPermission, remedy: access.remedy)]
    }
}

extension Diagnosis.Finding {
    fileprivate static let noSessionManager = Diagnosis.Finding(
        .problem, "PipeWire", "no session manager runs, so programs are not connected with cameras and microphones",
        cause: .sessionManagerMissing, remedy: .advice("Start the user service wireplumber."))
}
