// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The microphones among the scanned nodes, with names and in order, as a pure value.
struct SoundListing: Sendable {
    /// A node with this process's permission to use it.
    struct Candidate: Sendable {
        let node: SoundNode
        let identity: DeviceIdentity
        let access: NodeAccess
        /// Whether its file in `/dev` exists.
        let hasFile: Bool
    }

    /// The microphones, the default one first: the system default if there is one, then permitted microphones before
    /// others, and hardware before virtual devices; otherwise in the order of the kernel's numbers.
    let microphones: [FoundDevice]

    init(_ candidates: [Candidate], hasSystemDefault: Bool, settings: DeviceSettings) {
        let found = candidates.filter(\.hasFile)
        let counts = Dictionary(grouping: found, by: \.node.card).mapValues(\.count)
        let names = DeviceName.distinct(
            found.map { candidate in
                settings.cameras[candidate.identity.uniqueID]?.name
                    ?? candidate.node.name(isOnly: counts[candidate.node.card] == 1)
            },
            by: found.map(\.identity.uniqueID))
        let microphones = zip(found, names).map { $0.microphone(named: $1) }
        self.microphones = (hasSystemDefault ? [.systemDefault] : []) + microphones.ranked
    }
}

extension SoundNode {
    /// Returns the display name.
    ///
    /// - Parameter isOnly: whether it is the only capture device of its card.
    fileprivate func name(isOnly: Bool) -> String {
        let card = [usb?.productName ?? "", cardName, cardID, systemName].first { !$0.isEmpty } ?? systemName
        return isOnly || deviceName.isEmpty ? card : "\(card), \(deviceName)"
    }
}

extension SoundListing.Candidate {
    fileprivate func microphone(named name: String) -> FoundDevice {
        FoundDevice(
            uniqueID: identity.uniqueID, path: node.path, place: identity.place, lastingName: identity.lastingName,
            name: name, modelID: node.usb?.modelID ?? (node.cardName.isEmpty ? node.cardID : node.cardName),
            deviceType: node.deviceType, authorization: access.status, accessReason: access.reason,
            accessRemedy: access.remedy)
    }
}
