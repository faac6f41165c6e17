#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace reprise {

/// What went wrong, in the classes that a caller can treat differently.
/// The command line maps them to exit codes (app/cli/exit_code.h).
enum class ErrorCode {
    InvalidInput, ///< the caller's data is not what it has to be
    Conflict, ///< the record says otherwise, or changed meanwhile
    NotFound, ///< a run, action or file that was asked for is not there
    StoreMissing,
    StoreExists,
    StoreForeign, ///< a file that is not a Reprise store
    StoreNewer, ///< written by a newer schema
    StoreDamaged,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
    Io,
    Cancelled, ///< the user stopped it; nothing is half-written
    Internal,
};

/// An error for a person: `what` is wrong, `where`, and what can be done (`hint`, may be empty).
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string what;
    std::string where;
    std::string hint;

    /// One line: "where: what; hint".
    [[nodiscard]] std::string text() const
    {
        std::string line = where.empty() ? what : where + ": " + what;
        return hint.empty() ? line : line + "; " + hint;
    }
};

/// A value or an Error. Discarding one is a warning, and warnings are errors here.
template <typename T> class [[nodiscard]] Result : public tl::expected<T, Error>
{
public:
    using tl::expected<T, Error>::expected;
};

[[nodiscard]] inline tl::unexpected<Error> fail(
    ErrorCode code, std::string what, std::string where = {}, std::string hint = {})
{
    return tl::unexpected<Error>(Error {code, std::move(what), std::move(where), std::move(hint)});
}

/// Ignoring a result is written out, with the reason.
template <typename T> void ignoreError(const Result<T> & /*result*/, const char * /*why*/) { }

} // namespace reprise

#define REPRISE_CONCAT2(a, b) a##b
#define REPRISE_CONCAT(a, b) REPRISE_CONCAT2(a, b)

/// Returns the error of `expr` from the enclosing function, if it has one.
#define RETURN_IF_ERROR(expr)                                                                      \
    do {                                                                                           \
        if (auto repriseResult = (expr); !repriseResult)                                           \
            return tl::unexpected(std::move(repriseResult).error());                               \
    } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses.
/// `ASSIGN_OR_RETURN(auto row, find(key));`: binds the value or returns the error.
#define ASSIGN_OR_RETURN(declaration, expr)                                                        \
    auto REPRISE_CONCAT(repriseResult, __LINE__) = (expr);                                         \
    if (!REPRISE_CONCAT(repriseResult, __LINE__))                                                  \
        return tl::unexpected(std::move(REPRISE_CONCAT(repriseResult, __LINE__)).error());         \
    declaration = std::move(*REPRISE_CONCAT(repriseResult, __LINE__))
// NOLINTEND(bugprone-macro-parentheses)
