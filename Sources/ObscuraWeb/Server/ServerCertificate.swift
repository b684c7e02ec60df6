// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
package import NIOSSL
package import ObscuraMedia

/// Reads the files of a certificate, and detects problems that browsers would otherwise report.
package enum ServerCertificate {
    /// Creates the TLS settings from a certificate and its private key.
    ///
    /// - Parameters:
    ///   - certificate: path of the certificate in PEM format.
    ///   - keyPath: path of the private key in PEM format.
    package static func context(
        certificate: String, key keyPath: String, now: Date = Date()
    ) throws(ObscuraError) -> NIOSSLContext {
        let chain = try chain(certificate, now: now)
        let key = try key(keyPath)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map(NIOSSLCertificateSource.certificate), privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .certificate(
                keyPath, "this private key does not belong to the certificate in \(certificate)",
                "Give the key for which the certificate was issued.")
        }
    }

    private static func chain(_ path: String, now: Date) throws(ObscuraError) -> [NIOSSLCertificate] {
        let bytes = try contents(path)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), let first = chain.first else {
            throw .certificate(
                path, "it contains no certificate in PEM format",
                "Give a file with a line '-----BEGIN CERTIFICATE-----'.")
        }
        let seconds = Int(now.timeIntervalSince1970)
        guard seconds <= first.notValidAfter else {
            let day = Date(timeIntervalSince1970: TimeInterval(first.notValidAfter)).formatted(.iso8601)
            throw .certificate(path, "it expired at \(day)", "Renew the certificate.")
        }
        guard seconds >= first.notValidBefore else {
            let day = Date(timeIntervalSince1970: TimeInterval(first.notValidBefore)).formatted(.iso8601)
            throw .certificate(path, "it is valid only from \(day) on", "Check the clock of this machine.")
        }
        return chain
    }

    private static func key(_ path: String) throws(ObscuraError) -> NIOSSLPrivateKey {
        let bytes = try contents(path)
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("PRIVATE KEY-----") else {
            throw .certificate(
                path, "it contains no private key in PEM format",
                "Give a file with a line '-----BEGIN PRIVATE KEY-----'.")
        }
        guard !text.contains("ENCRYPTED") else {
            throw .certificate(
                path, "the key is encrypted with a passphrase",
                "Decrypt the key: openssl pkey -in \(path) -out unlocked.pem, in a folder that only you can read.")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw .certificate(path, "its private key is damaged", "Export the key again.")
        }
        return key
    }

    private static func contents(_ path: String) throws(ObscuraError) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            // A certificate chain takes a few kilobytes; a larger file is something else.
            let data = try file.read(upToCount: 1 << 20) ?? Data()
            return Array(data)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw .certificate(
                path, isThere ? "it cannot be read" : "there is no such file",
                isThere ? "Give the user of this server the right to read the file." : "Check the path.")
        }
    }
}

extension ObscuraError {
    fileprivate static func certificate(_ path: String, _ reason: String, _ advice: String) -> ObscuraError {
        ObscuraError(
            .server, .invalidCertificate, subject: path.isEmpty ? "certificate" : path, reason: reason, advice: advice)
    }
}
