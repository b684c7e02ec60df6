// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura
public import ObscuraLibrary

/// The settings of a ``MediaPicker``.
public struct MediaPickerConfiguration: Sendable {
    /// A source of photos and movies that users add.
    public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// The camera of this machine.
        case camera
        /// A photo library; see ``MediaPickerConfiguration/libraryFolder``.
        case library
        /// Files of the machine on which the browser runs.
        case disk
        /// Addresses of photos and movies on the web.
        case network
    }

    /// A shape that the page shows over the crop frame.
    public enum Mask: String, Sendable, Hashable, Codable {
        /// An ellipse, for portraits that a program displays as circles. The picture remains a rectangle.
        case ellipse
    }

    /// The sources from which users can add photos and movies.
    public var sources = Set(Source.allCases)
    /// The kinds of items that users can pick.
    public var kinds: Set<LibraryItem.Kind> = [.photo, .movie]
    /// The minimum number of photos and movies, 1 or more.
    public var minimumCount = 1
    /// The maximum number of photos and movies.
    public var maximumCount = 1
    /// Paths of files that are already selected when the page opens. The files are copied.
    public var preselected: [String] = []

    /// Whether users may edit photos.
    public var allowsEditing = true
    /// Whether users may rotate and mirror photos.
    public var allowsRotation = true
    /// The permitted aspect ratios. Each photo is cropped to the first ratio; users can move the crop frame or choose
    /// another ratio. If empty, every shape is permitted.
    public var cropRatios: [AspectRatio] = []
    /// A shape that the page shows over the crop frame; nil for none.
    public var mask: Mask?
    /// Whether colors and brightness of each photo are enhanced automatically.
    public var enhancesPhotos = false

    /// The camera, in the form that `CaptureDevice.named(_:reading:)` accepts, such as `camera:front`.
    public var camera = "camera"
    /// The session preset of the camera.
    public var preset = CaptureSession.Preset.high
    /// The flash mode when the page opens.
    public var flash = PhotoSettings.Flash.off
    /// The maximum duration of a recorded movie, in seconds; nil for unlimited.
    public var maximumMovieDuration: Double?
    /// Path of a PNG, JPEG, WebP or SVG file that is shown over the viewfinder, such as the outline of a document. It
    /// does not appear in the photos.
    public var overlay: String?
    /// Whether the page has controls. Without them, the program triggers the camera; see ``MediaPicker/takePhoto()``.
    public var showsControls = true

    /// The title of the page.
    public var title = "Choose photos and movies"
    /// A sentence below the title.
    public var prompt: String?
    /// The label of the button that returns the photos and movies to the program.
    public var doneLabel = "Done"
    /// The label of the button that ends the page without a result.
    public var cancelLabel = "Cancel"
    /// The color of buttons, as `#rrggbb`; nil for the default.
    public var accentColor: String?
    /// The color behind the content, as `#rrggbb`; nil for the default.
    public var backgroundColor: String?

    /// Path of the folder to which the photos and movies are written, which is created if missing. Existing files are
    /// never replaced. Nil creates a folder in the system's folder for temporary files.
    public var outputFolder: String?
    /// Path of the folder of the photo library; see `MediaLibrary`.
    public var libraryFolder = MediaLibrary.defaultPath
    /// The port to listen on; 0 selects a free port. Only this machine can connect.
    public var port = 0
    /// The networks from which users can add photos and movies by address.
    public var networkAccess = RemoteAccess.publicOnly

    /// Creates settings to pick one photo or movie.
    public init() {}
}
