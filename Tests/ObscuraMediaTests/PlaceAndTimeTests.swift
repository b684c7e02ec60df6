// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import Testing

@Suite struct PlaceAndTimeTests {
    @Test(
        "A place is written as ISO 6709 has it, also at the poles and the date line",
        arguments: [
            (52.1, 4.3, 12.0, "+52.1000000+004.3000000+012.000/"),
            (-33.8688197, -151.2092955, nil, "-33.8688197-151.2092955/"),
            (90, 180, -430.5, "+90.0000000+180.0000000-430.500/"),
            (-90, -180, 8848.86, "-90.0000000-180.0000000+8848.860/"),
            (-0.00000001, 0, nil, "+00.0000000+000.0000000/"),
        ] as [(Double, Double, Double?, String)])
    func iso6709(_ latitude: Double, _ longitude: Double, _ altitude: Double?, _ text: String) throws {
        #expect(try GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude).iso6709 == text)
    }

    @Test(
        "What is not on the earth is refused",
        arguments: [
            (90.1, 0, nil), (0, -180.1, nil), (.nan, 0, nil), (0, .infinity, nil), (0, 0, 1e9), (0, 0, .nan),
        ] as [(Double, Double, Double?)])
    func refusal(_ latitude: Double, _ longitude: Double, _ altitude: Double?) {
        let error = #expect(throws: ObscuraError.self) {
            try GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        #expect(error?.code == .invalidLocation)
    }

    @Test(
        "The clock on the wall shows its zone, before 1970 too",
        arguments: [
            (1_772_370_309_250_000_000, 3600, "2026-03-01T14:05:09.250+01:00"), (0, 0, "1970-01-01T00:00:00.000Z"),
            (-1, -12_600, "1969-12-31T20:29:59.999-03:30"), (951_782_400_000_000_000, 0, "2000-02-29T00:00:00.000Z"),
        ] as [(Int64, Int, String)])
    func wall(_ nanoseconds: Int64, _ zone: Int, _ text: String) {
        #expect(WallTime(nanosecondsSince1970: nanoseconds, secondsFromUTC: zone).iso8601 == text)
    }

    @Test("What a clock shows is a moment, and back", arguments: [0, -1, 951_782_399, 951_782_400, 4_107_542_400])
    func fields(_ seconds: Int64) {
        for zone in [0, 3600, -12_600] {
            let time = WallTime(nanosecondsSince1970: seconds * 1_000_000_000 + 5, secondsFromUTC: zone)
            #expect(WallTime(time.fields, secondsFromUTC: zone) == time)
        }
        let leap = WallTime.Fields(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
        #expect(WallTime(leap, secondsFromUTC: 0)?.iso8601 == "2017-01-01T00:00:00.000Z")
    }

    @Test("A decoded time has a plausible offset", arguments: [Int.min, -86_400, 86_400, .max])
    func decodedOffset(_ offset: Int) throws {
        let text = "{\"nanosecondsSince1970\":1000000000,\"secondsFromUTC\":\(offset)}"
        let time = try JSONDecoder().decode(WallTime.self, from: Data(text.utf8))
        #expect(time.zone == (offset < 0 ? "-23:59" : "+23:59"))
        #expect(time == (try JSONDecoder().decode(WallTime.self, from: try JSONEncoder().encode(time))))
    }

    @Test("What no clock shows is no moment")
    func impossibleFields() {
        for (year, month, day, hour, minute) in [
            (1678, 1, 1, 0, 0), (2262, 1, 1, 0, 0), (2026, 0, 1, 0, 0), (2026, 13, 1, 0, 0), (2026, 1, 0, 0, 0),
            (2026, 1, 32, 0, 0), (2026, 2, 29, 0, 0), (2100, 2, 29, 0, 0), (2024, 2, 30, 0, 0), (2026, 4, 31, 0, 0),
            (2026, 1, 1, 25, 0), (2026, 1, 1, -1, 0), (2026, 1, 1, 0, 60),
        ] {
            let fields = WallTime.Fields(year: year, month: month, day: day, hour: hour, minute: minute)
            #expect(WallTime(fields, secondsFromUTC: 0) == nil, "\(fields)")
        }
    }

    @Test("Zones are told in three ways")
    func zones() {
        for text in ["-03:30", "-0330"] { #expect(WallTime.secondsFromUTC(ofZone: text) == -12_600) }
        #expect(WallTime.secondsFromUTC(ofZone: "+01") == 3600)
        for text in ["", "Z", "01:00", "+1", "+24:00", "+01:60", "+-100", "+01:00x"] {
            #expect(WallTime.secondsFromUTC(ofZone: text) == nil, "\(text)")
        }
    }

    @Test("Now is now, in the zone of this machine")
    func now() {
        let before = Date.now.timeIntervalSince1970
        let now = WallTime.now
        let after = Date.now.timeIntervalSince1970
        let seconds = Double(now.nanosecondsSince1970) / 1e9
        // A Double of this size counts in less than a microsecond.
        #expect(seconds > before - 1e-5 && seconds < after + 1e-5)
        #expect(now.secondsFromUTC == TimeZone.current.secondsFromGMT() / 60 * 60)
    }

    @Test("Sound is as long as its whole sample frames, and reads at any place")
    func sound() {
        let format = AudioFormat(sampleType: .float32, sampleRate: 8000, channelCount: 2)
        let sound = AudioBuffer(
            format: format, samples: .int16([1, 16_384, 3, -32_768, 5]), presentationTime: .zero,
            hostTime: HostTime(nanoseconds: 0))
        #expect(sound.frameCount == 2 && sound.samples.count == 4 && sound.format.sampleType == .int16)
        #expect(sound.duration == MediaTime(value: 2, timescale: 8000))
        #expect(sound[frame: 0, channel: 1] == 0.5 && sound[frame: 1, channel: 1] == -1)
    }
}
