// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/checks.hpp"

#include <skelrt/detail/index_checks.hpp>

#include <algorithm>

namespace skelrt::detail
{
namespace
{

/// The words are those of codelets/index_fault.hpp; the thread's number is what is found, the view stands for the slot
/// until that is told.
constexpr const char* checks = R"cuda(
extern "C" { __device__ unsigned long long skelrt_fault[10]; }
namespace skelrt::generated
{
alignas(128) __device__ unsigned char no_elements[SKELRT_LARGEST_ELEMENT];
template <class T> inline const T& no_element() { return *reinterpret_cast<const T*>(no_elements); }

inline unsigned long long this_thread()
{
    constexpr unsigned most_threads = 1024;
    const size_t block = (size_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * most_threads + threadIdx.x + 1;
}

inline void note_outside(const void* view, long a, long b, long c, size_t rows, size_t cols)
{
    if (atomicCAS(skelrt_fault, 0ull, this_thread()) != 0) return;
    volatile unsigned long long* const fault = skelrt_fault;
    fault[1] = (unsigned long long)view;
    fault[2] = a, fault[3] = b, fault[4] = c;
    fault[5] = rows, fault[6] = cols;
}

/// Whether this is the first that writes element i of those whose writers' bits begin at `end`.
inline bool writes_first(size_t i, void* end)
{
    constexpr size_t word = sizeof(unsigned);
    unsigned* const words = reinterpret_cast<unsigned*>((size_t(end) + word - 1) / word * word);
    const unsigned bit = 1u << i % 32;
    return (atomicOr(words + i / 32, bit) & bit) == 0;
}

/// Whether this thread has noted something whose position nobody has told.
inline bool is_untold()
{
    volatile unsigned long long* const fault = skelrt_fault;
    return fault[0] == this_thread() && fault[9] == 0;
}
inline bool is_of(const void* view) { return skelrt_fault[1] == (unsigned long long)view; }
inline void tell(size_t slot, size_t row, size_t col, size_t width)
{
    volatile unsigned long long* const fault = skelrt_fault;
    fault[1] = slot;
    fault[7] = row, fault[8] = col, fault[9] = width;
}
} // namespace skelrt::generated
#define SKELRT_CHECK(inside, otherwise, a, b, c, rows, cols)                   \
    if (!(inside)) {                                                           \
        skelrt::generated::note_outside(this->origin(), a, b, c, rows, cols);  \
        return otherwise;                                                      \
    }
#define SKELRT_NO_ELEMENT skelrt::generated::no_element<T>()
)cuda";

bool is_view(slot_kind kind)
{
    return sees_vec(kind) || sees_hood(kind) || kind == slot_kind::mat || kind == slot_kind::accumulator;
}

} // namespace

std::string cuda_checks(const recipe& what)
{
    if (!checks_bounds()) return "#define SKELRT_CHECK(...)\n";
    std::size_t largest = 1;
    for (const slot_type& s : what.slots) largest = std::max<std::size_t>(largest, s.size);
    return "#define SKELRT_LARGEST_ELEMENT " + std::to_string(largest) + "\n" + checks;
}

std::string cuda_tell(const recipe& what, const cuda_position& at, const std::function<std::string(std::size_t)>& view)
{
    if (!checks_bounds()) return {};
    std::string slot;
    std::size_t last = 0;
    for (std::size_t k = 0; k < what.slots.size(); ++k) {
        // all_pairs takes the rows of its sides apart itself
        if (!is_view(what.slots[k].kind) || (what.kind == skeleton::all_pairs && moves(what.slots[k].kind))) continue;
        slot += "is_of(" + view(k) + ".origin()) ? " + std::to_string(k) + " : ";
        last = k;
    }
    if (slot.empty()) return {};
    return "    if (is_untold()) tell(" + slot + std::to_string(last) + ", " + at.row + ", " + at.col + ", " +
           at.width + ");\n";
}

} // namespace skelrt::detail
