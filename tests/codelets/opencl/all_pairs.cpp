// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include "codelets/opencl/kernels.hpp"

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;

/// The kernel for GPUs, with panels in local memory, and the one for CPUs, which conformance tests too.

SKELRT_SHARED(struct slope { unsigned factor, offset; };)

namespace
{

// x -> factor * x + offset, the factor in the upper half, one behind the other: associative, and the order tells.
const auto line = SKELRT_FN((int a, int b) { return (2 * a + 3) * 65536 + 7 * b + 100; });
const auto behind = SKELRT_FN((int f, int g) {
    const int factor = f >> 16;
    return (factor * (g >> 16) << 16) | ((factor * (g & 65535) + (f & 65535)) & 65535);
});
const auto after = SKELRT_FN((slope f, slope g) {
    slope h;
    h.factor = f.factor * g.factor;
    h.offset = f.factor * g.offset + f.offset;
    return h;
});

bool same(slope f, slope g) { return f.factor == g.factor && f.offset == g.offset; }
bool same(int a, int b) { return a == b; }

template <class T>
void describe(recipe& r, std::string_view type, const function_source& zip, const function_source& combine)
{
    r.kind = skeleton::all_pairs;
    r.name = "test";
    r.slots = {slot<T>(slot_kind::row_vec, type), slot<T>(slot_kind::column_vec, type),
               slot<T>(slot_kind::element, type)};
    r.calls.push_back({&zip, type, sizeof(T), {{argument_kind::slot, 0}, {argument_kind::slot, 1}}});
    r.root = {argument_kind::call, 0};
    r.combine = &combine;
    r.result = type;
    r.result_size = sizeof(T);
    r.result_align = alignof(T);
}

/// Two segments of rows; the right side as rows, or transposed. In front of each result comes `start`, if it is not
/// null; as a start value, or as what the result holds.
template <class T, class Zip, class Op>
void check(std::string_view type, const Zip& zip, const Op& op, const std::vector<T>& a, const std::vector<T>& b,
           std::size_t rows, std::size_t cols, std::size_t depth, const T* start, bool transposed, bool begun = false)
{
    recipe r;
    describe<T>(r, type, zip.source(), op.source());
    const on_device<T> x(a, 2), y(b, 1), z(std::vector<T>(rows * cols, begun ? *start : T()), 3);
    const std::size_t upper = rows / 3;
    const slot_view right = transposed ? y.view(cols, depth, cols, 1) : y.view(cols, depth, 1, depth);
    const std::vector<segment> segments{{upper, cols, 0, 0}, {rows - upper, cols, upper, 0}};
    const std::vector<slot_view> slots{x.view(upper, depth, depth),
                                       right,
                                       z.view(upper, cols, cols),
                                       x.view(rows - upper, depth, depth, 1, upper * depth),
                                       right,
                                       z.view(rows - upper, cols, cols, 1, upper * cols)};
    work w{r, true, cols, segments, slots};
    w.depth = depth;
    w.start = begun ? nullptr : start;
    w.begun = begun;
    run(w);
    const auto got = z.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            const auto pair = [&](std::size_t k) {
                return static_cast<T>(zip(a[i * depth + k], transposed ? b[k * cols + j] : b[j * depth + k]));
            };
            T v = start ? static_cast<T>(op(*start, pair(0))) : pair(0);
            for (std::size_t k = 1; k < depth; ++k) v = op(v, pair(k));
            wrong += !same(got[i * cols + j], v);
        }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("all pairs of rows, through local memory and without", "[opencl][all_pairs]")
{
    const bool gpu = GENERATE(true, false), transposed = GENERATE(true, false);
    const std::size_t rows = GENERATE(1, 65, 130), cols = GENERATE(1, 64, 71), depth = GENERATE(1, 15, 33, 1100);
    CAPTURE(gpu, transposed, rows, cols, depth);
    opencl::treat_as_gpu(gpu);
    std::vector<int> a(rows * depth), b(cols * depth);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 7 % 11) - 5;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(i * 5 % 13) - 6;
    const int start = 17 + 5 * 65536;
    check<int>("int", line, behind, a, b, rows, cols, depth, depth == 15 ? &start : nullptr, transposed);
    check<int>("int", line, behind, a, b, rows, cols, depth, &start, transposed, true);
    opencl::treat_as_gpu(false);
}

TEST_CASE("all pairs of structs keep their order", "[opencl][all_pairs]")
{
    const bool gpu = GENERATE(true, false);
    const std::size_t rows = 40, cols = 37, depth = 70;
    opencl::treat_as_gpu(gpu);
    std::vector<slope> a, b;
    for (unsigned i = 0; i < rows * depth; ++i) a.push_back({i % 5 + 1, i});
    for (unsigned i = 0; i < cols * depth; ++i) b.push_back({i % 3 + 2, i * 7});
    const slope front{3, 1};
    check<slope>("slope", after, after, a, b, rows, cols, depth, nullptr, false);
    check<slope>("slope", after, after, a, b, rows, cols, depth, &front, false, true);
    opencl::treat_as_gpu(false);
}
