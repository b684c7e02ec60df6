// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What the user can do about an ``ObscuraError``.
///
/// The description is in the terms of the library. A program can render each case in its own terms: the `obscura`
/// command names its options and the system's commands, for example.
public enum Remedy: Sendable, Hashable {
    /// Advice that is the same in a program, on the command line and on a page.
    case advice(String)

    // MARK: Devices

    /// Choose one of the devices of the machine.
    case listDevices
    /// Choose one of the formats of the camera.
    case listFormats
    /// Choose one of the controls of the camera.
    case listControls
    /// Find the cause with a diagnosis of the machine.
    case diagnose
    /// Save which camera looks in this direction: its ``ObscuraError/subject`` is not known to.
    case setPosition(device: String, position: String)
    /// End the program that uses the device, or wait until it ends.
    case waitForDevice
    /// Stop the session of this program that uses the device, or wait until it stops.
    case stopOtherSession
    /// Start the sound server of the desktop.
    case startSoundServer

    // MARK: Rights and limits

    /// Add the user to the group.
    case joinGroup(String)
    /// In a container: give the process the group with this number, which has no name there.
    case addGroupToContainer(UInt32)
    /// Allow a group to use the devices of a kernel subsystem, such as `video` for `video4linux`.
    case allowGroup(String, subsystem: String)
    /// In a container: give it the device at this path.
    case addDeviceToContainer(String)
    /// Raise a limit of the process or the system.
    case raiseLimit(Limit)
    /// Install packages of the system, by their names in Debian and Ubuntu.
    case installPackages([String])

    // MARK: Files

    /// Replace the file that exists, or choose another name.
    case allowOverwriting
    /// Free disk space, write to another disk, or leave less space free.
    case reduceDiskReserve
    /// Recover the movie from the partial file at this path, or delete it.
    case recoverMovie(String)
    /// Name the movie that is to be made of a partial file.
    case nameMovie
    /// Choose another folder for the library.
    case chooseLibrary

    // MARK: Codecs

    /// Allow encoders under the GPL, or install an FFmpeg that has one that the policy allows.
    case allowGPLEncoders

    // MARK: Networks

    /// Trust the certificate of a source: its authority or its fingerprint.
    case trustSource
    /// Read from a source whose certificate cannot be verified.
    case allowUnverifiedSource
    /// Trust the authority of a destination's certificate.
    case trustDestination
    /// Choose another port to listen on.
    case choosePort
    /// Listen with a certificate, on this machine only, or permit to go without protection.
    case protectServer
    /// Permit that pages open sources.
    case allowSources

    /// What a process or a system can have too little of.
    public enum Limit: Sendable, Hashable, CaseIterable {
        /// Open files of the process (RLIMIT_NOFILE).
        case openFiles
        /// Threads of the user (RLIMIT_NPROC), the container or the service.
        case threads
        /// Address space of the process (RLIMIT_AS).
        case addressSpace
        /// Instances of inotify, by which changes of a folder are seen.
        case fileWatches
    }
}
