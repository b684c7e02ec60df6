// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraFFmpeg
internal import ObscuraMedia

extension DeliveryRecorder {
    /// Counts a packet of video or audio that has just reached its last stage.
    package func record(_ packet: EncodedPacket, _ last: DeliveryStage) {
        let mediaType: MediaType = packet.isVideo ? .video : .audio
        record(.encoded, mediaType, captured: packet.hostTime, at: packet.encodedTime)
        record(last, mediaType, captured: packet.hostTime, at: .now)
    }
}
