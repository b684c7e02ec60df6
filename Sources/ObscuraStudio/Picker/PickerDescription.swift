// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraLibrary

/// The settings of a picker, as its page receives them.
struct PickerDescription: Codable, Sendable, Equatable {
    var sources: [MediaPickerConfiguration.Source]
    var kinds: [LibraryItem.Kind]
    var minimumCount: Int
    var maximumCount: Int
    var allowsEditing: Bool
    var allowsRotation: Bool
    var cropRatios: [AspectRatio]
    var mask: MediaPickerConfiguration.Mask?
    var flash: PhotoSettings.Flash
    var maximumMovieDuration: Double?
    var hasOverlay: Bool
    var showsControls: Bool
    var title: String
    var prompt: String?
    var doneLabel: String
    var cancelLabel: String
    var accentColor: String?
    var backgroundColor: String?

    /// - Parameter sources: those that are available.
    init(_ configuration: MediaPickerConfiguration, sources: Set<MediaPickerConfiguration.Source>) {
        self.sources = MediaPickerConfiguration.Source.allCases.filter(sources.contains)
        kinds = LibraryItem.Kind.allCases.filter(configuration.kinds.contains)
        (minimumCount, maximumCount) = (configuration.minimumCount, configuration.maximumCount)
        (allowsEditing, allowsRotation) = (configuration.allowsEditing, configuration.allowsRotation)
        (cropRatios, mask) = (configuration.cropRatios, configuration.mask)
        (flash, maximumMovieDuration) = (configuration.flash, configuration.maximumMovieDuration)
        (hasOverlay, showsControls) = (configuration.overlay != nil, configuration.showsControls)
        (title, prompt) = (configuration.title, configuration.prompt)
        (doneLabel, cancelLabel) = (configuration.doneLabel, configuration.cancelLabel)
        (accentColor, backgroundColor) = (configuration.accentColor, configuration.backgroundColor)
    }
}

/// A photo or movie of the photo library, as the page of a picker lists it.
struct PickerLibraryItem: Codable, Sendable, Equatable {
    var path: String
    var kind: LibraryItem.Kind
    var date: String
    var width: Int?
    var height: Int?
    var duration: Double?
    var isFavorite: Bool

    init(_ item: LibraryItem) {
        (path, kind, date) = (item.path, item.kind, item.date.iso8601)
        (width, height, duration) = (item.size?.width, item.size?.height, item.duration)
        isFavorite = item.isFavorite
    }
}

/// A page of the photo library.
struct PickerLibraryPage: Codable, Sendable, Equatable {
    var items: [PickerLibraryItem]
    /// The position of the next page; nil if this is the last one.
    var next: String?
}
