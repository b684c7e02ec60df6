// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Where the tracks of a container get their packets.
protocol TrackPackets: AnyObject {
    /// Whether each packet is one picture; see `InputContext`.
    var hasPicturePackets: Bool { get }
    /// The next packet of a track.
    func next(_ kind: TrackKind) throws(ObscuraError) -> TrackStep<Packet>
}

/// Whose packet it is.
enum TrackKind {
    case pictures
    case sound
}

/// What came of asking a track for its next element.
enum TrackStep<Element> {
    case element(Element)
    /// There are no more.
    case ended
    /// Those of the other track come first.
    case waits
}
