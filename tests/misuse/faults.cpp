// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include "../stderr_of.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>

/// What a call that fails leaves behind: its error with its data, and nothing else.

namespace
{

const auto fails_at_7 = sk::map(SKELRT_FN((int a) {
    if (a == 7) throw std::runtime_error("seven");
    return a;
}));

thread_local bool is_caller = false;

/// 1 where the calling thread computes.
const auto here = sk::map(SKELRT_FN((int a) { return a * 0 + (is_caller ? 1 : 0); }));

std::atomic<std::size_t> asked{0};
const auto always_fails = sk::map(SKELRT_FN((int a) {
    ++asked;
    if (a != 0) throw std::runtime_error("nowhere");
    return a;
}));

sk::options cpu_only()
{
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    return o;
}

constexpr std::size_t large = 20'000'000; ///< elements of a call that becomes tasks by itself

sk::vector<int> failed(std::size_t n) { return fails_at_7(sk::vector<int>(n, 7)); }

constexpr const char* unread = "nobody has read";

std::size_t count(const std::string& text, const std::string& what)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

} // namespace

TEST_CASE("after a call has failed, small calls are as quick as before", "[throw]")
{
    sk::runtime rt(cpu_only());
    is_caller = true;
    const auto goes_inline = [&](sk::vector<int>& known) {
        sk::vector<int> y(100, 0);
        for (int k = 0; k < 3; ++k) {
            rt.wait(); // nothing is under way
            y = here(known.range(0, 100));
        }
        return values(y) == std::vector<int>(100, 1);
    };
    sk::vector<int> known(large, 1); // by tasks
    known = twice(known);
    sk::wait(known);
    REQUIRE(goes_inline(known));
    REQUIRE(values(sk::vector<int>(fails_at_7(sk::vector<int>(100, 1))))[0] == 1); // what it takes is known then
    sk::vector<int> one_seven(large, 1);
    sk::host_write(one_seven)[large / 2] = 7;
    sk::vector<int> bad = fails_at_7(one_seven);
    REQUIRE_THROWS_WITH(sk::wait(bad), Contains("seven"));
    REQUIRE(goes_inline(known)); // although somebody still has the error
    REQUIRE_THROWS_WITH(values(sk::vector<int>(here(bad.range(0, 100)))), Contains("seven"));
    bad = twice(known);
    sk::wait(bad);
    REQUIRE(goes_inline(bad));
    is_caller = false;
}

TEST_CASE("a function that fails everywhere is not asked a million times", "[throw]")
{
    sk::options o = cpu_only();
    o.cpu_cores = 2;
    const sk::runtime rt(o);
    const std::size_t rows = GENERATE(1, 4, 10'000);
    constexpr std::size_t n = 1'000'000;
    sk::matrix<int> x(rows, n / rows), y(rows, n / rows);
    sk::vector<int> line;
    const auto sums = sk::reduce(sk::plus, 0);
    const auto scan = sk::scan(sk::plus);
    const std::function<void()> calls[] = {
        [&] { y = always_fails(x); },
        [&] { (void)sums(always_fails(x)).get(); },
        [&] { line = sums.by_row(always_fails(x)); },
        [&] { line = sums.by_column(always_fails(x)); },
        [&] { y = scan(always_fails(x)); },
        [&] { y = scan.by_row(always_fails(x)); },
        [&] { y = scan.by_column(always_fails(x)); },
    };
    const auto which = GENERATE(range(0, 7));
    CAPTURE(rows, which);
    const auto call = [&] {
        calls[which]();
        sk::wait(y);
        sk::wait(line);
    };
    for (int k = 0; k < 3; ++k) call(); // what it takes is known then
    std::ranges::fill(sk::host_write(x), 1);
    asked = 0;
    REQUIRE_THROWS_WITH(call(), Contains("nowhere"));
    CHECK(asked < n / 4);
}

TEST_CASE("an error that nobody read is logged when its data goes", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::runtime rt(cpu_only());
    const auto said = [&](auto f) {
        return stderr_of([&] {
            f();
            rt.wait();
            const sk::vector<int> next(10, 1); // what has ended is let go
        });
    };
    const std::string lost = said([] { const sk::vector<int> x = failed(100); });
    REQUIRE_THAT(lost, Contains("error") && Contains("seven"));
    REQUIRE(count(lost, unread) == 1);
    REQUIRE(count(said([] {
                      sk::vector<int> x = failed(100);
                      REQUIRE_THROWS_WITH(sk::wait(x), Contains("seven"));
                  }),
                  unread) == 0);
    // One error, however many have it, and whoever of them is read.
    REQUIRE(count(said([] {
                      const sk::vector<int> x = failed(100), y = twice(x), z = add(x, y);
                      REQUIRE_THROWS_WITH(values(z), Contains("seven"));
                  }),
                  unread) == 0);
    REQUIRE(count(said([] { const sk::vector<int> x = failed(100), y = twice(x), z = add(x, y); }), unread) == 1);
    REQUIRE(count(said([] {
                      const sk::vector<int> x = failed(100);
                      REQUIRE_THROWS_WITH(sum(x).get(), Contains("seven"));
                  }),
                  unread) == 0);
    // What is written anew had an error that nobody will ever see.
    REQUIRE(count(said([] {
                      sk::vector<int> x = failed(100);
                      x = twice(sk::vector<int>(100, 1));
                      REQUIRE(values(x)[0] == 2);
                  }),
                  unread) == 1);
}

TEST_CASE("a copy of a copy of what failed has its error, too", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const sk::runtime rt(cpu_only());
    const sk::vector<int> x = failed(1000);
    sk::vector<int> copy = x;
    sk::vector<int> of_copy = copy;
    REQUIRE_THROWS_WITH(sk::wait(x), Contains("seven"));
    const sk::vector<int> later = of_copy;
    copy = twice(sk::vector<int>(1000, 1));
    REQUIRE(values(copy)[0] == 2);
    REQUIRE_THROWS_WITH(values(of_copy), Contains("seven"));
    REQUIRE_THROWS_WITH(values(later), Contains("seven"));
}

TEST_CASE("an error outlives its runtime, and the next one's calls know it", "[throw]")
{
    sk::vector<int> x;
    {
        const with_variable never_inline("SKELRT_INLINE_US", "0");
        const sk::runtime rt(cpu_only());
        x = failed(100);
    }
    const sk::runtime rt(cpu_only());
    REQUIRE_THROWS_WITH(values(sk::vector<int>(twice(x))), Contains("seven"));
    x = twice(sk::vector<int>(100, 1));
    REQUIRE(values(x)[0] == 2);
}

TEST_CASE("an error of an earlier runtime does not come back once its data is written anew", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::vector<int> x;
    {
        const sk::runtime rt(cpu_only());
        x = failed(100);
    }
    {
        const sk::runtime rt(cpu_only());
        REQUIRE_THROWS_WITH(sk::wait(sk::vector<int>(twice(x))), Contains("seven"));
        x.range(0, 100) = twice(sk::vector<int>(100, 1));
    }
    const sk::vector<int> copy = x;
    const sk::runtime rt(cpu_only());
    REQUIRE(values(x)[0] == 2);
    REQUIRE(values(copy)[0] == 2);
}

TEST_CASE("a call that cannot be submitted is none: nobody waits for it", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::runtime rt(cpu_only());
    const std::size_t n = std::size_t{std::numeric_limits<std::uint32_t>::max()} + 1000; // in one tile
    void* const pages = mmap(nullptr, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    {
        sk::vector<char> x(sk::borrow, static_cast<char*>(pages), n);
        x.set_tiles(1);
        const auto largest = sk::reduce(SKELRT_FN((char a, char b) { return a > b ? a : b; }), '\0');
        REQUIRE_THROWS_WITH(largest(x).get(), Contains("tiles"));
        sk::vector<int> y(100, 1);
        for (int k = 0; k < 3; ++k) y = twice(y);
        rt.wait();
        REQUIRE(values(y) == std::vector<int>(100, 8));
    }
    munmap(pages, n);
}

namespace
{

/// While it lives, the process gets no more than `bytes` of new addresses.
class little_memory
{
public:
    explicit little_memory(std::size_t bytes)
    {
        getrlimit(RLIMIT_AS, &before_);
        rlimit now = before_;
        now.rlim_cur = in_use() + bytes;
        setrlimit(RLIMIT_AS, &now);
    }
    ~little_memory() { setrlimit(RLIMIT_AS, &before_); }
    little_memory(const little_memory&) = delete;
    little_memory& operator=(const little_memory&) = delete;

private:
    static std::size_t in_use()
    {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    }
    rlimit before_{};
};

} // namespace

TEST_CASE("a call whose partial results find no memory is none", "[throw]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    sk::runtime rt(cpu_only());
    constexpr std::size_t many = 8 << 20;
    const auto count = sk::for_each(SKELRT_FN((int a, sk::accumulator<int> out) { out.add(a, 1); }));
    const sk::vector<int> x(1000, 7);
    sk::vector<int> counts(many, 0);
    {
        const little_memory now(1 << 20);
        REQUIRE_THROWS_WITH(count(x, counts), Contains("does not fit"));
    }
    rt.wait();
    sk::wait(counts);
    sk::vector<int> y(100, 1);
    for (int k = 0; k < 3; ++k) y = twice(y);
    REQUIRE(values(y) == std::vector<int>(100, 8));
    count(x, counts);
    REQUIRE(sk::host_read(counts)[7] == 1000);
}
