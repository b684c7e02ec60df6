// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CMTime: Comparable, Hashable {
    /// Whether the first time is before the second; see ``CMTimeCompare(_:_:)``.
    public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

    /// Whether both times are equal, even if their timescales differ; see ``CMTimeCompare(_:_:)``.
    public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

    /// Hashes the kind of the time and, if it is numeric, its epoch and its reduced fraction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(order)
        guard order == .numeric else { return }
        // Equal times of different timescales need the same hash.
        let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
        hasher.combine(epoch)
        hasher.combine(Int128(value) / divisor)
        hasher.combine(Int128(timescale) / divisor)
    }

    /// The kinds of times in the order in which Apple sorts them.
    private enum Order: Int, Hashable {
        case negativeInfinity, numeric, indefinite, positiveInfinity, invalid
    }

    private var order: Order {
        if isFraction { return .numeric }
        if isPositiveInfinity { return .positiveInfinity }
        if isNegativeInfinity { return .negativeInfinity }
        return isIndefinite ? .indefinite : .invalid
    }

    fileprivate func compare(_ other: CMTime) -> Int32 {
        if order != other.order { return order.rawValue < other.order.rawValue ? -1 : 1 }
        guard order == .numeric else { return 0 }
        if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
        let (product, otherProduct) = (
            Int128(value) * Int128(other.timescale), Int128(other.value) * Int128(timescale)
        )
        return product == otherProduct ? 0 : product < otherProduct ? -1 : 1
    }
}

/// Returns -1 if the first time is less than the second, 1 if it is greater, and 0 if they are equal.
///
/// The order is that of Apple's documentation: negative infinity, all numeric times, indefinite, positive infinity,
/// invalid. Two times of the same kind are equal if the kind is not numeric. A numeric time of a smaller epoch is less
/// than one of a greater epoch.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1.compare(time2) }

/// Returns the lesser of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }

/// Returns the greater of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

/// Returns the absolute value of a time. Only if the value would overflow, it is rounded to half the timescale.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    guard time.isFraction, time.value < 0 else { return time }
    return CMTimeMultiply(time, multiplier: -1)
}
