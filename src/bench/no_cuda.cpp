// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/algorithms/rivals.hpp"
#include "src/bench/irregular/rivals.hpp"
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/skeletons/compact_rivals.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"
#include "src/bench/skeletons/sort_rivals.hpp"
#include "src/bench/solvers/solver_rivals.hpp"
#include "src/bench/streams/onepass_rivals.hpp"
#include "src/bench/streams/stream_arrays.hpp"
#include "src/bench/wavefront/wavefront_rivals.hpp"

/// The CUDA rivals of a program built without nvcc: there are none.
namespace bench
{

template <class T>
std::unique_ptr<stream_arrays<T>> make_cuda_arrays(cuda_way, std::size_t)
{
    return nullptr;
}
template std::unique_ptr<stream_arrays<float>> make_cuda_arrays(cuda_way, std::size_t);
template std::unique_ptr<stream_arrays<double>> make_cuda_arrays(cuda_way, std::size_t);

std::unique_ptr<scan_entrant> make_cuda_scan(cuda_scan, std::size_t) { return nullptr; }

std::unique_ptr<compact_entrant> make_cuda_compact(compact_task, std::size_t, std::size_t) { return nullptr; }
std::unique_ptr<algorithm_entrant> make_cuda_algorithm(algorithm, std::size_t) { return nullptr; }
std::unique_ptr<irregular_entrant> make_cuda_irregular(irregular, std::size_t) { return nullptr; }
std::unique_ptr<kernel_entrant<float>> make_cuda_convolution(std::size_t, int) { return nullptr; }
std::unique_ptr<kernel_entrant<double>> make_cuda_transposed_sum(std::size_t) { return nullptr; }
std::unique_ptr<kernel_entrant<float>> make_cuda_osem(const tomography&) { return nullptr; }
std::unique_ptr<sort_entrant> make_cuda_sort(std::size_t) { return nullptr; }

std::unique_ptr<solver_entrant> make_cuda_solver(std::string_view, std::size_t, int) { return nullptr; }

template <class Problem>
std::unique_ptr<wavefront_entrant<Problem>> make_cuda_wavefront(std::size_t)
{
    return nullptr;
}
template std::unique_ptr<wavefront_entrant<synchronization>> make_cuda_wavefront(std::size_t);
template std::unique_ptr<wavefront_entrant<levenshtein>> make_cuda_wavefront(std::size_t);

std::unique_ptr<onepass_rival> make_onepass_cuda(std::size_t) { return nullptr; }

} // namespace bench
