// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The source of packets for the tracks of a container.
protocol TrackPackets: AnyObject {
    /// Whether each packet is exactly one frame; see `InputContext`.
    var hasPicturePackets: Bool { get }
    /// Returns the next packet of a track.
    func next(_ kind: TrackKind) throws(ObscuraError) -> TrackStep<Packet>
}

/// The track of a packet.
enum TrackKind {
    case pictures
    case sound
}

/// The result of requesting the next element of a track.
enum TrackStep<Element> {
    case element(Element)
    /// The track has ended.
    case ended
    /// The next element is not available until packets of another track have been read.
    case waits
}

/// Which packets of a container are passed on compressed.
struct EncodedWish: Hashable {
    enum Mode {
        case none
        /// Beside the decoded frames or audio.
        case beside
        /// Instead of them.
        case only
    }

    var pictures = Mode.none
    var sound = Mode.none
}
