// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt
{

/// Parameter of a wavefront's user function: the three results that come before the position, by value. Beyond the
/// first row and the first column lies what sk::wavefront is told.
template <class T>
class before2
{
public:
    using value_type = T;
    before2(const T& left, const T& above, const T& diagonal) : left_(left), above_(above), diagonal_(diagonal) {}

    const T& left() const { return left_; }         ///< same row, one column before
    const T& above() const { return above_; }       ///< same column, one row before
    const T& diagonal() const { return diagonal_; } ///< one row and one column before

private:
    T left_, above_, diagonal_;
};

} // namespace skelrt
