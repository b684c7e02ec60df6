// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension DBusCall {
    /// The name of the portal's service.
    static let portal = "org.freedesktop.portal.Desktop"

    /// Asks the user for access to cameras; the result is the path of the request.
    static let accessCamera = DBusCall(
        destination: portal, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Camera",
        member: "AccessCamera", arguments: [.options([:])])

    /// Opens a connection to PipeWire; the result is a descriptor.
    static let openPipeWireRemote = DBusCall(
        destination: portal, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.Camera",
        member: "OpenPipeWireRemote", arguments: [.options([:])])

    /// Registers a program outside a sandbox (portal 1.20). Must precede all other calls of the portal.
    static func register(_ applicationID: String) -> DBusCall {
        DBusCall(
            destination: portal, path: "/org/freedesktop/portal/desktop",
            interface: "org.freedesktop.host.portal.Registry", member: "Register",
            arguments: [.text(applicationID), .options([:])])
    }

    /// Reads the stored decisions about cameras. Programs in a sandbox may not.
    static let lookUpCameraPermission = DBusCall(
        destination: "org.freedesktop.impl.portal.PermissionStore",
        path: "/org/freedesktop/impl/portal/PermissionStore",
        interface: "org.freedesktop.impl.portal.PermissionStore", member: "Lookup",
        arguments: [.text("devices"), .text("camera")])
}

extension DBusMatch {
    /// The answers of the user.
    static let portalResponse = DBusMatch(
        sender: DBusCall.portal, interface: "org.freedesktop.portal.Request", member: "Response")

    /// The start and the end of the portal.
    static let portalOwner = DBusMatch(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: DBusCall.portal)
}
