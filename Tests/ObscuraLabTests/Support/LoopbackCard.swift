// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraMedia
import TestSupport

/// The sound card of the guest, snd-aloop: what is played on its device 0 is heard on its device 1.
enum LoopbackCard {
    /// The microphone, by the names of the kernel and of libasound.
    static let node = "/dev/snd/pcmC0D1c"
    static let name = "hw:Loopback,1"

    private static let device = "snd_aloop.0"
    private static let driver = "/sys/bus/platform/drivers/snd_aloop"

    /// Pulls the plug. The kernel waits until nobody has the card open any more, so this is done by another process.
    static func unplug() throws -> BackgroundTool {
        try BackgroundTool("sh", ["-c", "echo \(device) >\(driver)/unbind"])
    }

    /// Plugs it in again; does nothing if it is.
    static func plug() throws {
        guard !isThere else { return }
        try Lab.run("sh", "-c", "echo \(device) >\(driver)/bind")
    }

    static var isThere: Bool { FileManager.default.fileExists(atPath: "\(driver)/\(device)") }

    /// Makes the crystal of the card too quick by so many parts in a million: what is played on it and what is heard.
    static func setDrift(_ millionths: Int) throws {
        // Counted in parts of 100,000, by which each second is longer.
        let value = 100_000 - millionths / 10
        try Lab.run("amixer", "-c", "Loopback", "cset", "iface=PCM,name='PCM Rate Shift 100000',device=1", "\(value)")
    }

    /// How many frames of what is played on it the card has taken since it began; nil where nothing is played.
    static func playedFrames() throws -> Int? {
        let status = try String(contentsOfFile: "/proc/asound/Loopback/pcm0p/sub0/status", encoding: .utf8)
        guard status.hasPrefix("state: RUNNING") else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("hw_ptr") }
        return line?.split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// Plays a tone of -6 dBFS in another process, for a minute if nobody ends it.
    ///
    /// - Parameter runsAhead: whether it gives the card two seconds ahead, which last while others need both of the
    ///   guest's processors.
    static func play(
        _ tone: Tone, _ card: String = "hw:Loopback,0", runsAhead: Bool = false
    ) async throws -> BackgroundTool {
        let file = FileManager.default.temporaryDirectory.appending(path: "tone-\(UUID().uuidString).wav").path
        try tone.write(to: file)
        let player = try BackgroundTool("aplay", ["-D", card] + (runsAhead ? ["--buffer-time=2000000"] : []) + [file])
        // It says what it plays when it begins.
        let hasBegun = try await becomes {
            guard player.isRunning else { throw Tool.Failure(description: "aplay ended: \(player.words)") }
            return player.words.contains("Playing")
        }
        guard hasBegun else { throw Tool.Failure(description: "aplay does not play: \(player.words)") }
        return player
    }
}

/// A tone of -6 dBFS, as a file.
struct Tone {
    var frequency = 440.0
    var sampleRate = 8000
    var channelCount = 1
    var type = AudioFormat.SampleType.int16
    var seconds = 60
    /// How much of each second there is a tone, from its beginning; the rest is silent.
    var length = 1.0
    /// -6 dBFS: 10 to the power of -6/20.
    static let amplitude = 0.501_187

    /// Writes it as WAVE (Microsoft's `WAVEFORMATEX`: 1 for whole numbers, 3 for floating point).
    func write(to path: String) throws {
        let frameBytes = type.byteCount * channelCount
        let count = sampleRate * seconds
        var bytes: [UInt8] = Array("RIFF".utf8)
        func number<N: FixedWidthInteger>(_ value: N) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        number(UInt32(36 + count * frameBytes))
        bytes += Array("WAVEfmt ".utf8)
        number(UInt32(16))
        number(UInt16(type == .float32 ? 3 : 1))
        number(UInt16(channelCount))
        number(UInt32(sampleRate))
        number(UInt32(sampleRate * frameBytes))
        number(UInt16(frameBytes))
        number(UInt16(type.byteCount * 8))
        bytes += Array("data".utf8)
        number(UInt32(count * frameBytes))
        // The guest's arithmetic is slow: one second is computed, and repeated.
        let start = bytes.count
        for index in 0..<sampleRate {
            let isSilent = Double(index) >= length * Double(sampleRate)
            let amplitude = isSilent ? 0 : Self.amplitude
            let value = amplitude * sin(2 * Double.pi * frequency * Double(index) / Double(sampleRate))
            for _ in 0..<channelCount {
                switch type {
                case .int16: number(Int16((value * 32_767).rounded()))
                case .int32: number(Int32((value * 2_147_483_647).rounded()))
                case .float32: number(Float(value).bitPattern)
                }
            }
        }
        let second = bytes[start...]
        guard let file = fopen(path, "w") else { throw Tool.Failure(description: "\(path) cannot be written") }
        defer { fclose(file) }
        fwrite(bytes, 1, bytes.count, file)
        for _ in 1..<seconds { _ = second.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } }
    }
}
