// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraCapture
internal import ObscuraMedia

/// The queries of libasound on this machine.
struct ALSAProbe: SoundProbe {
    /// Time limit for the response of a sound server.
    private static let limit = Duration.seconds(2)

    private static let opening = SharedQuery(name: "alsa-probe") {
        let name = FoundDevice.systemDefault.path
        do throws(ObscuraError) {
            _ = try ALSAPCM(name: name, subject: name, namesHolders: false)
            return true
        } catch {
            return error.code == .deviceInUse
        }
    }

    /// Whether libasound's configured `default` can be opened. Opens it briefly, since the sound server behind it may
    /// not run. A server that does not respond counts as missing.
    var hasSystemDefault: Bool {
        Self.isDefaultConfigured && Self.opening.answer(within: Self.limit) == true
    }

    /// Whether a distribution (for its sound server) or the user has configured a `default`. Otherwise it is only an
    /// alias of the first card.
    private static var isDefaultConfigured: Bool {
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
