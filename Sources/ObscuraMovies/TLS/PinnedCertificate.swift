// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// A server certificate with the expected fingerprint, in the form that FFmpeg accepts.
///
/// FFmpeg has no option for a fingerprint. It gets the certificate as its only certificate authority, and one of the
/// certificate's own names as the host name to verify. So it accepts only this certificate, or one signed with its key,
/// on every later connection.
final class PinnedCertificate {
    /// FFmpeg's options for each connection; valid during the lifetime of this object.
    let options: [String: String]
    private let file: FileDescriptor

    /// Fetches the server's certificate and compares its fingerprint. Blocks until the control's deadline at most.
    ///
    /// - Throws: ``ObscuraError``: `certificateNotTrusted`, which names the actual fingerprint, if they differ.
    init(
        _ fingerprint: CertificateFingerprint, of host: String, port: Int, subject: String, control: ReadControl
    ) throws(ObscuraError) {
        let found = try ServerCertificate.fetch(from: host, port: port, subject: subject, control: control)
        guard found.fingerprint == fingerprint else {
            throw ObscuraError(
                .movies, .certificateNotTrusted, subject: subject,
                reason: "the fingerprint of the server's certificate is not the trusted one: \(found.fingerprint)",
                advice: "Compare this fingerprint with the one that the camera shows. Trust it only if both are equal; "
                    + "otherwise the connection may be intercepted.")
        }
        guard let name = found.name else {
            throw ObscuraError(
                .movies, .certificateNotTrusted, subject: subject,
                reason: "the server's certificate contains neither a host name nor an IP address, so FFmpeg rejects it",
                advice: "Install a certificate with a host name on the camera.")
        }
        // GnuTLS reads a file. This one is in memory, readable only by this user, and opened by its descriptor.
        let memory = "/obscura-certificate-\(UInt64.random(in: .min ... .max))"
        let path = "/dev/shm\(memory)"
        let descriptor = shm_open(memory, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw ObscuraError(.last, reading: path, domain: .movies) }
        file = FileDescriptor(owning: descriptor)
        shm_unlink(memory)
        do {
            try file.write(found.text)
        } catch {
            throw ObscuraError(error, reading: path, domain: .movies)
        }
        options = ["tls_verify": "1", "verifyhost": name, "ca_file": file.path]
    }
}
