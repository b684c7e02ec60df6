// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Brings the running sources of a session from one set of inputs and modes to another, or back.
///
/// A device that is new is opened while the old ones still run, so that the readers miss as little as
/// possible. A device that must restart (another mode) is closed first; if it refuses, everything is
/// brought back: new ones are closed, restarted ones run in their old mode again.
struct SourceExchange {
    typealias Open = (CaptureDeviceInput, RunRequest) throws(ObscuraError) -> RunningSource

    /// What runs afterwards, in the order of the inputs.
    private(set) var sources: [RunningSource] = []
    /// What ran before and is to be closed once nothing is routed from it.
    private(set) var retired: [RunningSource] = []
    /// Why the exchange was undone; nil when it was done.
    private(set) var error: ObscuraError?
    /// Devices that could not be brought back.
    private(set) var failures: [(input: CaptureDeviceInput, error: ObscuraError)] = []

    /// - Throws: what the first refusing device says, if nothing had to be restarted.
    init(
        from running: [RunningSource], to inputs: [CaptureDeviceInput],
        requests: [CaptureDeviceInput: RunRequest], open: Open
    ) throws(ObscuraError) {
        var opened: [RunningSource] = []
        var stopped: [RunningSource] = []
        do throws(ObscuraError) {
            for input in inputs {
                let request = requests[input] ?? RunRequest()
                let device = running.first { $0.source.input.device == input.device }
                if let device, device.source.input == input, device.request == request {
                    sources.append(device)
                    continue
                }
                if let device {
                    device.withdraw()
                    RunningSource.stop([device])
                    stopped.append(device)
                }
                let source = try open(input, request)
                opened.append(source)
                sources.append(source)
            }
        } catch {
            RunningSource.close(opened)
            guard !stopped.isEmpty else { throw error }
            self.error = error
            sources = restore(running, stopped, open)
            return
        }
        retired = running.filter { old in
            !sources.contains { $0.run === old.run } && !stopped.contains { $0.run === old.run }
        }
    }

    /// Starts what was stopped in its old mode again; the frames that follow carry a discontinuity.
    private mutating func restore(
        _ running: [RunningSource], _ stopped: [RunningSource], _ open: Open
    ) -> [RunningSource] {
        var restored: [RunningSource] = []
        for old in running {
            guard stopped.contains(where: { $0.run === old.run }) else {
                restored.append(old)
                continue
            }
            do throws(ObscuraError) {
                let source = try open(old.source.input, old.request)
                source.source.markDiscontinuity()
                restored.append(source)
            } catch {
                failures.append((old.source.input, error))
            }
        }
        return restored
    }
}
