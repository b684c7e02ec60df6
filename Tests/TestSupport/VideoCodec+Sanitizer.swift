// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
public import ObscuraMedia

extension VideoCodec {
    /// False where the address sanitizer would report memory that the encoder of this codec never frees: x265 (3.5), in
    /// `FrameFilter::init`. valgrind shows the same of ffmpeg.
    public var mayEncodeHere: Bool {
        self != .hevc || ProcessInfo.processInfo.environment["OBSCURA_TEST_SANITIZER"] != "address"
    }
}
