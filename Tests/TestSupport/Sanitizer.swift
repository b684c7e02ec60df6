// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
public import ObscuraMedia
public import Testing

/// The sanitizer of this run (`./test --sanitize`).
private let sanitizer = ProcessInfo.processInfo.environment["OBSCURA_TEST_SANITIZER"]

extension Trait where Self == ConditionTrait {
    /// Not with a sanitizer, which takes memory of its own, and with which some tests take longer than ten minutes.
    public static var withoutSanitizer: Self {
        .disabled(if: sanitizer != nil, "a sanitizer takes too much memory or time")
    }
}

extension Trait where Self == ConditionTrait {
    /// Not with the thread sanitizer: GLib's locks are futexes, which it does not recognize, so it reports false races.
    public static var withoutThreadSanitizer: Self {
        .disabled(if: sanitizer == "thread", "ThreadSanitizer does not recognize GLib's locks")
    }
}

extension VideoCodec {
    /// False where the address sanitizer would report memory that the encoder of this codec never frees: x265 (3.5), in
    /// `FrameFilter::init`. valgrind shows the same of ffmpeg.
    public var mayEncodeHere: Bool {
        self != .hevc || sanitizer != "address"
    }
}
