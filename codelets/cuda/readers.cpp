// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

#include <algorithm>

namespace skelrt::detail::cuda
{
namespace
{

/// "a<k>, a<l>": `form` with # replaced by the number of each element input.
std::string for_inputs(const kernel_shape& shape, const std::string& form, const std::string& between)
{
    std::string text;
    for (const unsigned k : shape.inputs) {
        if (!text.empty()) text += between;
        for (const char c : form) text += c == '#' ? std::to_string(k) : std::string(1, c);
    }
    return text;
}

bool has(const std::vector<unsigned>& all, unsigned k) { return std::ranges::find(all, k) != all.end(); }

/// Elements, and where outputs go.
std::string elements_at(const kernel_shape& shape, const std::vector<unsigned>& inputs)
{
    std::string text;
    for (const unsigned k : inputs)
        text += (text.empty() ? "" : ", ") + std::string(has(shape.outputs, k) ? "&" : "") + "s.s" + std::to_string(k) +
                ".at(r, c)";
    return text;
}

/// Transposed matrices by way of a block's shared memory, whose lines are one longer: its columns then lie in different
/// banks.
std::string turned(const kernel_shape& shape)
{
    std::string tiles, loads, straight, element;
    for (const unsigned k : shape.turned) {
        const std::string n = std::to_string(k);
        tiles += "    alignas(16) unsigned char s" + n + "[turned_side * (turned_side + 1) * sizeof(skelrt_t" + n +
                 ")];\n    skelrt_t" + n + "* tile" + n + "() { return reinterpret_cast<skelrt_t" + n + "*>(s" + n +
                 "); }\n";
        loads += "        put(tile" + n + "() + at, skelrt_t" + n + "(s.s" + n + ".at(r, c)));\n";
    }
    for (const unsigned k : shape.straight())
        straight += "    decltype(element::s" + std::to_string(k) + ") s" + std::to_string(k) + ";\n";
    for (const unsigned k : shape.inputs) {
        const std::string n = std::to_string(k);
        element += (element.empty() ? "" : ", ") + (has(shape.turned, k) ? "tiles.tile" + n + "()[at]" : "x.s" + n);
    }
    const std::string moved =
        "inline grid moved(grid s, size_t r, size_t c)\n{\n    s.row += r;\n    s.col += c;\n    " +
        for_inputs(shape, "s.s#.data += r * s.s#.ld + c * s.s#.stride; ", "") +
        "\n    s.out.data += r * s.out.ld + c * s.out.stride;\n    return s;\n}\n";
    return moved + "#define SKELRT_TURNED 1\nconstexpr unsigned turned_side = " + std::to_string(shape.turned_side) +
           ";\nstruct turned_tiles {\n" + tiles +
           "    static unsigned place(unsigned line, unsigned number) { return line * (turned_side + 1) + number; }\n"
           "    void load(const grid& s, size_t r, size_t c, unsigned at)\n    {\n" +
           loads + "    }\n};\nstruct straight {\n" + straight +
           "};\ninline straight load_straight(const grid& s, size_t r, size_t c) { return {" +
           elements_at(shape, shape.straight()) +
           "}; }\ninline element joined(const straight& x, turned_tiles& tiles, unsigned at) { return {" + element +
           "}; }\n";
}

std::string loads(const kernel_shape& shape)
{
    std::string text = "inline element load(const grid& s, size_t r, size_t c) { return {" +
                       elements_at(shape, shape.inputs) + "}; }\n";
    if (shape.pairs) return text;
    text += "inline element load(const line& s, size_t i) { return {" + for_inputs(shape, "s.s#[i]", ", ") + "}; }\n";
    text += "struct packs {\n    " + for_inputs(shape, "pack<skelrt_t#, pack_size> s#; ", "") + "\n";
    text += "    void load(const line& s, size_t i) { " + for_inputs(shape, "s#.load(s.s# + i); ", "") + "}\n";
    return text + "    element get(int i) const { return {" + for_inputs(shape, "s#.get(i)", ", ") + "}; }\n};\n";
}

/// One row of a grid, as a grid or, where its elements are neighbours, as a line.
std::string rows(const kernel_shape& shape)
{
    std::string text = "inline grid grid_row(grid s, size_t r)\n{\n    s.rows = 1;\n    s.row += r;\n    ";
    text += for_inputs(shape, "s.s#.data += r * s.s#.ld; ", "") + "\n    return s;\n}\n";
    if (shape.pairs) return text;
    text += "inline line line_row(const grid& s, size_t r)\n{\n    return {s.cols, s.row + r, s.col";
    for (const unsigned k : shape.inputs)
        text += ", s.s" + std::to_string(k) + ".data + r * s.s" + std::to_string(k) + ".ld";
    return text + ", s.out.data};\n}\n";
}

constexpr const char* readers = R"cuda(
#if SKELRT_LINES
/// How a skeleton walks a segment: load() some elements into registers, and later evaluate() each of them.
struct packed_reader {
    static constexpr int width = pack_size;
    using registers = packs;
    static line row(const grid& s, size_t r) { return line_row(s, r); }
    static size_t count(const line& s) { return s.count; }
    static void load(registers& x, const line& s, size_t i) { x.load(s, i); }
    static evaluated value(const registers& x, int k, const line& s, const uniforms& u, size_t i)
    {
        return evaluate(x.get(k), u, s.row, s.col + i + k);
    }
    static evaluated single(const line& s, const uniforms& u, size_t i)
    {
        return evaluate(generated::load(s, i), u, s.row, s.col + i);
    }
};

struct linear_reader {
    static constexpr int width = 1;
    using registers = values<element, 1>;
    static line row(const grid& s, size_t r) { return line_row(s, r); }
    static size_t count(const line& s) { return s.count; }
    static void load(registers& x, const line& s, size_t i) { x[0] = generated::load(s, i); }
    static evaluated value(const registers& x, int, const line& s, const uniforms& u, size_t i)
    {
        return evaluate(x[0], u, s.row, s.col + i);
    }
    static evaluated single(const line& s, const uniforms& u, size_t i)
    {
        return evaluate(generated::load(s, i), u, s.row, s.col + i);
    }
};

#endif // SKELRT_LINES
struct strided_reader {
    static constexpr int width = 1;
    using registers = values<element, 1>;
    static grid row(const grid& s, size_t r) { return grid_row(s, r); }
    static size_t count(const grid& s) { return s.rows * s.cols; }
    static void load(registers& x, const grid& s, size_t i)
    {
        const position at = position_of(i, s.cols);
        x[0] = generated::load(s, at.row, at.col);
    }
    static evaluated value(const registers& x, int, const grid& s, const uniforms& u, size_t i)
    {
        const position at = position_of(i, s.cols);
        return evaluate(x[0], u, s.row + at.row, s.col + at.col);
    }
    static evaluated single(const grid& s, const uniforms& u, size_t i)
    {
        const position at = position_of(i, s.cols);
        return evaluate(generated::load(s, at.row, at.col), u, s.row + at.row, s.col + at.col);
    }
};
)cuda";

} // namespace

std::string readers_text(const kernel_shape& shape, unsigned threads)
{
    std::string text = shape.pairs ? "#define SKELRT_LINES 0\n" : "#define SKELRT_LINES 1\n";
    text += "namespace skelrt::generated\n{\n";
    text += "constexpr int threads = " + std::to_string(threads) + ", lanes = " + std::to_string(warp_lanes) +
            ", warps = threads / lanes;\n";
    if (shape.squares()) text += "#define SKELRT_SQUARES 1\n";
    text += "constexpr int pack_size = " + std::to_string(shape.pack) +
            ", in_flight = " + std::to_string(shape.in_flight) + ";\n";
    if (!shape.turned.empty()) text += turned(shape);
    return text + loads(shape) + rows(shape) + readers + "} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
