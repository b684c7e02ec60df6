# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that build-manual turns a generated page into one that mdoc(7) accepts, under the name that `man` expects."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "build-manual"
LOADER = importlib.machinery.SourceFileLoader("build_manual", str(SCRIPT))
build_manual = importlib.util.module_from_spec(importlib.util.spec_from_loader("build_manual", LOADER))
LOADER.exec_module(build_manual)

GENERATED = """\
.Dd November 25, 2026
.Dt OBSCURA.EXTRACT 1
.Os
.Sh NAME
.Nm "obscura extract"
.Nd "Write the frames of a movie."
.Sh SYNOPSIS
.Nm
.Op Fl -size Ar width>x<height
.Sh DESCRIPTION
Reads a movie.

Examples:
  obscura extract film.mp4 -o a\\ b.png
  obscura extract pattern
.Bl -tag -width 6n
.It Fl -size Ar width>x<height
The size.
.Pp
.It Fl h , -help
Show help.
.El
.Sh "SEE ALSO"
.Xr obscura.devices.set 1 ,
.Xr obscura.photo 1
.Sh AUTHORS
The
.Nm
reference was written by
.An -nosplit
.An "Somebody" ."""

WANTED = """\
.Dd November 25, 2026
.Dt OBSCURA-EXTRACT 1
.Os "Obscura 1.2.3"
.Sh NAME
.Nm obscura-extract
.Nd "Write the frames of a movie"
.Sh SYNOPSIS
.Nm "obscura extract"
.Op Fl -size Ar widthxheight
.Sh DESCRIPTION
Reads a movie.
.Pp
Examples:
.Bd -literal -offset indent
obscura extract film.mp4 -o a\\e b.png
obscura extract pattern
.Ed
.Bl -tag -width 6n
.It Fl -size Ar widthxheight
The size.
.It Fl h , -help
Show help.
.El
.Sh "SEE ALSO"
.Xr obscura-devices-set 1 ,
.Xr obscura-photo 1
.Sh AUTHORS
The Obscura authors.
"""


class PageTest(unittest.TestCase):

    def test_a_page_has_the_names_paragraphs_and_examples_of_mdoc(self):
        self.assertEqual(build_manual.page(GENERATED, "1.2.3"), WANTED)

    def test_an_example_at_the_end_is_closed(self):
        self.assertEqual(build_manual.displayed("Text.\n  example"),
                         "Text.\n.Bd -literal -offset indent\nexample\n.Ed\n")


if __name__ == "__main__":
    unittest.main()
