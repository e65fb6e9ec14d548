// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/files/array_header.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace skelrt::detail
{

namespace
{

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

std::size_t number_of_bytes(std::string_view bytes)
{
    std::size_t value = 0;
    for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
    return value;
}

/// Version 1 has two bytes for the length of the header, later ones four.
std::size_t bytes_of_length(std::string_view preamble) { return preamble[magic.size()] == 1 ? 2 : 4; }

std::string_view without_blanks(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    return text;
}

/// What stands behind a key of the dictionary.
std::string_view value_of(std::string_view dictionary, std::string_view key)
{
    const auto quoted = fmt::format("'{}'", key);
    const std::size_t at = dictionary.find(quoted);
    if (at == std::string_view::npos) throw error(fmt::format("its header has no {}", quoted));
    const std::string_view behind = without_blanks(dictionary.substr(at + quoted.size()));
    if (!behind.starts_with(':')) throw error(fmt::format("its header has no value for {}", quoted));
    return without_blanks(behind.substr(1));
}

stored_element parse_type(std::string_view text)
{
    if (!text.starts_with('\'')) throw error("its elements are structs; save one array for each member");
    const std::string_view name = text.substr(1, text.find('\'', 1) - 1);
    stored_element e;
    const bool known = name.size() > 2 && std::string_view("<|>").find(name[0]) != std::string_view::npos &&
                       std::from_chars(name.data() + 2, name.data() + name.size(), e.size).ptr == name.end();
    if (!known) throw error(fmt::format("elements of type {} are not known here; convert them with astype", name));
    if (name[0] == '>')
        throw error(fmt::format("its numbers ({}) have their highest byte first; save array.astype('<{}')", name,
                                name.substr(1)));
    e.kind = name[1];
    return e;
}

std::vector<std::size_t> parse_extents(std::string_view text)
{
    std::vector<std::size_t> extents;
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) throw error("its header has no extents");
    for (std::string_view rest = without_blanks(text.substr(1, end - 1)); !rest.empty();) {
        std::size_t value = 0;
        const auto [stop, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (failed != std::errc{}) throw error(fmt::format("its header has no such extents: {}", text.substr(0, end)));
        extents.push_back(value);
        rest = without_blanks(rest.substr(static_cast<std::size_t>(stop - rest.data())));
        if (rest.starts_with(',')) rest = without_blanks(rest.substr(1));
    }
    return extents;
}

} // namespace

std::string type_text(stored_element e) { return fmt::format("{}{}{}", e.size == 1 ? '|' : '<', e.kind, e.size); }

std::string extents_text(std::span<const std::size_t> extents)
{
    return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
}

std::string header_text(stored_element e, std::span<const std::size_t> extents)
{
    constexpr std::size_t most_digits = 21; // NumPy leaves room for the first extent to grow
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type_text(e), extents_text(extents));
    text.append(most_digits - std::to_string(extents[0]).size(), ' ');
    const std::size_t in_front = magic.size() + 4;
    text.append(alignment - (in_front + text.size() + 1) % alignment, ' ');
    text += '\n';
    const auto low = static_cast<char>(text.size() % 256), high = static_cast<char>(text.size() / 256);
    return std::string(magic) + std::string{1, 0, low, high} + text;
}

std::size_t elements_at(std::string_view preamble)
{
    if (preamble.size() < magic.size() + 4 || !preamble.starts_with(magic))
        throw error("it is no file of NumPy's (.npy), which numpy.save writes");
    const char version = preamble[magic.size()];
    if (version < 1 || version > 3)
        throw error(fmt::format("its format has version {}, and 1 to 3 are known", static_cast<int>(version)));
    const std::size_t digits = bytes_of_length(preamble);
    const std::string_view length = preamble.substr(magic.size() + 2);
    if (length.size() < digits) throw error("its header is cut off");
    return magic.size() + 2 + digits + number_of_bytes(length.substr(0, digits));
}

array_header parse_header(std::string_view bytes)
{
    const std::string_view dictionary = bytes.substr(magic.size() + 2 + bytes_of_length(bytes));
    const std::string_view columns_first = value_of(dictionary, "fortran_order");
    array_header h{parse_type(value_of(dictionary, "descr")), parse_extents(value_of(dictionary, "shape"))};
    if (!columns_first.starts_with("False") && h.extents.size() > 1)
        throw error("its columns follow each other (Fortran's order); save numpy.ascontiguousarray(array)");
    return h;
}

} // namespace skelrt::detail
