// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// A connection with a daemon. For the thread that creates it.
final class PipeWireClient {
    let functions: OPWFunctions
    let client: OpaquePointer
    /// Readable when there is something for ``iterate()`` to do.
    let descriptor: Int32
    /// The time until which a daemon may show its first object late.
    private let lateness: HostTime

    /// Connects with the daemon.
    ///
    /// - Throws: ``ObscuraError/Code/deviceDisconnected`` if there is none, `libraryMissing` without the library.
    init(_ remote: PipeWireRemote) throws(ObscuraError) {
        functions = try PipeWireLibrary.shared.get().functions
        let descriptor = try remote.open()
        var status: Int32 = 0
        guard let client = functions.makeClient(descriptor, "Obscura", &status) else { throw .noDaemon(-status) }
        self.client = client
        self.descriptor = functions.clientDescriptor(client)
        lateness = .now + (remote.isPortal() ? Self.latenessLimit : .zero)
    }

    private static let latenessLimit = Duration.milliseconds(500)

    deinit {
        functions.freeClient(client)
    }

    /// Handles what has arrived, without waiting.
    ///
    /// - Throws: ``ObscuraError/Code/deviceDisconnected`` once the daemon has ended.
    func iterate() throws(ObscuraError) {
        let status = functions.iterate(client)
        guard status == 0 else { throw .noDaemon(-status) }
    }

    /// The number of objects that the daemon has removed so far.
    var removalCount: UInt32 { functions.removalCount(client) }

    /// Whether the daemon still has a node, which was in a list of this client.
    func has(_ node: PipeWireObject) -> Bool {
        visited().nodes.contains { $0.id == node.id && $0.serial == node.serial }
    }

    /// The objects; nil while the list is incomplete.
    var listedObjects: PipeWireObjects? { functions.isComplete(client) ? visited() : nil }

    /// Waits until all objects are known, and returns them.
    ///
    /// - Parameter stop: ends the wait; nil for a wait that only the deadline ends.
    /// - Throws: ``ObscuraError/Code/timedOut`` if the daemon does not respond, `cancelled` after `stop`.
    func objects(until deadline: HostTime, unless stop: EventFD?) throws(ObscuraError) -> PipeWireObjects {
        let stop = if let stop { stop } else { try EventFD("PipeWire") }
        while true {
            let isComplete = functions.isComplete(client)
            if isComplete, HostTime.now >= lateness || !visited().nodes.isEmpty { return visited() }
            switch stop.wait(with: descriptor, until: isComplete ? min(deadline, lateness) : deadline) {
            case .signaled: throw .cancelled(.capture, "PipeWire")
            case .timedOut:
                guard isComplete else { throw .daemonIsSilent }
                return visited()
            case .ready, .event, .failed: try iterate()
            }
        }
    }

    /// The known objects.
    private func visited() -> PipeWireObjects {
        var objects = PipeWireObjects()
        objects.hasSessionManager = functions.hasSessionManager(client)
        withUnsafeMutablePointer(to: &objects) { pointer in
            functions.visit(client, pointer, visitObject, visitOffer)
        }
        return objects
    }
}

/// Adds an object to the ``PipeWireObjects`` at `context`.
private func visitObject(context: UnsafeMutableRawPointer, object: UnsafePointer<OPWObject>) {
    let seen = object.pointee
    var properties: [String: String] = [:]
    for index in 0..<Int(seen.propertyCount) {
        properties[String(cString: seen.keys[index])] = String(cString: seen.values[index])
    }
    context.assumingMemoryBound(to: PipeWireObjects.self).pointee
        .add(PipeWireObject(id: seen.id, properties: properties), isDevice: seen.isDevice)
}

/// Adds an offer of a node to the ``PipeWireObjects`` at `context`.
private func visitOffer(context: UnsafeMutableRawPointer, node: UInt32, offer: UnsafePointer<OPWOffer>) {
    let seen = offer.pointee
    let fractions = UnsafeBufferPointer(start: seen.rates, count: Int(seen.rateCount))
    let rates = fractions.map { FrameInterval(numerator: $0.denominator, denominator: $0.numerator) }
    context.assumingMemoryBound(to: PipeWireObjects.self).pointee.add(
        PipeWireOffer(
            subtype: seen.subtype, format: seen.format,
            smallest: PixelSize(width: Int(seen.minWidth), height: Int(seen.minHeight)),
            largest: PixelSize(width: Int(seen.maxWidth), height: Int(seen.maxHeight)),
            step: PixelSize(width: Int(seen.stepWidth), height: Int(seen.stepHeight)), intervals: rates,
            hasRateRange: seen.ratesAreRange, needsModifier: seen.needsModifier),
        node: node)
}

extension ObscuraError {
    /// No daemon can be reached, or it has ended.
    static let noDaemon = noDaemon(ENOENT)

    fileprivate static func noDaemon(_ status: Int32) -> ObscuraError {
        ObscuraError(
            .capture, .deviceDisconnected, subject: "PipeWire", reason: "its daemon is not running",
            advice: "Start the user services pipewire and wireplumber.", errno: status)
    }

    fileprivate static let daemonIsSilent = ObscuraError(
        .capture, .timedOut, subject: "PipeWire", reason: "its daemon does not respond",
        advice: "Restart the user services pipewire and wireplumber.")
}
