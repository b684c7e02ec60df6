// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

@Suite("The list of PipeWire's cameras, and the choice of the driver")
struct PipeWireListingTests {
    private func node(_ name: String, id: UInt32 = 1, properties: [String: String] = [:]) -> PipeWireObject {
        let basic = [
            "media.class": "Video/Source", "media.role": "Camera", "node.name": name, "object.serial": "\(id + 100)",
        ]
        return PipeWireObject(id: id, properties: basic.merging(properties) { $1 })
    }

    private func cameras(_ nodes: [PipeWireObject], devices: [PipeWireObject] = []) -> [PipeWireCamera] {
        var objects = PipeWireObjects()
        for node in nodes { objects.add(node, isDevice: false) }
        for device in devices { objects.add(device, isDevice: true) }
        return PipeWireCamera.all(in: objects, settings: DeviceSettings())
    }

    private func kernelCamera(_ path: String, authorization: AuthorizationStatus = .authorized) -> FoundDevice {
        FoundDevice(
            uniqueID: "usb-\(path)", path: path, place: path, lastingName: nil, name: "Webcam", modelID: "046d:0825",
            authorization: authorization)
    }

    private func merge(
        _ kernel: [FoundDevice], _ pipeWire: [PipeWireCamera], isSandboxed: Bool = false,
        preferred: CameraDriverKind? = nil, number: UInt64? = nil
    ) -> [FoundDevice] {
        CameraMerge(
            kernel: kernel, pipeWire: pipeWire, isSandboxed: isSandboxed, preferred: preferred,
            kernelNumber: { _ in number }
        ).cameras
    }

    @Test("Only nodes with the role of a camera are cameras: no screen, no microphone")
    func roles() {
        let all = cameras([
            node("camera"), node("screen", properties: ["media.role": "Screen"]),
            node("window", properties: ["media.role": ""]),
            node("speaker", properties: ["media.class": "Audio/Sink"]), node("", id: 5),
        ])
        #expect(all.map(\.device.uniqueID) == ["camera"])
    }

    @Test("Name, model, manufacturer, kind and position come from the node and its device")
    func properties() throws {
        let device = PipeWireObject(
            id: 7,
            properties: [
                "device.vendor.id": "0x046d", "device.product.id": "0x0825", "device.vendor.name": "Logitech",
                "device.bus": "usb",
            ])
        let all = cameras(
            [
                node(
                    "usb", id: 1,
                    properties: ["device.id": "7", "node.description": "HD Webcam", "priority.session": "1000"]),
                node(
                    "front", id: 2,
                    properties: ["device.id": "8", "api.libcamera.location": "front", "priority.session": "850"]),
                node("obs", id: 3, properties: ["node.description": "Scene"]),
            ],
            devices: [device, PipeWireObject(id: 8, properties: ["device.product.name": "imx219"])])
        #expect(all.map(\.device.name) == ["HD Webcam", "imx219", "Scene"])
        #expect(all.map(\.device.modelID) == ["046d:0825", "imx219", "Scene"])
        #expect(all.map(\.device.manufacturer) == ["Logitech", nil, nil])
        #expect(all.map(\.device.deviceType) == [.external, .camera, .virtual])
        #expect(all.map(\.device.position) == [.unspecified, .front, .unspecified])
    }

    @Test("A camera that both drivers have is listed once, with the kernel's name")
    func once() {
        let twin = node("v4l2_input.usb", properties: ["api.v4l2.path": "/dev/video0"])
        let merged = merge([kernelCamera("/dev/video0")], cameras([twin, node("front", id: 2)]))
        #expect(merged.map(\.uniqueID) == ["usb-/dev/video0", "front"])
        #expect(merged.map(\.driverSelection?.driver) == [.v4l2, .pipeWire])
        #expect(merged.map(\.driverSelection?.reason) == [.nodeIsUsable, .isOnlyDriver])
        #expect(merged.map(\.pipeWireNode) == [nil, "front"])
    }

    @Test("A camera of libcamera is the same as the kernel's nodes that it uses")
    func deviceNumbers() {
        let twin = node("libcamera", properties: ["device.devids": "[ 20736, 20737 ]"])
        #expect(merge([kernelCamera("/dev/video0")], cameras([twin]), number: 20737).count == 1)
        #expect(merge([kernelCamera("/dev/video0")], cameras([twin]), number: 20738).count == 2)
    }

    @Test("A camera that PipeWire has from V4L2 and from libcamera is listed once as well, and no other of libcamera's")
    func twice() {
        let numbers = ["device.devids": "[ 20736 ]"]
        let pipeWire = cameras([
            node("v4l2", id: 1, properties: ["api.v4l2.path": "/dev/video0"]),
            node("libcamera", id: 2, properties: numbers), node("same pipeline", id: 3, properties: numbers),
        ])
        let merged = merge([kernelCamera("/dev/video0")], pipeWire, number: 20736)
        #expect(merged.map(\.uniqueID) == ["usb-/dev/video0", "same pipeline"])
    }

    @Test("A node that is no camera of the kernel is none of PipeWire either, such as an infrared sensor")
    func infrared() {
        let pipeWire = cameras([
            node("color", id: 1, properties: ["api.v4l2.path": "/dev/video0"]),
            node("infrared", id: 2, properties: ["api.v4l2.path": "/dev/video2"]), node("libcamera", id: 3),
        ])
        let merged = CameraMerge(
            kernel: [kernelCamera("/dev/video0")], pipeWire: pipeWire, otherPaths: ["/dev/video2"], isSandboxed: false,
            preferred: nil, kernelNumber: { _ in nil })
        #expect(merged.cameras.map(\.uniqueID) == ["usb-/dev/video0", "libcamera"])
    }

    @Test("PipeWire is used in a sandbox, without rights on the node, and on request")
    func policy() {
        let twin = cameras([node("v4l2_input.usb", properties: ["api.v4l2.path": "/dev/video0"])])
        let allowed = kernelCamera("/dev/video0")
        var denied = kernelCamera("/dev/video0", authorization: .denied)
        denied.accessReason = .filePermissions
        let cases: [(FoundDevice, Bool, CameraDriverKind?, CameraDriverKind, CameraDriverSelection.Reason)] = [
            (allowed, false, nil, .v4l2, .nodeIsUsable), (allowed, true, nil, .pipeWire, .isSandboxed),
            (denied, false, nil, .pipeWire, .nodeIsNotPermitted), (allowed, false, .pipeWire, .pipeWire, .isPreferred),
            (denied, true, .v4l2, .v4l2, .isPreferred),
        ]
        for (camera, isSandboxed, preferred, driver, reason) in cases {
            let merged = merge([camera], twin, isSandboxed: isSandboxed, preferred: preferred)
            #expect(merged.map(\.driverSelection) == [CameraDriverSelection(driver: driver, reason: reason)])
            #expect(merged.map(\.pipeWireNode) == [driver == .pipeWire ? "v4l2_input.usb" : nil])
            #expect(merged.map(\.uniqueID) == [camera.uniqueID])
            #expect(merged[0].authorization == (driver == .pipeWire ? .authorized : camera.authorization))
            #expect(merged[0].accessReason == (driver == .pipeWire ? nil : camera.accessReason))
        }
        // The other driver does not have it.
        #expect(merge([denied], [], preferred: .pipeWire).map(\.driverSelection?.driver) == [.v4l2])
    }

    @Test("Equal names are told apart")
    func names() {
        let merged = merge(
            [kernelCamera("/dev/video0")], cameras([node("other", properties: ["node.description": "Webcam"])]))
        #expect(Set(merged.map(\.name)) == ["Webcam", "Webcam (2)"])
    }

    @Test("Fixed sizes are modes; of a range the usual ones, and any size within it is supported")
    func modes() {
        let fixed = PipeWireOffer(
            subtype: 1, format: 4, smallest: PixelSize(width: 640, height: 480),
            largest: PixelSize(width: 640, height: 480), step: PixelSize(width: 1, height: 1),
            intervals: [FrameInterval(numerator: 1, denominator: 15), FrameInterval(numerator: 1, denominator: 30)],
            hasRateRange: false, needsModifier: false)
        let range = PipeWireOffer(
            subtype: 1, format: 23, smallest: PixelSize(width: 16, height: 16),
            largest: PixelSize(width: 1920, height: 1080), step: PixelSize(width: 2, height: 2),
            intervals: [FrameInterval(numerator: 1, denominator: 0), FrameInterval(numerator: 1, denominator: 60)],
            hasRateRange: true, needsModifier: false)
        let unknown = PipeWireOffer(
            subtype: 0x20005, format: 0, smallest: PixelSize(width: 640, height: 480),
            largest: PixelSize(width: 640, height: 480), step: PixelSize(width: 1, height: 1), intervals: [],
            hasRateRange: false, needsModifier: false)
        let modes = PipeWireModes([unknown, range, fixed])
        #expect(modes.all.first?.format.pixelFormat == .yuyv)
        #expect(
            modes.all.filter { $0.format.pixelFormat == .yuyv }.map(\.format.frameRate) == [
                FrameRate(30), FrameRate(15),
            ])
        let within = VideoFormat(pixelFormat: .nv12, width: 802, height: 600, frameRate: FrameRate(30))
        #expect(modes.mode(for: within) != nil)
        #expect(modes.mode(for: VideoFormat(pixelFormat: .nv12, width: 803, height: 600, frameRate: nil)) == nil)
        #expect(modes.mode(for: VideoFormat(pixelFormat: .nv12, width: 4000, height: 600, frameRate: nil)) == nil)
        #expect(modes.all.allSatisfy { $0.format.pixelFormat == .yuyv || $0.format.pixelFormat == .nv12 })
        let rates = modes.all.compactMap(\.format.frameRate?.framesPerSecond)
        #expect(rates.allSatisfy { $0 <= 60 } && rates.contains(60))
    }

    @Test("A format that also exists without a modifier is requested without it")
    func modifiers() {
        let size = PixelSize(width: 64, height: 48)
        let offers = [true, false].map { needsModifier in
            PipeWireOffer(
                subtype: 1, format: 12, smallest: size, largest: size, step: PixelSize(width: 1, height: 1),
                intervals: [], hasRateRange: false, needsModifier: needsModifier)
        }
        #expect(PipeWireModes(offers).all.map(\.needsModifier) == [false])
        #expect(PipeWireModes([offers[0]]).all.map(\.needsModifier) == [true])
    }

    @Test("The part of a frame lies in the memory of the whole frame")
    func crop() throws {
        let size = PixelSize(width: 64, height: 48)
        for format in PixelFormat.allCases where !format.isCompressed {
            let whole = FrameShape(format, size: size, strides: [], hasSeparatePlanes: false, swapsChroma: false)
            let rect = PixelRect(x: 5, y: 7, width: 20, height: 10)
            let part = try #require(whole.cropped(to: rect, format: format, size: size))
            let (horizontal, vertical) = format.chromaSubsampling
            #expect(part.size == PixelSize(width: 20 + 5 % horizontal, height: 10 + 7 % vertical))
            for (plane, other) in zip(part.shape.planes, whole.planes) {
                #expect(plane.offset > other.offset)
                #expect(plane.offset + plane.byteCount <= other.offset + other.byteCount)
                #expect(plane.bytesPerRow == other.bytesPerRow)
            }
        }
        let whole = FrameShape(.nv12, size: size, strides: [], hasSeparatePlanes: false, swapsChroma: false)
        let outside = PixelRect(x: 64, y: 0, width: 5, height: 5)
        #expect(whole.cropped(to: outside, format: .nv12, size: size) == nil)
    }

    @Test("Colors are those that the node reports, or unknown")
    func colors() {
        let unknown = PipeWireColors(range: 0, matrix: 0, transfer: 0, primaries: 0)
        #expect(unknown.meaning(for: .yuyv) == nil)
        #expect(unknown.meaning(for: .gray8)?.range == .full)
        let hd = PipeWireColors(range: 2, matrix: 3, transfer: 5, primaries: 1).meaning(for: .nv12)
        #expect(hd == .bt709)
        let hdr = PipeWireColors(range: 1, matrix: 6, transfer: 14, primaries: 7).meaning(for: .i010)
        #expect(hdr == ColorSpace(matrix: .bt2020, range: .full, primaries: .bt2020, transfer: .pq))
    }

    @Test("A frame that was rotated counterclockwise is turned back clockwise, and then mirrored back")
    func transforms() {
        let all = (0..<9).map { PipeWireTransform(rawValue: $0) }
        #expect(all.prefix(4).map(\.uprightTurn) == [.up, .right, .down, .left])
        #expect(all.map(\.isMirrored) == [false, false, false, false, true, true, true, true, false])
    }
}
