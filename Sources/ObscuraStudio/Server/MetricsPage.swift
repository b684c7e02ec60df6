// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraWeb

/// The Studio's statistics for Prometheus.
struct MetricsPage {
    private(set) var page = PrometheusText()

    init(_ studio: Studio, _ pages: PageHub) async {
        let cameras = studio.cameras
        family("obscura_pages", "Number of open pages.", "gauge", [([], Double(pages.count))])
        family("obscura_cameras", "Number of cameras of the Studio.", "gauge", [([], Double(cameras.count))])
        family(
            "obscura_free_bytes", "Free space on the disk of the library, in bytes.", "gauge",
            [([], Double(studio.freeSpace.bytes))])
        let all = cameras.map { ($0, $0.statistics(viewers: []), studio.description(of: $0)) }
        family(
            "obscura_camera_running", "1 while the camera delivers frames.", "gauge",
            all.map { (labels($0.0), $0.2.state == .running ? 1 : 0) })
        family(
            "obscura_camera_viewers", "Number of viewers of the camera.", "gauge",
            all.map { (labels($0.0), Double($0.2.viewers)) })
        family(
            "obscura_camera_recording", "1 while the camera is recorded.", "gauge",
            all.map { (labels($0.0), $0.0.isRecording ? 1 : 0) })
        family(
            "obscura_camera_frames_per_second", "Frame rate of the camera.", "gauge",
            all.map { (labels($0.0), $0.1.rate) })
        family(
            "obscura_camera_gaps_total", "Number of frames that the driver lost.", "counter",
            all.map { (labels($0.0), Double($0.1.gaps)) })
        family(
            "obscura_view_dropped_total", "Number of frames dropped for the busiest view, by reason.", "counter",
            all.flatMap { camera, statistics, _ in
                statistics.dropped.sorted { $0.key < $1.key }.map {
                    (labels(camera, ("reason", $0.key)), Double($0.value))
                }
            })
        family(
            "obscura_stage_milliseconds", "Latency between two points of the pipeline, in milliseconds.", "gauge",
            all.flatMap { camera, statistics, _ in
                statistics.stages.flatMap { stage in
                    [("0.5", stage.p50), ("0.95", stage.p95), ("0.99", stage.p99)].map { quantile, value in
                        (labels(camera, ("span", stage.span), ("quantile", quantile)), value)
                    }
                }
            })
    }

    private mutating func family(
        _ name: String, _ help: String, _ type: String, _ values: [([(String, String)], Double)]
    ) {
        page.append(name, help: help, type: type, values.map { PrometheusText.Sample($0.0, $0.1) })
    }

    private func labels(_ camera: StudioCamera, _ more: (String, String)...) -> [(String, String)] {
        [("camera", camera.id), ("name", camera.device.localizedName)] + more
    }
}
