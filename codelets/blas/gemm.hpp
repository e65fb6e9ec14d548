// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/numbers.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <optional>
#include <vector>

/// A product of matrices in BLAS's words. Pure.
namespace skelrt::detail::blas
{

/// A matrix as it lies in memory: row-major, its rows `ld` elements apart, or, `across`, its columns.
struct gemm_matrix {
    const slot_view* memory;
    std::size_t first; ///< element of the memory that is its first
    std::size_t ld;
    bool across;
};

/// result = front + left * transpose(right): left has `rows` rows of `depth` elements, right `cols` rows.
struct gemm {
    std::size_t rows, cols, depth;
    gemm_matrix left, right, result;
};

/// By what a product is multiplied, and what its result holds in front of it: host pointers to a value of the result's
/// type; null: by 1.
struct gemm_factors {
    const void* product = nullptr;
    const void* front = nullptr;
    bool begun = false; ///< there is something in front

    template <class T>
    T alpha() const
    {
        return product ? *static_cast<const T*>(product) : T(1);
    }
    template <class T>
    T beta() const
    {
        if (!begun) return T(0);
        return front ? *static_cast<const T*>(front) : T(1);
    }
};
inline gemm_factors factors_of(const work& w) { return {sum_factor_of(w), front_factor_of(w), w.begun}; }

/// Elements `step` apart.
struct gemv_vector {
    const slot_view* memory;
    std::size_t first, step;
};

/// result = front + matrix * vector, of `rows` rows of `depth` elements.
struct gemv {
    std::size_t rows, depth;
    gemm_matrix matrix;
    gemv_vector vector, result;
};

/// Where the elements of a gemm_matrix or gemv_vector begin, in memory with addresses.
template <class T, class Elements>
T* data_of(const Elements& m)
{
    return static_cast<T*>(m.memory->data) + m.first;
}

/// From row to row of a matrix, and from element to element of a row.
struct steps {
    std::size_t row, element;
};
/// `rows` x `length`, from an element on. A step that is never made may be anything. Nothing: neither its rows nor its
/// columns follow each other as BLAS wants it.
std::optional<gemm_matrix> matrix_at(const slot_view& memory, std::size_t first, const steps& s, std::size_t rows,
                                     std::size_t length);

/// A size as most BLAS libraries count; of those in a gemm none is larger.
constexpr int in_int(std::size_t n) { return static_cast<int>(n); }

/// Whether 32 bits count its sizes.
bool can_be_counted(const gemm& g);

/// A product with one column, or with one row; nothing: it has several of both.
std::optional<gemv> gemv_of(const gemm& g);

/// The rectangle [row, row + rows) x [col, col + cols) of a segment's result.
struct result_block {
    std::size_t row, rows, col, cols;
};

/// Nothing: BLAS cannot read or write the memory as it lies there, or counts in too few bits.
std::optional<gemm> gemm_of(const work& w, std::size_t segment, const result_block& r);

/// The products of all segments of a device's task. Nothing: one of them is not for a BLAS, they are too deep, or they
/// begin with a value that is not zero, which would have to be written to the result first.
std::optional<std::vector<gemm>> gemms_of(const work& w, numbers n);

/// A matrix and a vector as a product with one column, of the rows or columns of a block: results of a reduction by row
/// or column that vector_product_of() knows, which begin at an element of `to`. Nothing: as gemm_of().
std::optional<gemm> vector_gemm_of(const recipe& what, const segment& where, const slot_view* slots,
                                   const slot_view& to, std::size_t first);

/// The same of all segments of a device's task, in order: by column each adds to what the one before it gives.
/// Nothing: as gemms_of().
std::optional<std::vector<gemm>> vector_gemms_of(const work& w, numbers n);

/// Rows of more elements are added up in levels by our own kernels, which lose less.
inline constexpr std::size_t deepest = std::size_t{1} << 15;

} // namespace skelrt::detail::blas
