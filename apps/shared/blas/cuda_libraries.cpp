// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_libraries.hpp"

#include <initializer_list>
#include <stdexcept>

#include <dlfcn.h>

namespace apps::blas
{
namespace
{

/// By the first name that is found.
void* open_one(std::initializer_list<const char*> names)
{
    std::string why;
    for (const char* name : names) {
        if (void* const library = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
        if (why.empty()) why = dlerror();
    }
    throw std::runtime_error(why);
}

template <class Function>
void find(Function*& to, void* library, const std::string& name)
{
    to = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
    if (!to) throw std::runtime_error(dlerror());
}

template <class T>
void find_all(cuda_functions<T>& to, void* cublas, void* cusolver, const std::string& letter)
{
    find(to.gemm, cublas, "cublas" + letter + "gemm_v2");
    find(to.syrk, cublas, "cublas" + letter + "syrk_v2");
    find(to.trsm, cublas, "cublas" + letter + "trsm_v2");
    find(to.geam, cublas, "cublas" + letter + "geam");
    find(to.potrf, cusolver, "cusolverDn" + letter + "potrf");
    find(to.potrf_size, cusolver, "cusolverDn" + letter + "potrf_bufferSize");
}

cuda_libraries open_all()
{
    cuda_libraries l{};
    try {
        void* const cublas = open_one({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"});
        void* const cusolver = open_one({"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"});
        find(l.create_blas, cublas, "cublasCreate_v2");
        find(l.set_blas_stream, cublas, "cublasSetStream_v2");
        find(l.create_solver, cusolver, "cusolverDnCreate");
        find(l.set_solver_stream, cusolver, "cusolverDnSetStream");
        find_all(l.of_float, cublas, cusolver, "S");
        find_all(l.of_double, cublas, cusolver, "D");
    } catch (const std::runtime_error& e) {
        l.missing = e.what();
    }
    return l;
}

} // namespace

const cuda_libraries& open_cuda_libraries()
{
    static const cuda_libraries all = open_all();
    return all;
}

} // namespace apps::blas
