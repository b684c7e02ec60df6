// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A capture node of a sound card as sysfs and `/proc/asound` describe it, without opening it.
struct SoundNode: DeviceNode, Hashable {
    static let folder = "/sys/class/sound"

    /// The name in sysfs, such as `pcmC0D0c`; the last `c` stands for capture.
    let systemName: String
    /// The card's number.
    let card: Int
    /// The number of the device on the card.
    let device: Int
    let path: String
    /// The card's short name without blanks, such as `PCH`; libasound accepts it as `hw:PCH`.
    let cardID: String
    /// The card's name; may be empty.
    let cardName: String
    /// The name of the device on the card, such as `ALC256 Analog`; may be empty.
    let deviceName: String
    let busPath: String?
    let usb: USBDescription?
    let isVirtual: Bool

    var order: (Int, Int) { (card, device) }
    var paths: [String] { [path, "/dev/snd/controlC\(card)"] }
    var label: String { cardID }
    var suffix: String { "-pcm\(device)" }

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

    /// Returns the numbers in `pcmC0D0c`; nil for another name.
    static func numbers(_ name: String) -> (card: Int, device: Int)? {
        guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return nil }
        let parts = name.dropFirst("pcmC".count).dropLast().split(separator: "D", omittingEmptySubsequences: false)
        guard parts.count == 2, let card = Int(digits: parts[0]), let device = Int(digits: parts[1]) else { return nil }
        return (card, device)
    }

    /// Returns the card's name in `/proc/asound/cards`: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`. Empty if the
    /// file is hidden, as in a container.
    private static func name(ofCard card: Int, in tree: FileTree) -> String {
        let lines = (tree.text(of: "/proc/asound/cards") ?? "").split(whereSeparator: \.isNewline)
        for line in lines {
            let fields = line.split(separator: " ", maxSplits: 1)
            guard fields.count == 2, Int(fields[0]) == card, fields[1].hasPrefix("["),
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
