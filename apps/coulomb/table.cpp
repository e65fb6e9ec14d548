#include "table.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace coulomb
{
namespace
{

/// What one interaction costs: 8 additions, multiplications and fused ones counted as two, and the reciprocal root and
/// the comparison as one each. For orientation; interactions per second is the number to compare.
constexpr double flops_per_pair = 9;

const measurement* find(const std::vector<measurement>& rows, const std::string& device)
{
    const auto found = std::ranges::find(rows, device, &measurement::device);
    return found == rows.end() ? nullptr : &*found;
}

std::string check_text(const comparison& c)
{
    if (c.samples == 0) return "-";
    return fmt::format("{:.1e} {}", c.relative, c.good() ? "good" : "WRONG");
}

std::string row_text(const measurement& m, double pairs, double fastest)
{
    const double rate = pairs / m.median();
    return fmt::format("{:<8} {:>11} {:>11} {:>12.2f} {:>10.1f} {:>9.2f}x   {:<13} {}\n", m.device,
                       duration_text(m.best()), duration_text(m.median()), rate * 1e-9, rate * flops_per_pair * 1e-9,
                       fastest / m.median(), check_text(m.check), m.hardware);
}

std::string figure(const char* name, const measurement* ours, const measurement* other)
{
    return ours && other ? fmt::format("figure: {} {:.3f}\n", name, ours->median() / other->median()) : "";
}

} // namespace

std::string duration_text(double seconds)
{
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string table_of(const std::vector<measurement>& rows, double pairs)
{
    double fastest = rows.front().median();
    for (const auto& r : rows) fastest = std::min(fastest, r.median());
    std::string text = fmt::format("{:<8} {:>11} {:>11} {:>12} {:>10} {:>10}   {:<13} {}\n", "device", "best", "median",
                                   "Gpairs/s", "GFLOP/s", "of fastest", "error", "hardware");
    text += std::string(text.size() - 1, '-') + "\n";
    for (const auto& r : rows) text += row_text(r, pairs, fastest);
    return text;
}

void write_csv(const std::filesystem::path& file, const std::vector<measurement>& rows, const grid& g,
               std::size_t atoms)
{
    std::ofstream out(file);
    out << "device,hardware,nx,ny,nz,atoms,runs,best_s,median_s,pairs_per_s,relative_error\n";
    const double pairs = static_cast<double>(g.points()) * static_cast<double>(atoms);
    for (const auto& r : rows)
        fmt::print(out, "{},\"{}\",{},{},{},{},{},{:.9g},{:.9g},{:.6g},{}\n", r.device, r.hardware, g.size[0],
                   g.size[1], g.size[2], atoms, r.seconds.size(), r.best(), r.median(), pairs / r.median(),
                   r.check.samples > 0 ? fmt::format("{:.3g}", r.check.relative) : "");
    out.close();
    if (!out) throw input_error(fmt::format("--csv {}: cannot be written", file.string()));
}

std::string figures_of(const std::vector<measurement>& rows)
{
    const auto* gpu = find(rows, "cuda");
    return figure("coulomb_gpu_vs_hand", gpu, find(rows, "rival")) +
           figure("coulomb_hybrid_vs_gpu", find(rows, "hybrid"), gpu ? gpu : find(rows, "opencl"));
}

} // namespace coulomb
