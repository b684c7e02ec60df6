// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// An event of an ``AudioPreviewOutput``.
public enum AudioPreviewEvent: Sendable {
    /// The playback device was opened, and plays audio in this format.
    case started(AudioFormat)
    /// No audio is played: the device is missing or failed, or the audio cannot be converted to the device's format.
    /// While audio arrives, the output tries to open the device once a second. A repeated failure is reported once.
    case failed(ObscuraError)
}
