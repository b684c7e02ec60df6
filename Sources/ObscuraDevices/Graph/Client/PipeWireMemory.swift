// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import ObscuraBase

/// The mapped memory of a buffer, which stays mapped after its stream has ended.
///
/// `Sendable`: the memory object is constant and counts its references atomically; its bytes are only read.
final class PipeWireMemory: @unchecked Sendable {  // see above
    /// One memory area.
    struct Part {
        /// Nil if the area cannot be mapped.
        let base: UnsafeRawPointer?
        let byteCount: Int
    }

    private let functions: OPWFunctions
    private let memory: OpaquePointer
    let parts: [Part]
    /// Whether the first area is mapped.
    let isMapped: Bool
    /// The DMA-BUF descriptor of each area; empty for other memory.
    let dmaDescriptors: [Int32]

    init(_ memory: OpaquePointer, _ functions: OPWFunctions) {
        self.functions = functions
        self.memory = memory
        functions.retainMemory(memory)
        let parts = (0..<functions.partCount(memory)).map { functions.part(memory, $0) }
        self.parts = parts.map { Part(base: $0.base, byteCount: $0.byteCount) }
        isMapped = parts.first?.base != nil
        let descriptors = parts.map(\.descriptor).filter { $0 >= 0 }
        dmaDescriptors = descriptors.count == parts.count ? descriptors : []
    }

    deinit {
        functions.releaseMemory(memory)
    }

    /// Whether this is the memory of a buffer.
    func isMemory(_ other: OpaquePointer) -> Bool { memory == other }

    /// Tells a device that the processor begins or ends reading. Nothing happens for memory of other kinds.
    func markReading(_ begins: Bool) {
        if !dmaDescriptors.isEmpty { functions.markReading(memory, begins) }
    }

    /// Returns a buffer of a stream to its producer. For the thread of the stream.
    func queue(_ buffer: UnsafeMutableRawPointer, in stream: OpaquePointer) {
        functions.queue(stream, buffer, memory)
    }
}
