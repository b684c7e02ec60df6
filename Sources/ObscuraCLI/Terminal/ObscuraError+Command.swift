// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

extension ObscuraError.Domain {
    /// The command-line tool itself.
    static let command = Self("command")
}

extension ObscuraError.Code {
    static let noFrames = Self("noFrames")
    static let noSound = Self("noSound")
    static let recordingEnded = Self("recordingEnded")
}

extension ProcessNeeds {
    /// - Throws: ``ObscuraError`` if this process lacks a resource that a server or a broadcast needs.
    static func checkForServer() throws(ObscuraError) {
        if let lack = lack(isServer: true) { throw .missing(lack) }
    }
}

extension ObscuraError {
    /// The error if the process lacks a resource that it needs to start.
    static func missing(_ lack: ProcessNeeds.Lack) -> ObscuraError {
        let (reason, limit): (String, Remedy.Limit) =
            switch lack {
            case .addressSpace(let megabytes):
                ("its address space is limited to less than \(megabytes) MiB", .addressSpace)
            case .openFiles(let count): ("it cannot open \(count) files", .openFiles)
            case .threads(let count): ("it cannot start \(count) threads", .threads)
            }
        return ObscuraError(
            .command, .invalidState, subject: "this process", reason: reason, remedy: .raiseLimit(limit))
    }

    /// The error of a run that succeeded without frames.
    static func noFrames(_ source: String, after start: MediaTime?) -> ObscuraError {
        ObscuraError(
            .command, .noFrames, subject: source,
            reason: start == nil ? "it has no frames" : "it has no frames after --start",
            advice: start == nil ? nil : "Give an earlier --start.")
    }

    static func noSound(_ source: String) -> ObscuraError {
        ObscuraError(
            .command, .noSound, subject: source, reason: "it has no audio",
            advice: "List the microphones with: obscura devices.")
    }

    /// The error of a recording that ended before it was stopped, with a file that plays.
    static func recordingEnded(
        _ path: String, _ reason: RecordingResult.Reason, minimumFree: Int64
    ) -> ObscuraError {
        let words =
            switch reason {
            case .diskFull:
                "the recording ended, because less than \(NumberText.bytes(minimumFree)) of disk space is free "
                    + "(--min-free)"
            case .cameraGone: "the recording ended, because the camera was disconnected"
            case .microphoneGone: "the recording ended, because the microphone was disconnected"
            default: "the recording ended: \(reason.rawValue)"
            }
        return ObscuraError(
            .command, .recordingEnded, subject: path, reason: words,
            advice: "The file contains everything recorded until then.")
    }
}
