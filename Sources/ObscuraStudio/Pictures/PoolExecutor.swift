// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A task executor on the threads of a worker pool, so that no conversion or encoding runs on Swift's global executor.
final class PoolExecutor: TaskExecutor {
    private let pool: WorkerPool

    init(_ pool: WorkerPool) {
        self.pool = pool
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
