// SPDX-License-Identifier: BSD-3-Clause
#include "glyphs.hpp"

#include <algorithm>
#include <string_view>

namespace apps
{
namespace
{

/// Polylines of points "xy" on a grid of halves (a = 0, b = 0.5, c = 1, ...), with blanks between polylines.
struct glyph {
    char letter;
    std::string_view paths;
};

constexpr glyph glyphs[] = {
    {'0', "dabbadajbldmfmhlijidhbfada"},
    {'1', "bceaem bmhm"},
    {'2', "adbbdafahbidhfamim"},
    {'3', "acbbdafahbiciehffg dgfghhijikhlfmdmblak"},
    {'4', "hmhaajjj"},
    {'5', "haaaafdefehfihijhlfmdmblak"},
    {'6', "hbfadabbaeajbldmfmhlijiihgffdfbgai"},
    {'7', "aaiaem"},
    {'8', "dabbadbfdgfghfidhbfada dgbhajbldmfmhlijhhfg"},
    {'9', "bldmfmhliiidhbfadabbadaebgdhfhhgie"},
    {'.', "amamalbl"},
    {',', "clao"},
    {'\'', "aaad"},
    {'-', "bghg"},
    {'+', "bghg edej"},
    {'=', "beie biii"},
    {'(', "daadajdm"},
    {')', "aadddjam"},
    {'/', "gaam"},
    {':', "adae akal"},
    {'A', "ameaim bihi"},
    {'B', "agfghhijhlfmamaafahbidhffg"},
    {'C', "ichbfadabbadajbldmfmhlik"},
    {'D', "aaamemhkijidhceaaa"},
    {'E', "iaaaamim aggg"},
    {'F', "iaaaam aggg"},
    {'G', "ichbfadabbadajbldmfmhlikihfh"},
    {'H', "aaam iaim agig"},
    {'I', "caga eaem cmgm"},
    {'J', "gagjfldmbmak"},
    {'K', "aaam iaai cgim"},
    {'L', "aaamim"},
    {'M', "amaaeiiaim"},
    {'N', "amaaimia"},
    {'O', "dabbadajbldmfmhlijidhbfada"},
    {'P', "amaafahbidhffgag"},
    {'Q', "dabbadajbldmfmhlijidhbfada fjim"},
    {'R', "amaafahbidhffgag fgim"},
    {'S', "ichbfadabbadbffghhijhlfmdmblak"},
    {'T', "aaia eaem"},
    {'U', "aaajbldmfmhlijia"},
    {'V', "aaemia"},
    {'W', "aacmeggmia"},
    {'X', "aaim iaam"},
    {'Y', "aaegia egem"},
    {'Z', "aaiaamim"},
    {'_', "amim"},
    {'a', "ieim ihhffedebfahajbldmfmhlij"},
    {'b', "aaam ahbfdefehfihijhlfmdmblaj"},
    {'c', "hffedebfahajbldmfmhl"},
    {'d', "iaim ihhffedebfahajbldmfmhlij"},
    {'e', "aiiiihhffedebfahajbldmfmhl"},
    {'f', "fadbcdcm aeee"},
    {'g', "ihhffedebfahajbldmfmhlij ieinhpfqdqbp"},
    {'h', "aaam ahbfdefehfihim"},
    {'i', "aeam abac"},
    {'j', "cecobqaq cacb"},
    {'k', "aaam gdai cgim"},
    {'l', "aaalbmcm"},
    {'m', "aeam ahbfcedeeffhfm fhgfheiejfkhkm"},
    {'n', "aeam ahbfdefehfihim"},
    {'o', "debfahajbldmfmhlijihhffede"},
    {'p', "aeaq ahbfdefehfihijhlfmdmblaj"},
    {'q', "ihhffedebfahajbldmfmhlij ieiq"},
    {'r', "aeam ahbfdeee"},
    {'s', "hffedebfbhdifihjhlfmdmbl"},
    {'t', "cackdmfm aeee"},
    {'u', "aeajbldmfmhlij ieim"},
    {'v', "aeemie"},
    {'w', "aecmfeimke"},
    {'x', "aehm heam"},
    {'y', "aeem ieemcqaq"},
    {'z', "aeheamhm"},
};

const glyph* find(char letter)
{
    const auto* const found = std::ranges::find(glyphs, letter, &glyph::letter);
    return found == std::end(glyphs) ? nullptr : found;
}

float halves(char c) { return 0.5f * static_cast<float>(c - 'a'); }

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

} // namespace apps
