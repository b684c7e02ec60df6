// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// Nodes of sound cards become microphones.
@Suite struct SoundFinderTests {
    private let machine: FakeMachine
    private let finder: SoundFinder

    init() throws {
        machine = try FakeMachine()
        finder = machine.soundFinder
    }

    @Test("A machine without a sound card has no microphone")
    func none() {
        #expect(finder.devices.isEmpty)
    }

    @Test("A card is listed once, by its name, and what only plays is not")
    func card() throws {
        _ = try machine.addPCICard(0)
        let microphone = try #require(finder.devices.first)
        #expect(finder.devices.count == 1)
        #expect(microphone.uniqueID == "pci-0000:00:1f.3-pcm0")
        #expect(microphone.name == "HDA Intel PCH" && microphone.path == "/dev/snd/pcmC0D0c")
        #expect(microphone.deviceType == .camera && microphone.authorization == .authorized)
        try machine.remove("/sys/class/sound/pcmC0D0c")
        #expect(finder.devices.isEmpty)
    }

    @Test("Where a card has several devices, each has its own name")
    func severalDevices() throws {
        _ = try machine.addPCICard(0)
        _ = try machine.addPCICard(0, pcm: 2)
        #expect(finder.devices.map(\.name) == ["HDA Intel PCH, Device 0", "HDA Intel PCH, Device 2"])
        #expect(finder.devices.map(\.uniqueID) == ["pci-0000:00:1f.3-pcm0", "pci-0000:00:1f.3-pcm2"])
    }

    @Test("Where /proc/asound is hidden, as in a container, the card's short name serves")
    func hiddenProc() throws {
        _ = try machine.addPCICard(0)
        try machine.remove("/proc/asound")
        #expect(finder.devices.map(\.name) == ["PCH"])
    }

    @Test("A USB microphone goes by its serial number, else by its port, and by its product's name")
    func usb() throws {
        _ = try machine.addUSBMicrophone(0, port: "1-2", serial: "S1")
        _ = try machine.addUSBMicrophone(1, port: "1-3")
        #expect(
            finder.devices.map(\.uniqueID) == [
                "usb-0d8c_Blue_Yeti_S1-pcm0", "pci-0000:00:14.0-usb-0:3:1.0-pcm0",
            ])
        #expect(finder.devices.map(\.deviceType) == [.external, .external])
        #expect(finder.devices.map(\.modelID) == ["0d8c:0014", "0d8c:0014"])
        #expect(Set(finder.devices.map(\.name)) == ["Blue Yeti", "Blue Yeti (2)"])
    }

    @Test("What libasound calls default comes first where somebody has made one; then metal before loopbacks")
    func order() throws {
        let loopback = "/sys/devices/platform/snd_aloop.0"
        try machine.link(loopback + "/subsystem", to: "/sys/bus/platform")
        try machine.rawLink(loopback + "/driver", "../../../bus/platform/drivers/snd_aloop")
        try machine.addCard(0, of: loopback, id: "Loopback", name: "Loopback")
        _ = try machine.addPCICard(1)
        #expect(finder.devices.map(\.path) == ["/dev/snd/pcmC1D0c", "/dev/snd/pcmC0D0c"])
        #expect(finder.devices.map(\.deviceType) == [.camera, .virtual])
        #expect(finder.devices.last?.uniqueID == "platform-snd_aloop.0-pcm0")
        try machine.write("/etc/asound.conf", "pcm.!default { type pipewire }")
        let first = try #require(machine.soundFinder.devices.first)
        #expect(first.uniqueID == "default" && first.isSystemDefault)
        #expect(machine.soundFinder.path(of: first) == "default")
        #expect(machine.soundFinder.devices.count == 3)
    }

    @Test("A node without its file, as in a container, is no microphone")
    func noFile() throws {
        _ = try machine.addPCICard(0)
        try machine.remove("/dev/snd/pcmC0D0c")
        #expect(finder.devices.isEmpty)
    }

    @Test("A microphone answers to its id, its nodes, udev's links to them, and to libasound's names")
    func names() throws {
        _ = try machine.addPCICard(0)
        _ = try machine.addUSBMicrophone(1, port: "1-2", serial: "S1", id: "Yeti")
        try machine.rawLink("/dev/snd/by-id/usb-Blue_Yeti-00", "../controlC1")
        try machine.rawLink("/dev/snd/by-path/pci-0000:00:14.0-usb-0:2:1.0", "../controlC1")
        let id = "usb-0d8c_Blue_Yeti_S1-pcm0"
        let names = [
            id, "/dev/snd/pcmC1D0c", "/dev/snd/controlC1", "/dev/snd/by-id/usb-Blue_Yeti-00", "usb-Blue_Yeti-00",
            "pci-0000:00:14.0-usb-0:2:1.0", "pci-0000:00:14.0-usb-0:2:1.0-pcm0", "hw:1", "hw:1,0", "plughw:Yeti",
            "hw:CARD=Yeti,DEV=0", "hw:CARD=1", "hw:1,0,0",
        ]
        for name in names { #expect(finder.device(named: name)?.uniqueID == id, "\(name)") }
        for name in [
            "", "hw:", "hw:2", "hw:1,1", "hw:1,x", "hw:CARD=", "hw:Yeti,DEV=9", "pulse:1", "/dev/snd", "..",
            "/etc/passwd",
            "../controlC1", "hw:1,0,0,0", "default",
        ] {
            #expect(finder.device(named: name) == nil, "\(name)")
        }
    }

    @Test("Names in sysfs that are no nodes of ours are passed over")
    func oddNames() throws {
        let home = try machine.addPCICard(0) + "/sound/card0/pcmC0D0c"
        for name in ["pcmC0D0", "pcmCxD0c", "pcmC0c", "pcmC-1D0c", "pcmC0D0D0c", "card0", "controlC0", "pcmC0D0cc"] {
            try machine.link("/sys/class/sound/\(name)", to: home)
        }
        #expect(finder.devices.map(\.path) == ["/dev/snd/pcmC0D0c"])
    }

    @Test("A microphone is found again in another port and under another number, its duplicate is not taken for it")
    func otherPort() throws {
        let first = try machine.addUSBMicrophone(0, port: "1-1", serial: "S1")
        let microphone = try #require(finder.devices.first)
        try machine.removeCard(0, of: first)
        #expect(finder.path(of: microphone) == nil)
        let second = try machine.addUSBMicrophone(3, port: "1-2", serial: "S1")
        #expect(finder.path(of: microphone) == "/dev/snd/pcmC3D0c")
        _ = try machine.addUSBMicrophone(4, port: "1-3", serial: "S1")
        #expect(finder.path(of: microphone) == nil)
        try machine.removeCard(3, of: second)
        #expect(finder.path(of: microphone) == nil)
    }

    @Test("The name that the user has given counts")
    func settings() throws {
        _ = try machine.addPCICard(0)
        try machine.settings.set(position: nil, name: "Desk", for: "pci-0000:00:1f.3-pcm0")
        #expect(finder.devices.map(\.name) == ["Desk"])
    }
}
