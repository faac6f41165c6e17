#include "core/executor/acceptance.h"

namespace reprise {

namespace {

/// Collects checks in order.
class Checks
{
public:
    bool add(const std::string &name, bool ok, const std::string &what)
    {
        m_list.push(Json().set("name", name).set("ok", ok).set("what", what));
        if (!ok && m_firstFailure.empty())
            m_firstFailure = what;
        return ok;
    }
    [[nodiscard]] Acceptance finish(std::string reference)
    {
        Acceptance acceptance;
        acceptance.accepted = m_firstFailure.empty();
        acceptance.firstFailure = m_firstFailure;
        acceptance.reference = std::move(reference);
        acceptance.document.set("accepted", acceptance.accepted).set("checks", std::move(m_list));
        return acceptance;
    }

private:
    Json m_list = Json::array();
    std::string m_firstFailure;
};

bool declaresJson(const ToolContract &contract)
{
    const std::string &type = contract.contentType;
    return type.starts_with("application/json") || type.ends_with("+json")
        || !contract.required.empty() || !contract.reference.empty();
}

} // namespace

Acceptance checkAcceptance(
    const ToolContract &contract, const std::optional<std::string> &body, const std::string &status)
{
    // The document names no value of the result: the same checks give the same bytes, which the
    // store then keeps once.
    Checks checks;
    std::string reference;
    checks.add("status", true, status.empty() ? "no status" : "status " + status);
    if (!declaresJson(contract)) {
        checks.add(
            "body", true, body ? "the result is recorded; no form is declared" : "no result");
        return checks.finish(reference);
    }
    if (!checks.add(
            "body", body.has_value(), body ? "the result is recorded" : "there is no result"))
        return checks.finish(reference);
    const auto json = Json::parse(*body, "the result");
    if (!checks.add("json", json.has_value(),
            json ? "the result is JSON" : "the result is cut or no JSON: " + json.error().text()))
        return checks.finish(reference);
    for (const std::string &pointer : contract.required) {
        const Json *field = json->at(pointer);
        checks.add("required " + pointer, field != nullptr && !field->isNull(),
            field == nullptr      ? "the required field " + pointer + " is missing"
                : field->isNull() ? "the required field " + pointer + " is null"
                                  : pointer + " is present");
    }
    if (!contract.reference.empty()) {
        const Json *field = json->at(contract.reference);
        const bool found = field != nullptr && (field->isString() || field->isNumber())
            && !field->text().empty();
        if (found)
            reference = field->text();
        checks.add("reference", found,
            found ? "the provider's reference " + contract.reference + " is present"
                  : "the provider's reference " + contract.reference + " is missing");
    }
    return checks.finish(reference);
}

} // namespace reprise
