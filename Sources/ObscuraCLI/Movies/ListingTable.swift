// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Names and values in two columns.
enum ListingTable {
    static func text(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { name, value in
            // Control characters in a file's metadata must not move the cursor.
            let safe = value.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }
                .joined()
            return name + String(repeating: " ", count: width - name.count) + safe + "\n"
        }.joined()
    }
}
