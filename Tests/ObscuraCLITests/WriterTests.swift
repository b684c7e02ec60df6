// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura
import TestSupport
import Testing

@Suite struct WriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "Raw planes have no padding, in any format and at odd sizes",
        arguments: PixelFormat.allCases.filter { !$0.isCompressed }, [(1, 1), (5, 3), (64, 2), (131, 7)])
    func packed(format: PixelFormat, size: (Int, Int)) throws {
        let picture = try Pictures.make(format, size.0, size.1)
        #expect(picture.packedBytes() == Pictures.packed(format, size.0, size.1))
        #expect(picture.packedByteCount == Pictures.packed(format, size.0, size.1).count)
    }

    @Test("The header of a stream says size, rate, chroma and range")
    func headers() {
        let header = { (format: PixelFormat, range: ColorSpace.Range, rate: FrameRate?) in
            Y4MHeader(size: PixelSize(width: 5, height: 3), pixelFormat: format, frameRate: rate, range: range)?.text
        }
        let begin = "YUV4MPEG2 W5 H3 F30000:1001 Ip A0:0 C"
        let rate = FrameRate(30000, per: 1001)
        #expect(header(.i420, .limited, rate) == begin + "420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED\n")
        #expect(header(.i420, .full, rate) == begin + "420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL\n")
        #expect(header(.i422, .limited, rate) == begin + "422 XCOLORRANGE=LIMITED\n")
        #expect(header(.i444, .full, rate) == begin + "444 XCOLORRANGE=FULL\n")
        #expect(header(.gray8, .full, rate) == begin + "mono XCOLORRANGE=FULL\n")
        #expect(header(.i010, .limited, rate) == begin + "420p10 XYSCSS=420P10 XCOLORRANGE=LIMITED\n")
        #expect(header(.i210, .limited, rate) == begin + "422p10 XYSCSS=422P10 XCOLORRANGE=LIMITED\n")
        #expect(header(.i410, .limited, rate) == begin + "444p10 XYSCSS=444P10 XCOLORRANGE=LIMITED\n")
        #expect(header(.i444, .full, nil) == "YUV4MPEG2 W5 H3 F0:0 Ip A0:0 C444 XCOLORRANGE=FULL\n")
        #expect(header(.bgra, .full, nil) == nil)
        #expect(header(.nv12, .full, nil) == nil)
        #expect(header(.rgb24, .full, nil) == nil)
        #expect(Y4MHeader.nearestFormat(to: .bgr24) == .i444)
        #expect(Y4MHeader.nearestFormat(to: .nv21) == .i420)
        #expect(Y4MHeader.nearestFormat(to: .nv16) == .i422)
    }

    @Test(
        "A stream holds the planes of each frame, byte for byte", arguments: [PixelFormat.i420, .i010, .gray8, .i444])
    func stream(format: PixelFormat) throws {
        let writer = try FrameStreamWriter(.file(folder("deep/er/a.y4m")), layout: .y4m(FrameRate(25)))
        for seed in 0..<3 { try writer.append(Pictures.frame(Pictures.make(format, 5, 3, seed: seed), seed)) }
        try writer.finish()
        let header = try #require(
            Y4MHeader(
                size: PixelSize(width: 5, height: 3), pixelFormat: format, frameRate: FrameRate(25), range: .limited))
        var expected = Array(header.text.utf8)
        for seed in 0..<3 { expected += Array("FRAME\n".utf8) + Pictures.packed(format, 5, 3, seed: seed) }
        #expect(try folder.bytes(of: "deep/er/a.y4m") == expected)
        #expect(writer.counts.frames == 3 && writer.counts.bytes == Int64(expected.count))
        #expect(writer.counts.size == PixelSize(width: 5, height: 3) && writer.counts.pixelFormat == format)
        #expect(writer.counts.writing.count == 3)
    }

    @Test("A picture that is not planar is made so, without loss where there is a way")
    func converted() throws {
        let writer = try FrameStreamWriter(.file(folder("a.y4m")), layout: .y4m(nil))
        try writer.append(Pictures.frame(Pictures.make(.nv12, 4, 2)))
        try writer.finish()
        let luma = (0..<8).map(UInt8.init)
        let chroma: [UInt8] = [64, 66, 65, 67]
        #expect(Array(try folder.bytes(of: "a.y4m").suffix(12)) == luma + chroma)
        #expect(writer.counts.pixelFormat == .i420)
    }

    @Test("A stream whose pictures change ends with the last whole one")
    func changed() throws {
        let writer = try FrameStreamWriter(.file(folder("a.raw")), layout: .raw)
        try writer.append(Pictures.frame(Pictures.make(.i420, 4, 2)))
        try writer.append(Pictures.frame(Pictures.make(.i420, 6, 2)))
        let error = #expect(throws: ObscuraError.self) { try writer.finish() }
        #expect(error?.code == .formatChanged)
        #expect(try folder.bytes(of: "a.raw") == Pictures.packed(.i420, 4, 2))
        #expect(throws: ObscuraError.self) { try writer.append(Pictures.frame(Pictures.make(.i420, 4, 2))) }
    }

    @Test("A full disk is an error that says so, and what was written counts")
    func full() throws {
        let writer = try FrameStreamWriter(.file("/dev/full"), layout: .raw)
        try writer.append(Pictures.frame(Pictures.make(.i420, 64, 64)))
        let error = #expect(throws: ObscuraError.self) { try writer.finish() }
        #expect(error?.code == .diskFull)
        #expect(error?.description.contains("disk is full") == true)
        #expect(writer.counts.frames == 0)
    }

    @Test("Files are numbered in the order of the frames, whoever encodes them")
    func sequence() throws {
        let writer = try FrameSequenceWriter(
            FramePathPattern(folder("s/%03d.raw")), encoding: .raw, threads: 4)
        for seed in 0..<50 { try writer.append(Pictures.frame(Pictures.make(.i420, 7, 5, seed: seed), seed)) }
        try writer.finish()
        #expect(folder.names(in: "s").count == 50)
        for seed in 0..<50 {
            let number = seed + 1 < 10 ? "00\(seed + 1)" : "0\(seed + 1)"
            #expect(try folder.bytes(of: "s/\(number).raw") == Pictures.packed(.i420, 7, 5, seed: seed))
        }
        #expect(writer.counts.frames == 50 && writer.counts.encoding.count == 50)
    }

    @Test("A file is a JPEG or PNG of the picture's size")
    func stills() throws {
        for encoding in [FrameSequenceWriter.Encoding.jpeg(quality: 80), .png] {
            let name = encoding == .png ? "%d.png" : "%d.jpg"
            let writer = try FrameSequenceWriter(FramePathPattern(folder(name)), encoding: encoding)
            try writer.append(Pictures.frame(Pictures.make(.i420, 33, 17)))
            try writer.finish()
        }
        let decoded = try JPEGDecoder.decode(folder.bytes(of: "1.jpg"))
        #expect(decoded.size == PixelSize(width: 33, height: 17))
        let png = try folder.bytes(of: "1.png")
        #expect(Array(png[1..<4]) == Array("PNG".utf8) && Array(png[16..<24]) == [0, 0, 0, 33, 0, 0, 0, 17])
        #expect(folder.names() == ["1.jpg", "1.png"], "nothing else is left behind")
    }

    @Test("Files that are there are not touched, unless they may be overwritten")
    func overwriting() throws {
        let first = try FrameSequenceWriter(FramePathPattern(folder("%03d.raw")), encoding: .raw)
        try first.append(Pictures.frame(Pictures.make(.gray8, 4, 4, seed: 1)))
        try first.finish()
        let error = #expect(throws: ObscuraError.self) {
            try FrameSequenceWriter(FramePathPattern(folder("%03d.raw")), encoding: .raw)
        }
        #expect(error?.code == .fileExists && error?.subject == folder("001.raw"))
        // Other names, and names that no frame can have, are no obstacle.
        _ = try FrameSequenceWriter(FramePathPattern(folder("%02d.raw")), encoding: .raw)
        _ = try FrameSequenceWriter(FramePathPattern(folder("x%03d.raw")), encoding: .raw)
        let second = try FrameSequenceWriter(FramePathPattern(folder("%03d.raw")), encoding: .raw, overwrites: true)
        try second.append(Pictures.frame(Pictures.make(.gray8, 4, 4, seed: 2)))
        try second.finish()
        #expect(try folder.bytes(of: "001.raw") == Pictures.packed(.gray8, 4, 4, seed: 2))
    }

    @Test("A file that appears meanwhile is not overwritten either")
    func race() throws {
        let early = try FrameSequenceWriter(FramePathPattern(folder("%d.raw")), encoding: .raw)
        let late = try FrameSequenceWriter(FramePathPattern(folder("%d.raw")), encoding: .raw)
        try early.append(Pictures.frame(Pictures.make(.gray8, 4, 4, seed: 1)))
        try early.finish()
        try late.append(Pictures.frame(Pictures.make(.gray8, 4, 4, seed: 2)))
        let error = #expect(throws: ObscuraError.self) { try late.finish() }
        #expect(error?.code == .fileExists)
        #expect(try folder.bytes(of: "1.raw") == Pictures.packed(.gray8, 4, 4, seed: 1))
        #expect(folder.names() == ["1.raw"])
    }

    @Test("Of several failures the one of the earliest frame is told, and all frames before it are whole")
    func earliest() throws {
        let writer = try FrameSequenceWriter(FramePathPattern(folder("%d.raw")), encoding: .raw, threads: 4)
        for number in 5...8 {
            let other = try FrameStreamWriter(.file(folder("\(number).raw")), layout: .raw)
            try other.append(Pictures.frame(Pictures.make(.gray8, 4, 4)))
            try other.finish()
        }
        // The failure may be known before the last ones are handed over.
        for seed in 0..<8 { try? writer.append(Pictures.frame(Pictures.make(.gray8, 4, 4, seed: seed))) }
        let error = #expect(throws: ObscuraError.self) { try writer.finish() }
        #expect(error?.subject == folder("5.raw"))
        for seed in 0..<4 {
            #expect(try folder.bytes(of: "\(seed + 1).raw") == Pictures.packed(.gray8, 4, 4, seed: seed))
        }
    }

    @Test("A writer that is closed says so, and holds no picture")
    func closed() throws {
        let writer = try FrameSequenceWriter(FramePathPattern(folder("%d.jpg")), encoding: .jpeg())
        try writer.append(Pictures.frame(Pictures.make(.i420, 16, 16)))
        writer.close()
        try writer.finish()
        #expect(writer.counts.frames == 1)
        let error = #expect(throws: ObscuraError.self) {
            try writer.append(Pictures.frame(Pictures.make(.i420, 16, 16)))
        }
        #expect(error?.code == .closed)
    }

    @Test("A writer that is full takes no frame until it has room, and says so")
    func noRoom() throws {
        try #require(mkfifo(folder("pipe"), 0o600) == 0)
        // Opening a pipe waits for its reader.
        let writer = try FrameStreamWriter(.file(folder("pipe")), layout: .raw)
        let frame = try Pictures.frame(Pictures.make(.gray8, 4, 4))
        for _ in 0..<writer.capacity { #expect(try writer.tryAppend(frame)) }
        #expect(try !writer.tryAppend(frame))
        #expect(try !writer.append(frame, until: .now + .milliseconds(5)))
        let reader = open(folder("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(reader >= 0)
        try writer.append(frame)
        try writer.finish()
        #expect(writer.counts.frames == writer.capacity + 1)
    }

    @Test("A folder that may not be written is named")
    func folderRefused() throws {
        let writer = try FrameSequenceWriter(FramePathPattern("/proc/obscura/%d.jpg"), encoding: .jpeg())
        try writer.append(Pictures.frame(Pictures.make(.i420, 16, 16)))
        let error = #expect(throws: ObscuraError.self) { try writer.finish() }
        #expect(error?.code == .notWritable && error?.subject == "/proc/obscura")
    }

    @Test("Times are written as fractions and in seconds")
    func timestamps() throws {
        let writer = try TimestampWriter(path: folder("t.tsv"))
        writer.write(0, MediaTime(value: 0, timescale: 12800))
        writer.write(1, MediaTime(value: 1001, timescale: 30000))
        writer.write(2, MediaTime(value: -3, timescale: 2))
        #expect(writer.finish() == nil)
        #expect(
            try folder.text(of: "t.tsv")
                == "0\t0/12800\t0.000000000\n1\t1001/30000\t0.033366667\n2\t-3/2\t-1.500000000\n")
    }
}
