// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// One run of `obscura listen`.
struct Listening {
    let source: String
    let trust: ServerTrust
    /// The time limit, by the times of the sound; nil runs until the end.
    let duration: Duration?
    let isJSON: Bool

    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run() async throws {
        let device = try CaptureDevice.named(source, reading: MovieReadingOptions(trust: trust))
        guard device.mediaTypes.contains(.audio) else { throw ObscuraError.noSound(source) }
        let output = AudioDataOutput(format: nil)
        let session = CaptureSession()
        let input = try CaptureDeviceInput(device: device)
        try await session.configure { configuration in
            try configuration.addInput(input)
            try configuration.addOutput(output)
        }
        let buffers = output.buffers.makeAsyncIterator()
        let interruption = Interruption { Task { await session.stop() } }
        do {
            try await session.start()
        } catch {
            if let code = await interruption.exitCode() { throw ExitCode(code) }
            throw error
        }
        let result: Result<LevelReport, ObscuraError>
        do throws(ObscuraError) {
            result = .success(try await read(buffers))
        } catch {
            result = .failure(error)
        }
        await session.stop()
        let code = await interruption.exitCode()
        var report = try result.get()
        report.lost = session.ledger.inputs.reduce(0) { $0 + $1.audio.lost }
        if Terminal.isErrorShown, !isJSON { Terminal.redraw() }
        if report.duration == .zero, code == nil { throw ObscuraError.noSound(source) }
        if !isJSON { Terminal.note(report.text + "\n") }
        if let code { throw ExitCode(code) }
    }

    private func read(_ iterator: AudioDataOutput.Buffers.Iterator) async throws(ObscuraError) -> LevelReport {
        var buffers = iterator
        var report = LevelReport()
        var meter: AudioLevelMeter?
        let isTerminal = Terminal.isErrorShown && !isJSON
        while let sound = try await buffers.next() {
            if meter?.measures(sound.format) != true {
                meter = AudioLevelMeter(
                    channelCount: sound.format.channelCount, sampleRate: sound.format.sampleRate,
                    readingsPerSecond: isTerminal ? 10 : 1)
            }
            report.add(sound)
            // Without a reader of the lines there is nothing left to do.
            if let levels = meter?.add(sound), !show(levels, at: report.duration, isTerminal) { break }
            if let duration, report.duration.duration >= duration { break }
        }
        return report
    }

    /// Returns false if standard output cannot be written any more.
    private func show(_ levels: [AudioLevel], at time: MediaTime, _ isTerminal: Bool) -> Bool {
        let line = LevelLine(time: time, levels: levels)
        if isJSON {
            // Encoding cannot fail: levels are finite numbers.
            guard let text = try? JSONText.makeLine(line) else { return true }
            return Terminal.write(text + "\n")
        } else if isTerminal {
            Terminal.redraw(line.bars(width: Terminal.width))
        } else {
            Terminal.note(line.text + "\n")
        }
        return true
    }
}
