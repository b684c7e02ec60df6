// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
package import Testing

/// Whether the tests run with their full numbers.
package let isLongForm = ProcessInfo.processInfo.environment["OBSCURA_TEST_LONG"] == "1"

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. Far above the time that any test takes, so that it decides no other result.
    package static var hangLimit: Self { .timeLimit(.minutes(isLongForm ? 120 : 15)) }
}
