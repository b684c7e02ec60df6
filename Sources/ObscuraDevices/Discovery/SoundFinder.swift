// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// Finds the microphones of this machine.
package struct SoundFinder: DeviceFinder {
    package let files: FileTree
    private let probe: any SoundProbe
    private let settings: DeviceSettingsFile?
    private let twins = DuplicateDevices()

    /// - Parameters:
    ///   - root: the folder that stands for `/`.
    ///   - probe: asks libasound.
    ///   - settings: what the user has said; nil for a user without a home.
    package init(root: String = "/", probe: any SoundProbe, settings: DeviceSettingsFile? = .standard) {
        files = FileTree(root: root)
        self.probe = probe
        self.settings = settings
    }

    /// The microphones at this moment, the default one first. Opens no card.
    package var microphones: [FoundMicrophone] {
        SoundListing(
            seen, hasSystemDefault: probe.hasSystemDefault,
            settings: settings?.readForDiscovery() ?? DeviceSettings()
        ).microphones
    }

    package var found: [FoundMicrophone] { microphones }

    package var signs: ChangeSigns {
        ChangeSigns(subsystem: "sound", folders: ["/dev", "/dev/snd"], names: ["snd", "pcmC", "controlC"])
    }

    /// The microphone that answers to a name: its unique id, `default`, its node or its card's (`/dev/snd/pcmC0D0c`,
    /// `/dev/snd/controlC0`) or a link to one, a name that udev gives in `/dev/snd/by-id` or `/dev/snd/by-path`, or
    /// what libasound calls it (`hw:0,0`, `hw:CARD=PCH,DEV=0`, `plughw:PCH`).
    package func microphone(named name: String) -> FoundMicrophone? {
        let microphones = microphones
        if let microphone = microphones.first(where: { $0.uniqueID == name }) { return microphone }
        guard let path = path(named: name) else { return nil }
        return microphones.first { $0.path == path }
    }

    private func path(named name: String) -> String? {
        let (nodes, identities) = look()
        if let index = identities.firstIndex(where: { $0.names.contains(name) }) { return nodes[index].path }
        if let card = SoundCardName(name) { return nodes.first(where: card.isName(of:))?.path }
        guard name.hasPrefix("/") || !name.contains("/") else { return nil }
        let links = name.hasPrefix("/") ? [name] : ["by-id", "by-path"].map { "/dev/snd/\($0)/\(name)" }
        for link in links {
            guard let target = files.resolved(link) else { continue }
            if let node = nodes.first(where: { target == files.resolved($0.path) }) { return node.path }
            if let node = nodes.first(where: { target == "/dev/snd/controlC\($0.card)" }) { return node.path }
        }
        return nil
    }

    /// The node that a microphone has now; nil while it is away. Cheap: asks sysfs alone. That of the system's
    /// default is its name, always.
    package func path(of microphone: FoundMicrophone) -> String? {
        if microphone.isSystemDefault { return microphone.path }
        let (nodes, identities) = look()
        let index = twins.index(ofLastingName: microphone.lastingName, place: microphone.place, in: identities)
        return index.map { nodes[$0].path }
    }

    package func noteTwins() {
        _ = look()
    }

    private func look() -> (nodes: [SoundNode], identities: [DeviceIdentity]) {
        let nodes = SoundNode.all(in: files)
        let identities = DeviceIdentity.identities(of: nodes)
        twins.note(identities)
        return (nodes, identities)
    }

    /// Every node, and whether it may be used.
    var seen: [SoundListing.Seen] {
        let (nodes, identities) = look()
        return zip(nodes, identities).map { node, identity in
            SoundListing.Seen(
                node: node, identity: identity, access: NodeAccess(path: node.path, in: files),
                isThere: files.status(of: node.path) != nil)
        }
    }
}
