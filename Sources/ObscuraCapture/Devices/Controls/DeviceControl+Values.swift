// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension DeviceControl {
    /// Returns the valid value for `value`: itself, or the nearest step.
    ///
    /// - Throws: ``ObscuraError/Code/invalidValue`` if it is out of range, and ``ObscuraError/Code/unsupportedControl``
    ///   if the control cannot be set.
    func accepted(_ value: Int64, on device: String) throws(ObscuraError) -> Int64 {
        switch kind {
        case _ where isReadOnly:
            throw .unsupportedControl(device, "\(name) is read-only")
        case .unsupported(let reason):
            throw .unsupportedControl(device, "\(name) has a type that cannot be set (\(reason))")
        case .integer(let range, let step):
            guard range.contains(value) else { throw .invalidValue(device, self, "\(value)") }
            return Self.nearestStep(to: value, in: range, step: step)
        case .boolean:
            guard value == 0 || value == 1 else { throw .invalidValue(device, self, "\(value)") }
            return value
        case .menu(let items), .integerMenu(let items):
            guard items.contains(where: { $0.index == value }) else { throw .invalidValue(device, self, "\(value)") }
            return value
        case .bitmask(let mask):
            guard value & ~mask == 0 else { throw .invalidValue(device, self, "\(value)") }
            return value
        case .button:
            return value
        }
    }

    /// Returns the nearest step; the last one may be below the end of the range.
    private static func nearestStep(to value: Int64, in range: ClosedRange<Int64>, step: Int64) -> Int64 {
        // Wide enough for every range of a driver.
        let step = Int128(max(1, step))
        let lowest = Int128(range.lowerBound)
        let last = (Int128(range.upperBound) - lowest) / step
        let index = min(last, (Int128(value) - lowest + step / 2) / step)
        return Int64(clamping: lowest + index * step)
    }

    /// A description of the valid values, as in error messages, such as `0 to 255 in steps of 5`.
    public var valueDescription: String {
        switch kind {
        case .integer(let range, let step):
            let text = "\(range.lowerBound) to \(range.upperBound)"
            return step > 1 ? "\(text) in steps of \(step)" : text
        case .boolean: return "0 (off) or 1 (on)"
        case .menu(let items), .integerMenu(let items):
            return items.map { "\($0.index) (\($0.title))" }.joined(separator: ", ")
        case .button: return "a press"
        case .bitmask(let mask): return "the bits 0x\(String(UInt64(bitPattern: mask), radix: 16))"
        case .unsupported(let reason): return reason
        }
    }
}

extension ObscuraError {
    static func unsupportedControl(_ device: String, _ reason: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedControl, subject: device, reason: reason,
            remedy: .listControls)
    }

    static func invalidValue(_ device: String, _ control: DeviceControl, _ value: String) -> ObscuraError {
        ObscuraError(
            .capture, .invalidValue, subject: device,
            reason: "\(control.name) takes \(control.valueDescription), not \(value)")
    }
}
