#include "figures.hpp"

namespace bench
{

const std::vector<figure_kind>& known_figures()
{
    static const std::vector<figure_kind> all{
        {"cpu_copy_vs_openmp", 1.05, false, "c = a: time of skelrt over a plain OpenMP loop's"},
        {"cpu_saxpy_vs_openmp", 1.05, false, "y = a x + y: time of skelrt over a plain OpenMP loop's"},
        {"cpu_triad_vs_openmp", 1.05, false, "a = b + s c: time of skelrt over a plain OpenMP loop's"},
        {"cpu_dot_vs_openmp", 1.05, false, "dot product: time of skelrt over a plain OpenMP loop's"},
        {"gpu_triad_f64_of_copy", 0.93, true, "resident triad, double: bytes/s over a device copy's"},
        {"gpu_triad_f32_of_copy", 0.90, true, "resident triad, float: bytes/s over a device copy's"},
        {"gpu_dot_f64_of_copy", 0.93, true, "resident dot product, double: bytes/s over a device copy's"},
        {"gpu_fused_chain_of_limit", 0.88, true,
         "resident a x + y, square, sum as one pass, float: bytes/s over a device copy's"},
        {"gpu_triad_vs_cub", 1.05, false, "time of skelrt over cub::DeviceTransform's, the worse of float and double"},
        {"gpu_dot_vs_cub", 1.05, false, "time of skelrt over cub::DeviceReduce's, the worse of float and double"},
        {"cpu_scan_vs_openmp", 1.0, false, "inclusive sums: time of skelrt over two-pass OpenMP loops'"},
        {"gpu_scan_vs_cub", 0.90, true, "resident inclusive sums, float: bytes/s over cub::DeviceScan's"},
        {"cpu_filter_vs_openmp", 1.05, false, "half of the elements: time of skelrt over two-pass OpenMP loops'"},
        {"gpu_filter_vs_cub", 0.80, true, "half of the elements, resident, float: rate over cub::DeviceSelect's"},
        {"cpu_histogram_vs_openmp", 1.05, false, "256 bins: time of skelrt over an OpenMP loop's"},
        {"gpu_histogram_vs_cub", 0.90, true, "256 bins, resident, float: rate over cub::DeviceHistogram's"},
        {"cpu_sort_vs_std", 1.1, false, "sort: time of skelrt over the best parallel sort's of the standard library"},
        {"gpu_sort_vs_cub", 0.65, true, "resident sort, float: rate over cub::DeviceRadixSort's"},
        {"cpu_matmul_vs_openblas", 0.5, true, "2048 x 2048 product, float: rate over OpenBLAS's"},
        {"gpu_matmul_vs_cublas", 0.6, true, "resident 8192 x 8192 product, float: rate over cuBLAS's, no TF32"},
        {"cpu_stencil5_vs_openmp", 1.0, false, "5 points: time of skelrt over a vectorised OpenMP loop's"},
        {"cpu_stencil5_steps", 1.5, true, "100 steps of 5 points: time of one by one over several to a pass"},
        {"gpu_stencil5_of_copy", 0.85, true, "resident, 5 points, float: bytes/s over a device copy's"},
        {"gpu_stencil27_of_copy", 0.65, true, "resident, 27 points, float: bytes/s over a device copy's"},
        {"gpu_stencil5_steps", 1.5, true, "100 steps of 5 points: time of one by one over several to a pass"},
        {"hybrid_worst_vs_best_single", 1.05, false,
         "time of automatic over the best single device's, worst of all points"},
        {"hybrid_median_transfer_bound", 0.85, false, "the same, median of host-resident points bound by transfers"},
        {"hybrid_vs_best_split", 0.90, true, "time of the best fixed split over automatic's, worst of all points"},
        {"hybrid_vs_best_split_mean", 0.95, true, "the same, mean"},
        {"hybrid_vs_dmdas", 1.3, true, "time of StarPU's dmdas over automatic's, geometric mean of all points"},
        {"hybrid_vs_dmdas_host", 1.8, true, "the same, of host-resident points"},
        {"coexecution_efficiency", 0.90, true, "speed-up over what the sum of the devices' rates allows, mean"},
        {"first_call_vs_best_single", 1.5, false, "a call that nothing is known of over the best single device, worst"},
        {"residency_100", 1.02, false, "100 steps from the host over 100 on the GPU and one transfer"},
        {"out_of_core", 0.8, true, "what the link allows over the time of a pass over 4 times the GPU's memory"},
        {"cg_cpu_vs_openmp", 1.05, false, "conjugate gradients: time of skelrt over OpenMP loops', the worst size"},
        {"cg_gpu_vs_hand", 1.15, false,
         "conjugate gradients, resident: time over CUDA kernels by hand, the worst size"},
        {"sor_cpu_vs_openmp", 1.05, false, "over-relaxation: time of skelrt over OpenMP loops', the worst size"},
        {"sor_gpu_vs_hand", 1.15, false, "over-relaxation, resident: time over CUDA kernels by hand, the worst size"},
        {"ode_cpu_vs_openmp", 1.05, false, "Runge-Kutta steps: time of skelrt over OpenMP loops', the worst size"},
        {"ode_gpu_vs_hand", 1.15, false, "Runge-Kutta steps, resident: time over CUDA kernels by hand, the worst size"},
        {"inline_map_1000_ns", 200, false, "map of 1 000 floats on the host: ns above the plain loop"},
        {"inline_dot_1000_ns", 200, false, "dot product of 1 000 floats on the host: ns above the plain loop"},
        {"plan_us", 5, false, "planning a map over 32 tiles for the cores and a GPU: us of the calling thread"},
        {"threads_scaling", 3, true, "chains of calls of 20 us of one core: throughput of 8 threads over that of one"},
        {"pipeline_1us_vs_tbb", 0.8, true, "four stages of 1 us: throughput over that of tbb::parallel_pipeline"},
        {"pipeline_10us_vs_tbb", 1, true, "the same, stages of 10 us"},
        {"pipeline_film_vs_tbb", 1, true, "edges in frames, as application video: frames/s over those with oneTBB"},
        {"task_over_starpu_us", 1, false, "map over 64 tiles as 64 tasks: us per task above raw StarPU code"},
        {"compile_map_s", 2.5, false, "compiling a program with one map, g++ -O2: seconds"},
        {"compile_map_mb", 350, false, "compiling a program with one map, g++ -O2: peak memory in MB"},
        {"onepass_K1_vs_best", 1.25, false, "pass from and to the host, 2 flop/element: automatic over best device"},
        {"onepass_K16_vs_best", 1.25, false, "pass from and to the host, 32 flop/element: automatic over best device"},
        {"onepass_K64_vs_best", 1.25, false, "pass from and to the host, 128 flop/element: automatic over best device"},
        {"onepass_K256_vs_best", 1.25, false,
         "pass from and to the host, 512 flop/element: automatic over best device"},
        {"onepass_K1024_vs_best", 1.25, false,
         "pass from and to the host, 2048 flop/element: automatic over best device"},
        {"coulomb_gpu_vs_hand", 1.3, false, "application coulomb: time over a hand-tuned CUDA kernel's"},
        {"coulomb_hybrid_vs_gpu", 1.05, false, "application coulomb: time of hybrid over the GPU's alone"},
        {"gpu_mandelbrot_vs_hand", 1.1, false, "application mandelbrot: time over a hand-written CUDA kernel's"},
        {"mandelbrot_hybrid_vs_gpu", 1.05, false, "application mandelbrot: time of hybrid over the GPU's alone"},
        {"gpu_blur_vs_hand", 1.1, false, "application blur: time over hand-written CUDA kernels', two passes"},
        {"gpu_blur_dense_vs_hand", 1.1, false, "application blur --form dense: time over a hand-written CUDA kernel's"},
        {"blur_hybrid_vs_gpu", 1.05, false, "application blur: time of hybrid over the GPU's alone"},
        {"blur_dense_hybrid_vs_gpu", 1.05, false, "application blur --form dense: time of hybrid over the GPU's alone"},
        {"cg_hybrid_vs_gpu", 1.05, false, "application cg: time of hybrid over the GPU's alone"},
        {"sor_hybrid_vs_gpu", 1.05, false, "application sor: time of hybrid over the GPU's alone"},
        {"ode_hybrid_vs_gpu", 1.05, false, "application ode: time of hybrid over the GPU's alone"},
        {"heat_hybrid_vs_gpu", 1.05, false, "application heat: time of hybrid over the GPU's alone"},
        {"heat3_hybrid_vs_gpu", 1.05, false, "application heat --dimensions 3: time of hybrid over the GPU's alone"},
        {"jacobi1_hybrid_vs_gpu", 1.05, false,
         "application jacobi: time of hybrid over the GPU's alone, first problem"},
        {"jacobi2_hybrid_vs_gpu", 1.05, false,
         "application jacobi: time of hybrid over the GPU's alone, second problem"},
    };
    return all;
}

const figure_kind* find_figure(std::string_view name)
{
    for (const figure_kind& f : known_figures())
        if (f.name == name) return &f;
    return nullptr;
}

} // namespace bench
