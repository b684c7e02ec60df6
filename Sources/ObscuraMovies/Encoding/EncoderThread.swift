// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The thread of an encoder, on which its calls run one at a time, in their order. The first error ends it.
final class EncoderThread<Work>: Sendable {
    /// `Sendable` is safe because its content is used only with the lock ``EncoderThread/turn`` held: if the system has no
    /// thread, the pool runs jobs on those of the callers.
    private final class Confined: @unchecked Sendable {
        let work: Work
        /// The error of all later calls.
        var end: ObscuraError?

        init(_ work: Work) { self.work = work }
    }

    private let pool: WorkerPool
    private let confined: Confined
    private let turn = Lock(())
    private let subject: String

    /// - Parameter subject: of errors, such as `video encoder`.
    init(_ work: sending Work, subject: String) {
        confined = Confined(work)
        pool = WorkerPool(name: "encoder", threads: 1)
        self.subject = subject
    }

    /// Runs `job` on the thread; suspends the task until then.
    ///
    /// - Parameter isLast: whether the encoder ends with it; later calls throw `invalidState`.
    nonisolated(nonsending) func run<Result: Sendable>(
        isLast: Bool = false, _ job: @escaping @Sendable (Work) throws(ObscuraError) -> Result
    ) async throws(ObscuraError) -> Result {
        let result = await withCheckedContinuation { continuation in
            pool.async { [confined, subject, turn] in
                let result = turn.withLock { _ in Self.result(confined, subject, isLast, job) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private static func result<Value>(
        _ confined: Confined, _ subject: String, _ isLast: Bool, _ job: (Work) throws(ObscuraError) -> Value
    ) -> Result<Value, ObscuraError> {
        if let end = confined.end { return .failure(end) }
        do throws(ObscuraError) {
            let value = try job(confined.work)
            if isLast {
                confined.end = ObscuraError(
                    .recording, .invalidState, subject: subject, reason: "it was finished and cannot be used again",
                    advice: "Create another encoder.")
            }
            return .success(value)
        } catch {
            confined.end = error
            return .failure(error)
        }
    }
}
