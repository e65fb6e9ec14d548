// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/source.hpp"

/// Stencils of one hood at constant distances: everything between one read and one write of the grid stays in
/// registers.
///
/// A warp owns a strip of columns, each lane `pack_x` neighbours, and walks along the slices of its chunk: rows of a
/// matrix, planes of a tensor, of which a lane holds `outputs_m` rows. It keeps a window of as many slices as the hood
/// reaches over, takes the columns beside its own from the lanes next to it, and reads slices ahead of their use. With
/// several steps, the values of one step fill the window of the next, so that memory is touched once for all of them.
/// Lanes at both ends of the strip only help: their columns belong to the strips beside it.
namespace skelrt::detail::cuda
{
namespace
{

constexpr const char* stream_helpers = R"cuda(
constexpr int axis_s = rank == 3 ? 0 : 1; // slices follow each other on this axis
constexpr int before_s = reach_before[axis_s], after_s = reach_after[axis_s];
constexpr int before_m = rank == 3 ? reach_before[1] : 0, after_m = rank == 3 ? reach_after[1] : 0;
constexpr int before_x = reach_before[2], after_x = reach_after[2];
constexpr int ring = before_s + 1 + after_s; // slices of a window
constexpr int rows_at(int step) { return outputs_m + (steps - step) * (before_m + after_m); }
constexpr int window_x = before_x + pack_x + after_x;
constexpr int lanes = 32, idle_before = (steps * before_x + pack_x - 1) / pack_x,
              idle_after = (steps * after_x + pack_x - 1) / pack_x;
constexpr int strip_x = (lanes - idle_before - idle_after) * pack_x; // columns that a warp computes

struct chunk {
    int begin, end; // slices that the warp computes
};

/// The part of the grid that a warp works on.
struct strip {
    const field& f;
    const sweep& c;
    const space s;
    chunk part;
    long m, x;    // first row of the warp's results, first column of the lane
    result_type* out; // of the lane, in slice 0
    bool whole;   // the lane's columns all lie in the segment
    bool inner;   // the warp's columns, and rows of planes, see no border, and lie in whole words
    bool careful; // something that the warp reads may lie outside of the grid
};

/// Where column number i of a line lies in it; ~0: outside of the grid.
inline long column_at(long i, long n)
{
    if ((unsigned long)i < (unsigned long)n) return i;
    if (border == border_rule::constant) return ~0L;
    if (border != border_rule::cyclic) return i < 0 ? 0 : n - 1;
    const long near = i < 0 ? i + n : i - n;
    return (unsigned long)near < (unsigned long)n ? near : (i % n + n) % n;
}

template <class T> inline void load_pack(T (&to)[pack_x], const T* from, bool aligned)
{
    if (aligned) {
        pack<T, pack_x> all;
        all.load(from);
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) to[k] = all.get(k);
    } else {
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) to[k] = from[k];
    }
}

/// A lane's columns of row (z, y).
template <class T> inline void load_row(T (&to)[pack_x], const around<T>& from, const strip& at, long z, long y)
{
    const long n = at.s.n[2];
    if (at.s.cut == 2) {
        if (at.whole) return generated::load_pack(to, from.data + at.x, at.f.aligned);
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) { // no further than the lines in front and behind go
            const long low = -steps * before_x, high = n - 1 + steps * after_x, i = at.x + k;
            to[k] = from.at(at.s, 0, 0, i < low ? low : i > high ? high : i);
        }
        return;
    }
    const T* const row = from.row(at.s, z, y);
    if (border == border_rule::constant && row == nullptr) {
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) to[k] = *from.outside;
    } else if (at.whole) {
        generated::load_pack(to, row + at.x, at.f.aligned);
    } else {
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) {
            const long i = column_at(at.x + k, n);
            to[k] = border == border_rule::constant && i < 0 ? *from.outside : row[i];
        }
    }
}

/// A lane's part of one slice.
template <class T, int Rows> struct slice_of {
    T v[Rows][pack_x];
};

/// Slices of which a warp reads whole words.
template <class T> inline void load_plain_slice(slice_of<T, rows_at(0)>& to, const around<T>& from, const strip& at, int s)
{
    const int n = int(at.s.n[axis_s]);
    const long pitch = rank == 3 ? at.s.n[1] * at.s.n[2] : at.s.n[2];
    const T* lines = from.data;
    if (before_s > 0 && s < 0) lines = from.before, s += steps * before_s;
    if (after_s > 0 && s >= n) lines = from.after, s -= n;
    lines += s * pitch + at.x;
    if (rank == 3) lines += (at.m - steps * before_m) * at.s.n[2];
    #pragma unroll
    for (int r = 0; r < rows_at(0); ++r) generated::load_pack(to.v[r], lines + r * at.s.n[2], true);
}

template <bool Plain, class T>
inline void load_slice(slice_of<T, rows_at(0)>& to, const around<T>& from, const strip& at, int s)
{
    if (Plain) return generated::load_plain_slice(to, from, at, s);
    #pragma unroll
    for (int r = 0; r < rows_at(0); ++r) {
        const long m = at.m - steps * before_m + r;
        if (rank == 3) generated::load_row(to.v[r], from, at, s, m);
        else generated::load_row(to.v[r], from, at, 0, s);
    }
}

/// The value of another lane; any type of up to 8 bytes.
template <class T> inline T up(const T& value, int distance)
{
    if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_up_sync(0xffffffffu, static_cast<int>(value), distance));
    else return __shfl_up_sync(0xffffffffu, value, distance);
}
template <class T> inline T down_from(const T& value, int distance)
{
    if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_down_sync(0xffffffffu, static_cast<int>(value), distance));
    else return __shfl_down_sync(0xffffffffu, value, distance);
}

/// The last slices of one step, with the columns of the lanes beside.
template <class T> struct window {
    T v[ring][rows_at(0)][window_x];

    template <int Rows> void push(const slice_of<T, Rows>& next)
    {
        #pragma unroll
        for (int s = 0; s + 1 < ring; ++s)
            #pragma unroll
            for (int r = 0; r < Rows; ++r)
                #pragma unroll
                for (int x = 0; x < window_x; ++x) v[s][r][x] = v[s + 1][r][x];
        #pragma unroll
        for (int r = 0; r < Rows; ++r) {
            T (&row)[window_x] = v[ring - 1][r];
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) row[before_x + k] = next.v[r][k];
            #pragma unroll
            for (int k = 1; k <= before_x; ++k) {
                const int distance = (k + pack_x - 1) / pack_x;
                row[before_x - k] = generated::up(next.v[r][distance * pack_x - k], distance);
            }
            #pragma unroll
            for (int k = 0; k < after_x; ++k)
                row[before_x + pack_x + k] = generated::down_from(next.v[r][k % pack_x], k / pack_x + 1);
        }
    }

    /// Before the grid's first slice, all are like it.
    template <int Rows> void fill_with_last()
    {
        #pragma unroll
        for (int s = 0; s + 1 < ring; ++s)
            #pragma unroll
            for (int r = 0; r < Rows; ++r)
                #pragma unroll
                for (int x = 0; x < window_x; ++x) v[s][r][x] = v[ring - 1][r][x];
    }

    skelrt::SKELRT_HOOD<T> hood(int r, int k) const
    {
        constexpr ptrdiff_t slice_size = rows_at(0) * window_x;
        if (rank == 3) return {&v[before_s][r + before_m][before_x + k], slice_size, window_x};
        return {&v[before_s][r][before_x + k], 0, slice_size};
    }
};

template <class T> inline T lane_value(const T& value, int lane)
{
    if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_sync(0xffffffffu, static_cast<int>(value), lane));
    else return __shfl_sync(0xffffffffu, value, lane);
}

/// The position of the grid that a function is told: where the border rule finds it.
inline place told(const sweep& c, const place& at)
{
    if (border == border_rule::cyclic) return wrapped(c, at);
    const auto near = [&](long i, long n) { return i < 0 ? 0 : i >= n ? n - 1 : i; };
    return {near(at.z, c.grid[0]), near(at.y, c.grid[1]), near(at.x, c.grid[2])};
}

inline place place_at(const strip& at, long s, long m, int k)
{
    if (rank == 3) return place_of(at.f, s, m, at.x + k);
    return place_of(at.f, 0, s, at.x + k);
}

/// Between two steps: what lies outside of the grid beside the rows and columns of a slice follows the border rule.
template <int Rows, class T> inline void mend_slice(slice_of<T, Rows>& of, const strip& at, long s, long m, const T* outside)
{
    if (border == border_rule::cyclic || border == border_rule::none || !at.careful) return;
    const long n = at.c.grid[2], first = at.f.first[2] + at.x;
    if (border == border_rule::constant) {
        #pragma unroll
        for (int r = 0; r < Rows; ++r)
            #pragma unroll
            for (int k = 0; k < pack_x; ++k)
                if (!in_grid(at.c, place_at(at, s, m + r, k))) of.v[r][k] = *outside;
        return;
    }
    // The lane and the place in it of the first and of the last column; strips that do not hold them do not need them.
    const long strip_first = first - long(threadIdx.x % lanes) * pack_x;
    const int left = int(-strip_first) / pack_x, left_k = int(-strip_first) % pack_x;
    const int right = int(n - 1 - strip_first) / pack_x, right_k = int(n - 1 - strip_first) % pack_x;
    const bool on_left = strip_first < 0, on_right = strip_first + lanes * pack_x > n;
    #pragma unroll
    for (int r = 0; r < Rows; ++r) {
        if (on_left) {
            T edge = of.v[r][0];
            #pragma unroll
            for (int k = 1; k < pack_x; ++k)
                if (k == left_k) edge = of.v[r][k];
            edge = generated::lane_value(edge, left);
            #pragma unroll
            for (int k = 0; k < pack_x; ++k)
                if (first + k < 0) of.v[r][k] = edge;
        }
        if (on_right) {
            T edge = of.v[r][0];
            #pragma unroll
            for (int k = 1; k < pack_x; ++k)
                if (k == right_k) edge = of.v[r][k];
            edge = generated::lane_value(edge, right);
            #pragma unroll
            for (int k = 0; k < pack_x; ++k)
                if (first + k >= n) of.v[r][k] = edge;
        }
    }
    if (rank != 3) return;
    #pragma unroll
    for (int r = Rows - 2; r >= 0; --r)
        if (m + r < 0)
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) of.v[r][k] = of.v[r + 1][k];
    #pragma unroll
    for (int r = 1; r < Rows; ++r)
        if (m + r >= at.c.grid[1])
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) of.v[r][k] = of.v[r - 1][k];
}

/// A lane's elements of another operand.
template <class T> inline void load_operand(T (&to)[outputs_m][pack_x], const operand<const T>& from, const strip& at, int s)
{
    #pragma unroll
    for (int r = 0; r < outputs_m; ++r) {
        const auto within = [](long i, long n) { return i < 0 ? 0 : i < n ? i : n - 1; };
        const long z = rank == 3 ? within(s, at.f.n[0]) : 0, y = within(rank == 3 ? at.m + r : s, at.f.n[1]);
        if (at.whole && at.f.aligned) {
            generated::load_pack(to[r], &from.at(z, y, at.x), true);
        } else {
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) {
                const long x = at.x + k, n = at.f.n[2];
                to[r][k] = from.at(z, y, within(x, n));
            }
        }
    }
}
)cuda";

constexpr const char* stream_kernel = R"cuda(
template <bool Plain, class T>
inline result_type value_at(const window<T>& w, const operands& e, const strip& at, const uniforms& u, int s, long m,
                            int r, int k, int step)
{
    const place here = place_at(at, s, m + r, k);
    if (Plain) return evaluate_at(element_of(w, e, r, k), u, at.c, here);
    const result_type value = evaluate_at(element_of(w, e, r, k), u, at.c, told(at.c, here));
#ifdef SKELRT_KEEPS
    if (at.careful && keeps(at.c, border == border_rule::cyclic ? wrapped(at.c, here) : here, step))
        return w.v[before_s][r + before_m][before_x + k];
#endif
    return value;
}

template <bool Plain>
inline void store_slice(const slice_of<result_type, outputs_m>& values, const strip& at, int s)
{
    const int lane = threadIdx.x % lanes;
    if (lane < idle_before || lane >= lanes - idle_after) return;
    if (Plain && (s < at.part.begin || s >= at.part.end)) return;
    #pragma unroll
    for (int r = 0; r < outputs_m; ++r) {
        const long z = rank == 3 ? s : 0, y = rank == 3 ? at.m + r : s;
        if (!Plain && y >= at.f.n[1]) return;
        if (Plain || (at.whole && at.f.aligned)) {
            pack<result_type, pack_x> all;
            #pragma unroll
            for (int k = 0; k < pack_x; ++k) all.set(k, values.v[r][k]);
            all.store(at.out + (long(s) * (rank == 3 ? at.f.out.z : at.f.out.y) + (rank == 3 ? r * at.f.out.y : 0)));
        } else {
            #pragma unroll
            for (int k = 0; k < pack_x; ++k)
                if (at.x + k < at.f.n[2]) at.f.out.at(z, y, at.x + k) = values.v[r][k];
        }
    }
}

/// Slice number `count` of the chunk has arrived, so that windows 0 to Step are up to slice number s - Step * after_s:
/// computes what step number Step can now. Plain: also while windows are not full, but then nothing is stored.
template <bool Plain, int Step, class T>
inline void advance(window<T> (&w)[steps], const operands& e, const strip& at, const uniforms& u, const T* outside, int count,
                    int s)
{
    constexpr int left = steps - 1 - Step, rows = rows_at(Step + 1);
    const int j = s - (Step + 1) * after_s;
    const long m = at.m - left * before_m;
    if (!Plain && count < (Step + 1) * (before_s + after_s)) return; // the window is not full
    const long in_grid = at.f.first[axis_s] + j;
    const bool out = !Plain && left > 0 && (unsigned long)in_grid >= (unsigned long)at.c.grid[axis_s];
    if (border == border_rule::nearest && out && in_grid < 0) return; // the grid's first slice stands for all of them

    slice_of<result_type, rows> next;
    #pragma unroll
    for (int r = 0; r < rows; ++r)
        #pragma unroll
        for (int k = 0; k < pack_x; ++k) next.v[r][k] = generated::value_at<Plain>(w[Step], e, at, u, j, m, r, k, Step);
    if constexpr (left == 0) {
        generated::store_slice<Plain>(next, at, j);
    } else {
        if (border == border_rule::constant && out) {
            #pragma unroll
            for (int r = 0; r < rows; ++r)
                #pragma unroll
                for (int k = 0; k < pack_x; ++k) next.v[r][k] = *outside;
        } else if (border == border_rule::nearest && out) {
            #pragma unroll
            for (int r = 0; r < rows; ++r)
                #pragma unroll
                for (int k = 0; k < pack_x; ++k) next.v[r][k] = w[Step + 1].v[ring - 1][r][before_x + k];
        } else if (!Plain) {
            generated::mend_slice(next, at, j, m, outside);
        }
        w[Step + 1].push(next);
        if (!Plain && border == border_rule::nearest && in_grid == 0) w[Step + 1].template fill_with_last<rows>();
        generated::advance<Plain, Step + 1>(w, e, at, u, outside, count, s);
    }
}

/// Whether no hood of the warp's work leaves the grid along columns, or along rows of planes.
inline bool is_inner(const strip& at)
{
    const long first = at.f.first[2] + at.x - long(threadIdx.x % lanes) * pack_x;
    if (first < before_x || first + lanes * pack_x + after_x > at.c.grid[2]) return false;
    return rank != 3 || (at.m >= steps * before_m && at.m + outputs_m + steps * after_m <= at.c.grid[1]);
}

/// The same along slices.
inline bool stays_in(const strip& at)
{
    const long first = at.f.first[axis_s];
    return first + at.part.begin >= steps * before_s && first + at.part.end + steps * after_s <= at.c.grid[axis_s];
}

/// Slices on their way, number k % depth of those read ahead.
template <class T> struct arrivals {
    slice_of<T, rows_at(0)> slices[depth];
    operands others[depth];
};

template <bool Plain, class T>
inline void read_ahead(arrivals<T>& ahead, int k, const around<T>& from, const strip& at, int s)
{
    generated::load_slice<Plain>(ahead.slices[k % depth], from, at, s);
    load_operands(ahead.others[k % depth], at, s - after_s);
}

/// `unroll` slices from number i on. Plain: without questions in between, so that values stay in their registers while
/// windows move on; see plain_slices().
template <bool Plain, class T>
inline void walk_some(window<T> (&w)[steps], arrivals<T>& ahead, const around<T>& from, const strip& at, const uniforms& u,
                      int first, int i, int count)
{
    #pragma unroll
    for (int k = 0; k < unroll; ++k, ++i) {
        if (!Plain && i >= count) return;
        w[0].push(ahead.slices[k % depth]);
        const operands e = ahead.others[k % depth];
        const int next = i + depth < count ? i + depth : count - 1;
        if (Plain || i + depth < count) generated::read_ahead<Plain>(ahead, k, from, at, first + next);
        generated::advance<Plain, 0>(w, e, at, u, from.outside, i, first + i);
    }
}

struct slice_range {
    int begin, end;
};

/// The slices, from number `first` of the segment on, at whose arrival no step sees a border and none is read beyond
/// it.
inline slice_range plain_slices(const strip& at, int first, int count)
{
    if (!plain_apart || !at.inner) return {count, count};
    const long in_grid = at.f.first[axis_s] + first, ends = at.c.grid[axis_s] - in_grid;
    const int filled = steps * (before_s + after_s), sees = steps * after_s + before_s - int(in_grid);
    const int begin = in_grid >= 0 ? 0 : filled > sees ? filled : sees;
    return {begin < count ? begin : count, ends < count ? int(ends) - depth - unroll + 1 : count};
}

/// All slices of a chunk, one after the other.
inline void walk(const strip& at, const fields& p)
{
    const auto from = around_of_hood(at.f, p.u);
    window<hood_type> w[steps];
    arrivals<hood_type> ahead;
    const int first = at.part.begin - steps * before_s, count = at.part.end + steps * after_s - first;
    #pragma unroll
    for (int d = 0; d < depth; ++d)
        if (d < count) generated::read_ahead<false>(ahead, d, from, at, first + d);
    const slice_range plain = plain_slices(at, first, count);
    if (plain.begin == 0) // functions see elements, be they the wrong ones, until the windows are full
        #pragma unroll
        for (int t = 0; t < steps; ++t) {
            w[t].push(ahead.slices[0]);
            w[t].template fill_with_last<rows_at(0)>();
        }
    int i = 0;
    #pragma unroll 1
    for (int last = plain.begin;; last = count) { // before the plain ones; then behind them
        #pragma unroll 1
        for (; i < last; i += unroll) generated::walk_some<false>(w, ahead, from, at, p.u, first, i, count);
        if (i >= count) return;
        #pragma unroll 1
        for (; i < plain.end; i += unroll) generated::walk_some<true>(w, ahead, from, at, p.u, first, i, count);
    }
}

/// Strips along both edges of the columns, which take several times as long, are cut into shorter chunks and come
/// first.
extern "C" __global__ void __launch_bounds__(threads, resident(2)) stencil_stream(const __grid_constant__ fields p)
{
    const field& f = p.at[blockIdx.y];
    unsigned id = blockIdx.x * unsigned(threads / lanes) + threadIdx.x / lanes;
    const unsigned strips = f.blocks[2], edges = strips < edge_strips ? strips : edge_strips;
    const long m = rank == 3 ? long(id % f.blocks[1]) * outputs_m : 0;
    if (rank == 3) id /= f.blocks[1];
    const unsigned edge_chunks = unsigned(f.n[axis_s] + p.c.room - 1) / unsigned(p.c.room);
    const bool on_edge = id < edges * edge_chunks;
    if (!on_edge) id -= edges * edge_chunks;
    if (!on_edge && strips == edges) return;
    const unsigned beside = on_edge ? edges : strips - edges, inner = id % beside;
    const unsigned number = !on_edge ? inner + 1 : inner == 0 ? 0 : strips - edges + inner;
    const int height = int(on_edge ? p.c.room : p.c.block[axis_s]), slices = int(f.n[axis_s]);
    chunk part;
    part.begin = int(id / beside) * height;
    if (part.begin >= slices) return;
    part.end = part.begin + height < slices ? part.begin + height : slices;
    const long x = long(number) * strip_x + (int(threadIdx.x % lanes) - idle_before) * pack_x;
    result_type* const out = f.out.data + (m * f.out.y + x * f.out.x);
    strip at{f, p.c, space_of(f, p.c), part, m, x, out, x >= 0 && x + pack_x <= f.n[2], false, false};
    const bool inner_columns = is_inner(at);
    at.inner = inner_columns && f.aligned && at.s.cut != 2;
    at.careful = !inner_columns || !stays_in(at);
    walk(at, p);
}

} // namespace skelrt::generated
)cuda";

/// Up to so many tokens of copies of the user's functions, strips away from all borders have copies of their own.
constexpr std::size_t few_strip_tokens = 8'000;

/// The parts that depend on the slots.
std::string operands_text(const recipe& what)
{
    const auto elements = [&](const std::string& form) { return for_each_slot(what, slot_kind::element, form, ""); };
    const std::string hood = std::to_string(first_hood(what));
    std::string text = "using hood_type = skelrt_t" + hood + ";\n";
    text += "inline around<hood_type> around_of_hood(const field& f, const uniforms& u) { return around_s" + hood +
            "(f, u); }\n";
    text += "struct operands {\n    " + elements("skelrt_t# s#[outputs_m][pack_x]; ") + "\n};\n";
    text += "inline void load_operands(operands& to, const strip& at, int s)\n{\n    " +
            elements("generated::load_operand(to.s#, at.f.s#, at, s); ") + "\n}\n";
    text += "inline element element_of(const window<hood_type>& w, const operands& e, int r, int k)\n{\n    return {";
    std::string between;
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const std::string n = std::to_string(k);
        if (what.slots[k].kind == slot_kind::hood) text += between + "w.hood(r, k)";
        else if (what.slots[k].kind == slot_kind::element) text += between + "e.s" + n + "[r][k]";
        else continue;
        between = ", ";
    }
    text += "};\n}\n";
    return text + (keeps_elements(what) ? "#define SKELRT_KEEPS\n" : "");
}

} // namespace

std::string stencil_stream_text(const recipe& what, const stencil_plan& plan)
{
    const auto constant = [](const char* name, unsigned value) {
        return std::string{name} + " = " + std::to_string(value);
    };
    return "namespace skelrt::generated\n{\n#define SKELRT_HOOD hood" + std::to_string(what.stencil.rank) +
           "\nconstexpr int " + constant("pack_x", plan.stream.pack) + ", " + constant("outputs_m", plan.stream.rows) +
           ", " + constant("depth", plan.stream.depth) + ", " + constant("unroll", plan.stream.unroll) +
           ";\nconstexpr unsigned " + constant("edge_strips", edge_strips) +
           ";\nconstexpr bool plain_apart = " + (plan.stream.tokens <= few_strip_tokens ? "true" : "false") + ";\n" +
           stream_helpers + operands_text(what) + stream_kernel;
}

} // namespace skelrt::detail::cuda
