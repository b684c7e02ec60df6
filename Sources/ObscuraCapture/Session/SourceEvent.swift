// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// What a source tells its session.
enum SourceEvent: Sendable {
    case interrupted(InterruptionReason)
    case resumed
    case ended(ObscuraError?)
}
