// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

@Suite("The permission of the camera portal")
struct CameraAccessTests {
    private static let notAllowed = "org.freedesktop.portal.Error.NotAllowed"

    @Test(
        "Each failure of the connection to PipeWire is told apart",
        arguments: [
            (DBusFailure.builtWithout, PortalRemote.absent), (.libraryMissing, .absent),
            (.unreachable(errno: 2), .absent), (.connectionLost, .failed), (.timedOut, .failed),
            (.malformed(errno: 22), .failed),
            (.refused(name: notAllowed, text: "Permission denied"), .notAllowed),
            (.refused(name: notAllowed, text: "Camera access disabled"), .lockdown),
            (.refused(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: ""), .absent),
            (.refused(name: "org.freedesktop.DBus.Error.UnknownMethod", text: "No such interface"), .absent),
            (.refused(name: "org.freedesktop.DBus.Error.Spawn.ExecFailed", text: ""), .absent),
            (.refused(name: "org.freedesktop.portal.Error.Failed", text: "PipeWire"), .failed),
            (.refused(name: "org.freedesktop.DBus.Error.NoReply", text: ""), .failed),
        ])
    func remotes(failure: DBusFailure, expected: PortalRemote) {
        #expect(PortalRemote(failure) == expected)
    }

    @Test(
        "The stored decision is that of programs outside a sandbox, which have one entry without a name",
        arguments: [("yes", StoredDecision.yes), ("no", .no), ("ask", .ask), ("other", .missing)])
    func stored(word: String, expected: StoredDecision) {
        let entries = [("", word), ("org.example.App", "yes")].map { name, word in
            (key: DBusValue.text(name), value: DBusValue.items([.text(word)]))
        }
        #expect(StoredDecision(.success([.dictionary(entries)])) == expected)
        #expect(StoredDecision(.success([.dictionary([entries[1]])])) == .missing)
        #expect(StoredDecision(.success([])) == .missing)
        #expect(
            StoredDecision(.failure(.refused(name: "org.freedesktop.portal.Error.NotFound", text: ""))) == .missing)
        #expect(StoredDecision(.failure(.timedOut)) == nil)
    }

    @Test("Without a question, the connection decides, and the stored decision tells why it was refused")
    func status() {
        let cases: [(PortalRemote, StoredDecision?, CameraAccess?, CameraAccess)] = [
            (.opened, nil, nil, .granted), (.opened, nil, .denied, .granted),
            (.notAllowed, .missing, nil, .notAsked), (.notAllowed, .ask, nil, .notAsked),
            (.notAllowed, .no, nil, .denied), (.notAllowed, .yes, nil, .refused),
            // In a sandbox the decision cannot be read.
            (.notAllowed, nil, nil, .notAsked), (.notAllowed, nil, .denied, .denied),
            (.notAllowed, nil, .refused, .refused), (.notAllowed, nil, .granted, .denied),
            (.lockdown, nil, .granted, .lockdown), (.absent, nil, nil, .absent),
            (.failed, .yes, nil, .granted), (.failed, .no, nil, .denied), (.failed, .missing, nil, .failed),
            (.failed, nil, nil, .failed),
        ]
        for (remote, stored, answer, expected) in cases {
            #expect(
                CameraAccess(remote: remote, stored: stored, answer: answer) == expected,
                "\(remote), \(String(describing: stored)), \(String(describing: answer))")
        }
    }

    @Test("A connection that is refused after a positive answer is told apart from a denial")
    func granted() {
        #expect(CameraAccess(grantedAnd: .opened) == .granted)
        #expect(CameraAccess(grantedAnd: .notAllowed) == .refused)
        #expect(CameraAccess(grantedAnd: .lockdown) == .lockdown)
        #expect(CameraAccess(grantedAnd: .failed) == .granted)
    }

    @Test("A negative answer that is not stored is a dialog that failed, where the decision can be read")
    func denied() {
        #expect(CameraAccess(deniedAnd: .no) == .denied)
        #expect(CameraAccess(deniedAnd: .ask) == .denied)
        #expect(CameraAccess(deniedAnd: .missing) == .failed)
        #expect(CameraAccess(deniedAnd: nil) == .denied)
    }

    @Test("Each permission has the status that its reason documents")
    func statuses() {
        let expected: [(CameraAccess, AuthorizationStatus, AccessReason?)] = [
            (.granted, .authorized, nil), (.notAsked, .notDetermined, .notAsked), (.denied, .denied, .deniedByUser),
            (.lockdown, .restricted, .lockdown), (.absent, .restricted, .noPortal),
            (.failed, .notDetermined, .portalFailed), (.refused, .restricted, .connectionRefused),
        ]
        for (access, status, reason) in expected {
            #expect(access.status == status && access.reason == reason, "\(access)")
            #expect((access.remedy == nil) == (access == .granted || access == .notAsked), "\(access)")
        }
    }

    @Test("A response is the answer to its own question only, also if it precedes the path of the request")
    func questions() {
        var question = PortalQuestion()
        #expect(question.responded("/other", code: 0) == nil)
        #expect(question.responded("/request", code: 1) == nil)
        #expect(!question.isBegun)
        #expect(question.begun("/request") == .denied)
        var later = PortalQuestion()
        #expect(later.begun("/request") == nil && later.isBegun)
        #expect(later.responded("/other", code: 1) == nil)
        #expect(later.responded("/request", code: 0) == .granted)
        #expect(later.responded("/request", code: 2) == .failed)
    }

    @Test("The errors of a refused connection are told apart")
    func errors() {
        let refused = DBusFailure.refused(name: Self.notAllowed, text: "Permission denied")
        #expect(ObscuraError.noRemote(refused, .notAsked).code == .notAuthorized)
        #expect(ObscuraError.noRemote(refused, .denied).remedy == .allowCameras)
        #expect(ObscuraError.noRemote(refused, .granted).code == .connectionRefused)
        #expect(ObscuraError.noRemote(refused, .refused).code == .connectionRefused)
        #expect(ObscuraError.noRemote(.timedOut, .granted).code == .portalFailed)
        let missing = ObscuraError.noRemote(.libraryMissing, .absent)
        #expect(missing.code == .portalFailed && missing.description.contains("libsystemd0 is missing"))
    }
}
