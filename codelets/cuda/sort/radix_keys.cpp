// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/sort/radix_keys.hpp"

#include "src/config.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace skelrt::detail::cuda
{
namespace
{

enum class kind { other, natural, whole, floating };

kind kind_of(std::string_view type)
{
    if (is_floating(type)) return kind::floating;
    const auto says = [&](std::string_view word) { return type.find(word) != std::string_view::npos; };
    if (type == "bool" || says("unsigned")) return kind::natural;
    for (const std::string_view name :
         {"int", "long", "long int", "long long", "long long int", "short", "short int", "signed char"})
        if (type == name) return kind::whole;
    if (type == "char") return char(-1) < 0 ? kind::whole : kind::natural;
    return kind::other;
}

/// CUB is compiled for 8.0 and newer.
bool devices_are_new_enough()
{
    static const bool all = [] {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess) return true; // kernels are only looked at
        for (int d = 0; d < devices; ++d) {
            int major = 0;
            if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d) != cudaSuccess || major < 8)
                return false;
        }
        return true;
    }();
    return all;
}

int bits_of(const recipe& what) { return static_cast<int>(8 * what.result_size); }

const char* bits_type(std::size_t size)
{
    return size == 1 ? "unsigned char" : size == 2 ? "unsigned short" : size == 4 ? "unsigned" : "unsigned long long";
}

#if SKELRT_HAVE_RADIX
cudaError_t sort_any(const recipe& what, radix_sort& sort, std::size_t& half, cudaStream_t stream)
{
    return radix_word_size(what) == 4 ? sort_words<unsigned>(sort, half, stream)
                                      : sort_words<unsigned long long>(sort, half, stream);
}
#else
/// Nobody asks: there are no such words.
cudaError_t sort_any(const recipe&, radix_sort&, std::size_t&, cudaStream_t) { return cudaErrorNotSupported; }
#endif

void check(cudaError_t result, const recipe& what, std::size_t count)
{
    if (result != cudaSuccess)
        throw error(what.name + ": cub::DeviceRadixSort of " + std::to_string(count) +
                    " keys: " + cudaGetErrorString(result));
}

} // namespace

std::size_t radix_word_size(const recipe& what, unsigned block)
{
    if (block > 0) return 0;
    if (!SKELRT_HAVE_RADIX || what.combine != nullptr || kind_of(what.result) == kind::other) return 0;
    if (!devices_are_new_enough()) return 0;
    return what.result_size <= 4 ? 4 : 8;
}

/// Two's complement numbers are in order once the sign is turned; floating-point numbers if, besides, all bits of
/// negative ones are. Then words turn so far that -infinity is 0: NaNs with a sign, which were in front of it, come
/// last.
std::string radix_text(const recipe& what)
{
    const std::string bits = bits_type(what.result_size),
                      top = "bits(bits(1) << " + std::to_string(bits_of(what) - 1) + ")";
    std::string to = "b", from = "k";
    if (kind_of(what.result) == kind::whole) to = "b ^ " + top, from = "k ^ " + top;
    std::string first = "0"; // what the least number is turned to
    if (kind_of(what.result) == kind::floating) {
        to = "b & " + top + " ? ~b : b ^ " + top;
        from = "k & " + top + " ? k ^ " + top + " : ~k";
        first = what.result_size == 4 ? "0x7fffff" : "0xfffffffffffff";
    }
    return "using sort_key = " + std::string(bits_type(radix_word_size(what))) + ";\nusing bits = " + bits + ";\n" +
           "inline sort_key key_of(result_type x)\n{\n    bits b;\n    memcpy(&b, &x, sizeof b);\n" +
           "    return bits((" + to + ") - " + first + ");\n}\n" +
           "inline result_type value_of(sort_key key)\n{\n    const bits k = bits(key) + " + first + ";\n" +
           "    const bits b = bits(" + from +
           ");\n    result_type x;\n    memcpy(&x, &b, sizeof x);\n    return x;\n}\n";
}

std::size_t radix_scratch(const recipe& what, std::size_t count)
{
    unsigned some = 0; // not null: CUB is asked about pairs
    unsigned* const order = sorts_by_key(what) ? &some : nullptr;
    radix_sort ask{{}, {order, order}, count, bits_of(what), nullptr, 0};
    std::size_t half = 0;
    check(sort_any(what, ask, half, nullptr), what, count);
    return ask.scratch_bytes;
}

std::size_t sort_by_radix(const recipe& what, radix_sort sort, cudaStream_t stream)
{
    sort.bits = bits_of(what);
    std::size_t half = 0;
    check(sort_any(what, sort, half, stream), what, sort.count);
    return half;
}

} // namespace skelrt::detail::cuda
