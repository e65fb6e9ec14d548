#include "glyphs.hpp"

#include <algorithm>
#include <string_view>

namespace coulomb
{
namespace
{

/// Polylines of points "xy" on a grid of halves (a = 0, b = 0.5, c = 1, ...), with blanks between polylines.
struct glyph {
    char letter;
    std::string_view paths;
};

constexpr glyph glyphs[] = {
    {'0', "caabadalcmgmilibgaca"},
    {'1', "bceaem bmhm"},
    {'2', "acbagaicieamim"},
    {'3', "abcagaibieggcg ggihilgmcmal"},
    {'4', "hmhaajjj"},
    {'5', "iabaafgfihikgmcmal"},
    {'6', "hadaacakcmgmikihgfcfah"},
    {'7', "aaiaem"},
    {'8', "cgaebacagaiaiegg cgaiakcmgmikiiggcg"},
    {'9', "bmgmikicgacaacaecggiig"},
    {'.', "amamalbl"},
    {',', "clao"},
    {'-', "bghg"},
    {'+', "bghg edej"},
    {'=', "beie biii"},
    {'(', "daadajdm"},
    {')', "aadddjam"},
    {'/', "gaam"},
    {':', "adae akal"},
    {'C', "icgacaacakcmgmik"},
    {'J', "gagkemcmak"},
    {'a', "bfcegehghm hhcibjblcmfmhk"},
    {'b', "aaam agcegeigikgmcmak"},
    {'c', "hfgeceagakcmgmhl"},
    {'d', "iaim igfeceagakcmfmik"},
    {'e', "aiiiiggeceagakcmgmhl"},
    {'f', "fadacccm aeee"},
    {'g', "iefeceagajclflij ieingpcpbo"},
    {'h', "aaam agcefehghm"},
    {'i', "aeam abac"},
    {'k', "aaam gdai cgim"},
    {'l', "aaalbmcm"},
    {'m', "aeam agceeefgfm fgheieiekgkm"},
    {'n', "aeam agcefehghm"},
    {'o', "ceagakcmgmikiggece"},
    {'p', "aeap agceggegikgmcmak"},
    {'r', "aeam ahceee"},
    {'s', "hfgecebfbgdhgihjhlgmcmbl"},
    {'t', "cackdmfm aeee"},
    {'u', "aeakcmfmhk hehm"},
    {'x', "aehm heam"},
    {'y', "aeem ieemcpap"},
    {'z', "aeheamhm"},
};

const glyph* find(char letter)
{
    const auto* const found = std::ranges::find(glyphs, letter, &glyph::letter);
    return found == std::end(glyphs) ? nullptr : found;
}

float halves(char c)
{
    return 0.5f * static_cast<float>(c - 'a');
}

} // namespace

std::vector<stroke> strokes_of(char letter)
{
    std::vector<stroke> result;
    const glyph* g = find(letter);
    if (!g) return result;
    const auto at = [&](std::size_t i) { return glyph_point{halves(g->paths[i]), halves(g->paths[i + 1])}; };
    for (std::size_t i = 0; i + 3 < g->paths.size();) {
        if (g->paths[i + 2] == ' ') {
            i += 3;
        } else {
            result.push_back({at(i), at(i + 2)});
            i += 2;
        }
    }
    return result;
}

float glyph_advance(char letter)
{
    const glyph* g = find(letter);
    if (!g) return 2.6f;
    float right = 0;
    for (const auto& s : strokes_of(letter)) right = std::max({right, s.from.x, s.to.x});
    if (letter >= '0' && letter <= '9') right = 4; // columns of numbers line up
    return right + 1.9f;
}

} // namespace coulomb
