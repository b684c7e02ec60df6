// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import NIOCore

extension StudioError {
    static let tooFewDescriptors = StudioError(
        .cannotListen, subject: "this process", reason: "it may have too few files open for even one connection",
        advice: "Allow more, as with: ulimit -n 4096.")

    /// What the system said of an address, in words. Nil for what has nothing to do with one.
    ///
    /// - Parameter option: with what the command line names the port.
    init?(listening error: any Error, at host: String, port: Int, option: String) {
        let place = "\(host), port \(port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            self.init(
                .cannotListen, subject: place, reason: "the port is taken",
                advice: "Give another one with \(option), or 0 for any that is free.")
        case EACCES?:
            self.init(
                .cannotListen, subject: place, reason: "this user may not listen on that port",
                advice: "Give a port from 1024 on with \(option).")
        case EADDRNOTAVAIL?:
            self.init(
                .cannotListen, subject: place, reason: "the address is none of this machine",
                advice: "'ip address' lists those that it has.")
        case let code?:
            self.init(.cannotListen, subject: place, reason: "the system refused it (error \(code))")
        case nil:
            guard error is SocketAddressError || error is SocketAddressError.UnknownHost else { return nil }
            self.init(
                .cannotListen, subject: place, reason: "no machine of that name is known",
                advice: "Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.")
        }
    }
}
