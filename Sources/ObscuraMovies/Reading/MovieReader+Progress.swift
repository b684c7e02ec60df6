// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

extension MovieReader {
    /// What a reader gives, in the order of the times.
    package enum Element {
        case picture(VideoFrame)
        case sound(AudioBuffer)

        package var presentationTime: MediaTime {
            switch self {
            case .picture(let frame): frame.presentationTime
            case .sound(let sound): sound.presentationTime
            }
        }
    }
}
