// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The discovery of the microphones of this machine.
struct SoundFinder: DeviceFinder {
    private let scanner: NodeScanner<SoundNode>
    private let probe: any SoundProbe
    private let settings: DeviceSettingsFile?

    let eventFilter = DeviceEventFilter(
        subsystem: "sound", folders: ["/dev", "/dev/snd"], prefixes: ["snd", "pcmC", "controlC"])

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - root: the root folder instead of `/`.
    ///   - probe: queries libasound.
    ///   - settings: the user's settings; nil for a user without a home folder.
    init(root: String = "/", probe: any SoundProbe, settings: DeviceSettingsFile? = .standard) {
        scanner = NodeScanner(files: FileTree(root: root), linkFolder: "/dev/snd")
        self.probe = probe
        self.settings = settings
    }

    var files: FileTree { scanner.files }

    /// The connected microphones, the default one first. Opens no sound card.
    var devices: [FoundDevice] {
        SoundListing(
            candidates, hasSystemDefault: probe.hasSystemDefault,
            settings: settings?.readForDiscovery() ?? DeviceSettings()
        ).microphones
    }

    func path(named name: String) -> String? {
        guard let card = SoundCardName(name) else { return scanner.path(named: name) }
        return scanner.scan().nodes.first(where: card.isName(of:))?.path
    }

    func path(of device: FoundDevice) -> String? {
        device.isSystemDefault ? device.path : scanner.path(of: device)
    }

    func noteDuplicates() { _ = scanner.scan() }

    /// All nodes with this process's permission to use them.
    var candidates: [SoundListing.Candidate] {
        let (nodes, identities) = scanner.scan()
        return zip(nodes, identities).map { node, identity in
            SoundListing.Candidate(
                node: node, identity: identity, access: NodeAccess(path: node.path, in: files),
                hasFile: files.status(of: node.path) != nil)
        }
    }
}
