// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import Testing

@testable import ObscuraStudio

@Suite struct LibraryVisitTests {
    @Test func namesStandInTheOrderInWhichTheyCame() {
        let visit = Visit()
        for name in ["a.jpg", "b.jpg", "a.jpg", "c.mp4"] { visit.append(name) }
        #expect(visit.names == ["a.jpg", "b.jpg", "c.mp4"])
        #expect(visit.remove("b.jpg") && !visit.remove("b.jpg"))
        #expect(visit.names == ["a.jpg", "c.mp4"])
    }

    @Test func theOldestLeaveAThousand() {
        let visit = Visit()
        for number in 0..<1500 { visit.append("\(number).jpg") }
        #expect(visit.names == (500..<1500).map { "\($0).jpg" })
    }

    @Test func anOrderIsAPartOfWhatIsThereWithoutDoubles() throws {
        let visit = Visit()
        for name in ["a", "b", "c"] { visit.append(name) }
        for order in [["a", "a"], ["a", "d"], ["a", "b", "c", "c"], [""]] {
            let error = #expect(throws: ObscuraError.self) { try visit.reorder(order) }
            #expect(error?.code == .invalidRequest)
            #expect(visit.names == ["a", "b", "c"])
        }
        try visit.reorder(["c", "a"])
        #expect(visit.names == ["c", "a"])
        try visit.reorder([])
        #expect(visit.names.isEmpty)
    }

    @Test func eachChangeIsToldOnceAndNoChangeIsNot() throws {
        let visit = Visit()
        let changes = Lock<[[String]]>([])
        visit.onChange = { [unowned visit] in
            let names = visit.names
            changes.withLock { $0.append(names) }
        }
        visit.append("a")
        visit.append("a")
        visit.append("b")
        try visit.reorder(["a", "b"])
        try visit.reorder(["b", "a"])
        #expect(throws: ObscuraError.self) { try visit.reorder(["x"]) }
        visit.remove("x")
        visit.remove("b")
        #expect(changes.withLock { $0 } == [["a"], ["a", "b"], ["b", "a"], ["a"]])
    }

    @Test func manyHandsLoseNothing() async {
        let visit = Visit()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<100 { visit.append("\(task)-\(number)") } }
            }
        }
        #expect(Set(visit.names).count == 800)
    }
}
