// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite struct RecentMediaTests {
    @Test func namesStandInTheOrderInWhichTheyCame() {
        let media = RecentMedia()
        for name in ["a.jpg", "b.jpg", "a.jpg", "c.mp4"] { media.append(name) }
        #expect(media.names == ["a.jpg", "b.jpg", "c.mp4"])
        #expect(media.remove("b.jpg") && !media.remove("b.jpg"))
        #expect(media.names == ["a.jpg", "c.mp4"])
    }

    @Test func theOldestLeaveAThousand() {
        let media = RecentMedia()
        for number in 0..<1500 { media.append("\(number).jpg") }
        #expect(media.names == (500..<1500).map { "\($0).jpg" })
    }

    @Test func anOrderIsAPartOfWhatIsThereWithoutDoubles() throws {
        let media = RecentMedia()
        for name in ["a", "b", "c"] { media.append(name) }
        for order in [["a", "a"], ["a", "d"], ["a", "b", "c", "c"], [""]] {
            let error = #expect(throws: ObscuraError.self) { try media.reorder(order) }
            #expect(error?.code == .invalidRequest)
            #expect(media.names == ["a", "b", "c"])
        }
        // What came after the order was requested stays.
        media.append("d")
        try media.reorder(["c", "a"])
        #expect(media.names == ["c", "a", "b", "d"])
        try media.reorder([])
        #expect(media.names == ["c", "a", "b", "d"])
    }

    @Test func eachChangeIsToldOnceAndNoChangeIsNot() throws {
        let media = RecentMedia()
        let changes = Lock<[[String]]>([])
        media.onChange = { [unowned media] in
            let names = media.names
            changes.withLock { $0.append(names) }
        }
        media.append("a")
        media.append("a")
        media.append("b")
        try media.reorder(["a", "b"])
        try media.reorder(["b", "a"])
        #expect(throws: ObscuraError.self) { try media.reorder(["x"]) }
        media.remove("x")
        media.remove("b")
        #expect(changes.withLock { $0 } == [["a"], ["a", "b"], ["b", "a"], ["a"]])
    }

    @Test func manyHandsLoseNothing() async {
        let media = RecentMedia()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<100 { media.append("\(task)-\(number)") } }
            }
        }
        #expect(Set(media.names).count == 800)
    }

    @Test func theRibbonSurvivesARestart() async throws {
        let library = try TestLibrary()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try library.put(name, try Quarters.jpeg()) }
        let directory = library.folder.directory
        #expect(RibbonFile(directory).read().isEmpty)
        let media = RecentMedia()
        let file = RibbonFile(directory)
        media.onChange = { file.save { ["c.jpg", "../secret.jpg", "gone.jpg", "a.jpg", "c.jpg"] } }
        media.append("a.jpg")
        // Names that do not exist, and those that lead elsewhere, are left out.
        #expect(await becomes { RibbonFile(directory).read() == ["c.jpg", "a.jpg"] })
        try Data("no list".utf8).write(to: URL(fileURLWithPath: library.path(of: ".obscura/ribbon.json")))
        #expect(RibbonFile(directory).read().isEmpty)
    }
}
