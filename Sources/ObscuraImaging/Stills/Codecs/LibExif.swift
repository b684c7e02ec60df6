// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CExif
internal import ObscuraMedia

/// A block of libexif and the allocator of its memory; owns both. For one thread.
final class LibExif {
    private let memory: OpaquePointer
    private let block: UnsafeMutablePointer<ExifData>

    private init() throws(ObscuraError) {
        guard let memory = exif_mem_new_default() else { throw .codecFailed("EXIF", "no memory is left") }
        guard let block = exif_data_new_mem(memory) else {
            exif_mem_unref(memory)
            throw .codecFailed("EXIF", "no memory is left")
        }
        self.memory = memory
        self.block = block
        // The fields remain as they are: with these options, libexif would omit unknown ones, and add or change others
        // to conform to the specification.
        exif_data_unset_option(block, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_unset_option(block, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    }

    deinit {
        exif_data_unref(block)
        exif_mem_unref(memory)
    }

    /// The header of a block in a JPEG; a PNG has none.
    static let head: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// Returns the block of these fields, with ``head``, in little-endian order.
    static func encode(_ fields: ExifFields) throws(ObscuraError) -> [UInt8] {
        let exif = try LibExif()
        exif_data_set_byte_order(exif.block, EXIF_BYTE_ORDER_INTEL)
        let keys = fields.values.keys.sorted { ($0.directory.rawValue, $0.tag) < ($1.directory.rawValue, $1.tag) }
        for key in keys {
            if let value = fields.values[key] { try exif.add(value, key) }
        }
        if let thumbnail = fields.thumbnail, !thumbnail.isEmpty {
            exif.block.pointee.data = try exif.copy(thumbnail)
            exif.block.pointee.size = UInt32(thumbnail.count)
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt32 = 0
        exif_data_save_data(exif.block, &bytes, &count)
        guard let bytes, count > 0 else { throw .codecFailed("EXIF", "no memory is left") }
        defer { exif_mem_free(exif.memory, bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Returns the fields of a block with ``head``. Damaged fields are omitted.
    static func decode(_ bytes: [UInt8]) throws(ObscuraError) -> ExifFields {
        let exif = try LibExif()
        guard bytes.count <= 1 << 20 else { throw .damaged("EXIF", "it is longer than 1 MiB") }
        exif_data_load_data(exif.block, bytes, UInt32(bytes.count))
        let isLittle = exif_data_get_byte_order(exif.block) == EXIF_BYTE_ORDER_INTEL
        var fields = ExifFields()
        for directory in ExifFields.Directory.allCases {
            guard let content = exif.content(directory), let entries = content.pointee.entries else { continue }
            for index in 0..<Int(content.pointee.count) {
                guard let entry = entries[index]?.pointee, let tag = UInt16(exactly: entry.tag.rawValue),
                    let value = ExifFields.Value(entry, isLittleEndian: isLittle)
                else { continue }
                let key = ExifFields.Key(directory, tag)
                if fields[key] == nil { fields[key] = value }
            }
        }
        if let data = exif.block.pointee.data, exif.block.pointee.size > 0 {
            fields.thumbnail = Array(UnsafeBufferPointer(start: data, count: Int(exif.block.pointee.size)))
        }
        return fields
    }

    private func content(_ directory: ExifFields.Directory) -> UnsafeMutablePointer<ExifContent>? {
        let contents = block.pointee.ifd
        switch directory {
        case .main: return contents.0
        case .thumbnail: return contents.1
        case .exif: return contents.2
        case .gps: return contents.3
        }
    }

    private func add(_ value: ExifFields.Value, _ key: ExifFields.Key) throws(ObscuraError) {
        guard let entry = exif_entry_new_mem(memory) else { throw .codecFailed("EXIF", "no memory is left") }
        defer { exif_entry_unref(entry) }
        let bytes = value.littleEndianBytes
        entry.pointee.tag = ExifTag(rawValue: ExifTag.RawValue(key.tag))
        entry.pointee.format = value.format
        entry.pointee.components = UInt(value.count)
        entry.pointee.data = try copy(bytes)
        entry.pointee.size = UInt32(bytes.count)
        exif_content_add_entry(content(key.directory), entry)
    }

    private func copy(_ bytes: [UInt8]) throws(ObscuraError) -> UnsafeMutablePointer<UInt8> {
        guard let raw = exif_mem_alloc(memory, UInt32(max(1, bytes.count))) else {
            throw .codecFailed("EXIF", "no memory is left")
        }
        let copy = raw.bindMemory(to: UInt8.self, capacity: max(1, bytes.count))
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { copy.update(from: base, count: source.count) }
        }
        return copy
    }
}

extension ExifFields.Value {
    fileprivate var format: ExifFormat {
        switch self {
        case .text: EXIF_FORMAT_ASCII
        case .bytes: EXIF_FORMAT_BYTE
        case .undefined: EXIF_FORMAT_UNDEFINED
        case .short: EXIF_FORMAT_SHORT
        case .long: EXIF_FORMAT_LONG
        case .rational: EXIF_FORMAT_RATIONAL
        case .signedRational: EXIF_FORMAT_SRATIONAL
        }
    }

    /// The number of components; that of a text includes the zero at its end.
    fileprivate var count: Int {
        switch self {
        case .text(let text): text.utf8.count + 1
        case .bytes(let bytes), .undefined(let bytes): bytes.count
        case .short(let numbers): numbers.count
        case .long(let numbers): numbers.count
        case .rational(let fractions): fractions.count
        case .signedRational(let fractions): fractions.count
        }
    }

    fileprivate var littleEndianBytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8) + [0]
        case .bytes(let bytes), .undefined(let bytes): bytes
        case .short(let numbers): numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        case .long(let numbers): numbers.flatMap(Self.bytes)
        case .rational(let fractions):
            fractions.flatMap { Self.bytes($0.numerator) + Self.bytes($0.denominator) }
        case .signedRational(let fractions):
            fractions.flatMap {
                Self.bytes(UInt32(bitPattern: $0.numerator)) + Self.bytes(UInt32(bitPattern: $0.denominator))
            }
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }

    /// Creates the value of an entry; nil if its data is too short for its components, or its format is not used here.
    fileprivate init?(_ entry: ExifEntry, isLittleEndian: Bool) {
        guard let data = entry.data, entry.size > 0 else { return nil }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(entry.size)))
        let count = Int(clamping: entry.components)
        let width = Int(exif_format_get_size(entry.format))
        guard width > 0, count > 0, count <= bytes.count / width else { return nil }
        func number(_ offset: Int, _ length: Int) -> UInt32 {
            let part = bytes[offset..<offset + length]
            return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt32($1) }
        }
        switch entry.format {
        case EXIF_FORMAT_ASCII: self = .text(String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self))
        case EXIF_FORMAT_BYTE: self = .bytes(Array(bytes.prefix(count)))
        case EXIF_FORMAT_UNDEFINED: self = .undefined(Array(bytes.prefix(count)))
        case EXIF_FORMAT_SHORT: self = .short((0..<count).map { UInt16(number(2 * $0, 2)) })
        case EXIF_FORMAT_LONG: self = .long((0..<count).map { number(4 * $0, 4) })
        case EXIF_FORMAT_RATIONAL:
            self = .rational(
                (0..<count).map { .init(numerator: number(8 * $0, 4), denominator: number(8 * $0 + 4, 4)) })
        case EXIF_FORMAT_SRATIONAL:
            self = .signedRational(
                (0..<count).map {
                    .init(
                        numerator: Int32(bitPattern: number(8 * $0, 4)),
                        denominator: Int32(bitPattern: number(8 * $0 + 4, 4)))
                })
        default: return nil
        }
    }
}
