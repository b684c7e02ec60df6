// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A task executor on the threads of a worker pool, so that its work needs no thread of Swift's global executor.
package final class PoolExecutor: TaskExecutor {
    private let pool: WorkerPool

    package init(_ pool: WorkerPool) {
        self.pool = pool
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
