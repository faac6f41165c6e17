#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/support.h"
#include "core/base/file.h"
#include "core/key/key.h"

#include <iostream>

namespace reprise::cli {

int keyCommand(const KeyOptions &options)
{
    const auto action = parseActionName(options.runId, options.seq);
    if (!action)
        return report(action.error());
    const auto form = keyFormFrom(options.form);
    if (!form)
        return report({ErrorCode::InvalidInput, "unknown form", options.form,
            "use hex64, uuid, hex32 or base32"});
    const std::string key = formatKey(action->key, *form);
    if (options.json)
        print(Json()
                  .set("run_id", action->run.bytes())
                  .set("seq", action->seq.value())
                  .set("form", options.form)
                  .set("key", key));
    else
        std::cout << key << '\n';
    return kDone;
}

int fingerprintCommand(const FingerprintOptions &options)
{
    for (const std::string &pointer : options.ignore)
        if (!Json::isPointer(pointer))
            return report({ErrorCode::InvalidInput, "is not a JSON pointer", pointer,
                "a pointer looks like /trace_id"});
    if (options.environment != "live" && options.environment != "sandbox")
        return report({ErrorCode::InvalidInput, "is not an environment", options.environment,
            "it is live or sandbox"});
    if (options.tool.empty() || hasControlCharacter(options.tool))
        return report(
            {ErrorCode::InvalidInput, "must be a name without control characters", "--tool", {}});
    const auto bytes = readFile(options.file);
    if (!bytes)
        return report(bytes.error());
    const auto args = Json::parse(*bytes, options.file);
    if (!args)
        return report(args.error());
    const FingerprintInput input {options.tool, options.contractVersion, options.environment,
        options.account, options.dryRun, options.ignore};
    const std::string canonical = canonicalArgs(*args, options.ignore);
    const std::string digest = fingerprint(input, *args).hex();
    if (options.json)
        print(Json().set("fingerprint", digest).set("canonical", canonical));
    else
        std::cout << (options.canonical ? canonical : digest) << '\n';
    return kDone;
}

} // namespace reprise::cli
