// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A node of a sound card from which sound comes, as sysfs and `/proc/asound` describe it, without opening it.
struct SoundNode: DeviceNode, Hashable {
    static let folder = "/sys/class/sound"

    /// Its name in sysfs, such as `pcmC0D0c`; `c` stands for capture.
    let systemName: String
    /// The number of the card, and which of its devices it is.
    let card: Int
    let device: Int
    /// Such as `/dev/snd/pcmC0D0c`.
    let path: String
    /// The card's short name without blanks, such as `PCH`; libasound takes it as `hw:PCH`.
    let cardID: String
    /// The card's name; may be empty.
    let cardName: String
    /// The name of the device on the card, such as `ALC256 Analog`; may be empty.
    let deviceName: String
    let busPath: String?
    let usb: USBDescription?
    /// Whether it is made of no metal: a loopback or a dummy.
    let isVirtual: Bool

    var label: String { cardID }
    var suffix: String { "-pcm\(device)" }

    /// The node with this name; nil if no sound comes from it or nothing stands behind the name.
    init?(_ systemName: String, in tree: FileTree) {
        guard let (card, device) = Self.numbers(systemName), let home = tree.resolved(Self.folder + "/" + systemName)
        else { return nil }
        self.systemName = systemName
        self.card = card
        self.device = device
        path = "/dev/snd/" + systemName
        cardID = BusPath.parent(of: home).flatMap { tree.text(of: $0 + "/id") }.map(DeviceName.shown) ?? ""
        cardName = Self.name(ofCard: card, in: tree)
        deviceName = Self.name(ofDevice: device, ofCard: card, in: tree)
        usb = USBDescription(above: home, in: tree)
        busPath = BusPath.name(of: home, in: tree)
        let driver = BusPath.parent(of: home).flatMap { tree.link(at: $0 + "/device/driver") }.map(BusPath.lastPart)
        isVirtual = home.hasPrefix("/sys/devices/virtual/") || ["snd_aloop", "snd_dummy"].contains(driver)
    }

    /// The nodes of the machine, card by card. Cheap: opens none.
    static func all(in tree: FileTree) -> [SoundNode] {
        (tree.names(in: folder) ?? []).compactMap { SoundNode($0, in: tree) }
            .sorted { ($0.card, $0.device) < ($1.card, $1.device) }
    }

    /// The numbers in `pcmC0D0c`; nil for what is not such a name.
    static func numbers(_ name: String) -> (card: Int, device: Int)? {
        guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return nil }
        let parts = name.dropFirst("pcmC".count).dropLast().split(separator: "D", omittingEmptySubsequences: false)
        guard parts.count == 2, let card = natural(parts[0]), let device = natural(parts[1]) else { return nil }
        return (card, device)
    }

    /// A number of digits alone.
    static func natural(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int32(text).map(Int.init)
    }

    /// What `/proc/asound/cards` calls the card: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`. In a container
    /// the file may be hidden.
    private static func name(ofCard card: Int, in tree: FileTree) -> String {
        let lines = (tree.text(of: "/proc/asound/cards") ?? "").split(whereSeparator: \.isNewline)
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, Int(words[0]) == card, words[1].hasPrefix("["),
                let driver = line.firstRange(of: "]: "),
                let dash = line[driver.upperBound...].firstRange(of: " - ")
            else { continue }
            return DeviceName.shown(String(line[dash.upperBound...]))
        }
        return ""
    }

    private static func name(ofDevice device: Int, ofCard card: Int, in tree: FileTree) -> String {
        let info = tree.text(of: "/proc/asound/card\(card)/pcm\(device)c/info") ?? ""
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("name: ") }
        return line.map { DeviceName.shown(String($0.dropFirst("name: ".count))) } ?? ""
    }
}
