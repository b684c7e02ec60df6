// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// The nodes put in words and in order. A pure function of what was seen.
struct SoundListing: Sendable {
    /// One node, and whether it may be used.
    struct Seen: Sendable {
        let node: SoundNode
        let identity: DeviceIdentity
        let access: NodeAccess
        /// Whether there is a file for it in `/dev`.
        let isThere: Bool
    }

    /// The default microphone first: the system's choice, where it has one; then those that this process may use
    /// before those that it may not, devices before loopbacks, and then as the kernel numbers them.
    let microphones: [FoundMicrophone]

    init(_ all: [Seen], hasSystemDefault: Bool, settings: DeviceSettings) {
        let seen = all.filter(\.isThere)
        let counts = Dictionary(grouping: seen, by: \.node.card).mapValues(\.count)
        let names = DeviceName.distinct(
            seen.map { seen in
                settings.cameras[seen.identity.uniqueID]?.name ?? seen.node.name(isOnly: counts[seen.node.card] == 1)
            }, by: seen.map(\.identity.uniqueID))
        let found = zip(seen, names).map { seen, name in seen.microphone(named: name) }
        let ranked = found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        microphones = (hasSystemDefault ? [.systemDefault] : []) + ranked.map(\.element)
    }
}

extension SoundNode {
    /// - Parameter isOnly: whether no other sound comes from its card.
    fileprivate func name(isOnly: Bool) -> String {
        let card = [usb?.productName ?? "", cardName, cardID, systemName].first { !$0.isEmpty } ?? systemName
        return isOnly || deviceName.isEmpty ? card : "\(card), \(deviceName)"
    }
}

extension SoundListing.Seen {
    fileprivate func microphone(named name: String) -> FoundMicrophone {
        FoundMicrophone(
            uniqueID: identity.uniqueID, path: node.path, place: identity.place, lastingName: identity.lastingName,
            name: name, modelID: node.usb?.modelID ?? (node.cardName.isEmpty ? node.cardID : node.cardName),
            deviceType: deviceType, authorization: access.status, accessRemedy: access.remedy)
    }

    private var deviceType: CaptureDevice.DeviceType {
        if node.isVirtual { return .virtual }
        guard let usb = node.usb else { return .camera }
        return usb.isFixed ? .camera : .external
    }
}

extension FoundMicrophone {
    fileprivate var rank: Int {
        (authorization == .authorized ? 0 : 2) + (deviceType == .virtual ? 1 : 0)
    }
}
