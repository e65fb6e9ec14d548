// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// What the machine can do at best: first guesses of models, and what transfers cost. Pure.
namespace skelrt::detail
{

/// How a fact came about.
enum class source : unsigned char {
    assumed,  ///< today's hardware
    asked,    ///< from the driver's description of the device, or StarPU's measurement of its bus
    measured, ///< by `skelrt calibrate`
};
const char* name_of(source s) noexcept;

struct fact {
    double value = 0;
    source from = source::assumed;
};

/// Rates are bytes, or floating-point operations, per microsecond.
struct device_peaks {
    std::string kind; ///< "cpu", "cuda", "opencl"
    int number = 0;
    std::string name;
    fact memory;     ///< bandwidth of its own memory; the CPU: of the host's, all cores together
    fact fp32, fp64; ///< the CPU: all cores together
    fact to, from;   ///< from the host's memory and back to it; 0 for the CPU
    fact both;       ///< the two directions together, when both are busy
    std::map<std::string, fact> from_others; ///< from the memory of other devices, by their names: "cuda 1"
    fact call_us;     ///< a call that does next to nothing: a task of the cores; of a GPU, until the host hears of it
    fact core_memory; ///< CPU only: bandwidth of one core alone
    fact cache;       ///< CPU only: bytes in the largest caches, all together; 0: unknown
};

/// "cuda 1"; the cores are "cpu".
std::string device_name(const std::string& kind, int number);

/// Between two ranks of a program (LogGP, with the copies at both ends): network.hpp. 0: never measured.
struct network_peaks {
    fact value_us;            ///< a value of some bytes, from the program's thread to another rank's
    fact message_us;          ///< a message of no bytes, with the tasks at both ends: L + 2 o
    fact overhead_us;         ///< one more message of a row, o
    fact bytes_per_us;        ///< 1 / G
    fact copied_bytes_per_us; ///< at each end, 1 / C
};

struct machine {
    std::string name; ///< STARPU_HOSTNAME, or the host's
    std::vector<device_peaks> devices;
    network_peaks network = {};
    const device_peaks* find(const std::string& kind, int number) const noexcept;
    /// The first of a kind; null: none.
    const device_peaks* any(const std::string& kind) const noexcept;
};

/// One fact a line.
std::string to_json(const machine& m);
/// Throws error saying what is wrong.
machine machine_from_json(const std::string& text);

/// What nothing is known of: today's hardware.
device_peaks assumed_cpu(unsigned cores);
device_peaks assumed_device(const std::string& kind, int number);

/// Of the time that copies run both ways at once on a link, what they lose by it: between nothing and all, where they
/// take turns.
double hindrance_of(const device_peaks& d);
/// Rate of both ways together where nobody measured it: each keeps nine tenths (16 lanes of PCIe 5 were measured to
/// keep 0.93).
double likely_both_ways(double to, double from);

/// What one element costs at best, in microseconds: the larger of what memory and arithmetic take. `core_ns`: on one
/// core, negative if unknown.
double best_core_us(const device_peaks& cpu, double bytes, double core_ns);
double best_device_us(const device_peaks& device, const device_peaks& cpu, double bytes, double core_ns,
                      unsigned cores);
/// Bytes of an element: in containers, and through the host's memory where caches hold none of it.
struct element_traffic {
    double held, moved;
};

/// What it likely costs on all cores, one of `elements`: what fits in half of the caches probably is there, and with
/// all at work each is slower; but not at `chained` elements, each of which waits for the one before.
double likely_team_us(const device_peaks& cpu, element_traffic bytes, double elements, double core_ns, unsigned cores,
                      bool chained);

/// Whether an element of so many bytes, which one core computes in `core_ns`, waits for the host's memory when all
/// cores are at it.
/// Negative: unknown, and taken for cheap.
bool waits_for_memory(const device_peaks& cpu, double bytes, double core_ns, unsigned cores);

} // namespace skelrt::detail
