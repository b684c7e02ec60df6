// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@Suite struct OrientationTests {
    @Test func `Turns add up, in any order and by any number of degrees`() {
        for first in Orientation.allCases {
            for second in Orientation.allCases {
                let both = first.followed(by: second)
                #expect(both.degrees == (first.degrees + second.degrees) % 360)
                #expect(both == second.followed(by: first))
            }
            #expect(first.isTransposed == (first.degrees % 180 == 90))
        }
        for quarter in -9...9 {
            let expected = ((quarter % 4) + 4) % 4 * 90
            #expect(Orientation(degrees: quarter * 90).degrees == expected)
            #expect(Orientation(degrees: quarter * 90 + 44).degrees == expected)
            #expect(Orientation(degrees: quarter * 90 - 44).degrees == expected)
        }
        #expect(Orientation.allCases.contains(Orientation(degrees: .max)))
        #expect(Orientation.allCases.contains(Orientation(degrees: .min)))
    }
}
