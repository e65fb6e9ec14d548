/// random_programs [count [first]]: runs programs number first, first + 1, ... and compares each with sequential code.
/// Prints the figure random_programs: how many ran without a mismatch. Every fifty programs the runtime starts again with other
/// tiles, cores and limits of inlining; each program draws its devices, its fusion and its tiles by its number.

#include "random_programs.hpp"

#include <skelrt/skelrt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace sk = skelrt;

namespace
{

constexpr unsigned programs_per_runtime = 50;

/// What a block of programs runs under. A variable that the user has set stays.
void draw_environment(unsigned block)
{
    random_programs::choices choose(block * 7919 + 1);
    const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
    static const bool tiles_fixed = std::getenv("SKELRT_TILES"), inline_fixed = std::getenv("SKELRT_INLINE_US");
    if (!inline_fixed) set("SKELRT_INLINE_US", choose.one_in(3) ? "10" : "0");
    if (tiles_fixed) return;
    unsetenv("SKELRT_TILES");
    if (!choose.one_in(3)) set("SKELRT_TILES", std::to_string(1 + choose.below(choose.one_in(4) ? 64 : 9)));
}

/// One kind of device, or all.
sk::device_set draw_devices(const sk::runtime& rt, unsigned seed)
{
    random_programs::choices choose(seed * 31 + 7);
    sk::device_set all;
    const auto devices = rt.devices();
    for (const auto& d : devices) all = all | sk::device_set(d.kind);
    return choose.one_in(2) ? all : sk::device_set(devices[choose.below(devices.size())].kind);
}

void run_program(const sk::runtime& rt, unsigned seed)
{
    const sk::only devices(draw_devices(rt, seed));
    switch (seed % 5) {
    case 0:
        return random_programs::run_int(seed);
    case 1:
        return random_programs::run_float(seed);
    case 2:
        return random_programs::run_double(seed);
    case 3:
        return random_programs::run_long(seed);
    default:
        return random_programs::run_structs(seed);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const unsigned count = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 10'000;
    const unsigned first = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 0;
    const auto begin = std::chrono::steady_clock::now();
    unsigned wrong = 0;
    for (unsigned done = 0; done < count;) {
        draw_environment((first + done) / programs_per_runtime);
        const sk::runtime rt;
        do {
            try {
                run_program(rt, first + done);
            } catch (const std::exception& e) {
                std::printf("program %u: %s\n", first + done, e.what());
                ++wrong;
            }
        } while (++done < count && (first + done) % programs_per_runtime != 0);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%u programs, %u wrong, %.1f s\n", count, wrong, took.count());
    if (wrong == 0) std::printf("figure: random_programs %u\n", count);
    return wrong == 0 ? 0 : 1;
}
