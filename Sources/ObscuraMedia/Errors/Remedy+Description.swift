// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension Remedy: CustomStringConvertible {
    /// The remedy as a sentence in terms of the Swift API.
    public var description: String {
        switch self {
        case .advice(let sentence): sentence
        case .listDevices: "Choose one of the devices (CaptureDevice.DiscoverySession)."
        case .listFormats: "Choose one of the formats of the device (CaptureDevice.formats)."
        case .listControls: "Choose one of the controls of the camera (CaptureDevice.controls)."
        case .diagnose: "Find the cause with a diagnosis (Diagnosis.ofThisMachine)."
        case .setPosition(let device, let position):
            "Set the position of the camera in the settings (position = \"\(position)\" for \(device))."
        case .waitForDevice: "End the other program, or wait for the device (startsWhenAvailable)."
        case .stopOtherSession:
            "Stop the other session of this program, or wait for the device (startsWhenAvailable)."
        case .startSoundServer: "Start the sound server of this user, such as PipeWire, or choose a sound card."
        case .joinGroup(let group): "Add the user to the group \(group), then log in again."
        case .addGroupToContainer(let number): "In a container, add the group \(number) to the process."
        case .allowGroup(let group, let subsystem):
            "Allow the group \(group) to use devices of \(subsystem) with a udev rule, then connect the device again."
        case .addDeviceToContainer(let path):
            "In a container, add the device \(path); elsewhere, check udev and the security policy of the system."
        case .allowCameras:
            "Allow cameras in the settings of the desktop, or delete the stored decision with `flatpak "
                + "permission-remove devices camera`, then ask again (CaptureDevice.requestAccess)."
        case .raiseLimit(let limit): limit.sentence
        case .installPackages(let names): "Install \(names.joined(separator: " and "))."
        case .addLibrary(let name):
            "Add the product \(name) of Obscura's package to the program, and keep lib\(name).so beside it."
        case .allowOverwriting: "Give another name, or allow overwriting."
        case .reduceDiskReserve:
            "Free disk space, write to another disk, or reserve less free space (minFreeDiskSpace)."
        case .recoverMovie(let path):
            "If the recording is no longer running, delete \(path), or recover the movie from it (MovieRecovery)."
        case .nameMovie: "If the file is a renamed partial file, specify the movie to create (MovieRecovery)."
        case .chooseLibrary: "Create the folder, or choose another one (StudioConfiguration.libraryFolder)."
        case .allowGPLEncoders:
            "Allow encoders under the GPL (EncoderPolicy.allowsGPL), or install an FFmpeg with one of these encoders."
        case .trustSource:
            "Give the certificate of the server's authority (ServerTrust.authorities) or the fingerprint of the "
                + "server's certificate (ServerTrust.fingerprint), or use the host name in the server's certificate."
        case .allowUnverifiedSource:
            "On a trusted network, read without verification of the certificate (ServerTrust.unverified)."
        case .trustDestination:
            "Give the certificate of the server's authority (trustedCertificates), or use the host name in the "
                + "server's certificate."
        case .choosePort: "Choose another port, from 1024 to 65535, or 0 for any free port."
        case .protectServer:
            "Give a certificate (StudioConfiguration.tls), listen on 127.0.0.1, or, on a trusted network, allow "
                + "unprotected access (StudioConfiguration.isInsecureAllowed)."
        case .allowSources: "Allow web pages to add sources (StudioConfiguration.allowsSources)."
        }
    }
}

extension Remedy.Limit {
    fileprivate var sentence: String {
        switch self {
        case .openFiles: "Raise the limit of open files (RLIMIT_NOFILE), or close some files."
        case .threads: "Raise the limit of threads (RLIMIT_NPROC) of the user, the container or the service."
        case .addressSpace: "Raise the limit of address space (RLIMIT_AS)."
        case .fileWatches: "Raise the limit of inotify instances per user (fs.inotify.max_user_instances)."
        }
    }
}
