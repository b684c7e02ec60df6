// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import ObscuraBase
internal import ObscuraImaging
internal import ObscuraMedia

/// The file of a trace, and the thread that writes it.
///
/// Live drivers never wait for the disk: records wait in a queue of limited length. If it is full, records are left out, and
/// all later ones say how many.
final class TraceWriter: Sendable {
    /// What was written.
    struct Outcome {
        let byteCount: Int64
        let omittedRecords: Int
        let omittedPictures: Int
        let isCut: Bool
    }

    private struct State {
        var waiting = 0
        var waitingPictures = 0
        var omitted = 0
        var omittedPictures = 0
        var byteCount: Int64 = 0
        var devices = 0
        var isEnded = false
        /// Whether the limit of the size was reached.
        var isCut = false
        var failure: ObscuraError?
    }

    /// `Sendable` is safe because only jobs on the pool's single thread use the file.
    private struct Confined: @unchecked Sendable {
        let file: OutputFile
        let encoder: JSONEncoder
    }

    /// Maximum number of records that wait for the disk.
    private static let mostWaiting = 4096
    /// Maximum number of uncompressed pictures among them.
    private static let mostPictures = 8
    /// The quality of a picture as JPEG.
    private static let quality = 90

    let path: String
    let includesPictures: Bool
    private let limit: Int64
    private let begin = HostTime.now
    private let confined: Confined
    private let pool = WorkerPool(name: "trace", threads: 1)
    private let state = Lock(State())

    /// - Parameter limit: the size in bytes at which the trace ends.
    init(_ path: String, includesPictures: Bool, overwrites: Bool, limit: Int64) throws(ObscuraError) {
        self.path = path
        self.includesPictures = includesPictures
        self.limit = limit
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        confined = Confined(file: try OutputFile.create(path, overwrites: overwrites), encoder: encoder)
        var head = TraceRecord(.trace)
        (head.version, head.program, head.date) = (TraceReader.version, ObscuraBuild.program, WallTime.now.iso8601)
        note(head)
    }

    var byteCount: Int64 { state.withLock { $0.byteCount } }

    /// Returns the number of a device that the session opens.
    func open(_ device: CaptureDevice) -> Int {
        let number = state.withLock { state in
            defer { state.devices += 1 }
            return state.devices
        }
        var record = TraceRecord(.open, at: nanoseconds(.now), device: number)
        // The id of a network camera is its address.
        record.info = TraceRecord.Device(
            uniqueID: AddressMask.masked(device.uniqueID), name: device.localizedName, model: device.modelID,
            manufacturer: device.manufacturer, isLive: device.driver.isLive)
        note(record)
        return number
    }

    /// The time since the beginning of the trace, in nanoseconds.
    func nanoseconds(_ time: HostTime) -> Int64 { (time - begin).wholeNanoseconds }

    /// Appends a record.
    ///
    /// - Parameters:
    ///   - picture: an uncompressed picture, which this writer holds until it is compressed.
    ///   - waits: whether to wait for room in the queue, for a source that can wait. Otherwise this never blocks.
    func note(_ record: TraceRecord, picture: PixelBuffer? = nil, waits: Bool = false) {
        if waits { waitForRoom(picture: picture != nil) }
        let taken = state.withLock { state -> (picture: PixelBuffer?, omitted: Int)? in
            guard !state.isEnded, state.failure == nil else { return nil }
            guard state.waiting < Self.mostWaiting else {
                state.omitted += 1
                return nil
            }
            state.waiting += 1
            let hasRoom = state.waitingPictures < Self.mostPictures
            if picture != nil {
                if hasRoom { state.waitingPictures += 1 } else { state.omittedPictures += 1 }
            }
            return (hasRoom ? picture : nil, state.omitted)
        }
        guard let taken else { return }
        pool.async { [self, confined] in
            do throws(ObscuraError) {
                var record = record
                if let picture = taken.picture { record.frame?.data = Self.jpeg(picture) }
                if taken.omitted > 0 { record.omitted = taken.omitted }
                try write(record, confined)
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
            state.withLockSignalling { state in
                state.waiting -= 1
                if taken.picture != nil { state.waitingPictures -= 1 }
            }
        }
    }

    /// Ends the trace, and waits until everything is written.
    func end() throws(ObscuraError) -> Outcome {
        state.withLockSignalling { $0.isEnded = true }
        let outcome = state.wait { state -> Result<Outcome, ObscuraError>? in
            guard state.waiting == 0 else { return nil }
            if let failure = state.failure { return .failure(failure) }
            return .success(
                Outcome(
                    byteCount: state.byteCount, omittedRecords: state.omitted, omittedPictures: state.omittedPictures,
                    isCut: state.isCut))
        }
        return try (outcome ?? .failure(.cancelled(.capture, path))).get()
    }

    private func waitForRoom(picture: Bool) {
        _ = state.wait { state -> Bool? in
            let hasRoom =
                state.waiting < Self.mostWaiting && (!picture || state.waitingPictures < Self.mostPictures)
            return hasRoom || state.isEnded || state.failure != nil ? true : nil
        }
    }

    // MARK: The thread

    private func write(_ record: TraceRecord, _ confined: Confined) throws(ObscuraError) {
        guard state.withLock({ $0.failure == nil && !$0.isCut }) else { return }
        let line: Data
        do {
            line = try confined.encoder.encode(record)
        } catch {
            throw ObscuraError(wrapping: error, as: .capture, .encodingFailed, subject: path)
        }
        let count = state.withLock { $0.byteCount } + Int64(line.count) + 1
        guard count <= limit else {
            state.withLock { ($0.isEnded, $0.isCut) = (true, true) }
            return
        }
        try confined.file.write(Array(line) + [UInt8(ascii: "\n")])
        state.withLock { $0.byteCount = count }
    }

    /// The picture as JPEG; nil for one that cannot be converted.
    private static func jpeg(_ picture: PixelBuffer) -> Data? {
        (try? Still(picture).encoded(as: .jpeg(quality: quality))).map { Data($0) }
    }
}
