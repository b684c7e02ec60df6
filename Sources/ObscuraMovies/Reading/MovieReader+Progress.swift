// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension MovieReader {
    /// An element returned by a reader, in presentation order; what is compressed, in the order of the file.
    package enum Element {
        case picture(VideoFrame)
        case sound(AudioBuffer)
        case encodedPicture(EncodedFrame)
        case encodedSound(EncodedAudio)

        package var presentationTime: MediaTime {
            switch self {
            case .picture(let frame): frame.presentationTime
            case .sound(let sound): sound.presentationTime
            case .encodedPicture(let frame): frame.presentationTime
            case .encodedSound(let packet): packet.presentationTime
            }
        }

        /// The time in the order of delivery: that of decoding for what is compressed.
        var decodeTime: MediaTime {
            if case .encodedPicture(let frame) = self { frame.decodeTime } else { presentationTime }
        }

        var isEncodedPicture: Bool {
            if case .encodedPicture = self { true } else { false }
        }

        /// The length of what is compressed; 0 for other elements.
        var byteCount: Int {
            switch self {
            case .picture, .sound: 0
            case .encodedPicture(let frame): frame.data.count
            case .encodedSound(let packet): packet.data.count
            }
        }

        /// The time of capture; nil if the source does not tell it.
        package var captureTime: HostTime? {
            switch self {
            case .picture(let frame): frame.attachments.isHostTimeEstimated ? nil : frame.hostTime
            case .sound(let sound): sound.attachments.isTimeEstimated ? nil : sound.hostTime
            case .encodedPicture(let frame): frame.attachments.isHostTimeEstimated ? nil : frame.hostTime
            // A packet does not tell whether its time is that of arrival.
            case .encodedSound(let packet): packet.hostTime
            }
        }
    }
}
