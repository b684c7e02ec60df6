// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The key of the value of a time.
public let kCMTimeValueKey: CFString = "value"
/// The key of the timescale of a time.
public let kCMTimeScaleKey: CFString = "timescale"
/// The key of the epoch of a time.
public let kCMTimeEpochKey: CFString = "epoch"
/// The key of the flags of a time.
public let kCMTimeFlagsKey: CFString = "flags"
/// The key of the start of a range, itself a dictionary.
public let kCMTimeRangeStartKey: CFString = "start"
/// The key of the duration of a range, itself a dictionary.
public let kCMTimeRangeDurationKey: CFString = "duration"

/// Returns the value, the timescale, the epoch and the flags of a time as a dictionary.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeValueKey: time.value, kCMTimeScaleKey: time.timescale, kCMTimeEpochKey: time.epoch,
        kCMTimeFlagsKey: time.flags.rawValue,
    ]
}

/// Returns the time in a dictionary; invalid if a key is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    func number<Number: BinaryInteger>(_ key: String) -> Number? {
        // Numbers from a property list are objects, those of `CMTimeCopyAsDictionary` are integers.
        (dictionaryRepresentation?[key] as? NSNumber).flatMap { Number(exactly: $0.int64Value) }
    }
    guard let value: CMTimeValue = number(kCMTimeValueKey), let timescale: CMTimeScale = number(kCMTimeScaleKey),
        let epoch: CMTimeEpoch = number(kCMTimeEpochKey), let flags: UInt32 = number(kCMTimeFlagsKey)
    else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}

/// Returns the start and the duration of a range as a dictionary.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) as Any,
        kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) as Any,
    ]
}

/// Returns the range in a dictionary; invalid if the start or the duration is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    guard let start = dictionaryRepresentation[kCMTimeRangeStartKey] as? CFDictionary,
        let duration = dictionaryRepresentation[kCMTimeRangeDurationKey] as? CFDictionary
    else { return .invalid }
    return CMTimeRange(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}
