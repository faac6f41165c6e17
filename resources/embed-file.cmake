file(READ ${INPUT} text HEX)
string(LENGTH "${text}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${text}")
file(WRITE ${OUTPUT} "#include \"core/base/embedded.h\"
namespace reprise::embedded {
namespace {
const char kBytes[] = {${bytes}'\\0'};
}
const std::string_view ${SYMBOL} {kBytes, ${size}};
}
")
