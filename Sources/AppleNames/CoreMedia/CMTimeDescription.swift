// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Returns a description of a time for people: its fraction and its seconds, as in `{3/2 = 1.500}`.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
    if !time.isValid { return "{INVALID}" }
    if time.isPositiveInfinity { return "{+INFINITY}" }
    if time.isNegativeInfinity { return "{-INFINITY}" }
    if time.isIndefinite { return "{INDEFINITE}" }
    let epoch = time.epoch == 0 ? "" : ", epoch=\(time.epoch)"
    let rounded = time.hasBeenRounded ? ", rounded" : ""
    return "{\(time.value)/\(time.timescale) = \(String(format: "%.3f", time.seconds))\(epoch)\(rounded)}"
}

/// Prints a description of a time to the standard error stream.
public func CMTimeShow(_ time: CMTime) { show(CMTimeCopyDescription(allocator: nil, time: time)) }

/// Returns a description of a range for people: its start and its duration.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
    let times = [range.start, range.duration].compactMap { CMTimeCopyDescription(allocator: allocator, time: $0) }
    return "{\(times.joined(separator: ", "))}"
}

/// Prints a description of a range to the standard error stream.
public func CMTimeRangeShow(_ range: CMTimeRange) { show(CMTimeRangeCopyDescription(allocator: nil, range: range)) }

private func show(_ description: CFString?) {
    guard let description else { return }
    // A closed stream is no reason to fail.
    try? FileHandle.standardError.write(contentsOf: Data((description + "\n").utf8))
}
