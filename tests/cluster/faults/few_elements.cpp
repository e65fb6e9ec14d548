// SPDX-License-Identifier: BSD-3-Clause
/// What a rank fails to make goes to ranks that know nothing of it, into containers of fewer elements than ranks: all
/// of them hear of it where they wait, those too that hold nothing, and go on.

#include "check.hpp"

#include <functional>
#include <stdexcept>
#include <vector>

namespace sk = skelrt;

namespace
{

using values = sk::vector<float>;

const auto positive = sk::map(SKELRT_FN((float v) {
    if (v < 0) throw std::runtime_error("a negative number");
    return v;
}));
const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));
const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
const auto sum = sk::reduce(sk::plus, 0.0f);
const auto first_of = sk::map(SKELRT_FN((sk::index1 i, sk::vec<float> v) { return v[i.i]; }));
const auto total = sk::reduce(sk::plus, 0.0f);
const auto products = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);

/// Its last element could not be made: on the last rank that has any.
values faulty(std::size_t n)
{
    values x(n, 1.0f);
    {
        auto h = sk::host_write(x);
        for (std::size_t i = 0; i < n; ++i) h[i] = i + 1 == n ? -1.0f : 1.0f;
    }
    values y = positive(x);
    return y;
}

sk::matrix<float> as_matrix(const values& v)
{
    sk::matrix<float> m(v.size(), 2, 1.0f);
    m.column(0) = twice(v);
    return m;
}

struct maker {
    const char* name;
    std::function<values(const values&)> make;
};

/// Of n elements, the last of which is wrong: a few, on the first ranks.
const std::vector<maker>& makers()
{
    static const std::vector<maker> all = {
        {"itself", [](const values& y) { return y; }},
        {"a map",
         [](const values& y) {
             values z = twice(y);
             return z;
         }},
        {"the last element in front",
         [](const values& y) {
             values z(1, 0.0f);
             z = twice(y.range(y.size() - 1, 1));
             return z;
         }},
        {"in a longer one",
         [](const values& y) {
             values z(1000, 0.0f);
             z.range(0, 1) = twice(y.range(y.size() - 1, 1));
             return z;
         }},
        {"a step later",
         [](const values& y) {
             values z(1, 0.0f), w(2, 1.0f);
             z = twice(y.range(y.size() - 1, 1));
             w.range(1, 1) = add(z, w.range(0, 1));
             w = twice(w);
             return w;
         }},
        {"read whole",
         [](const values& y) {
             values z = first_of(sk::shape(1), y);
             return z;
         }},
        {"in a grid",
         [](const values& y) {
             sk::matrix<float> m = as_matrix(y);
             sk::distribute(m, sk::distribution::grid(0, 1).cyclic(1, 1));
             values z(1, 0.0f);
             z = twice(m.column(0).range(m.rows() - 1, 1));
             return z;
         }},
        {"a sum of each row",
         [](const values& y) {
             values z = sum.by_row(as_matrix(y));
             return z;
         }},
        {"a product",
         [](const values& y) {
             const sk::matrix<float> m = as_matrix(y);
             sk::matrix<float> p(2, 2, 0.0f);
             p = products(sk::transpose(m), sk::transpose(m));
             values z(1, 0.0f);
             z = twice(p.row(0).range(0, 1));
             return z;
         }},
        {"a scan by column",
         [](const values& y) {
             sk::matrix<float> m = as_matrix(y);
             m = sk::scan(sk::plus).by_column(m);
             values z(1, 0.0f);
             z = twice(m.row(m.rows() - 1).range(0, 1));
             return z;
         }},
        {"borrowed memory",
         [](const values& y) {
             static std::vector<float> own(1, 0.0f);
             static values z(sk::borrow, own.data(), own.size());
             z = twice(y.range(y.size() - 1, 1));
             return z;
         }},
    };
    return all;
}

struct reader {
    const char* name;
    std::function<void(const values&)> read;
};

const std::vector<reader>& readers()
{
    static const std::vector<reader> all = {
        {"a view", [](const values& z) { sk::host_read(z).size(); }},
        {"a view of the first", [](const values& z) { sk::host(z.range(0, 1)).size(); }},
        {"a sum", [](const values& z) { static_cast<void>(static_cast<float>(sum(z))); }},
        {"a scalar",
         [](const values& z) {
             sk::scalar<float> s = sum(z);
             s.get();
         }},
        {"a scalar in a map",
         [](const values& z) {
             sk::scalar<float> s = sum(z);
             values w(1, 1.0f);
             w = add(w, s);
             sk::host_read(w).size();
         }},
        {"a scan",
         [](const values& z) {
             values w = sk::scan(sk::plus)(z);
             sk::host_read(w).size();
         }},
        {"a filter", [](const values& z) { values w = sk::filter(SKELRT_FN((float v) { return v > 0; }))(z); }},
        {"a sort", [](const values& z) { values w = sk::sort(z); }},
        {"a histogram", [](const values& z) { sk::vector<unsigned> w = sk::histogram(z, 2, 0.0f, 9.0f); }},
        {"a sum of columns", [](const values& z) { values w = sum.by_column(as_matrix(z)); }},
        {"a copy",
         [](const values& z) {
             values w = z;
             sk::host_read(w).size();
         }},
        {"a copy for all",
         [](const values& z) {
             values w = z;
             sk::distribute(w, sk::distribution::copy());
         }},
        {"a longer one",
         [](const values& z) {
             values w = z;
             w.resize(z.size() + 9);
             sk::host_read(w).size();
         }},
        {"a task", [](const values& z) { sk::task([](const float& v) { return v; }, sk::in(z.range(0, 1))).get(); }},
    };
    return all;
}

/// Where the wrong element is with who reads it.
bool is_told(const maker& m, const reader& r, const values& z)
{
    const std::string makes = m.name;
    const bool is_last = makes == "itself" || makes == "a map" || makes == "a sum of each row";
    const std::string reads = r.name;
    return z.size() == 1 || !is_last || (reads != "a task" && reads != "a view of the first");
}

void read_all(const maker& m, std::size_t n)
{
    for (const reader& r : readers()) {
        const values y = faulty(n), z = m.make(y);
        const std::string what = std::string(m.name) + " of " + std::to_string(n) + ", read by " + r.name;
        if (is_told(m, r, z)) expect_error(what.c_str(), [&] { r.read(z); }, {"a negative number"});
        values well(3, 1.0f);
        if (const float s = sum(twice(well)); s != 6.0f) wrong(what.c_str(), "afterwards " + std::to_string(s));
    }
}

/// What is written anew is well again.
void healed()
{
    values z(2, 0.0f), x(2, 1.0f);
    z.range(0, 1) = twice(faulty(2).range(1, 1));
    z = twice(x);
    if (const float s = sum(z); s != 4.0f) wrong("written by a call", std::to_string(s));
    z.range(0, 1) = twice(faulty(2).range(1, 1));
    {
        auto h = sk::host_write(z);
        h[0] = h[1] = 5;
    }
    if (const float s = sum(z); s != 10.0f) wrong("written by the host", std::to_string(s));
}

} // namespace

void few_elements()
{
    for (const std::size_t n : {1, 2})
        for (const maker& m : makers()) read_all(m, n);
    healed();
}
