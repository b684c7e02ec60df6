// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// Asks the libasound of this machine.
struct ALSAProbe: SoundProbe {
    /// How long a sound server may take to answer.
    private static let patience = Duration.seconds(2)

    /// Opened for a moment, since the name may lead to a sound server that does not run. One that does not answer
    /// is taken for one that is not there; its thread ends when it does.
    var hasSystemDefault: Bool {
        guard Self.isDefaultOwn else { return false }
        let name = FoundDevice.systemDefault.path
        let answer = Lock<Bool?>(nil)
        let isStarted = WorkerThread.detach(name: "alsa-probe") {
            var isThere = true
            do throws(ObscuraError) {
                _ = try ALSAPCM(name: name, subject: name, namesHolders: false)
            } catch {
                isThere = error.code == .deviceInUse
            }
            answer.withLockSignalling { $0 = isThere }
        }
        return isStarted && answer.wait(until: .now + Self.patience) { $0 } == true
    }

    /// Whether somebody has made a `default`: a distribution for its sound server, or the user. By itself libasound
    /// has only a reference to what leads to the first card.
    private static var isDefaultOwn: Bool {
        quietly {
            var top: OpaquePointer?
            guard snd_config_update_ref(&top) >= 0, let top else { return false }
            defer { snd_config_unref(top) }
            var entry: OpaquePointer?
            guard snd_config_search(top, "pcm.default", &entry) == 0, let entry else { return false }
            return snd_config_get_type(entry) == SND_CONFIG_TYPE_COMPOUND
        }
    }
}
