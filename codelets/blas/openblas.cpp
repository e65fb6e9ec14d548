// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/openblas.hpp"

#include "codelets/blas/library.hpp"
#include "codelets/blas/plain_product.hpp"
#include "codelets/blas/plane_product.hpp"

#include <algorithm>
#include <complex>
#include <mutex>
#include <string_view>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace skelrt::detail::blas::cores
{
namespace
{

// As cblas.h numbers them.
constexpr int row_major = 101, plain = 111, transposed = 112;

/// How a factor is handed over: complex ones by their address.
template <class T>
struct factor {
    using type = T;
    static T of(const T& x) { return x; }
};
template <class T>
struct factor<std::complex<T>> {
    using type = const std::complex<T>*;
    static type of(const std::complex<T>& x) { return &x; }
};

template <class T, class Factor = typename factor<T>::type>
using gemm_function = void(int order, int left, int right, int rows, int cols, int depth, Factor alpha, const T* a,
                           int lda, const T* b, int ldb, Factor beta, T* c, int ldc);

template <class T, class Factor = typename factor<T>::type>
using gemv_function = void(int order, int matrix, int rows, int cols, Factor alpha, const T* a, int lda, const T* x,
                           int incx, Factor beta, T* y, int incy);

template <class T>
struct functions {
    gemm_function<T>* gemm = nullptr;
    gemv_function<T>* gemv = nullptr;
};

/// What openblas_get_parallel() says.
enum class threading : std::uint8_t { none, own_threads, openmp };

struct openblas {
    library lib{{"libopenblas.so.0", "libopenblas.so"}};
    std::string config, missing;
    threading threads = threading::none;
    functions<float> of_floats;
    functions<double> of_doubles;
    functions<std::complex<float>> of_complex_floats;
    functions<std::complex<double>> of_complex_doubles;
    int (*threads_now)() = nullptr;
    void (*set_threads)(int) = nullptr;
    // OpenMP's own, of the library that OpenBLAS uses.
    int (*openmp_threads_now)() = nullptr;
    void (*set_openmp_threads)(int) = nullptr;

    openblas()
    {
        char* (*get_config)() = nullptr;
        int (*get_parallel)() = nullptr;
        lib.find(get_config, "openblas_get_config");
        lib.find(get_parallel, "openblas_get_parallel");
        lib.find(of_floats.gemm, "cblas_sgemm");
        lib.find(of_floats.gemv, "cblas_sgemv");
        lib.find(of_doubles.gemm, "cblas_dgemm");
        lib.find(of_doubles.gemv, "cblas_dgemv");
        lib.find(of_complex_floats.gemm, "cblas_cgemm");
        lib.find(of_complex_floats.gemv, "cblas_cgemv");
        lib.find(of_complex_doubles.gemm, "cblas_zgemm");
        lib.find(of_complex_doubles.gemv, "cblas_zgemv");
        lib.find(threads_now, "openblas_get_num_threads");
        lib.find(set_threads, "openblas_set_num_threads");
        missing = lib.missing();
        if (!missing.empty()) return;
        config = get_config();
        threads = static_cast<threading>(std::clamp(get_parallel(), 0, 2));
        if (threads == threading::openmp) find_openmp();
        check_build();
    }

private:
    void find_openmp()
    {
        lib.find(openmp_threads_now, "omp_get_max_threads");
        lib.find(set_openmp_threads, "omp_set_num_threads");
        missing = lib.missing();
    }

    void check_build()
    {
        if (config.find("USE64BITINT") != std::string::npos) missing = lib.name() + " counts in 64 bits";
        // Built for one thread, it may share its buffers among callers.
        if (threads == threading::none) missing = lib.name() + " is built for programs of one thread";
    }
};

/// OpenBLAS starts its threads as it is opened, bound as the opening one is: a worker would bind them all to its core.
void go_where_the_process_may()
{
    cpu_set_t all;
    if (sched_getaffinity(getpid(), sizeof all, &all) == 0) sched_setaffinity(0, sizeof all, &all);
}

const openblas& opened()
{
    static const openblas& one = []() -> const openblas& {
        const openblas* made = nullptr;
        std::thread([&] {
            go_where_the_process_may();
            made = new openblas; // its threads outlive static objects
        }).join();
        log_found("cores", {made->config, made->missing});
        return *made;
    }();
    return one;
}

/// While it lives, OpenBLAS computes on the calling thread alone. With OpenMP that is a thread's own setting. With
/// threads of its own it is the process's, so the first caller sets it, and the last one sets back what it found. A
/// product of the user's own that begins meanwhile runs on one thread, as cores are busy anyhow.
class on_this_thread
{
public:
    explicit on_this_thread(const openblas& b) : blas_(b)
    {
        if (b.threads == threading::openmp) {
            before_ = b.openmp_threads_now();
            if (before_ != 1) b.set_openmp_threads(1);
            return;
        }
        const std::lock_guard lock(guard());
        state& s = shared();
        if (s.callers++ > 0) return;
        s.before = b.threads_now();
        if (s.before != 1) b.set_threads(1);
    }
    on_this_thread(const on_this_thread&) = delete;
    on_this_thread& operator=(const on_this_thread&) = delete;
    ~on_this_thread()
    {
        if (blas_.threads == threading::openmp) {
            if (before_ != 1) blas_.set_openmp_threads(before_);
            return;
        }
        const std::lock_guard lock(guard());
        state& s = shared();
        if (--s.callers > 0 || s.before == 1) return;
        if (blas_.threads_now() == 1) blas_.set_threads(s.before); // else the user has set it meanwhile
    }

private:
    struct state {
        int callers = 0, before = 1;
    };
    static std::mutex& guard()
    {
        static std::mutex m;
        return m;
    }
    static state& shared()
    {
        static state s;
        return s;
    }

    const openblas& blas_;
    int before_ = 1;
};

const functions<float>& functions_of(const openblas& b, float) { return b.of_floats; }
const functions<double>& functions_of(const openblas& b, double) { return b.of_doubles; }
const functions<std::complex<float>>& functions_of(const openblas& b, const std::complex<float>&)
{
    return b.of_complex_floats;
}
const functions<std::complex<double>>& functions_of(const openblas& b, const std::complex<double>&)
{
    return b.of_complex_doubles;
}

template <class T>
void run(gemm_function<T>& function, const gemm& g, const T& alpha, const T& beta)
{
    function(row_major, g.left.across ? transposed : plain, g.right.across ? plain : transposed, in_int(g.rows),
             in_int(g.cols), in_int(g.depth), factor<T>::of(alpha), data_of<T>(g.left), in_int(g.left.ld),
             data_of<T>(g.right), in_int(g.right.ld), factor<T>::of(beta), data_of<T>(g.result), in_int(g.result.ld));
}

template <class T>
void run(gemv_function<T>& function, const gemv& g, const T& alpha, const T& beta)
{
    const bool across = g.matrix.across;
    function(row_major, across ? transposed : plain, in_int(across ? g.depth : g.rows),
             in_int(across ? g.rows : g.depth), factor<T>::of(alpha), data_of<T>(g.matrix), in_int(g.matrix.ld),
             data_of<T>(g.vector), in_int(g.vector.step), factor<T>::of(beta), data_of<T>(g.result),
             in_int(g.result.step));
}

template <class T>
void run(const functions<T>& f, const gemm& g, const T* start, const gemm_factors& by)
{
    const bool starts = !by.begun && start && *start != T(0);
    T* const to = data_of<T>(g.result);
    for (std::size_t i = 0; starts && i < g.rows; ++i) std::fill_n(to + i * g.result.ld, g.cols, *start);
    const T alpha = by.alpha<T>(), beta = starts ? T(1) : by.beta<T>();
    if (const auto one = gemv_of(g)) run(*f.gemv, *one, alpha, beta);
    else run(*f.gemm, g, alpha, beta);
}

/// Of fewer, packing and the call take longer than our kernel.
constexpr std::size_t least_side = 16;
constexpr std::size_t least_products = std::size_t{1} << 16; ///< of two elements
/// A matrix times a vector waits for memory. Fewer elements are in the caches.
constexpr std::size_t least_of_vectors = 4096;

/// Our kernel computes each element of a plane by itself: OpenBLAS is faster sooner.
constexpr std::size_t least_of_planes = 512;

bool is_large_enough(std::size_t rows, std::size_t cols, std::size_t depth)
{
    if (rows == 1 || cols == 1) return rows * cols * depth >= least_of_vectors;
    return std::min({rows, cols, depth}) >= least_side && rows * cols * depth >= least_products;
}

} // namespace

bool is_product(const recipe& what)
{
    if (!is_wanted()) return false;
    const auto n = product_of(what);
    return n && !are_short(*n);
}

bool knows(const recipe& what) { return is_product(what) && opened().missing.empty(); }

bool suits(const work& w)
{
    if (w.segments.empty()) return false;
    std::size_t rows = 0;
    for (const segment& s : w.segments) rows += s.rows;
    const std::size_t cols = w.segments[0].cols;
    if (w.what.kind == skeleton::all_pairs)
        return w.depth <= deepest && is_large_enough(rows, cols, w.depth) && is_product(w.what);
    const std::size_t depth = w.what.kind == skeleton::reduce_rows ? cols : rows;
    return depth <= deepest && rows * cols >= least_of_vectors && is_product(w.what);
}

bool multiplies(const work& w) { return suits(w) && opened().missing.empty(); }

bool multiply(const work& w, std::size_t segment, const result_block& r)
{
    const auto g = gemm_of(w, segment, r);
    if (!g) return false;
    const openblas& b = opened();
    const on_this_thread alone(b);
    with_one(*plain_product_of(w.what), [&]<class T>(const T& one) {
        run(functions_of(b, one), *g, static_cast<const T*>(w.start), factors_of(w));
    });
    return true;
}

bool multiply_vector(const recipe& what, const cpu_block& all, const void* start, bool begun, void* to)
{
    const slot_view result{to, 0, 1, 0, 0, 1};
    const auto g = vector_gemm_of(what, all.where, all.slots, result, 0);
    if (!g) return false;
    const openblas& b = opened();
    const on_this_thread alone(b);
    with_one(*product_of(what), [&]<class T>(const T& one) {
        run(functions_of(b, one), *g, static_cast<const T*>(start), {nullptr, nullptr, begun});
    });
    return true;
}

bool multiplies_planes(const work& w)
{
    if (!is_wanted() || w.segments.empty()) return false;
    const auto n = plane_product_of(w.what);
    if (!n || are_short(*n)) return false;
    const plane_sizes s = plane_sizes_of(w);
    const auto is_whole = [&](const segment& one) { return one.cols == w.width.cols; };
    return std::ranges::all_of(w.segments, is_whole) && s.rows * s.cols * s.depth >= least_of_planes &&
           gemm_of_plane(w, 0, 0, 0, s.rows) && opened().missing.empty();
}

void multiply_planes(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t rows = plane_sizes_of(w).rows;
    const openblas& b = opened();
    const on_this_thread alone(b);
    with_one(*plane_product_of(w.what), [&]<class T>(const T& one) {
        std::size_t begin = 0; // of the segment, in rows of planes
        for (std::size_t s = 0; s < w.segments.size(); ++s) {
            const std::size_t end = begin + w.segments[s].rows * rows;
            for (std::size_t row = std::max(first, begin), next = 0; row < std::min(last, end); row = next) {
                const std::size_t in_plane = (row - begin) % rows;
                next = std::min({last, end, row - in_plane + rows});
                const auto g = gemm_of_plane(w, s, (row - begin) / rows, in_plane, next - row);
                run(functions_of(b, one), *g, static_cast<const T*>(nullptr), {});
            }
            begin = end;
        }
    });
}

found_library find_library()
{
    const openblas& b = opened();
    return {b.config, b.missing};
}

} // namespace skelrt::detail::blas::cores
