// SPDX-License-Identifier: BSD-3-Clause
/// What goes wrong on one rank, or cannot be done by several, is an error on all of them, which go on afterwards:
/// faults, under mpirun. Exit code 0 if all is as it should be.

#include "check.hpp"

#include <skelrt/algorithms.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace sk = skelrt;

namespace
{

int failures = 0;

const auto positive = sk::map(SKELRT_FN((float v) {
    if (v < 0) throw std::runtime_error("a negative number");
    return v;
}));
const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));

/// The last rank's function throws; all hear of it where they wait, and go on.
void functions_that_throw()
{
    sk::vector<float> x(1000, 1.0f);
    {
        auto h = sk::host_write(x);
        for (std::size_t i = 0; i < h.size(); ++i) h[i] = i == 999 ? -1.0f : 1.0f;
    }
    sk::vector<float> y = positive(x);
    y = twice(y);
    expect_error("a host view", [&] { return sk::host_read(y).size(); }, {"a negative number"});
    expect_error("a view of one rank", [&] { return sk::host_at(0, y).has_value(); }, {"a negative number"});
    expect_error("a sum", [&] { return static_cast<float>(sk::reduce(sk::plus, 0.0f)(positive(x))); },
                 {"a negative number"});
    y = twice(x);
    if (const float s = sk::reduce(sk::maximum)(y); s != 2.0f) wrong("what follows", std::to_string(s));
}

/// A comparator that throws on the last rank, and one that is no order, which may lose elements; all go on.
void comparators()
{
    const auto throwing = SKELRT_FN((int a, int b) {
        if (a > 998 || b > 998) throw std::runtime_error("a number that cannot be compared");
        return a < b;
    });
    const auto always = SKELRT_FN((int, int) { return true; });
    sk::vector<int> x(1000, 0), y;
    x = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i; }))(sk::shape(1000));
    expect_error("a sort", [&] { y = sk::sort(x, throwing); }, {"a number that cannot be compared"});
    y = sk::sort(x, always);
    if (const int last = sk::reduce(sk::maximum)(y); last < 0 || last > 999) wrong("no order", std::to_string(last));
    y = sk::sort(x, SKELRT_FN((int a, int b) { return b < a; }));
    if (const int first = sk::host_read(y)[0]; first != 999) wrong("a sort afterwards", std::to_string(first));
}

/// A reduction into a scalar waits for nobody: what goes wrong in it, all hear who read the scalar or what it became.
void scalars()
{
    sk::vector<float> x(1000, 1.0f), y(1000, 0.0f);
    x.range(999, 1) = sk::map(SKELRT_FN((float v) { return -v; }))(x.range(999, 1));
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    sk::scalar<float> s = sum(positive(x));
    y = add(y, s);
    expect_error("a scalar", [&] { return s.get(); }, {"a negative number"});
    expect_error("what a scalar became", [&] { return sk::host_read(y).size(); }, {"a negative number"});
    s = sum(twice(x));
    if (const float got = s.get(); got != 1996.0f) wrong("a scalar afterwards", std::to_string(got));
}

void scans_by_column()
{
    const auto limited = SKELRT_FN((int a, int b) {
        if (a + b > 900) throw std::runtime_error("a sum too large");
        return a + b;
    });
    const sk::matrix<int> ones(1000, 3, 1);
    sk::matrix<int> m = sk::scan(limited).by_column(ones);
    expect_error("a scan by column", [&] { return sk::host_read(m).size(); }, {"a sum too large"});
    m = sk::scan(sk::plus).by_column(ones);
    if (const int last = sk::host_read(m)(999, 2); last != 1000) wrong("a scan afterwards", std::to_string(last));
}

void containers_from_before(sk::vector<float>& early)
{
    sk::vector<float> x(early.size(), 1.0f);
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    x = add(x, early);
    if (const float s = sk::reduce(sk::plus, 0.0f)(x); s != 300.0f) wrong("a container from before", std::to_string(s));
    early = add(x, early);
    if (const float s = sk::reduce(sk::plus, 0.0f)(early); s != 500.0f)
        wrong("a result from before", std::to_string(s));
}

/// Nor can one that all write.
void copy_that_all_write()
{
    sk::vector<int> x(1000, 3), y(1000, 0);
    const auto written = [&] {
        sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::out_vec<int> to) { to.set(999 - i.i, v); }))(x, y);
        if (const int v = sk::host_read(y)[0]; v != 3) wrong("an out_vec", std::to_string(v));
    };
    if (sk::ranks() == 1) return written();
    expect_error("an out_vec", written, {"main.cpp:", "an sk::out_vec is one copy"});
    const sk::vector<int> at = sk::iota(1000, 0);
    sk::scatter(x, at, y); // goes another way
    if (const int v = sk::host_read(y)[999]; v != 3) wrong("a scatter afterwards", std::to_string(v));
}

/// One copy that all change cannot be dealt out; sums can.
void counters_of_all()
{
    sk::vector<int> x(1000, 3), counts(10, 0);
    const auto counted = [&] {
        sk::for_each(SKELRT_FN((int v, sk::atomic_vec<int> to) { to.add(v, 1); }))(x, counts);
        if (const int n = sk::host_read(counts)[3]; n != 1000) wrong("an atomic_vec", std::to_string(n));
    };
    if (sk::ranks() == 1) return counted();
    expect_error("an atomic_vec", counted, {"main.cpp:", "an sk::atomic_vec is one copy", "use accumulators"});
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> to) { to.add(v, 1); }))(x, counts);
    if (const int n = sk::host_read(counts)[3]; n != 1000) wrong("accumulators afterwards", std::to_string(n));
}

/// Faults go with the elements, wherever these go; of what goes to all, all hear at once.
void partings()
{
    sk::matrix<float> x(40, 30, 1.0f);
    {
        auto h = sk::host_write(x);
        for (std::size_t i = 0; i < h.size(); ++i) h.data()[i] = i + 1 == h.size() ? -1.0f : 1.0f;
    }
    sk::distribute(x, sk::distribution::grid().cyclic(3, 4));
    sk::matrix<float> y = positive(x);
    expect_error("a map of a grid", [&] { return sk::host_read(y).size(); }, {"a negative number"});
    sk::distribute(y, sk::distribution::rows());
    y = twice(y);
    expect_error("a grid that became rows", [&] { return sk::host_read(y).size(); }, {"a negative number"});
    expect_error("a copy", [&] { sk::distribute(y, sk::distribution::copy()); }, {"a negative number"});
    y = x;
    sk::distribute(y, sk::distribution::copy());
    expect_error("a result for all", [&] { y = positive(y); }, {"a negative number"});
    sk::matrix<float> column(40, 1, -1.0f), result(40, 1, 0.0f);
    sk::distribute(result, sk::distribution::grid(1, 0)); // the other ranks have nothing of it
    if (sk::ranks() > 1)
        expect_error("a result of one rank",
                     [&] {
                         result = positive(column);
                         return sk::host_read(result).size();
                     },
                     {"a negative number"});
    y = twice(y);
    if (const float s = sk::reduce(sk::maximum)(y); s != 2.0f) wrong("a copy afterwards", std::to_string(s));
}

/// The whole lies in the caller's memory on every rank, once it was looked at.
void borrowed_memory()
{
    std::vector<float> own(1000, 1.0f);
    sk::vector<float> x(sk::borrow, own.data(), own.size());
    x = twice(x);
    if (sk::host_read(x).data() != own.data()) wrong("borrowed memory", "the view is elsewhere");
    for (const float v : own)
        if (v != 2.0f) return wrong("borrowed memory", std::to_string(v));
}

/// The last rank's task throws; a task of the first one reads what it was to write, and all hear of both.
void tasks_that_throw()
{
    sk::vector<float> x(1000, 1.0f), y(1000, 1.0f);
    sk::scalar<float> s(5.0f);
    const auto last = x.range(999, 1), first = y.range(0, 1);
    const auto bad = sk::task(
        [](float& v) -> int { throw std::runtime_error("of the last rank " + std::to_string(v)); }, sk::inout(last));
    const auto next = sk::task([](const float& from, float& to, float& value) { value = to = from; }, sk::in(last),
                               sk::out(first), sk::out(s));
    const auto after_it =
        sk::task([](int from, float& to) { to = static_cast<float>(from); }, bad, sk::out(y.range(1, 1)));
    const auto good = sk::task([](const float& v) { return 2 * v; }, sk::in(y.range(1, 1)));
    expect_error("its future", [&] { return bad.get(); }, {"of the last rank"});
    expect_error("its future, again", [&] { return bad.get(); }, {"of the last rank"});
    expect_error("a task that reads it", [&] { next.get(); }, {"skipped"});
    expect_error("a task that takes its result", [&] { after_it.get(); }, {"skipped"});
    expect_error("a task behind that", [&] { good.get(); }, {"skipped"});
    expect_error("a scalar", [&] { return s.get(); }, {sk::ranks() > 1 ? "failed" : "skipped"});
    expect_error("the container", [&] { return sk::host_read(x).size(); }, {"of the last rank"});
    expect_error("what comes of it", [&] { return sk::host_read(y).size(); }, {"skipped"});
    x = twice(sk::vector<float>(1000, 1.0f));
    y = x;
    sk::task([](float& v) { v = 7; }, sk::out(s));
    sk::task([](const float& from, float& to) { to = 3 * from; }, sk::in(x.range(999, 1)), sk::inout(y.range(0, 1)));
    if (const float v = sk::host_read(y)[0]; v != 6.0f) wrong("a task that follows", std::to_string(v));
    if (s.get() != 7.0f) wrong("a scalar that is written anew", std::to_string(s.get()));
}

/// Errors on all ranks alike, which leave the cluster usable.
void tasks_that_no_rank_can_run(sk::vector<float>& early)
{
    if (sk::ranks() == 1) return;
    sk::matrix<float> a(100, 5, 1.0f);
    const auto touch = [](sk::block<float> v) { v(0, 0) += 1; };
    expect_error(
        "a part over two ranks", [&] { sk::task(touch, sk::inout(a.sub(98 / sk::ranks(), 1, 5, 2))); },
        {"main.cpp", "part 1 (5 x 2 at (", "of a container of 100 x 5) lies with ranks 0 and 1", "distribute"});
    expect_error("two results of two ranks",
                 [&] {
                     sk::task([](sk::block<float>, sk::block<float>) {}, sk::out(a.sub(0, 0, 1, 5)),
                              sk::out(a.sub(99, 0, 1, 5)));
                 },
                 {"part 1", "which rank 0 holds", "part 2", "make one for each"});
    sk::task([](sk::block<const float> v, std::span<float> w) { w[1] = v(0, 0) + 7; }, sk::in(a.sub(0, 0, 1, 5)),
             sk::inout(early.range(10, 5)));
    if (const float v = sk::host_read(early)[11]; v != 8.0f) wrong("what every rank has", std::to_string(v));
    expect_error("parts that share elements",
                 [&] {
                     sk::task([](sk::block<const float>, sk::block<float>) {}, sk::in(a.sub(0, 0, 2, 5)),
                              sk::out(a.sub(1, 0, 1, 5)));
                 },
                 {"share elements"});
    {
        const auto h = sk::host_read(a);
        expect_error("an open view", [&] { sk::task(touch, sk::inout(a.sub(0, 0, 1, 5))); }, {"a host view of one"});
    }
    const auto text = sk::task([] { return std::string("text"); });
    expect_error("a result that cannot go to other ranks", [&] { return text.get(); }, {"no plain data"});
    sk::task([](sk::block<const float> v, sk::block<float> w) { w(0, 0) += v(0, 0); }, sk::in(a.sub(0, 0, 1, 5)),
             sk::inout(a.sub(99, 0, 1, 5)));
    {
        const auto mine = sk::local(a); // of all ranks: copies are old from now on
        if (sk::rank() == sk::ranks() - 1) mine(mine.rows() - 1, 0) += 1;
    }
    if (const float v = sk::host_read(a)(99, 0); v != 3.0f) wrong("a task that follows", std::to_string(v));
}

} // namespace

void wrong(const char* what, const std::string& text)
{
    ++failures;
    std::fprintf(stderr, "rank %d: %s: %s\n", sk::rank(), what, text.c_str());
}

int main()
{
    sk::vector<float> early(100, 2.0f);
    const sk::runtime rt;
    scalars();
    scans_by_column();
    containers_from_before(early);
    functions_that_throw();
    comparators();
    counters_of_all();
    copy_that_all_write();
    partings();
    borrowed_memory();
    few_elements();
    tasks_that_throw();
    tasks_that_no_rank_can_run(early);
    return failures > 0 ? 1 : 0;
}
