// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture

/// Finds the devices of one kind, cameras or microphones, for a ``DeviceMonitor``.
package protocol DeviceFinder: Sendable {
    associatedtype Found: FoundDevice

    /// The files of the machine.
    var files: FileTree { get }
    /// By what the system tells that such devices have changed.
    var signs: ChangeSigns { get }
    /// The devices at this moment, the default one first.
    var found: [Found] { get }
    /// Looks who is there, so that twins that are there together are known as such later. Cheap.
    func noteTwins()
}

/// A device as discovery found it.
package protocol FoundDevice: Sendable, Hashable {
    /// The name by which it can be named again.
    var uniqueID: String { get set }
    /// Its node at this moment.
    var path: String { get }
    /// Whether this process may use it.
    var authorization: AuthorizationStatus { get }
    /// Whether both are one device that has stayed where it was. Unique ids do not tell: one changes when the
    /// device's twin comes or goes.
    func isSameDevice(as other: Self) -> Bool
}

/// By what the system tells that devices of one kind have changed.
package struct ChangeSigns: Sendable, Hashable {
    /// The kernel's name for the kind, such as `video4linux`.
    package let subsystem: String
    /// The folders in which the nodes are. One that is not there yet is watched as soon as it is.
    package let folders: [String]
    /// What the names of the nodes begin with.
    package let names: [String]

    package init(subsystem: String, folders: [String], names: [String]) {
        self.subsystem = subsystem
        self.folders = folders
        self.names = names
    }
}
