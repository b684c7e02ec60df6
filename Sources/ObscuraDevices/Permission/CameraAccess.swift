// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The permission of this process to use cameras through the desktop portal.
package struct CameraAccess: Sendable, Hashable {
    package let status: AuthorizationStatus
    /// The reason for a missing permission; nil if it is granted.
    package let reason: AccessReason?
    /// The remedy for a missing permission; nil if it is granted, or if none is known.
    package let remedy: Remedy?
}
