// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A point on the way of a compressed frame or audio packet out of a session; see ``DeliveryStatistics``.
public enum DeliveryStage: String, Sendable, Hashable, CaseIterable, Codable {
    /// It is encoded or, if it is copied, ready to be written.
    case encoded
    /// It is written to a file: a movie, or HLS in a folder.
    case written
    /// It is passed to the network.
    case sent
}
