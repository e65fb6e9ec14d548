#pragma once

#include "options.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace apps
{

/// What an application offers beyond --device, --repeat, --check and --csv.
struct offers {
    bool rival = false;
    std::string picture; ///< what --picture shows, "write the slice to this PNG file"; empty: there is no picture
};

/// The command line of an application: the common options, and those that it adds. Where an option is given twice, the
/// last one counts, so that a script's options can stand in front of its user's. The parser is CLI11, of which only
/// command_line.cpp knows: its header takes seven seconds to compile.
class command_line
{
public:
    /// `to` is filled by parse() and must live until then, as what the options go to.
    command_line(const std::string& name, const std::string& about, const offers& what, common_options& to);
    command_line(const command_line&) = delete;
    command_line& operator=(const command_line&) = delete;
    ~command_line();

    /// An option; --help shows what `to` holds now as its default.
    template <class T>
    void option(const std::string& name, T& to, const std::string& help);
    /// Numbers with commas.
    template <class T>
    void option(const std::string& name, std::vector<T>& to, const std::string& help);
    /// One whose default is told by the help, or that has none.
    template <class T>
    void without_default(const std::string& name, T& to, const std::string& help);
    void flag(const std::string& name, bool& to, const std::string& help);

    /// False when all was said (--help). Throws input_error for options that are unknown or wrong.
    bool parse(int argc, const char* const* argv);
    /// After parse(): whether it was there.
    bool given(const std::string& name) const;

private:
    struct parser;

    void check() const;

    std::unique_ptr<parser> parser_;
    common_options& to_;
};

} // namespace apps
