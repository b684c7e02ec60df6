// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The trace of what the devices of a command deliver.
struct TraceOptions: ParsableArguments {
    @Option(
        name: .customLong("trace"),
        help: ArgumentHelp(
            "Write a trace of the source to this file, such as bug.trace, for a bug report.",
            discussion: """
                The trace contains the times of frames and sound, and the gaps and errors of the source. To replay a \
                trace: obscura record replay:bug.trace
                """, valueName: "file"))
    private(set) var file: String?

    @Flag(
        name: .customLong("trace-pictures"),
        help: ArgumentHelp(
            "Also store the images of the frames in the file of --trace.",
            discussion: "Without the images, a replay shows the test pattern."))
    private(set) var includesPictures = false

    func validate() throws {
        if includesPictures, file == nil { throw ValidationError("--trace-pictures needs --trace.") }
        if file == "-" { throw ValidationError("--trace needs the name of a file.") }
    }

    /// Runs `body` while the session is traced, if that is requested, and completes the file.
    ///
    /// - Parameter begin: begins a trace, as ``CaptureSession/trace(to:options:)`` does.
    nonisolated(nonsending) func trace<R>(
        overwrites: Bool, isQuiet: Bool,
        with begin: (String, SessionTrace.Options) throws -> SessionTrace,
        while body: () async throws -> R
    ) async throws -> R {
        guard let file else { return try await body() }
        var options = SessionTrace.Options()
        (options.includesPictures, options.overwrites) = (includesPictures, overwrites)
        let trace = try begin(file, options)
        let result: R
        do {
            result = try await body()
        } catch {
            await Self.finish(trace, isQuiet: isQuiet)
            throw error
        }
        await Self.finish(trace, isQuiet: isQuiet)
        return result
    }

    /// A trace that is incomplete is told, and is no failure of the command.
    nonisolated(nonsending) private static func finish(_ trace: SessionTrace, isQuiet: Bool) async {
        do throws(ObscuraError) {
            let report = try await trace.finish()
            if report.omittedRecords + report.omittedPictures > 0 {
                Terminal.complain(
                    "the trace lacks \(report.omittedRecords) records and \(report.omittedPictures) images, because the "
                        + "machine was too slow.")
            }
            if report.isCut { Terminal.complain("the trace is incomplete: it reached its maximum size.") }
            if !isQuiet { Terminal.note("Trace: \(report.path), \(NumberText.bytes(report.byteCount))\n") }
        } catch {
            Terminal.complain(error)
        }
    }
}
