// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The compiler loads `_Testing_CoreImage` for each file that imports Testing and `CoreImage`: on Apple's platforms it
// attaches pictures to the results of tests. It is empty here; without it such a file would not compile.
