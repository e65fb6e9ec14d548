// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/print.hpp>

#include <ostream>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t edge = 3; ///< elements at each end of an axis that is not shown in full

/// Positions of an axis, and whether there is a gap in front of the second half.
struct shown_axis {
    std::size_t extent;

    bool has_gap() const { return extent > 2 * edge + 1; }
    std::size_t count() const { return has_gap() ? 2 * edge : extent; }
    std::size_t position(std::size_t k) const { return has_gap() && k >= edge ? extent - 2 * edge + k : k; }
};

std::vector<shown_axis> axes_of(const extent& x)
{
    if (x.rank == 1) return {{x.cols}};
    if (x.rank == 2) return {{x.rows}, {x.cols}};
    std::vector<shown_axis> all{{x.rows}};
    for (int a = 0; a < x.rank - 1; ++a) all.push_back({x.inner[static_cast<std::size_t>(a)]});
    return all;
}

/// The runs of one line.
void add_line(std::vector<shown_run>& runs, const shown_axis& line, std::size_t offset, std::size_t stride)
{
    const std::size_t first = line.has_gap() ? edge : line.extent;
    runs.push_back({offset, first, stride});
    if (line.has_gap()) runs.push_back({offset + (line.extent - edge) * stride, edge, stride});
}

/// Elements in brackets within brackets, as they follow each other in memory.
class printer
{
public:
    printer(std::ostream& to, const extent& x, const void* elements, std::size_t size, print_element print_one)
        : to_(to), axes_(axes_of(x)), next_(static_cast<const std::byte*>(elements)), size_(size), print_one_(print_one)
    {
    }
    void print(std::size_t depth = 0)
    {
        const shown_axis& axis = axes_[depth];
        to_ << '[';
        for (std::size_t k = 0; k < axis.count(); ++k) {
            if (k > 0) separate(depth);
            if (axis.has_gap() && k == edge) {
                to_ << "...";
                separate(depth);
            }
            if (depth + 1 < axes_.size()) print(depth + 1);
            else print_next();
        }
        to_ << ']';
    }

private:
    void separate(std::size_t depth)
    {
        to_ << ',';
        if (depth + 1 == axes_.size()) {
            to_ << ' ';
            return;
        }
        for (std::size_t lines = depth + 1; lines < axes_.size(); ++lines) to_ << '\n';
        for (std::size_t k = 0; k <= depth; ++k) to_ << ' ';
    }
    void print_next()
    {
        print_one_(to_, next_);
        next_ += size_;
    }

    std::ostream& to_;
    std::vector<shown_axis> axes_;
    const std::byte* next_;
    std::size_t size_;
    print_element print_one_;
};

const char* kind_of(int rank) { return rank == 1 ? "vector" : rank == 2 ? "matrix" : "tensor"; }

bool is_empty(const std::vector<shown_axis>& axes)
{
    for (const shown_axis& a : axes)
        if (a.extent == 0) return true;
    return false;
}

} // namespace

std::vector<shown_run> shown_runs(const extent& x, const placement& p)
{
    const std::vector<shown_axis> axes = axes_of(x);
    std::vector<shown_run> runs;
    if (is_empty(axes)) return runs;
    if (axes.size() == 1) {
        add_line(runs, axes[0], p.offset, p.stride);
        return runs;
    }
    const shown_axis a = axes[0], line = axes.back();
    const shown_axis b = axes.size() > 2 ? axes[1] : shown_axis{1}, c = axes.size() > 3 ? axes[2] : shown_axis{1};
    for (std::size_t i = 0; i < a.count(); ++i)
        for (std::size_t j = 0; j < b.count(); ++j)
            for (std::size_t k = 0; k < c.count(); ++k) {
                const std::size_t within = (b.position(j) * c.extent + c.position(k)) * line.extent;
                add_line(runs, line, p.offset + a.position(i) * p.ld + within, p.stride);
            }
    return runs;
}

void print(std::ostream& to, std::string_view type, const extent& x, const void* elements, std::size_t element_size,
           print_element element)
{
    const std::vector<shown_axis> axes = axes_of(x);
    to << kind_of(x.rank) << '<' << type;
    if (x.rank > 2) to << ", " << x.rank;
    to << ">(";
    for (std::size_t a = 0; a < axes.size(); ++a) to << (a > 0 ? " x " : "") << axes[a].extent;
    to << ')' << (axes.size() > 1 && !is_empty(axes) ? '\n' : ' ');
    if (is_empty(axes)) to << "[]";
    else printer(to, x, elements, element_size, element).print();
}

void print_bytes(std::ostream& to, std::size_t count) { to << '{' << count << " bytes}"; }

} // namespace skelrt::detail
