// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Obscura
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite struct APIResponsesTests {
    struct Tile: Codable, Sendable {
        struct Size: Codable, Sendable { var width: Int }
        enum Kind: String, Codable, Sendable { case big, small }
        var name: String
        var sizes: [Size]
        var kind: Kind?
    }

    private final class BodyWriter: ResponseBodyWriter {
        var bytes: [UInt8] = []

        func write(_ buffer: ByteBuffer) async throws { bytes += buffer.readableBytesView }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private func decode(
        _ body: String, type: String? = "application/json", limit: Int = 1000
    ) async throws -> (status: Int, error: APIError?) {
        var limits = RequestLimits()
        limits.jsonBytes = limit
        let router = Router<WebContext>.web(errors: .studio)
        router.post("/tile") { [limits] request, _ in
            try Response.json(try await request.decode(Tile.self, limits: limits))
        }
        return try await respond(to: body, type: type, at: "/tile", router)
    }

    private func respond(
        to body: String, type: String? = "application/json", at path: String, _ router: Router<WebContext>
    ) async throws -> (status: Int, error: APIError?) {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "here", path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(string: body)))
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish() }
        let context = WebContext(
            source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
        let response = try await router.buildResponder().respond(to: request, context: context)
        let written = BodyWriter()
        try await response.body.write(written)
        return (response.status.code, try? JSONDecoder().decode(APIError.self, from: Data(written.bytes)))
    }

    @Test func aRightBodyIsTaken() async throws {
        for type in ["application/json", "application/json; charset=utf-8", "Application/JSON;x"] {
            #expect(try await decode(#"{"name":"a","sizes":[{"width":1}]}"#, type: type).status == 200)
        }
    }

    @Test(arguments: [
        (#"{"sizes":[]}"#, #""name" is missing."#), (#"{"name":null,"sizes":[]}"#, #""name" is null."#),
        (#"{"name":1,"sizes":[]}"#, #""name" has the wrong type."#),
        (#"{"name":"a","sizes":[{"width":1},{"width":"x"}]}"#, #""sizes[1].width" has the wrong type."#),
        (#"{"name":"a","sizes":[{}]}"#, #""sizes[0].width" is missing."#),
        (#"{"name":"a","sizes":[],"kind":"huge"}"#, #""kind" has an invalid value."#),
        (#"{"name":"a","sizes":[{"width":1e99}]}"#, "The body is not JSON, or contains a number that is too large."),
        ("", "The body is not JSON, or contains a number that is too large."),
        ("{", "The body is not JSON, or contains a number that is too large."),
        ("nonsense", "The body is not JSON, or contains a number that is too large."),
        ("[]", "The body has the wrong type."),
    ])
    func aWrongBodyIsToldWhichPartIsWrong(body: String, message: String) async throws {
        let answer = try await decode(body)
        #expect(answer.status == 400)
        #expect(answer.error?.error.code == "invalidRequest" && answer.error?.error.message == message, "\(body)")
    }

    @Test func `A property that a request does not have is named, with those that it has`() async throws {
        let router = Router<WebContext>.web(errors: .studio)
        router.post("/tap") { request, _ in try Response.json(try await request.object(TapRequest.self)) }
        #expect(try await respond(to: #"{"x":0.5,"y":1}"#, at: "/tap", router).status == 200)
        let answer = try await respond(to: #"{"x":0.5,"y":1,"z":2}"#, at: "/tap", router)
        #expect(answer.status == 400 && answer.error?.error.message == #"There is no property "z" here."#)
        #expect(answer.error?.error.advice?.contains("x, y") == true)
        #expect(try await respond(to: "[]", at: "/tap", router).error?.error.message == "The body has the wrong type.")
        let missing = try await respond(to: #"{"x":0.5}"#, at: "/tap", router)
        #expect(missing.error?.error.message == #""y" is missing."#)
    }

    @Test func aBodyOfAnotherKindOrTooLargeIsRefused() async throws {
        let right = #"{"name":"a","sizes":[]}"#
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", nil] {
            #expect(try await decode(right, type: type).status == 415)
        }
        #expect(try await decode(right, limit: right.utf8.count).status == 200)
        let large = try await decode(right, limit: right.utf8.count - 1)
        #expect(large.status == 413 && large.error?.error.code == "tooMuch")
    }

    @Test func deepNestingEndsInAnErrorAndNotInACrash() async throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(try await decode(deep, limit: 1 << 20).status == 400)
        let objects = String(repeating: #"{"a":"#, count: 50_000)
        #expect(try await decode(objects, limit: 1 << 20).status == 400)
    }

    @Test(
        arguments: [
            (.noSuchCamera, 404), (.noSuchItem, 404), (.noSuchDevice, 404), (.notAllowed, 403), (.invalidName, 400),
            (.invalidRequest, 422), (.wrongState, 409), (.tooMuch, 429), (.outOfBuffers, 429), (.diskFull, 507),
            (.failed, 500), (.unusableFolder, 500), (.libraryMissing, 501),
        ] as [(ObscuraError.Code, Int)])
    func eachErrorHasItsStatus(code: ObscuraError.Code, status: Int) {
        let error = ObscuraError(.studio, code, subject: "a", reason: "b")
        #expect(ErrorAnswers.status(of: error).code == status && APIError(error).error.code == code.description)
    }
}
