// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What a request is answered that fails.
struct APIError: Codable, Sendable, Equatable {
    struct Body: Codable, Sendable, Equatable {
        var code: String
        var message: String
        var advice: String?
    }

    var error: Body

    init(code: String, message: String, advice: String? = nil) {
        error = Body(code: code, message: message, advice: advice)
    }

    init(_ error: ObscuraError) {
        self.init(code: error.code.description, message: error.sentence, advice: error.remedy?.pageText)
    }
}

extension ObscuraError {
    /// What pages are told of it. Where files are is no affair of theirs: of a path, but for devices, the name alone.
    var sentence: String {
        let isHidden = subject.hasPrefix("/") && !subject.hasPrefix("/dev/")
        let name = isHidden ? subject.split(separator: "/").last.map(String.init) ?? subject : subject
        return "\(name): \(reason)."
    }
}
