// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
package import Hummingbird
internal import NIOCore

/// Metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct PrometheusText: Sendable {
    /// A line: what follows the name of the family, such as `_sum`, and the labels.
    package struct Sample: Sendable {
        package var suffix = ""
        package let labels: [(String, String)]
        package let value: Double

        package init(suffix: String = "", _ labels: [(String, String)] = [], _ value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    package private(set) var text = ""

    package init() {}

    /// Appends a family; nothing if it has no samples.
    package mutating func append(_ name: String, help: String? = nil, type: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        if let help { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(type)\n"
        for sample in samples {
            text += "\(name)\(sample.suffix)\(Self.text(of: sample.labels)) \(Self.text(of: sample.value))\n"
        }
    }

    /// The response to a request for the text.
    package var response: Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func text(of labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    private static func text(of value: Double) -> String {
        switch value {
        case .infinity: "+Inf"
        case -.infinity: "-Inf"
        case let value where value.isNaN: "NaN"
        default: "\(value)"
        }
    }

    private static func escaped(_ value: String) -> String {
        // By scalars: with a combining mark after it, a quotation mark would be another character.
        value.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(scalar)
            }
        }.joined()
    }
}
