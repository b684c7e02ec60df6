// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Studio

// Public, because conformances of public types must be public.
public import ArgumentParser
public import ObscuraStudio

// The raw values of the library are the values of the option.
extension MediaPickerConfiguration.Source: ExpressibleByArgument {}

#endif
