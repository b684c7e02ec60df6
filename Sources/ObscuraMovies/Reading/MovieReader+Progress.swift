// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension MovieReader {
    /// An element returned by a reader, in presentation order.
    package enum Element {
        case picture(VideoFrame)
        case sound(AudioBuffer)

        package var presentationTime: MediaTime {
            switch self {
            case .picture(let frame): frame.presentationTime
            case .sound(let sound): sound.presentationTime
            }
        }

        /// The time of capture; nil if the source does not tell it.
        package var captureTime: HostTime? {
            switch self {
            case .picture(let frame): frame.attachments.isHostTimeEstimated ? nil : frame.hostTime
            case .sound(let sound): sound.attachments.isTimeEstimated ? nil : sound.hostTime
            }
        }
    }
}
