// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMovies
import Testing

extension AsyncStream<RecordingEvent> {
    /// The result of the first recording that ends; fails if the stream ends before.
    func result() async throws -> RecordingResult {
        for await case .finished(let result) in self { return result }
        return try #require(nil as RecordingResult?, "The events ended before a recording did.")
    }
}
