// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The discovery of all microphones of this machine: those of the kernel, and those that only PipeWire has, such as
/// those of Bluetooth devices and of programs, and the sound that its sinks play.
struct MachineSoundFinder: DeviceFinder {
    let kernel: SoundFinder
    private let remote: PipeWireRemote

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - kernel: the microphones of the kernel.
    ///   - remote: the way to PipeWire.
    init(kernel: SoundFinder, remote: PipeWireRemote) {
        self.kernel = kernel
        self.remote = remote
    }

    var files: FileTree { kernel.files }
    var eventFilter: DeviceEventFilter { kernel.eventFilter }
    var graphFilter: PipeWireChanges.Filter? {
        PipeWireChanges.Filter(remote: remote) { $0.hasSound }
    }

    /// The microphones, the default one first. Opens no sound card, and connects with PipeWire.
    var devices: [FoundDevice] {
        let own = kernel.devices
        guard let objects = try? PipeWireGraph(remote).objects() else { return own }
        return Self.merged(own, PipeWireMicrophone.all(in: objects))
    }

    func path(named name: String) -> String? { kernel.path(named: name) }

    func path(of device: FoundDevice) -> String? {
        guard let node = device.pipeWireNode else { return kernel.path(of: device) }
        return PipeWireGraph(remote).path(ofNode: node)
    }

    func noteDuplicates() { kernel.noteDuplicates() }

    /// Returns the kernel's microphones, and after them those of PipeWire. A sound card that this process may use is
    /// listed once.
    static func merged(_ kernel: [FoundDevice], _ pipeWire: [PipeWireMicrophone]) -> [FoundDevice] {
        let usable = kernel.filter { $0.authorization == .authorized }
        let others = pipeWire.filter { other in
            guard let card = other.card, other.device.deviceType != .virtual else { return true }
            return !usable.contains { $0.path.hasPrefix("/dev/snd/pcmC\(card)D") }
        }
        var all = kernel + others.map(\.device)
        let names = DeviceName.distinct(all.map(\.name), by: all.map(\.uniqueID))
        for (index, name) in zip(all.indices, names) { all[index].name = name }
        return all
    }
}
