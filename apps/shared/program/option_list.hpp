// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace apps
{

/// The options of a program or of one of its sub-commands. What they go to must live until they are parsed. The parser
/// is CLI11, of which only files that start it know: its header takes seven seconds to compile.
class option_list
{
public:
    explicit option_list(std::shared_ptr<CLI::App> app) : app_(std::move(app)) {}

    /// --help shows what `to` holds now as the default.
    template <class T>
    void option(const std::string& name, T& to, const std::string& help);
    /// Numbers with commas.
    template <class T>
    void option(const std::string& name, std::vector<T>& to, const std::string& help);
    /// One whose default is told by the help, or that has none.
    template <class T>
    void without_default(const std::string& name, T& to, const std::string& help);
    /// One that must be more than 0; what is 0 now has no default.
    template <class T>
    void positive(const std::string& name, T& to, const std::string& help);
    /// Numbers with commas, without a default.
    template <class T>
    void positive(const std::string& name, std::vector<T>& to, const std::string& help);
    void not_negative(const std::string& name, int& to, const std::string& help);
    void between(const std::string& name, int& to, int low, int high, const std::string& help);
    /// What is empty now has no default.
    void one_of(const std::string& name, std::string& to, const std::vector<std::string>& choices,
                const std::string& help = {});
    /// With commas, each of them one of the choices; without a default.
    template <class T>
    void one_of(const std::string& name, std::vector<T>& to, const std::vector<T>& choices, const std::string& help);
    /// Text that must be there; a name without dashes is told by its place.
    void required(const std::string& name, std::string& to, const std::string& help);
    /// A number that may end in KiB, MiB or the like.
    void bytes(const std::string& name, std::size_t& to, const std::string& help);
    void flag(const std::string& name, bool& to, const std::string& help);
    /// Not for people: the help does not show this sub-command.
    void hide();

    /// Once they are parsed: whether it was there.
    bool given(const std::string& name) const;

protected:
    CLI::App& app() const noexcept { return *app_; }

private:
    std::shared_ptr<CLI::App> app_;
};

} // namespace apps
