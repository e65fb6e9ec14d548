// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/cuda/cuda.hpp"
#include "src/function/opencl/opencl.hpp"
#include "src/function/shared.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/nvrtc.hpp"
#endif

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <deque>
#include <fstream>
#include <string>
#include <vector>

using namespace skelrt::detail;

namespace
{

struct row {
    std::string what, shared, function;
    bool cuda, opencl;
};

std::string trimmed(std::string text)
{
    const auto begin = text.find_first_not_of(" "), end = text.find_last_not_of(" ");
    return begin == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
}

/// The cells of a line of the table; a bar in code is a cell's.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells{""};
    bool code = false;
    for (const char c : line) {
        code ^= c == '`';
        if (c == '|' && !code) cells.emplace_back();
        else cells.back() += c;
    }
    for (auto& cell : cells) cell = trimmed(cell);
    return cells;
}

std::string without_quotes(const std::string& cell)
{
    return cell.size() < 2 ? std::string() : cell.substr(1, cell.size() - 2);
}

std::vector<row> rows()
{
    std::ifstream page(FUNCTIONS_PAGE);
    std::vector<row> all;
    for (std::string line; std::getline(page, line);) {
        const auto cells = cells_of(line);
        if (cells.size() != 7 || cells[1] == "what" || cells[1].starts_with("--")) continue;
        for (std::size_t k = 4; k < 6; ++k) REQUIRE((cells[k] == "yes" || cells[k] == "no"));
        all.push_back(
            {cells[1], without_quotes(cells[2]), without_quotes(cells[3]), cells[4] == "yes", cells[5] == "yes"});
    }
    return all;
}

/// Parameters are of type T or sk::vec<T>, and have a name.
void add_slots(recipe& r, const std::string& function)
{
    std::string list = function.substr(1, function.find(')') - 1) + ",";
    for (auto comma = list.find(','); comma != std::string::npos; comma = list.find(',')) {
        auto type = trimmed(list.substr(0, comma));
        type = trimmed(type.substr(0, type.rfind(' ')));
        list.erase(0, comma + 1);
        const bool vec = type.starts_with("sk::vec<");
        if (vec) type = type.substr(8, type.size() - 9);
        static std::deque<std::string> kept;
        r.slots.push_back({vec ? slot_kind::vec : slot_kind::element, kept.emplace_back(type), 4, 4});
    }
}

} // namespace

TEST_CASE("the table of what may stand in a user function", "[function]")
{
    static std::deque<row> kept; // sources live as long as the process
    for (const row& read : rows()) {
        const row& one = kept.emplace_back(read);
        INFO(one.what << ": " << one.function);
        static std::deque<source_facts> facts;
        const void* unit = &one;
        const auto& shared = facts.emplace_back(source_facts{"", one.shared.c_str(), unit, 0});
        if (!one.shared.empty()) register_shared({one.shared.c_str(), "page.cpp", 1, nullptr, nullptr, &shared});
        const auto& known = facts.emplace_back(source_facts{"", one.function.c_str(), unit, 1});
        const function_source f{one.function.c_str(), "page.cpp", 2, nullptr, nullptr, &known};

        recipe r;
        r.name = "test";
        r.kind = skeleton::map;
        add_slots(r, one.function);
        function_call call{&f, "float", 4, {}};
        for (unsigned k = 0; k < r.slots.size(); ++k) call.arguments.push_back({argument_kind::slot, k});
        r.slots.push_back({slot_kind::element, "float", 4, 4});
        r.result = "float";
        r.result_size = 4;
        r.calls.push_back(call);
        r.root = {argument_kind::call, 0};

        const auto refusal = opencl::translate(r).refusal;
        INFO(refusal);
        CHECK(refusal.empty() == one.opencl);
        CHECK((refusal.empty() || refusal.starts_with("page.cpp:2: ")));
#if SKELRT_HAVE_CUDA
        const auto text = cuda_preamble(r) + cuda_functions(r, false) +
                          "__global__ void use(skelrt_result* to, const skelrt::generated::element* e, const "
                          "skelrt::generated::uniforms* u) { *to = skelrt::generated::evaluate(*e, *u, 0, 0); }";
        std::string said;
        try {
            compile_cuda(text, "sm_90", "a row");
        } catch (const skelrt::error& e) {
            said = e.what();
        }
        INFO(said);
        CHECK(said.empty() == one.cuda);
#endif
    }
    CHECK(kept.size() > 20);
}
