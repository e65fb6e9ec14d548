// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// Letters as strokes, so that a picture has text of any size without a font on the machine.
namespace apps
{

struct glyph_point {
    float x, y; ///< x to the right, y downwards; the base line is at glyph_height, descenders go below
};

struct stroke {
    glyph_point from, to;
};

/// Height of capital letters and digits.
inline constexpr float glyph_height = 6;

/// Nothing for blanks and for letters that are not there.
std::vector<stroke> strokes_of(char letter);

/// Width of a letter and the gap after it.
float glyph_advance(char letter);

} // namespace apps
