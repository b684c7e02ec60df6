// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The change of a session's running sources to another set of inputs and modes, or their restoration.
///
/// A new device is opened while the old ones still run, so that the readers miss as few frames as possible. A
/// device that must restart in another mode is closed first; if it then fails, everything is restored: new devices
/// are closed, and restarted ones run in their old mode.
struct SourceExchange {
    typealias Open = (CaptureDeviceInput, RunRequest) throws(ObscuraError) -> RunningSource

    /// The sources that run after the exchange, in the order of the inputs.
    private(set) var sources: [RunningSource] = []
    /// The former sources, to be closed once they are no longer routed.
    private(set) var retired: [RunningSource] = []
    /// The sources that were stopped for a restart of their device.
    private(set) var stopped: [RunningSource] = []
    /// The error that made the exchange fail; nil if it succeeded.
    private(set) var error: ObscuraError?
    /// Devices that could not be restored.
    private(set) var failures: [(input: CaptureDeviceInput, error: ObscuraError)] = []

    /// Makes the exchange.
    ///
    /// - Throws: The error of the first device that fails, if no device had to be restarted.
    init(
        from running: [RunningSource], to inputs: [CaptureDeviceInput],
        requests: [CaptureDeviceInput: RunRequest], open: Open
    ) throws(ObscuraError) {
        var opened: [RunningSource] = []
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
            sources = restore(running, open)
            return
        }
        retired = running.filter { old in
            !sources.contains { $0.run === old.run } && !stopped.contains { $0.run === old.run }
        }
        // Their readers had frames of another device or mode before.
        if !retired.isEmpty || !stopped.isEmpty {
            for source in opened { source.source.markDiscontinuity() }
        }
    }

    /// Restarts stopped devices in their old mode; their next frames carry a discontinuity.
    private mutating func restore(
        _ running: [RunningSource], _ open: Open
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
