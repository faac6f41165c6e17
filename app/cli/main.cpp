#include "app/cli/cli.h"

int main(int argc, char **argv)
{
    return reprise::cli::run(argc, argv);
}
