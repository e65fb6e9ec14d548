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

/// Elements, and where outputs go.
std::string elements_at(const kernel_shape& shape)
{
    std::string text;
    for (const unsigned k : shape.inputs) {
        const bool output = std::ranges::find(shape.outputs, k) != shape.outputs.end();
        text += (text.empty() ? "" : ", ") + std::string(output ? "&" : "") + "s.s" + std::to_string(k) + ".at(r, c)";
    }
    return text;
}

std::string loads(const kernel_shape& shape)
{
    std::string text =
        "inline element load(const grid& s, size_t r, size_t c) { return {" + elements_at(shape) + "}; }\n";
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
    return text + loads(shape) + rows(shape) + readers + "} // namespace skelrt::generated\n";
}

} // namespace skelrt::detail::cuda
