// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A chapter of a movie.
package struct MovieChapter: Sendable, Hashable {
    /// Where a chapter begins, and its title.
    package typealias Beginning = (start: MediaTime, title: String)

    package let start: MediaTime
    package let end: MediaTime
    package let title: String

    package init(start: MediaTime, end: MediaTime, title: String) {
        self.start = start
        self.end = end
        self.title = title
    }

    /// Chapters with these beginnings, of which each ends at the next one, and the last one with the movie.
    package static func chapters(_ beginnings: [Beginning], end: MediaTime) -> [MovieChapter] {
        let next = beginnings.dropFirst().map(\.start) + [end]
        return zip(beginnings, next).map { MovieChapter(start: $0.start, end: max($0.start, $1), title: $0.title) }
    }
}
