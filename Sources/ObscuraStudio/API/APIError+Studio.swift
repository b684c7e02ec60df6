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
    /// The error in one sentence for pages. Paths, except those of devices, are shortened to the file name: pages must
    /// not show where files are stored.
    var sentence: String {
        let isHidden = subject.hasPrefix("/") && !subject.hasPrefix("/dev/")
        let name = isHidden ? subject.split(separator: "/").last.map(String.init) ?? subject : subject
        return "\(name): \(reason)."
    }
}
