#include "launchers.hpp"
#include "source.hpp"

/// Any stencil at all: every access of a hood applies the border rule where the elements lie. For hoods that reach further
/// than shared memory holds; caches do what they can.
namespace skelrt::detail::cuda
{
namespace
{

constexpr const char* kernel = R"cuda(
extern "C" __global__ void __launch_bounds__(threads) stencil_direct(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.y];
    const size_t i = blockIdx.x * size_t(threads) + threadIdx.x;
    if (i >= f.n[0] * f.n[1] * f.n[2]) return;
    const position row = position_of(i, f.n[2]), plane = position_of(row.row, f.n[1]);
    const long z = plane.row, y = plane.col, x = row.col;
    const place at = place_of(f, z, y, x);
#ifdef SKELRT_KEEPS
    if (keeps(p.c, at, 0)) {
        f.out.at(z, y, x) = center(f, z, y, x);
        return;
    }
#endif
    f.out.at(z, y, x) = evaluate_at(hoods_at(f, p.u, space_of(f, p.c), z, y, x), p.u, p.c, at);
}

} // namespace skelrt::generated
)cuda";

} // namespace

std::string stencil_direct_text(const recipe& what)
{
    std::string text = "namespace skelrt::generated\n{\n";
    text += "inline element hoods_at(const field& f, const uniforms& u, const space& s, long z, long y, long x)\n"
            "{\n    return {";
    std::string between;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const std::string n = std::to_string(k);
        if (what.slots[k].kind == slot_kind::hood)
            text += between + "skelrt::hood" + std::to_string(what.stencil.rank) + "<skelrt_t" + n + ">(around_s" + n +
                    "(f, u), s, z, y, x)";
        else if (what.slots[k].kind == slot_kind::element) text += between + "f.s" + n + ".at(z, y, x)";
        else continue;
        between = ", ";
    }
    text += "};\n}\n";
    if (keeps_elements(what))
        text += "#define SKELRT_KEEPS\n"
                "inline const auto& center(const field& f, long z, long y, long x)\n{\n    return f.s" +
                std::to_string(first_hood(what)) + ".data[(z * f.n[1] + y) * f.n[2] + x];\n}\n";
    return text + kernel;
}

} // namespace skelrt::detail::cuda
