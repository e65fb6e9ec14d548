/// What goes wrong on one rank, or cannot be done by several, is an error on all of them, which go on afterwards:
/// faults, under mpirun. Exit code 0 if all is as it should be.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace sk = skelrt;

namespace
{

int failures = 0;

void wrong(const char* what, const std::string& text)
{
    ++failures;
    std::fprintf(stderr, "rank %d: %s: %s\n", sk::rank(), what, text.c_str());
}

/// `act` throws an error that says all of these.
template <class Do>
void expect_error(const char* what, Do act, std::initializer_list<const char*> texts)
{
    try {
        act();
        wrong(what, "no error");
    } catch (const std::exception& e) {
        for (const char* text : texts)
            if (std::string(e.what()).find(text) == std::string::npos) wrong(what, e.what());
    }
}

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

void what_several_ranks_cannot_do()
{
    const sk::vector<int> x(100, 3);
    sk::vector<int> y;
    const auto place = sk::map(SKELRT_FN((sk::index1 i, int v) { return v - (int)i.i; }));
    expect_error("a sort of positions", [&] { y = sk::sort(place(x)); }, {"not yet over several ranks", "position"});
    sk::matrix<int> m(10, 4, 1);
    expect_error("a scan by column", [&] { m = sk::scan(sk::plus).by_column(m); }, {"not yet over several ranks"});
    if (const int s = sk::reduce(sk::plus, 0)(x); s != 300) wrong("what follows", std::to_string(s));
}

void containers_from_before(sk::vector<float>& early)
{
    sk::vector<float> x(early.size(), 1.0f);
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    x = add(x, early);
    if (const float s = sk::reduce(sk::plus, 0.0f)(x); s != 300.0f) wrong("a container from before", std::to_string(s));
    early = add(x, early);
    if (const float s = sk::reduce(sk::plus, 0.0f)(early); s != 300.0f)
        wrong("a result from before", std::to_string(s));
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
        expect_error("a result of one rank", [&] { result = positive(column); }, {"a negative number"});
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

} // namespace

int main()
{
    sk::vector<float> early(100, 2.0f);
    const sk::runtime rt;
    what_several_ranks_cannot_do();
    containers_from_before(early);
    functions_that_throw();
    comparators();
    partings();
    borrowed_memory();
    return failures > 0 ? 1 : 0;
}
