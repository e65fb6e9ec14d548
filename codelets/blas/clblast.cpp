// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/clblast.hpp"

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/library.hpp"
#include "codelets/blas/numbers.hpp"
#include "codelets/blas/plain_product.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <complex>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace skelrt::detail::blas::opencl
{
namespace
{

// As clblast_c.h numbers them.
constexpr int row_major = 101, plain = 111, transposed = 112;

/// A complex number is to OpenCL a pair.
template <class T>
struct factor {
    using type = T;
    static T of(T x) { return x; }
};
template <>
struct factor<std::complex<float>> {
    using type = cl_float2;
    static type of(const std::complex<float>& x) { return {{x.real(), x.imag()}}; }
};
template <>
struct factor<std::complex<double>> {
    using type = cl_double2;
    static type of(const std::complex<double>& x) { return {{x.real(), x.imag()}}; }
};

template <class T, class Factor = typename factor<T>::type>
using gemm_function = int(int layout, int a, int b, std::size_t rows, std::size_t cols, std::size_t depth, Factor alpha,
                          cl_mem x, std::size_t x_first, std::size_t ldx, cl_mem y, std::size_t y_first,
                          std::size_t ldy, Factor beta, cl_mem z, std::size_t z_first, std::size_t ldz,
                          cl_command_queue* queue, cl_event* event, cl_mem scratch);
template <class T, class Factor = typename factor<T>::type>
using gemv_function = int(int layout, int a, std::size_t rows, std::size_t cols, Factor alpha, cl_mem x,
                          std::size_t x_first, std::size_t ldx, cl_mem y, std::size_t y_first, std::size_t y_step,
                          Factor beta, cl_mem z, std::size_t z_first, std::size_t z_step, cl_command_queue* queue,
                          cl_event* event);
using size_function = int(int layout, int a, int b, std::size_t rows, std::size_t cols, std::size_t depth,
                          std::size_t x_first, std::size_t ldx, std::size_t y_first, std::size_t ldy,
                          std::size_t z_first, std::size_t ldz, cl_command_queue* queue, std::size_t* bytes);

template <class T>
struct functions {
    gemm_function<T>* gemm = nullptr;
    size_function* scratch = nullptr;
    gemv_function<T>* gemv = nullptr;
};

struct clblast {
    library lib{{"libclblast.so.1", "libclblast.so"}};
    functions<float> of_floats;
    functions<double> of_doubles;
    functions<std::complex<float>> of_complex_floats;
    functions<std::complex<double>> of_complex_doubles;
    int (*clear_cache)() = nullptr;

    clblast()
    {
        find(of_floats, "S");
        find(of_doubles, "D");
        find(of_complex_floats, "C");
        find(of_complex_doubles, "Z");
        lib.find(clear_cache, "CLBlastClearCache");
    }

private:
    template <class T>
    void find(functions<T>& all, const std::string& letter)
    {
        lib.find(all.gemm, ("CLBlast" + letter + "gemmWithTempBuffer").c_str());
        lib.find(all.scratch, ("CLBlast" + letter + "GemmTempBufferSize").c_str());
        lib.find(all.gemv, ("CLBlast" + letter + "gemv").c_str());
    }
};

const functions<float>& functions_of(const clblast& b, float) { return b.of_floats; }
const functions<double>& functions_of(const clblast& b, double) { return b.of_doubles; }
const functions<std::complex<float>>& functions_of(const clblast& b, const std::complex<float>&)
{
    return b.of_complex_floats;
}
const functions<std::complex<double>>& functions_of(const clblast& b, const std::complex<double>&)
{
    return b.of_complex_doubles;
}

const clblast& opened()
{
    static const clblast& one = []() -> const clblast& {
        const auto* const made = new clblast; // stays as long as the process
        log_found("OpenCL devices", made->lib.found());
        return *made;
    }();
    return one;
}

std::size_t size_of(numbers n)
{
    return with_one(n, [](const auto& one) { return sizeof one; });
}

/// What CLBlast is told, with the sizes in its order.
struct gemm_call {
    gemm g;
    numbers what;

    template <class Elements>
    std::size_t first(const Elements& m) const
    {
        return m.memory->offset / size_of(what) + m.first;
    }
    template <class Elements>
    static cl_mem memory(const Elements& m)
    {
        return static_cast<cl_mem>(m.memory->data);
    }
    int left() const { return g.left.across ? transposed : plain; }
    int right() const { return g.right.across ? plain : transposed; }

    std::size_t scratch_bytes(size_function& function, cl_command_queue queue) const
    {
        std::size_t bytes = 0;
        const int status = function(row_major, left(), right(), g.rows, g.cols, g.depth, first(g.left), g.left.ld,
                                    first(g.right), g.right.ld, first(g.result), g.result.ld, &queue, &bytes);
        if (status != 0) throw error("CLBlast: TempBufferSize failed with status " + std::to_string(status));
        return bytes;
    }

    template <class T>
    void run(gemm_function<T>& function, const gemm_factors& by, cl_command_queue queue, cl_mem scratch) const
    {
        const int status =
            function(row_major, left(), right(), g.rows, g.cols, g.depth, factor<T>::of(by.alpha<T>()), memory(g.left),
                     first(g.left), g.left.ld, memory(g.right), first(g.right), g.right.ld, factor<T>::of(by.beta<T>()),
                     memory(g.result), first(g.result), g.result.ld, &queue, nullptr, scratch);
        if (status != 0) throw error("CLBlast: gemm failed with status " + std::to_string(status));
    }

    template <class T>
    void run(gemv_function<T>& function, const gemv& v, const gemm_factors& by, cl_command_queue queue) const
    {
        const bool across = v.matrix.across;
        const int status =
            function(row_major, across ? transposed : plain, across ? v.depth : v.rows, across ? v.rows : v.depth,
                     factor<T>::of(by.alpha<T>()), memory(v.matrix), first(v.matrix), v.matrix.ld, memory(v.vector),
                     first(v.vector), v.vector.step, factor<T>::of(by.beta<T>()), memory(v.result), first(v.result),
                     v.result.step, &queue, nullptr);
        if (status != 0) throw error("CLBlast: gemv failed with status " + std::to_string(status));
    }
};

std::mutex guard;

/// Memory of a queue's own, whose kernels follow each other; grows, and stays.
struct scratch_memory {
    cl_mem data = nullptr;
    std::size_t bytes = 0;
};

struct state {
    std::map<cl_command_queue, scratch_memory> scratch;
    std::set<std::tuple<cl_context, cl_device_id, numbers>> ready, refused;
};

state& all()
{
    static auto& one = *new state;
    return one;
}

cl_mem scratch_for(cl_context context, cl_command_queue queue, std::size_t bytes)
{
    if (bytes == 0) return nullptr;
    const std::lock_guard lock(guard);
    scratch_memory& m = all().scratch[queue];
    if (m.bytes >= bytes) return m.data;
    if (m.data) clReleaseMemObject(m.data); // kernels that use it keep it
    m = {};
    cl_int failed = CL_SUCCESS;
    m.data = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &failed);
    if (failed != CL_SUCCESS) {
        m.data = nullptr;
        throw error("CLBlast: no " + std::to_string(bytes) + " bytes of memory: error " + std::to_string(failed));
    }
    m.bytes = bytes;
    return m.data;
}

void run(const gemm_call& c, const gemm_factors& by, cl_context context, cl_command_queue queue)
{
    with_one(c.what, [&]<class T>(const T& one) {
        const functions<T>& f = functions_of(opened(), one);
        if (const auto v = gemv_of(c.g)) return c.run<T>(*f.gemv, *v, by, queue);
        c.run<T>(*f.gemm, by, queue, scratch_for(context, queue, c.scratch_bytes(*f.scratch, queue)));
    });
}

/// Two elements times two, and one times one, which is a matrix times a vector: CLBlast builds all kernels of a
/// function and a type at once. Throws error.
void build_kernels(numbers what, cl_context context, cl_device_id device)
{
    cl_int failed = CL_SUCCESS;
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &failed);
    if (failed != CL_SUCCESS) throw error("CLBlast: no queue: error " + std::to_string(failed));
    const cl_mem elements = clCreateBuffer(context, CL_MEM_READ_WRITE, 8 * size_of(what), nullptr, &failed);
    try {
        if (failed != CL_SUCCESS) throw error("CLBlast: no memory: error " + std::to_string(failed));
        const slot_view memory{elements, 0, 8, 1, 1, 1};
        for (const std::size_t n : {1, 2})
            run({{n, n, 1, {&memory, 0, 1, false}, {&memory, 2, 1, false}, {&memory, 4, n, false}}, what}, {}, context,
                queue);
        clFinish(queue);
    } catch (...) {
        if (elements) clReleaseMemObject(elements);
        clReleaseCommandQueue(queue);
        throw;
    }
    clReleaseMemObject(elements);
    const std::lock_guard lock(guard);
    if (const auto used = all().scratch.extract(queue); used && used.mapped().data)
        clReleaseMemObject(used.mapped().data);
    clReleaseCommandQueue(queue);
}

/// Whether CLBlast's kernels for these numbers are there; builds them if need be.
bool is_ready(numbers what, cl_context context, cl_device_id device)
{
    const std::tuple key{context, device, what};
    {
        const std::lock_guard lock(guard);
        if (all().ready.contains(key)) return true;
        if (all().refused.contains(key)) return false;
    }
    bool built = false;
    try {
        build_kernels(what, context, device);
        built = true;
    } catch (const error& why) {
        log_warning("products of matrices on an OpenCL device: our own kernels; {}", why.what());
    }
    const std::lock_guard lock(guard);
    (built ? all().ready : all().refused).insert(key);
    return built;
}

/// CLBlast adds up halves as halves: short numbers are our kernel's.
std::optional<numbers> for_clblast(const recipe& what)
{
    if (!is_wanted()) return {};
    const auto n = product_of(what);
    if (!n || are_short(*n) || !opened().lib.missing().empty()) return {};
    return n;
}

} // namespace

void prepare(const recipe& what, cl_context context, cl_device_id device)
{
    if (const auto n = for_clblast(what)) is_ready(*n, context, device);
}

bool multiply(const work& w, cl_context context, cl_device_id device, cl_command_queue queue)
{
    const auto n = for_clblast(w.what);
    if (!n) return false;
    const bool matrices = w.what.kind == skeleton::all_pairs;
    const auto products = matrices ? gemms_of(w, *n) : vector_gemms_of(w, *n);
    if (!products || !is_ready(*n, context, device)) return false;
    gemm_factors by = factors_of(w);
    for (const gemm& g : *products) {
        run({g, *n}, by, context, queue);
        by.begun = by.begun || w.what.kind == skeleton::reduce_columns;
    }
    return true;
}

void release() noexcept
{
    const std::lock_guard lock(guard);
    state& s = all();
    if (s.scratch.empty() && s.ready.empty()) return;
    for (const auto& [queue, m] : s.scratch)
        if (m.data) clReleaseMemObject(m.data);
    s = {};
    opened().clear_cache(); // its programs keep the contexts
}

found_library find_library() { return opened().lib.found(); }

} // namespace skelrt::detail::blas::opencl
