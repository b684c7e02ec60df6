// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension ObscuraError {
    /// The message in the terms of the command line.
    var commandText: String {
        guard let remedy else { return message }
        return "\(message) \(remedy.commandText)"
    }
}

extension Remedy {
    /// The remedy as a sentence that names options and commands instead of the library's API.
    var commandText: String {
        switch self {
        case .advice: description
        case .listDevices: "List the devices with: obscura devices."
        case .listFormats: "List the formats of the device with: obscura devices."
        case .listControls: "List the controls of the camera with: obscura devices controls."
        case .diagnose: "Find the cause with: obscura doctor."
        case .setPosition(let device, let position):
            "Set the position of the camera: obscura devices set \(ShellWord.quoted(device)) --position \(position)."
        case .waitForDevice: "End the program that uses the device."
        case .stopOtherSession: "Use the device only once in a command."
        case .startSoundServer:
            "Start the sound server: systemctl --user start pipewire; or choose a sound card: obscura devices."
        case .joinGroup(let group):
            "Add yourself to the group \(group): sudo usermod -aG \(group) $USER, then log in again."
        case .addGroupToContainer(let number): "In a container, add the group with --group-add \(number)."
        case .allowGroup(let group, let subsystem):
            "Give the group \(group) access to the device: echo 'SUBSYSTEM==\"\(subsystem)\", GROUP=\"\(group)\", "
                + "MODE=\"0660\"' | sudo tee /etc/udev/rules.d/70-obscura.rules, then connect the device again."
        case .addDeviceToContainer(let path):
            "In a container, add the device with --device \(path); elsewhere check udev and the security policy of "
                + "the system."
        case .allowCameras:
            "Allow cameras in the settings of the desktop, or delete the stored decision with: flatpak "
                + "permission-remove devices camera."
        case .raiseLimit(let limit): limit.commandText
        case .installPackages(let names): "Install with: sudo apt-get install \(names.joined(separator: " "))."
        case .addLibrary(let name):
            "Build the library with swift build -c release --product \(name), and put lib\(name).so beside obscura."
        case .allowOverwriting: "Give another name, or replace the file with --overwrite."
        case .reduceDiskReserve: "Free disk space, write to another disk, or give a smaller --min-free."
        case .recoverMovie(let path):
            "If the recording is no longer running, delete the partial file, or recover the movie with: "
                + "obscura recover \(ShellWord.quoted(path))."
        case .nameMovie:
            "If the file is a renamed partial recording, give the movie to write: --output NAME.mp4."
        case .chooseLibrary: "Choose another folder with --library."
        case .allowGPLEncoders:
            "Omit --no-gpl, choose another --codec, or install an FFmpeg with one of these encoders."
        case .trustSource:
            "Use --source-ca with the certificate of the authority that signed the server's certificate, "
                + "--source-fingerprint with the fingerprint of the server's certificate, or the host name that the "
                + "server's certificate contains."
        case .allowUnverifiedSource:
            "If you trust the network between this machine and the server, disable the verification with "
                + "--insecure-source."
        case .trustDestination:
            "Use --ca with the certificate of the authority that signed the server's certificate, or the host name "
                + "that the server's certificate contains."
        case .choosePort: "Choose another port with --port (in the command serve: with --hls), or 0 for any free port."
        case .protectServer:
            "Give a certificate with --tls-cert and --tls-key, listen on 127.0.0.1, or, on a network that you trust, "
                + "add --insecure."
        case .allowSources: "Start the Studio with --allow-sources."
        }
    }
}

extension Remedy.Limit {
    fileprivate var commandText: String {
        switch self {
        case .openFiles: "Raise the limit of open files: ulimit -n 4096."
        case .threads: "Raise the limit of threads: ulimit -u 4096, or the limit of the container or the service."
        case .addressSpace: "Raise the limit of address space: ulimit -v unlimited."
        case .fileWatches: "Raise the number of inotify instances: sudo sysctl fs.inotify.max_user_instances=512."
        }
    }
}
