// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension Diagnosis.Finding {
    /// Returns the finding for a machine without devices of a kind.
    static func none(_ kind: String, builtIn: String, path: String) -> Diagnosis.Finding {
        .init(
            .note, kind, "this machine has none except the built-in test \(builtIn)", cause: .noDevices,
            remedy: .addDeviceToContainer(path))
    }

    /// Returns the finding for a node without a file in `/dev`, as in a container.
    static func noFile(_ subject: String, path: String) -> Diagnosis.Finding {
        .init(
            .problem, subject, "the kernel reports it, but its device file does not exist", cause: .noDeviceFile,
            remedy: .addDeviceToContainer(path))
    }

    /// Returns the finding for a node that this process may not open.
    static func notAuthorized(_ subject: String, _ remedy: Remedy?) -> Diagnosis.Finding {
        .init(.problem, subject, "this process has no permission to use it", cause: .notAuthorized, remedy: remedy)
    }
}
