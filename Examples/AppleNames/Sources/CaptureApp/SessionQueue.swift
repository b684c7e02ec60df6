// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Dispatch

/// Runs an actor on a queue, so that it may block.
final class SessionQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "session")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
