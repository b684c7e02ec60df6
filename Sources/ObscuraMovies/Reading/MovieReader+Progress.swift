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

        package var hostTime: HostTime {
            switch self {
            case .picture(let frame): frame.hostTime
            case .sound(let sound): sound.hostTime
            }
        }
    }
}
