// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What an error of the library says, in the words of the command line: who types commands is not helped by the names
/// of an API.
enum CommandAdvice {
    static func sentence(_ error: any ObscuraError) -> String {
        let sentence = error.description
        guard let advice = error.advice, let own = ownAdvice(error), sentence.hasSuffix(advice) else {
            return sentence
        }
        return sentence.dropLast(advice.count) + own
    }

    private static func ownAdvice(_ error: any ObscuraError) -> String? {
        guard let advice = error.advice else { return nil }
        switch error {
        case is RecordingError where advice.contains("overwrites"), is WritingError where advice.contains("overwrites"),
            is BroadcastError where advice.contains("overwrites"):
            return "Give another name, or allow replacing it with --overwrite."
        case let error as RecordingError where error.code == .diskFull && advice.contains("minFreeDiskSpace"):
            return "Make room, write somewhere else, or leave less free, with --min-free."
        case let error as RecordingError where error.code == .encoderUnavailable && advice.contains("allowsGPL"):
            return "Leave --no-gpl out, take another --codec, or install an FFmpeg that has one of them."
        case is BroadcastError where advice.contains("allowsGPL"):
            return "Leave --no-gpl out, or install an FFmpeg that has one of them."
        case is BroadcastError where advice.contains("trustedCertificates, --ca"):
            return advice.replacing("trustedCertificates, --ca", with: "--ca")
        case is MovieError, is CaptureError:
            let own = advice.replacing("ServerTrust.authorities", with: "--source-ca")
                .replacing("ServerTrust.fingerprint", with: "--source-fingerprint")
                .replacing("ServerTrust.unverified", with: "--insecure-source")
            return own == advice ? nil : own
        default: return nil
        }
    }
}
