// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A kind of filter: its name, its values, and the operation.
struct FilterDefinition: Sendable {
    /// An operation with values; nil if the image cannot be processed with them.
    typealias Operation = @Sendable (CIImage) -> CIImage?

    let name: String
    let category: String
    /// The values other than the image.
    var inputs: [FilterInput] = []
    /// Returns the operation; nil if a value is missing or invalid.
    let make: @Sendable (FilterValues) -> Operation?

    /// Apple's filters that are available, by their names.
    static let all: [String: FilterDefinition] = {
        let lists = [colorEffects, colorAdjustments, colorTables, blurs, others]
        return Dictionary(lists.joined().map { ($0.name, $0) }) { first, _ in first }
    }()
}

/// A value of a filter, with its default.
struct FilterInput: Sendable {
    enum Kind: Sendable {
        /// With the usual range.
        case number(Double, ClosedRange<Double>)
        case vector([Double])
        case color(CIColor)
        case data(Data)
        case colorSpace
        case image
    }

    let key: String
    let kind: Kind

    /// A number with its default and its usual range.
    static func number(_ key: String, _ usual: Double, _ range: ClosedRange<Double>) -> FilterInput {
        FilterInput(key: key, kind: .number(usual, range))
    }

    static func vector(_ key: String, _ usual: [Double]) -> FilterInput {
        FilterInput(key: key, kind: .vector(usual))
    }

    /// The value that a filter has at first; nil for none.
    var usual: Any? {
        switch kind {
        case .number(let number, _): NSNumber(value: number)
        case .vector(let numbers):
            CIVector(values: numbers.map { CGFloat($0) }, count: numbers.count)
        case .color(let color): color
        case .data(let data): data
        case .colorSpace: CGColorSpace.standard
        case .image: nil
        }
    }

    var attributes: [String: Any] {
        var attributes: [String: Any] = [kCIAttributeClass: className]
        attributes[kCIAttributeDefault] = usual
        if case .number(_, let range) = kind {
            attributes[kCIAttributeSliderMin] = NSNumber(value: range.lowerBound)
            attributes[kCIAttributeSliderMax] = NSNumber(value: range.upperBound)
        }
        return attributes
    }

    private var className: String {
        switch kind {
        case .number: "NSNumber"
        case .vector: "CIVector"
        case .color: "CIColor"
        case .data: "NSData"
        case .colorSpace: "NSObject"
        case .image: "CIImage"
        }
    }
}

/// The values of a filter.
struct FilterValues {
    let values: [String: Any]

    func number(_ key: String) -> Double? {
        guard let number = values[key].flatMap({ Double(filterValue: $0) }), number.isFinite else { return nil }
        return number
    }

    /// Returns four numbers; those that a vector lacks are 0.
    func vector(_ key: String) -> SIMD4<Double>? {
        guard let vector = values[key] as? CIVector else { return nil }
        let numbers = SIMD4(Double(vector.x), Double(vector.y), Double(vector.z), Double(vector.w))
        return numbers.sum().isFinite ? numbers : nil
    }

    func color(_ key: String) -> SIMD4<Double>? {
        guard let color = values[key] as? CIColor else { return nil }
        let numbers = SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
        return numbers.sum().isFinite ? numbers : nil
    }

    func data(_ key: String) -> Data? { values[key] as? Data ?? (values[key] as? NSData).map { $0 as Data } }

    func image(_ key: String) -> CIImage? { values[key] as? CIImage }
}

extension Double {
    /// The value of any type of number; nil for another type. Foundation does not convert all of them on Linux.
    init?(filterValue value: Any) {
        switch value {
        case let number as Double: self = number
        case let number as CGFloat: self = Double(number)
        case let number as Float: self = Double(number)
        case let number as any BinaryInteger: self = Double(number)
        case let number as NSNumber: self = number.doubleValue
        default: return nil
        }
    }
}

extension Bool {
    /// The value of an option; nil without one, and for another type.
    init?(option: Any?) {
        switch option {
        case let value as Bool: self = value
        case let number as NSNumber: self = number.boolValue
        default: return nil
        }
    }
}
