// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraCLI

#if Studio
@testable import ObscuraStudio
#endif

/// What can be done about an error, in the terms of the library, the command line and a page.
@Suite struct RemedyTests {
    private static let remedies: [Remedy] =
        [
            .advice("Connect it again."), .listDevices, .listFormats, .listControls, .diagnose,
            .setPosition(device: "usb:1", position: "front"), .waitForDevice, .stopOtherSession, .startSoundServer,
            .joinGroup("video"), .addGroupToContainer(44), .allowGroup("video", subsystem: "video4linux"),
            .addDeviceToContainer("/dev/video0"), .installPackages(["opencv-data", "fonts-dejavu-core"]),
            .addLibrary("ObscuraOpenCV"), .allowOverwriting, .reduceDiskReserve,
            .recoverMovie("my film.recording.mp4"), .nameMovie, .chooseLibrary, .allowGPLEncoders, .trustSource,
            .allowUnverifiedSource, .trustDestination, .choosePort, .protectServer, .allowSources,
            .allowCameras,
        ] + Remedy.Limit.allCases.map { .raiseLimit($0) }

    @Test("The list above has each case: a new one does not compile until it is added")
    func complete() {
        let numbers = Self.remedies.map { remedy in
            switch remedy {
            case .advice: 0
            case .listDevices: 1
            case .listFormats: 2
            case .listControls: 3
            case .diagnose: 4
            case .setPosition: 5
            case .waitForDevice: 6
            case .stopOtherSession: 7
            case .startSoundServer: 8
            case .joinGroup: 9
            case .addGroupToContainer: 10
            case .allowGroup: 11
            case .addDeviceToContainer: 12
            case .installPackages: 13
            case .allowOverwriting: 14
            case .reduceDiskReserve: 15
            case .recoverMovie: 16
            case .nameMovie: 17
            case .chooseLibrary: 18
            case .allowGPLEncoders: 19
            case .trustSource: 20
            case .allowUnverifiedSource: 21
            case .trustDestination: 22
            case .choosePort: 23
            case .protectServer: 24
            case .allowSources: 25
            case .raiseLimit: 26
            case .addLibrary: 27
            case .allowCameras: 28
            }
        }
        #expect(Set(numbers) == Set(0...28))
    }

    @Test("Each is a sentence, and only the command line names its options", arguments: remedies)
    func sentences(remedy: Remedy) {
        var texts = [remedy.description, remedy.commandText]
        #if Studio
        texts.append(remedy.pageText)
        #expect(!remedy.pageText.contains("--"), "\(remedy.pageText)")
        #endif
        for text in texts {
            #expect(text.first?.isUppercase == true && text.hasSuffix(".") && !text.contains("  "), "\(text)")
        }
        #expect(!remedy.description.contains("--"), "\(remedy.description)")
        if case .advice(let sentence) = remedy { #expect(Set(texts) == [sentence]) }
    }

    @Test("A word in quotes is one word for a shell, also with a combining mark behind a quote")
    func shellWord() {
        #expect(ShellWord.quoted("it's.mp4") == #"'it'\''s.mp4'"#)
        let word = ShellWord.quoted("a'\u{301} b")
        #expect(Array(word.utf8) == Array("'a'\\''\u{301} b'".utf8))
    }

    @Test("The command line names what can be typed, quoted for a shell")
    func commands() {
        #expect(
            Remedy.recoverMovie("my film.recording.mp4").commandText.hasSuffix(
                "obscura recover 'my film.recording.mp4'."))
        #expect(Remedy.joinGroup("video").commandText.contains("sudo usermod -aG video $USER"))
        #expect(Remedy.raiseLimit(.openFiles).commandText.contains("ulimit -n"))
        #expect(Remedy.installPackages(["a", "b"]).commandText.contains("apt-get install a b"))
        let error = ObscuraError(
            .capture, .noSuchDevice, subject: "camera:a", reason: "there is none", remedy: .listDevices)
        #expect(error.commandText == "camera:a: there is none. List the devices with: obscura devices.")
        #expect(error.description.hasPrefix("camera:a: there is none. Choose one of the devices"))
    }
}
