// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension MachineCameraFinder {
    /// The findings about the kernel's nodes and PipeWire.
    var findings: [Diagnosis.Finding] { kernel.findings + pipeWireFindings }

    private var pipeWireFindings: [Diagnosis.Finding] {
        switch PipeWireLibrary.shared {
        case .failure(let error):
            return [.init(.note, error.subject, error.reason, cause: .pipeWireMissing, remedy: error.remedy)]
        case .success(let library):
            do throws(ObscuraError) {
                let objects = try graph.objects()
                let cameras = objects.nodes.filter(\.isCamera)
                let names = cameras.isEmpty ? "no cameras" : cameras.map(\.name).joined(separator: ", ")
                guard objects.hasSessionManager else { return [.noSessionManager] }
                return [.init(.fine, "PipeWire \(library.version)", "runs; it has \(names)", cause: .ready)]
            } catch {
                // A server without a desktop needs none.
                return [.init(.note, error.subject, error.reason, cause: .pipeWireNotRunning, remedy: error.remedy)]
            }
        }
    }
}

extension Diagnosis.Finding {
    fileprivate static let noSessionManager = Diagnosis.Finding(
        .problem, "PipeWire", "it has no session manager, which connects programs with cameras and microphones",
        cause: .sessionManagerMissing, remedy: .advice("Start the user service wireplumber."))
}
