// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import NIOCore
internal import ObscuraBase
package import ObscuraMedia

extension ObscuraError {
    package static let tooFewDescriptors = ObscuraError(
        .server, .cannotListen, subject: "this process",
        reason: "it may have too few files open for even one connection",
        remedy: .raiseLimit(.openFiles))

    /// Converts an error of the system about an address. Returns nil for an error that does not concern one.
    package init?(listening error: any Error, at host: String, port: Int) {
        let place = "\(host), port \(port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            self.init(
                .server, .cannotListen, subject: place, reason: "the port is taken",
                remedy: .choosePort)
        case EACCES?:
            self.init(
                .server, .cannotListen, subject: place, reason: "this user may not listen on that port",
                remedy: .choosePort)
        case EADDRNOTAVAIL?:
            self.init(
                .server, .cannotListen, subject: place, reason: "the address is none of this machine",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        case let code?:
            self.init(
                .server, .cannotListen, subject: place,
                reason: "it cannot be listened on: \(SystemError(code).reason)")
        case nil:
            guard error is SocketAddressError || error is SocketAddressError.UnknownHost else { return nil }
            self.init(
                .server, .cannotListen, subject: place, reason: "no machine of that name is known",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        }
    }
}
