// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

extension APIError {
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
