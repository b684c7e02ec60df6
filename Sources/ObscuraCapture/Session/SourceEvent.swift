// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An event that a source reports to its session.
enum SourceEvent: Sendable {
    case interrupted(InterruptionReason)
    case resumed
    case ended(ObscuraError?)
}
