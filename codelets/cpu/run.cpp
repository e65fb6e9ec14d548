#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/skeletons.hpp"

#include <algorithm>
#include <cstring>

namespace skelrt::detail::cpu
{

namespace
{

std::size_t row_count(const work& w) noexcept
{
    std::size_t n = 0;
    for (const segment& s : w.segments) n += s.rows;
    return n;
}

bool by_rows(const work& w) noexcept
{
    return w.what.kind == skeleton::reduce_rows || w.what.kind == skeleton::reduce_columns;
}

bool keeps_partials(const work& w) noexcept
{
    return w.what.kind == skeleton::reduce || w.what.kind == skeleton::reduce_columns;
}

std::size_t values_per_partial(const work& w) noexcept
{
    return w.what.kind == skeleton::reduce_columns && !w.segments.empty() ? w.segments[0].cols : 1;
}

} // namespace

std::size_t element_count(const work& w) noexcept
{
    std::size_t n = 0;
    for (const segment& s : w.segments) n += s.rows * s.cols;
    return n;
}

partials::partials(const work& w, std::size_t shares)
{
    if (!keeps_partials(w)) return;
    lines_each_ = (values_per_partial(w) * w.what.result_size + sizeof(line) - 1) / sizeof(line);
    lines_.resize(shares * lines_each_);
    started_.assign(shares, 0);
}

void run_share(const work& w, partials& p, std::size_t share, std::size_t shares)
{
    const std::size_t n = by_rows(w) ? row_count(w) : element_count(w);
    const auto bound = [&](std::size_t k) { return n / shares * k + std::min(k, n % shares); };
    const std::size_t first = bound(share), last = bound(share + 1);
    switch (w.what.kind) {
    case skeleton::map:
        map(w, first, last);
        break;
    case skeleton::reduce:
        reduce(w, first, last, p, share);
        break;
    case skeleton::reduce_rows:
        reduce_rows(w, first, last);
        break;
    case skeleton::reduce_columns:
        reduce_columns(w, first, last, p, share);
        break;
    }
}

bool finish(const work& w, partials& p, std::size_t shares)
{
    if (!keeps_partials(w)) return true;
    const std::size_t values = values_per_partial(w);
    bool started = false;
    for (std::size_t k = 0; k < shares; ++k) {
        if (!p.started(k)) continue;
        if (started) w.what.cpu.combine(w.result.data, p.at(k), values);
        else std::memcpy(w.result.data, p.at(k), values * w.what.result_size);
        started = true;
    }
    return started;
}

} // namespace skelrt::detail::cpu
