// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/part_map.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// Of tasks, by number.
class task_set
{
public:
    void insert(std::size_t task)
    {
        reach(task / 64);
        words_[task / 64] |= std::uint64_t{1} << task % 64;
    }
    void insert(const task_set& other)
    {
        if (!other.words_.empty()) reach(other.words_.size() - 1);
        for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    }
    std::size_t size() const
    {
        std::size_t n = 0;
        for (const std::uint64_t w : words_) n += static_cast<std::size_t>(std::popcount(w));
        return n;
    }
    std::size_t without(const task_set& other) const
    {
        std::size_t n = 0;
        for (std::size_t i = 0; i < words_.size(); ++i)
            n += static_cast<std::size_t>(std::popcount(words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0)));
        return n;
    }

private:
    void reach(std::size_t word)
    {
        if (word >= words_.size()) words_.resize(word + 1);
    }
    std::vector<std::uint64_t> words_;
};

/// Something that is read and written: an element, or a handle. Whoever has it waits for these tasks, which are kept
/// with all those that they wait for.
struct datum {
    task_set writer, readers; ///< the last one; those since then

    void before(task_set& t, bool writes) const
    {
        t.insert(writer);
        if (writes) t.insert(readers);
    }
    void after(const task_set& t, bool writes)
    {
        if (!writes) return readers.insert(t);
        writer = t;
        readers = {};
    }
};

/// A container whose tasks are ordered twice: by elements, as they should be, and by handles, as StarPU does.
class simulation
{
public:
    simulation(std::size_t rows, std::size_t cols, const std::vector<rectangle>& atoms)
        : map(atoms), rows_(rows), cols_(cols), elements_(rows * cols)
    {
        for (atom_id a = 0; a < atoms.size(); ++a) live_[a] = atoms[a];
        check_cover();
    }

    void use(const rectangle& part, bool writes, std::size_t most_atoms)
    {
        const std::size_t atoms_before = map.size();
        const std::vector<atom_id> under_before = map.under(part);
        const bool exact = under_before.size() == 1 && map[under_before[0]] == part;
        const part_map::used u =
            map.use(part, {.use = writes ? atom_use::writes : atom_use::reads, .most_atoms = most_atoms});
        do_all(u.changes);
        if (exact) {
            REQUIRE((u.changes.empty() && u.atoms == under_before && map.size() == atoms_before));
        }
        check_cover();
        REQUIRE(u.atoms == map.under(part));
        REQUIRE(u.atoms.size() <= most_atoms);
        std::size_t covered = 0;
        for (const atom_id a : u.atoms) {
            REQUIRE(contains(part, map[a]));
            covered += map[a].size();
            if (writes) REQUIRE(map.gates_of(a).empty());
        }
        REQUIRE(covered == part.size());
        REQUIRE(std::set(u.gates.begin(), u.gates.end()).size() == u.gates.size());

        const std::size_t task = tasks_++;
        task_set by_elements, by_handles;
        for_each(part, [&](std::size_t i) { elements_[i].before(by_elements, writes); });
        for (const atom_id a : u.atoms) handles_[a].before(by_handles, writes);
        for (const gate_id g : u.gates) gates_.at(g).before(by_handles, false);
        REQUIRE(by_elements.without(by_handles) == 0);
        pairs += by_elements.size();
        extra += by_handles.without(by_elements);
        by_elements.insert(task);
        by_handles.insert(task);
        for_each(part, [&](std::size_t i) { elements_[i].after(by_elements, writes); });
        for (const atom_id a : u.atoms) handles_[a].after(by_handles, writes);
        for (const gate_id g : u.gates) gates_.at(g).after(by_handles, false);
    }

    void recut(const std::vector<rectangle>& atoms)
    {
        const part_map::used u = map.recut(atoms);
        do_all(u.changes);
        check_cover();
        REQUIRE(u.changes.size() <= 1);
        REQUIRE(u.gates.empty());
        REQUIRE((u.atoms.size() == atoms.size() && map.size() == atoms.size()));
        for (std::size_t i = 0; i < atoms.size(); ++i) REQUIRE(map[u.atoms[i]] == atoms[i]);
    }

    rectangle whole() const { return {0, 0, rows_, cols_}; }

    part_map map;
    std::size_t pairs = 0, extra = 0; ///< of tasks: one waits for the other; it does so only by handles
    std::size_t changes = 0, gates = 0;

private:
    template <class F>
    void for_each(const rectangle& part, F f)
    {
        for (std::size_t r = part.row; r < part.row_end(); ++r)
            for (std::size_t c = part.col; c < part.col_end(); ++c) f(r * cols_ + c);
    }

    void do_all(const std::vector<part_map::change>& all)
    {
        for (const part_map::change& c : all) {
            ++changes;
            task_set task;
            std::size_t covered = 0;
            for (const atom_id a : c.olds) {
                REQUIRE(live_.contains(a));
                handles_[a].before(task, false);
                covered += live_.at(a).size();
            }
            for (const atom_id a : c.olds) handles_[a].after(task, false);
            for (const atom_id a : c.heirs) {
                REQUIRE(seen_atoms_.insert(a).second);
                handles_[a].after(task, true);
                covered -= map[a].size();
                std::size_t from_olds = 0;
                for (const atom_id b : c.olds) from_olds += intersection(map[a], live_.at(b)).size();
                REQUIRE(from_olds == map[a].size());
            }
            REQUIRE(covered == 0);
            for (const part_map::change::gate& g : c.gates) {
                ++gates;
                REQUIRE(std::count(c.olds.begin(), c.olds.end(), g.of) == 1);
                REQUIRE(!gates_.contains(g.number));
                task_set gate;
                handles_[g.of].before(gate, true);
                handles_[g.of].after(gate, true);
                gates_[g.number].after(gate, true);
            }
            for (const atom_id a : c.olds) live_.erase(a);
            for (const atom_id a : c.heirs) live_[a] = map[a];
        }
    }

    /// The map has the atoms that the changes left; they cover all and do not overlap.
    void check_cover()
    {
        const std::vector<atom_id> all = map.all();
        REQUIRE((all.size() == live_.size() && all.size() == map.size()));
        std::vector<char> painted(elements_.size());
        std::size_t covered = 0;
        bool right = true;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const rectangle& r = map[all[i]];
            right = right && live_.contains(all[i]) && live_.at(all[i]) == r;
            if (i > 0) {
                const rectangle& last = map[all[i - 1]];
                right = right && std::pair(last.row, last.col) < std::pair(r.row, r.col);
            }
            for_each(r, [&](std::size_t k) { right = right && !painted.at(k), painted[k] = 1, ++covered; });
            seen_atoms_.insert(all[i]);
        }
        REQUIRE(right);
        REQUIRE(covered == elements_.size());
    }

    std::size_t rows_, cols_, tasks_ = 0;
    std::vector<datum> elements_;
    std::unordered_map<atom_id, datum> handles_;
    std::unordered_map<gate_id, datum> gates_;
    std::unordered_map<atom_id, rectangle> live_;
    std::set<atom_id> seen_atoms_;
};

std::vector<rectangle> grid(const rectangle& whole, std::size_t rows, std::size_t cols)
{
    std::vector<rectangle> blocks;
    for (std::size_t r = 0; r < whole.rows; r += rows)
        for (std::size_t c = 0; c < whole.cols; c += cols)
            blocks.push_back({r, c, std::min(rows, whole.rows - r), std::min(cols, whole.cols - c)});
    return blocks;
}

using dice = std::function<std::size_t(std::size_t most)>; // from 0 on

/// Parts of one kind, each made from the container and from the part before it.
struct family {
    std::string name;
    std::function<rectangle(const rectangle& whole, const rectangle& last, const dice&)> part;
};

rectangle any(const rectangle& in, const dice& upto)
{
    const std::size_t row = upto(in.rows - 1), col = upto(in.cols - 1);
    return {in.row + row, in.col + col, 1 + upto(in.rows - row - 1), 1 + upto(in.cols - col - 1)};
}

rectangle block(const rectangle& whole, const dice& upto)
{
    std::vector<rectangle> all = grid(whole, 4, 3);
    return all[upto(all.size() - 1)];
}

rectangle blocks(const rectangle& whole, const dice& upto)
{
    const rectangle a = block(whole, upto), b = block(whole, upto);
    const std::size_t row = std::min(a.row, b.row), col = std::min(a.col, b.col);
    return {row, col, std::max(a.row_end(), b.row_end()) - row, std::max(a.col_end(), b.col_end()) - col};
}

rectangle line(const rectangle& whole, const dice& upto)
{
    rectangle r = whole;
    if (upto(1) == 0) r.row = upto(whole.rows - 1), r.rows = 1;
    else r.col = upto(whole.cols - 1), r.cols = 1;
    return r;
}

rectangle half(rectangle r, const dice& upto)
{
    for (std::size_t depth = upto(4); depth > 0; --depth) {
        const bool by_rows = upto(1) == 0, second = upto(1) == 0;
        std::size_t& length = by_rows ? r.rows : r.cols;
        if (length == 1) continue;
        const std::size_t first = length / 2;
        if (second) (by_rows ? r.row : r.col) += first;
        length = second ? length - first : first;
    }
    return r;
}

const std::vector<family> families = {
    {"blocks of a grid", [](auto& whole, auto&, auto& upto) { return block(whole, upto); }},
    {"several blocks", [](auto& whole, auto&, auto& upto) { return blocks(whole, upto); }},
    {"any rectangles", [](auto& whole, auto&, auto& upto) { return any(whole, upto); }},
    {"nested",
     [](auto& whole, auto& last, auto& upto) { return last.size() == 1 || upto(9) == 0 ? whole : any(last, upto); }},
    {"rows and columns", [](auto& whole, auto&, auto& upto) { return line(whole, upto); }},
    {"halves", [](auto& whole, auto&, auto& upto) { return half(whole, upto); }},
    {"mixed", [](auto& whole, auto& last, auto& upto) { return families[upto(5)].part(whole, last, upto); }},
};

const std::vector<rectangle> shapes = {{0, 0, 1, 64}, {0, 0, 12, 10}, {0, 0, 8, 8}, {0, 0, 24, 1}, {0, 0, 5, 17}};

/// Random uses of each family and shape: how many pairs of tasks wait, and how many of these without a need.
std::string play(std::size_t most_atoms, bool with_recuts, const std::function<void(const simulation&)>& check)
{
    std::string figures;
    for (const family& f : families) {
        std::size_t pairs = 0, extra = 0, changes = 0, gates = 0;
        for (unsigned round = 0; round < 100; ++round) {
            std::mt19937 random(round);
            const dice upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
            const rectangle whole = shapes[round % shapes.size()];
            const bool one = upto(2) > 0;
            simulation s(whole.rows, whole.cols, grid(whole, one ? whole.rows : 5, one ? whole.cols : 6));
            const std::size_t writes_of_4 = upto(3);
            rectangle part = whole;
            for (int i = 0; i < 60; ++i) {
                if (with_recuts && upto(14) == 0)
                    s.recut(grid(whole, 1 + upto(whole.rows - 1), 1 + upto(whole.cols - 1)));
                part = f.part(whole, part, upto);
                s.use(part, upto(3) < writes_of_4, most_atoms);
            }
            s.use(whole, true, whole.size());
            for (const atom_id a : s.map.all()) REQUIRE(s.map.gates_of(a).empty());
            for (gate_id g = 0; g < s.gates; ++g) REQUIRE(!s.map.awaited(g));
            check(s);
            pairs += s.pairs, extra += s.extra, changes += s.changes, gates += s.gates;
        }
        figures += f.name + ": " + std::to_string(pairs) + " pairs, " + std::to_string(extra) + " extra, " +
                   std::to_string(changes) + " changes, " + std::to_string(gates) + " gates\n";
    }
    return figures;
}

} // namespace

TEST_CASE("rectangles", "[part_map]")
{
    const rectangle a{2, 3, 4, 5}, b{5, 0, 4, 4};
    REQUIRE(a.size() == 20);
    REQUIRE(overlap(a, b));
    REQUIRE(intersection(a, b) == rectangle{5, 3, 1, 1});
    REQUIRE(!overlap(a, {6, 3, 1, 5}));
    REQUIRE(!overlap(a, {2, 8, 4, 1}));
    REQUIRE(intersection(a, {2, 8, 4, 1}).size() == 0);
    REQUIRE(contains(a, a));
    REQUIRE(contains(a, {3, 4, 3, 4}));
    REQUIRE(!contains(a, {3, 4, 4, 4}));
    REQUIRE(!contains(a, b));
}

TEST_CASE("a task waits for those it conflicts with, and for no other", "[part_map]")
{
    SUCCEED(play(1 << 20, false, [](const simulation& s) { REQUIRE(s.extra == 0); }));
}

TEST_CASE("with few atoms a task, and recuts, no conflict is missed", "[part_map]")
{
    const auto nothing = [](const simulation&) {};
    SUCCEED("one atom\n" << play(1, false, nothing));
    SUCCEED("16 atoms\n" << play(16, false, nothing));
    SUCCEED("16 atoms and recuts\n" << play(16, true, nothing));
    SUCCEED("recuts\n" << play(1 << 20, true, nothing));
}

TEST_CASE("a part that is one atom changes nothing", "[part_map]")
{
    const rectangle whole{0, 0, 12, 10};
    part_map m(grid(whole, 4, 5));
    REQUIRE(m.size() == 6);
    REQUIRE(m.all() == std::vector<atom_id>{0, 1, 2, 3, 4, 5});
    for (atom_id a = 0; a < 6; ++a) {
        const part_map::used u = m.use(m[a], {.use = a % 2 == 0 ? atom_use::writes : atom_use::reads});
        REQUIRE(u.atoms == std::vector{a});
        REQUIRE((u.changes.empty() && u.gates.empty()));
    }
}

TEST_CASE("a split leaves at most four rests, of whole rows above and below", "[part_map]")
{
    part_map m(std::vector<rectangle>{{0, 0, 12, 10}});
    const part_map::used u = m.use({3, 2, 4, 5}, {.use = atom_use::writes});
    REQUIRE(u.changes.size() == 1);
    REQUIRE(u.changes[0].olds == std::vector<atom_id>{0});
    REQUIRE(u.changes[0].gates.empty()); // nobody has read
    std::vector<rectangle> parts;
    for (const atom_id a : m.all()) parts.push_back(m[a]);
    REQUIRE(parts == std::vector<rectangle>{{0, 0, 3, 10}, {3, 0, 4, 2}, {3, 2, 4, 5}, {3, 7, 4, 3}, {7, 0, 5, 10}});
    REQUIRE(u.atoms == m.under({3, 2, 4, 5}));
    REQUIRE(m[0] == rectangle{0, 0, 12, 10}); // still known: whoever does the change may ask
}

TEST_CASE("the first writer of a new atom waits for readers of the old one, others do not", "[part_map]")
{
    part_map m(std::vector<rectangle>{{0, 0, 1, 64}});
    m.use({0, 0, 1, 64}, {});
    const part_map::used left = m.use({0, 0, 1, 32}, {.use = atom_use::writes});
    REQUIRE(left.changes.at(0).gates.size() == 1);
    const gate_id gate = left.changes[0].gates[0].number;
    REQUIRE(left.changes[0].gates[0].of == 0);
    REQUIRE(left.gates == std::vector{gate});
    REQUIRE(m.use({0, 0, 1, 32}, {.use = atom_use::writes}).gates.empty());
    REQUIRE(m.use({0, 32, 1, 32}, {}).gates.empty());
    REQUIRE(m.awaited(gate));
    REQUIRE(m.gates_of(m.under({0, 32, 1, 1})[0]) == std::vector{gate});
    REQUIRE(m.use({0, 32, 1, 32}, {.use = atom_use::writes}).gates == std::vector{gate});
    REQUIRE(!m.awaited(gate));
}

TEST_CASE("atoms made and retired by one use are known to who does its changes", "[part_map]")
{
    part_map m(grid({0, 0, 1, 64}, 1, 32));
    const part_map::used u = m.use({0, 16, 1, 32}, {});
    REQUIRE(u.changes.size() == 3); // two splits, one merge
    for (const part_map::change& c : u.changes)
        for (const auto* atoms : {&c.olds, &c.heirs})
            for (const atom_id a : *atoms) REQUIRE(m[a].size() > 0);
    REQUIRE(m[u.changes[2].olds.at(0)] == rectangle{0, 16, 1, 16});
    REQUIRE(m[u.atoms.at(0)] == rectangle{0, 16, 1, 32});
    REQUIRE(m.size() == 3);
}

TEST_CASE("one element", "[part_map]")
{
    simulation s(1, 1, {{0, 0, 1, 1}});
    for (int i = 0; i < 5; ++i) s.use(s.whole(), i % 2 == 0, 1);
    s.recut({s.whole()});
    REQUIRE(s.changes == 0);
    REQUIRE(s.pairs == 10);
}

TEST_CASE("a recut changes only what differs, at once", "[part_map]")
{
    const rectangle whole{0, 0, 1, 64};
    part_map m(grid(whole, 1, 16));
    m.use({0, 0, 1, 16}, {});
    m.use({0, 32, 1, 16}, {});
    m.use({0, 48, 1, 16}, {.use = atom_use::writes});
    const part_map::used u = m.recut(std::vector<rectangle>{{0, 32, 1, 32}, {0, 0, 1, 16}, {0, 16, 1, 16}});
    REQUIRE(u.changes.size() == 1);
    REQUIRE(u.changes[0].olds == std::vector<atom_id>{2, 3});
    REQUIRE(u.changes[0].gates.size() == 1);
    REQUIRE(u.changes[0].gates[0].of == 2);
    REQUIRE(u.atoms == std::vector<atom_id>{4, 0, 1});
    REQUIRE(m.gates_of(4) == std::vector<gate_id>{0});
    REQUIRE(m.recut(std::vector<rectangle>{m[0], m[1], m[4]}).changes.empty());

    // The same place and different sizes; many at once.
    const rectangle large{0, 0, 256, 1024};
    part_map blocks(std::vector<rectangle>{large});
    blocks.use(large, {});
    REQUIRE(blocks.recut(grid(large, 2, 2)).atoms.size() == 65536);
    REQUIRE(blocks.size() == 65536);
    REQUIRE(
        blocks.use({0, 0, 2, 4}, {.use = atom_use::writes, .most_atoms = 2}).changes.empty()); // whole blocks: no split
    REQUIRE(blocks.use({0, 0, 2, 3}, {.use = atom_use::writes}).changes.size() == 2);          // merged, then split
    REQUIRE(blocks.size() == 3);
}

TEST_CASE("a whole falls into the parts that it was used in, at once", "[part_map]")
{
    const rectangle whole{0, 0, 1, 64}, second{0, 16, 1, 16};
    part_map m(grid(whole, 1, 16));
    for (atom_id a = 0; a < 4; ++a) m.use(m[a], {});
    m.use(whole, {});
    REQUIRE(m.size() == 1);
    const part_map::used u = m.use(second, {});
    REQUIRE(u.changes.size() == 1);
    REQUIRE(u.changes[0].heirs.size() == 4);
    REQUIRE(m[u.atoms.at(0)] == second);
    m.use(whole, {}); // nobody has used the other three
    m.use(second, {});
    REQUIRE(m.size() == 3);
}

TEST_CASE("beyond so many atoms all are merged, and no conflict is missed", "[part_map]")
{
    constexpr std::size_t n = 6000;
    simulation s(1, n, {{0, 0, 1, n}});
    s.recut(grid(s.whole(), 1, 3));
    REQUIRE(s.map.size() == 2000);
    std::mt19937 random(5);
    std::size_t before = s.map.size(), merges = 0;
    for (std::size_t i = 0; i < n; i += 3) { // the middle ones: two atoms more each
        s.use({0, i + 1, 1, 1}, random() % 2 == 0, 1);
        if (s.map.size() < before) {
            ++merges;
            REQUIRE(s.map.size() == 3);
        }
        before = s.map.size();
        REQUIRE(before <= part_map::most_atoms_of_all);
    }
    REQUIRE(merges == 1);
    s.use({0, 1, 1, n - 2}, true, 16);
    REQUIRE(s.extra > 0);
}

TEST_CASE("data that is only read, in changing parts, gathers no gates", "[part_map]")
{
    const rectangle whole{0, 0, 1, 64};
    simulation s(1, 64, {whole});
    for (int i = 0; i < 300; ++i) {
        for (const rectangle& half : grid(whole, 1, 32)) s.use(half, false, 1);
        s.use(whole, false, 1);
        std::size_t gates = 0;
        for (const atom_id a : s.map.all()) gates += s.map.gates_of(a).size();
        REQUIRE(gates <= part_map::most_gates);
    }
    REQUIRE(s.gates == 3 * 300 - 1);
    std::size_t awaited = 0;
    for (gate_id g = 0; g < s.gates; ++g) awaited += s.map.awaited(g);
    REQUIRE(awaited <= part_map::most_gates);
    s.use({0, 3, 1, 50}, true, 1);
}
