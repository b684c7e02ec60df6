// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension Remedy {
    /// The remedy as a sentence for pages, whose users may not have access to the machine with the camera.
    var pageText: String {
        switch self {
        case .advice: description
        case .listDevices: "Choose a camera from the list."
        case .listFormats: "Choose a size from the list."
        case .listControls: "Reload the page to see the controls of the camera."
        case .diagnose: "Check that the camera is connected and that no other program uses it."
        case .setPosition: "Choose the camera by its name."
        case .waitForDevice: "End the program that uses the device, then try again."
        case .stopOtherSession: "Close the camera of the Studio that uses the device, then try again."
        case .startSoundServer: "Start the sound server of the user that runs the Studio, or choose a sound card."
        case .joinGroup(let group):
            "Add the user that runs the Studio to the group \(group), then start the Studio again after a new login."
        case .addGroupToContainer(let number): "Give the container of the Studio the group \(number)."
        case .allowGroup(let group, _): "Give the group \(group) access to the device with a udev rule."
        case .addDeviceToContainer(let path):
            "If the Studio runs in a container, add \(path) to the container; otherwise check udev on its machine."
        case .allowCameras:
            "Allow cameras in the settings of the desktop on the machine of the Studio, or delete the stored decision "
                + "with `flatpak permission-remove devices camera`, then try again."
        case .raiseLimit(let limit): limit.pageText
        case .addLibrary(let name): "Put lib\(name).so, of the same version, beside the program of the Studio."
        case .installPackages(let names): "Install \(names.joined(separator: " and ")) on the machine of the Studio."
        case .allowOverwriting: "Choose another name, or delete the existing file."
        case .reduceDiskReserve: "Delete photos and movies that are no longer needed."
        case .recoverMovie: "Choose another name, or, if its recording is no longer running, delete the partial movie."
        case .nameMovie: "Give the movie a name."
        case .chooseLibrary: "Start the Studio with another folder."
        case .allowGPLEncoders: "Choose another codec, or install an FFmpeg with one of these encoders."
        case .trustSource, .trustDestination:
            "Start the Studio with the certificate of the authority that signed the server's certificate, or use the "
                + "host name that the server's certificate contains."
        case .allowUnverifiedSource:
            "If you trust the network between the Studio and the server, start the Studio without verification of the "
                + "certificates of sources."
        case .choosePort: "Choose another port."
        case .protectServer: "Start the Studio with a certificate."
        case .allowSources: "Start the Studio with the permission for pages to open sources."
        }
    }
}

extension Remedy.Limit {
    fileprivate var pageText: String {
        switch self {
        case .openFiles: "Close pages of the Studio, or raise the limit of open files of the Studio."
        case .threads: "Close cameras and pages, or raise the limit of threads of the Studio."
        case .addressSpace: "Close cameras and pages, or raise the limit of address space of the Studio."
        case .fileWatches: "Raise the number of inotify instances on the machine of the Studio."
        }
    }
}
