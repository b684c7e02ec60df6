// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A stage of the delivery of a compressed frame or audio packet to a movie or a broadcast; see ``DeliveryStatistics``.
public enum DeliveryStage: String, Sendable, Hashable, CaseIterable, Codable {
    /// The frame or packet is encoded or, if copied without encoding, ready to be written.
    case encoded
    /// The frame or packet is written to a file: a movie, or HLS in a folder.
    case written
    /// The frame or packet is passed to the network.
    case sent
}
