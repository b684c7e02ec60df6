// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import HTTPTypes
import Testing

@testable import ObscuraStudio
@testable import ObscuraWeb

@Suite struct AccessGateTests {
    private let token = AccessToken()

    private func gate(
        address: String = "127.0.0.1", isLoopback: Bool = true, port: Int = 8080, isSecure: Bool = false,
        hostNames: [String] = []
    ) -> AccessGate {
        AccessGate(
            token: token,
            names: ServedNames(
                address: address, isLoopback: isLoopback, port: port, isSecure: isSecure, hostNames: hostNames))
    }

    private func request(
        _ method: HTTPRequest.Method = .get, _ target: String = "/api/state", host: String? = "127.0.0.1:8080",
        _ change: (inout AccessGate.Request) -> Void = { _ in }
    ) -> AccessGate.Request {
        var request = AccessGate.Request(method: method, target: target)
        request.hosts = host.map { [$0] } ?? []
        change(&request)
        return request
    }

    private func status(_ verdict: AccessGate.Verdict) -> Int {
        guard case .refuse(let refusal) = verdict else { return 200 }
        return refusal.status.code
    }

    // MARK: The token

    @Test func withoutTheTokenNothingIsShownButHealth() {
        for path in ["/", "/library", "/api/state", "/media/a.jpg", "/metrics", "/openapi.json", "/assets/a.js", "/no"]
        {
            #expect(status(gate().judge(request(.get, path))) == 401, "\(path)")
        }
        #expect(gate().judge(request(.get, "/health")) == .allow(.open))
        #expect(gate().judge(request(.head, "/health")) == .allow(.open))
        #expect(status(gate().judge(request(.post, "/health"))) == 403)
        #expect(status(gate().judge(request(.get, "/health/x"))) == 401)
    }

    @Test func theTokenIsTakenFromTheCookieTheHeaderAndTheAddress() {
        let cookie = request { $0.cookies = ["a=b; obscura-8080=\(token.text); c"] }
        #expect(gate().judge(cookie) == .allow(.known))
        #expect(gate().judge(request { $0.cookies = ["a=b", "obscura-8080=\(token.text)"] }) == .allow(.known))
        #expect(gate().judge(request { $0.authorizations = ["bearer \(token.text)"] }) == .allow(.known))
        #expect(gate().judge(request(.get, "/api/state?a=1&token=\(token.text)")) == .allow(.byAddress))
    }

    @Test func aWrongTokenIsToldFromNone() {
        let wrong: [(inout AccessGate.Request) -> Void] = [
            { $0.cookies = ["obscura-8080="] }, { $0.cookies = ["obscura-8080=x"] }, { $0.authorizations = ["Bearer"] },
            { $0.authorizations = ["Bearer x"] }, { $0.authorizations = ["Basic \(token.text)"] },
            { $0.target += "?token=" }, { $0.target += "?token=\(token.text)x" },
            { $0.target += "?token=\(token.text.dropLast())" }, { $0.cookies = ["obscura-8080=\"\(token.text)\""] },
        ]
        for change in wrong {
            guard case .refuse(let refusal) = gate().judge(request { change(&$0) }) else {
                Issue.record("let in")
                continue
            }
            #expect(refusal.status == .unauthorized && refusal.isWrongToken)
        }
        // A cookie of another name, or a name in other letters, is none.
        let foreign = ["obscura", "Obscura-8080", "xobscura-8080", "obscura-80802", "obscura-8081"].map {
            "\($0)=\(token.text)"
        }
        for cookie in foreign + [token.text] {
            guard case .refuse(let refusal) = gate().judge(request { $0.cookies = [cookie] }) else {
                Issue.record("let in")
                continue
            }
            #expect(refusal.status == .unauthorized && !refusal.isWrongToken)
        }
    }

    @Test func theRightTokenIsLetInBesideWrongOnes() {
        let both = request {
            $0.cookies = ["obscura-8080=old; obscura-8080=\(token.text)"]
            $0.authorizations = ["Basic abc"]
            $0.target += "?token=x"
        }
        #expect(gate().judge(both) == .allow(.known))
    }

    @Test func thePrintedAddressBecomesACookie() {
        #expect(gate().judge(request(.get, "/?token=\(token.text)")) == .setCookieAndLead(to: "/"))
        #expect(gate().judge(request(.get, "/library?token=\(token.text)")) == .setCookieAndLead(to: "/library"))
        #expect(status(gate().judge(request(.get, "/?token=x"))) == 401)
        #expect(gate().judge(request(.head, "/?token=\(token.text)")) == .allow(.byAddress))
    }

    @Test func aTokenInTheAddressChangesNothing() {
        #expect(status(gate().judge(request(.post, "/api/cameras?token=\(token.text)"))) == 403)
        let own = request(.post, "/api/cameras?token=\(token.text)") { $0.origins = ["http://127.0.0.1:8080"] }
        #expect(status(gate().judge(own)) == 401)
    }

    // MARK: Host

    @Test(arguments: [
        "127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080",
    ])
    func ourNamesAreTaken(host: String) {
        #expect(gate().judge(request(host: host) { $0.cookies = ["obscura-8080=\(token.text)"] }) == .allow(.known))
    }

    @Test(arguments: [
        ("evil.example:8080", 403), ("evil.example", 403), ("127.0.0.1", 403), ("127.0.0.1:80", 403),
        ("127.0.0.1:8081", 403), ("localhost.evil.example:8080", 403), ("127.0.0.1.nip.io:8080", 403),
        ("192.168.1.1:8080", 403), ("[::2]:8080", 403), ("2130706433:8080", 403), ("0x7f.1:8080", 403),
        ("127.1:8080", 403), ("0177.0.0.1:8080", 403), ("user@127.0.0.1:8080", 400), ("127.0.0.1:8080@evil", 400),
        ("", 400), (":8080", 400), ("127.0.0.1:", 400), ("127.0.0.1:08080x", 400), ("127.0.0.1:99999", 400),
        ("127.0.0.1:0", 400), ("127.0.0.1 :8080", 400), ("localhost.:8080", 400), ("[::1:8080", 400),
        ("[]:8080", 400), ("[127.0.0.1]:8080", 400), ("::1:8080", 400), ("127.0.0.1:8080/", 400),
        ("127.0.0.1:8080, 127.0.0.1:8080", 400), ("löcalhost:8080", 400), ("127.0.0.1:+8080", 400),
        ("127.0.0.1:8080\0", 400), ("[::1\0]:8080", 400), ("[fe80::1%25eth0]:8080", 400), ("[:::1]:8080", 400),
    ])
    func otherNamesAreRefusedBeforeTheTokenIsLookedAt(host: String, expected: Int) {
        let request = request(host: host) { $0.cookies = ["obscura-8080=\(token.text)"] }
        #expect(status(gate().judge(request)) == expected, "\(host)")
        #expect(status(gate().judge(self.request(.get, "/health", host: host))) == expected, "\(host)")
    }

    @Test func noHostAndTwoAreRefused() {
        #expect(status(gate().judge(request(host: nil))) == 400)
        let two = request { $0.hosts = ["127.0.0.1:8080", "127.0.0.1:8080"] }
        #expect(status(gate().judge(two)) == 400)
    }

    @Test func inANetworkAddressesInDigitsAndTheGivenNamesAreOurs() {
        let gate = gate(address: "0.0.0.0", isLoopback: false, hostNames: ["Camera.Local"])
        for host in ["192.168.1.5:8080", "[fe80::1]:8080", "camera.local:8080", "localhost:8080", "10.0.0.1:8080"] {
            #expect(status(gate.judge(request(.get, "/health", host: host))) == 200, "\(host)")
        }
        for host in ["evil.example:8080", "192.168.1.5:80", "192.168.1.5", "1.2.3:8080", "256.1.1.1:8080"] {
            #expect(status(gate.judge(request(.get, "/health", host: host))) == 403, "\(host)")
        }
    }

    @Test func thePortOfTheSchemeMayBeLeftOut() {
        #expect(status(gate(port: 80).judge(request(.get, "/health", host: "localhost"))) == 200)
        #expect(status(gate(port: 443, isSecure: true).judge(request(.get, "/health", host: "localhost"))) == 200)
        #expect(status(gate(port: 443).judge(request(.get, "/health", host: "localhost"))) == 403)
    }

    // MARK: Origin

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, .options, .trace, .connect])
    func whatChangesSomethingNeedsAPageOfOursOrAScript(method: HTTPRequest.Method) {
        let cookie = "obscura-8080=\(token.text)"
        func verdict(_ change: (inout AccessGate.Request) -> Void) -> Int {
            status(gate().judge(request(method, "/api/cameras", change)))
        }
        #expect(verdict { $0.cookies = [cookie] } == 403)
        #expect(verdict { ($0.cookies, $0.origins) = ([cookie], ["http://127.0.0.1:8080"]) } == 200)
        #expect(verdict { $0.authorizations = ["Bearer \(token.text)"] } == 200)
        // The cookie of a browser does not serve a script that does not know the token.
        #expect(verdict { ($0.cookies, $0.authorizations) = ([cookie], ["Bearer x"]) } == 401)
        #expect(verdict { ($0.cookies, $0.authorizations) = ([cookie], ["Basic eDp5"]) } == 401)
        for origin in [
            "http://evil.example", "http://evil.example:8080", "null", "", "https://127.0.0.1:8080",
            "http://127.0.0.1", "http://127.0.0.1:8081", "http://localhost:8080", "http://127.0.0.1:8080.evil.example",
            "http://127.0.0.1:8080/", "http://user@127.0.0.1:8080", "HTTP://127.0.0.1:8080", "127.0.0.1:8080",
        ] {
            #expect(verdict { ($0.cookies, $0.origins) = ([cookie], [origin]) } == 403, "\(origin)")
            #expect(
                verdict { ($0.authorizations, $0.origins) = (["Bearer \(token.text)"], [origin]) } == 403, "\(origin)")
        }
        #expect(
            verdict {
                ($0.cookies, $0.origins) = ([cookie], ["http://127.0.0.1:8080", "http://127.0.0.1:8080"])
            } == 403)
    }

    @Test func aForeignOriginMayNotEvenRead() {
        let foreign = request {
            $0.cookies = ["obscura-8080=\(token.text)"]
            $0.origins = ["http://evil.example"]
        }
        #expect(status(gate().judge(foreign)) == 403)
    }

    @Test func anotherMachineOnOurPortIsForeign() {
        // There any address in digits is ours as Host, and still not as Origin.
        let gate = gate(address: "0.0.0.0", isLoopback: false)
        let foreign = request(.post, "/api/cameras", host: "192.168.1.5:8080") {
            $0.cookies = ["obscura-8080=\(token.text)"]
            $0.origins = ["http://6.6.6.6:8080"]
        }
        #expect(status(gate.judge(foreign)) == 403)
    }

    @Test func theSocketNeedsOurOrigin() {
        func verdict(_ origins: [String], authorizations: [String] = []) -> Int {
            status(
                gate().judge(
                    request(.get, "/ws") {
                        $0.cookies = ["obscura-8080=\(token.text)"]
                        $0.origins = origins
                        $0.authorizations = authorizations
                    }))
        }
        #expect(verdict(["http://127.0.0.1:8080"]) == 200)
        #expect(verdict([]) == 403)
        #expect(verdict([], authorizations: ["Bearer \(token.text)"]) == 403)
        #expect(verdict(["http://evil.example"]) == 403)
        #expect(verdict(["null"]) == 403)
        let stranger = request(.get, "/ws") { $0.origins = ["http://127.0.0.1:8080"] }
        #expect(status(gate().judge(stranger)) == 401)
    }

    // MARK: Sec-Fetch-Site

    @Test(arguments: ["cross-site", "same-site", "", "other"])
    func aPageOfAnotherSiteGetsNothingWithTheCookie(site: String) {
        func verdict(_ target: String, _ method: HTTPRequest.Method = .get, mode: String = "no-cors") -> Int {
            status(
                gate().judge(
                    request(method, target) {
                        $0.cookies = ["obscura-8080=\(token.text)"]
                        $0.fetchSites = [site]
                        $0.fetchModes = [mode]
                        $0.fetchDestinations = [mode == "navigate" ? "document" : "image"]
                    }))
        }
        for path in ["/api/state", "/media/a.jpg", "/assets/a.js", "/health", "/", "/metrics"] {
            #expect(verdict(path) == 403, "\(path)")
        }
        // A link to a page is one that a person follows.
        #expect(verdict("/", mode: "navigate") == 200)
        #expect(verdict("/library", mode: "navigate") == 200)
        #expect(verdict("/media/a.jpg", mode: "navigate") == 403)
        #expect(verdict("/", .post, mode: "navigate") == 403)
        // A picture can be embedded, by those who know the token. The cookie does not count.
        #expect(verdict("/cameras/1/stream.mjpeg") == 401)
        #expect(verdict("/cameras/1/stream.mjpeg?token=x") == 401)
        #expect(verdict("/cameras/1/stream.mjpeg?token=\(token.text)") == 200)
        #expect(verdict("/cameras/1/picture.jpg?token=\(token.text)") == 200)
        #expect(verdict("/media/a.jpg?token=\(token.text)") == 403)
    }

    @Test func anEmbeddedPictureIsSaidToBeOne() {
        let embedded = request(.get, "/cameras/1/stream.mjpeg?token=\(token.text)") { $0.fetchSites = ["cross-site"] }
        #expect(gate().judge(embedded) == .allow(.embedded))
        #expect(gate().judge(request(.get, "/cameras/1/stream.mjpeg?token=\(token.text)")) == .allow(.byAddress))
    }

    @Test func aFrameOfAnotherSiteIsNoPerson() {
        let frame = request(.get, "/") {
            $0.cookies = ["obscura-8080=\(token.text)"]
            $0.fetchSites = ["cross-site"]
            $0.fetchModes = ["navigate"]
            $0.fetchDestinations = ["iframe"]
        }
        #expect(status(gate().judge(frame)) == 403)
    }

    @Test func ourOwnPageAndAPersonAreLetIn() {
        for site in ["same-origin", "none"] {
            let own = request {
                $0.cookies = ["obscura-8080=\(token.text)"]
                $0.fetchSites = [site]
            }
            #expect(gate().judge(own) == .allow(.known))
        }
        let twice = request {
            $0.cookies = ["obscura-8080=\(token.text)"]
            $0.fetchSites = ["none", "cross-site"]
        }
        #expect(status(gate().judge(twice)) == 403)
    }

    // MARK: The path

    @Test(arguments: [
        "", "*", "http://127.0.0.1:8080/", "//", "//evil.example/", "/a//b", "/a/", "/./a", "/../etc/passwd", "/a/..",
        "/%2e%2e/etc/passwd", "/%2E/a", "/.%2e/a", "/assets/..%2f..%2fetc/passwd", "/assets/%2fetc", "/a%5cb", "/a\\b",
        "/a%00", "/a%0d%0aX:%20y", "/a%7f", "/a%", "/a%2", "/a%zz", "/a b", "/a#b", "/ä", "/a\r\nX: y", "/a\0",
    ])
    func anySpellingOfAPathButOneIsRefused(target: String) {
        #expect(status(gate().judge(request(.get, target) { $0.cookies = ["obscura-8080=\(token.text)"] })) == 400)
    }

    @Test func aPathOfEightKilobytesIsTooLong() {
        let target = "/" + String(repeating: "a", count: 8192)
        #expect(status(gate().judge(request(.get, target))) == 414)
    }

    @Test func namesWithSpacesAndLettersOfAllKindsPass() {
        for target in ["/media/a%20b.jpg", "/media/%C3%A4.jpg", "/media/..a", "/media/a..", "/a?b=%2f..//&c", "/a?"] {
            #expect(
                gate().judge(request(.get, target) { $0.cookies = ["obscura-8080=\(token.text)"] }) == .allow(.known),
                "\(target)")
        }
    }

    // MARK: From HTTP

    @Test func aSecondHostIsSeen() {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: "/health")
        #expect(gate().judge(AccessGate.Request(head)) == .allow(.open))
        if let name = HTTPField.Name("Host") { head.headerFields.append(HTTPField(name: name, value: "evil.example")) }
        #expect(status(gate().judge(AccessGate.Request(head))) == 400)
    }
}
