// SPDX-License-Identifier: BSD-3-Clause
/// What goes wrong between ranks: misuse NAME, under mpirun. Errors of the library go to stderr, exit code 3.

#include <skelrt/skelrt.hpp>

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
{

const auto scaled = sk::map(SKELRT_FN((float a, float x) { return a * x; }));

bool is_last() { return sk::rank() == sk::ranks() - 1; }

void agree_often(int times = 5)
{
    for (int k = 0; k < times; ++k) sk::agree(k);
}

/// The last rank does something else once all have met.
void last_does(const std::function<void()>& something)
{
    const sk::runtime rt;
    agree_often();
    if (is_last()) something();
    else sk::agree(0, sk::ranks() - 1);
}

const std::map<std::string, std::function<void()>> programs = {
    {"leaves", [] { last_does([] {}); }},
    {"throws", [] { last_does([] { throw std::runtime_error("of the program's own"); }); }},
    {"throws_past_main",
     [] { std::thread([] { last_does([] { throw std::runtime_error("that nobody catches"); }); }).join(); }},
    {"exits", [] { last_does([] { std::exit(0); }); }},
    {"exits_at_once", [] { last_does([] { _exit(0); }); }},
    {"exits_with_code", [] { last_does([] { _exit(5); }); }},
    {"is_killed", [] { last_does([] { raise(SIGKILL); }); }},
    {"is_stopped", [] { last_does([] { raise(SIGSTOP); }); }},
    {"is_stopped_at_the_end",
     [] {
         const sk::runtime rt;
         agree_often();
         if (is_last()) raise(SIGSTOP);
     }},
    {"calls_another", [] { last_does([] { sk::barrier(); }); }},
    {"one_makes_a_task",
     [] {
         last_does([] {
             sk::vector<int> x(100, 1);
             sk::task([](std::span<int> v) { v[0] = 2; }, sk::inout(x.range(0, 1)));
             sk::agree(0, sk::ranks() - 1);
         });
     }},
    {"another_value", [] { last_does([] { sk::agree(0.0, sk::ranks() - 1); }); }},
    {"writes_alone",
     [] {
         const sk::runtime rt;
         agree_often();
         sk::vector<int> x(100, 1);
         if (is_last()) sk::local(x)[0] = 2;
         sk::barrier();
     }},
    {"waits_for_another", [] { last_does([] { sk::agree(0, 0); }); }},
    {"other_items",
     [] {
         const sk::runtime rt;
         agree_often();
         sk::farm([](int k) { return k; })(std::vector<int>(is_last() ? 3 : 4));
     }},
    {"is_late",
     [] {
         last_does([] {
             std::this_thread::sleep_for(std::chrono::seconds(4));
             sk::agree(0, sk::ranks() - 1);
         });
     }},
    {"starts_no_runtime",
     [] {
         if (is_last()) return std::this_thread::sleep_for(std::chrono::seconds(5));
         const sk::runtime rt;
     }},
    {"one_cannot_start",
     [] {
         if (sk::rank() == 1) setenv("STARPU_NCPU", "0", 1);
         const sk::runtime rt;
     }},
    {"other_settings",
     [] {
         if (sk::rank() == 1) setenv("SKELRT_FUSION", "0", 1);
         const sk::runtime rt;
     }},
    {"no_such_rank",
     [] {
         const sk::runtime rt;
         sk::agree(0, sk::ranks());
     }},
    {"other_thread",
     [] {
         const sk::runtime rt;
         std::exception_ptr what;
         std::thread([&] {
             try {
                 sk::agree(0);
             } catch (...) {
                 what = std::current_exception();
             }
         }).join();
         if (what) std::rethrow_exception(what);
     }},
    {"other_number",
     [] {
         const sk::runtime rt;
         agree_often();
         sk::vector<float> x(1000, 1.0f);
         x = scaled(is_last() ? 3.0f : 2.0f, x);
         x = scaled(2.0f, x);
         sk::agree(0);
     }},
    {"starts",
     [] {
         const sk::runtime rt;
         std::printf("rank %d of %d\n", sk::rank(), sk::ranks());
     }},
};

} // namespace

int main(int argc, char** argv)
try {
    programs.at(argc > 1 ? argv[1] : "")();
    return 0;
} catch (const sk::error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 3;
} catch (const std::exception& e) {
    std::fprintf(stderr, "exception: %s\n", e.what());
    return 4;
}
