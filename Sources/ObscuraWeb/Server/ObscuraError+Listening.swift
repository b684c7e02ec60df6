// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import NIOCore
internal import ObscuraBase
package import ObscuraMedia

extension ObscuraError {
    package static let tooFewDescriptors = ObscuraError(
        .server, .cannotListen, subject: "this process",
        reason: "its limit of open files is too low for a connection",
        remedy: .raiseLimit(.openFiles))

    /// Converts an error of the system about an address. Returns nil for an error that does not concern one.
    package init?(listening error: any Error, at host: String, port: Int) {
        let place = "\(host), port \(port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            self.init(
                .server, .cannotListen, subject: place, reason: "the port is in use",
                remedy: .choosePort)
        case EACCES?:
            self.init(
                .server, .cannotListen, subject: place, reason: "this user has no permission to listen on the port",
                remedy: .choosePort)
        case EADDRNOTAVAIL?:
            self.init(
                .server, .cannotListen, subject: place, reason: "the address is not available on this host",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        case let code?:
            self.init(
                .server, .cannotListen, subject: place,
                reason: "cannot listen: \(SystemError(code).reason)")
        case nil:
            guard error is SocketAddressError || error is SocketAddressError.UnknownHost else { return nil }
            self.init(
                .server, .cannotListen, subject: place, reason: "the host name cannot be resolved",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        }
    }
}
