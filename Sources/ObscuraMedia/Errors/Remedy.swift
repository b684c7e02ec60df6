// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The remedy for an ``ObscuraError``.
///
/// The ``description`` uses the names of the Swift API. Programs can describe the cases in other terms; for example,
/// the `obscura` command names its options.
public enum Remedy: Sendable, Hashable {
    /// Any other remedy, as a sentence. Programs show the sentence unchanged.
    case advice(String)

    // MARK: Devices

    /// Choose another device. Programs tell how to list the devices of this machine.
    case listDevices
    /// Choose another format. Programs tell how to list the formats of the camera.
    case listFormats
    /// Choose another control. Programs tell how to list the controls of the camera.
    case listControls
    /// Find the cause with a diagnosis of the machine.
    case diagnose
    /// Set the position of this camera, such as `front`, in the user's settings. No camera has the requested position.
    case setPosition(device: String, position: String)
    /// End the other program that uses the device, or wait until that program ends.
    case waitForDevice
    /// Stop the session of this program that uses the device, or wait until that session stops.
    case stopOtherSession
    /// Start the user's sound server.
    case startSoundServer

    // MARK: Rights and limits

    /// Add the user to the group.
    case joinGroup(String)
    /// In a container: add the group with this ID to the process. The group has no name in the container.
    case addGroupToContainer(UInt32)
    /// Allow a group to use the devices of a kernel subsystem, such as the group `video` for the subsystem
    /// `video4linux`.
    case allowGroup(String, subsystem: String)
    /// In a container: add the device at this path.
    case addDeviceToContainer(String)
    /// Allow cameras in the settings of the desktop, or delete the stored decision.
    case allowCameras
    /// Raise a limit of the process or of the system.
    case raiseLimit(Limit)
    /// Install packages of the system, by their names in Debian and Ubuntu.
    case installPackages([String])
    /// Build this product of Obscura's package together with the program, and keep the library in the folder of the
    /// program.
    case addLibrary(String)

    // MARK: Files

    /// Overwrite the existing file, or choose another name.
    case allowOverwriting
    /// Free disk space, write to another disk, or reserve less free space.
    case reduceDiskReserve
    /// Recover the movie from the partial file at this path, or delete the partial file.
    case recoverMovie(String)
    /// Specify the path of the movie to create, because the file does not have the name of a partial file.
    case nameMovie
    /// Choose another folder for the photos and movies of the Studio (the web app of Obscura).
    case chooseLibrary

    // MARK: Codecs

    /// Allow GPL encoders, or install an FFmpeg with an encoder that ``EncoderPolicy`` allows.
    case allowGPLEncoders

    // MARK: Networks

    /// Trust the certificate of a network source: specify the authority or the fingerprint of the certificate.
    case trustSource
    /// Insecure: read from the source without verification of the server's certificate.
    case allowUnverifiedSource
    /// Trust the authority that issued the certificate of a destination.
    case trustDestination
    /// Choose another port to listen on.
    case choosePort
    /// Listen with a certificate, listen only on this machine, or allow unprotected access.
    case protectServer
    /// Allow the web pages of the Studio (the web app of Obscura) to add addresses and files as sources.
    case allowSources

    /// A resource that a process or a system can run out of.
    public enum Limit: Sendable, Hashable, CaseIterable {
        /// Open files of the process (RLIMIT_NOFILE).
        case openFiles
        /// Threads of the user (RLIMIT_NPROC), the container or the service.
        case threads
        /// Address space of the process (RLIMIT_AS).
        case addressSpace
        /// Instances of inotify, which report changes of a folder.
        case fileWatches
    }
}
