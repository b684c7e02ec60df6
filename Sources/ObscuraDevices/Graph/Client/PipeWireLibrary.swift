// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import ObscuraCapture
internal import ObscuraMedia

/// The functions of libpipewire, which is loaded on first use.
///
/// `Sendable`: the functions are constant; each belongs to a client or a memory, whose owner orders the calls.
struct PipeWireLibrary: @unchecked Sendable {  // a constant table of functions
    let functions: OPWFunctions

    /// The library, or why it cannot be used.
    static let shared: Result<PipeWireLibrary, ObscuraError> = {
        var reason: UnsafePointer<CChar>?
        guard let functions = OPWLoad(&reason) else {
            let reason = reason.map { String(cString: $0) } ?? "it cannot be used"
            #if PipeWire
            let remedy = Remedy.installPackages(["libpipewire-0.3-0"])
            #else
            let remedy = Remedy.advice("Build the program with Obscura's trait PipeWire.")
            #endif
            return .failure(
                ObscuraError(.capture, .libraryMissing, subject: "PipeWire", reason: reason, remedy: remedy))
        }
        return .success(PipeWireLibrary(functions: functions.pointee))
    }()

    /// The version of the library, such as `1.4.2`.
    var version: String { String(cString: functions.version()) }
}
