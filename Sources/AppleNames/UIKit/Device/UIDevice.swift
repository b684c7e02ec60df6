// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Foundation
internal import ObscuraBase

/// This machine. Thread-safe.
public final class UIDevice: NSObject, @unchecked Sendable {  // Its properties are constants and a lock.
    private struct State {
        var watchers = 0
        var timer: (any DispatchSourceTimer)?
        var last = UIDeviceOrientation.unknown
    }

    /// Posted after the orientation has changed, on the main queue, with the device as its object. Posted only after
    /// ``beginGeneratingDeviceOrientationNotifications()``.
    public static let orientationDidChangeNotification = Notification.Name("UIDeviceOrientationDidChangeNotification")

    /// This machine.
    public static let current = UIDevice(accelerometers: URL(fileURLWithPath: "/sys/bus/iio/devices"))

    private let accelerometer: Accelerometer?
    private let interval: DispatchTimeInterval
    private let state = Lock(State())
    /// An accelerometer may take a while to answer.
    private let queue = DispatchQueue(label: "obscura.uikit.orientation")

    /// - Parameter interval: the time between two looks at the accelerometer.
    init(accelerometers: URL, interval: DispatchTimeInterval = .milliseconds(200)) {
        accelerometer = Accelerometer(in: accelerometers)
        self.interval = interval
    }

    /// The present orientation of the machine, from its accelerometer; unknown without one. Unlike on a phone, it is
    /// also known while no notifications are generated.
    public var orientation: UIDeviceOrientation { accelerometer?.orientation ?? .unknown }

    /// Begins notifications of the orientation. Calls can be nested.
    public func beginGeneratingDeviceOrientationNotifications() {
        let now = orientation
        state.withLock { state in
            state.watchers += 1
            guard state.watchers == 1, accelerometer != nil else { return }
            state.last = now
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + interval, repeating: interval)
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = timer
        }
    }

    /// Ends notifications of the orientation. With nested calls, only the last one ends them.
    public func endGeneratingDeviceOrientationNotifications() {
        state.withLock { state in
            state.watchers = max(0, state.watchers - 1)
            guard state.watchers == 0 else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Whether notifications are generated.
    public var isGeneratingDeviceOrientationNotifications: Bool { state.withLock { $0.watchers > 0 } }

    /// The name of the machine in the network.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// The name of the system.
    public var systemName: String { "Linux" }
    /// The version of the system.
    public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }

    private func look() {
        let now = orientation
        let isNew = state.withLock { state in
            defer { state.last = now }
            return state.last != now
        }
        guard isNew else { return }
        DispatchQueue.main.async {
            NotificationCenter.default.post(name: Self.orientationDidChangeNotification, object: self)
        }
    }
}
