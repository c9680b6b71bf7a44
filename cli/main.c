/* main.c - the command: everything is in run.c. */
#include "run.h"
#include "sandbox.h"

int main(int argc, char **argv)
{
    cli_sandbox_wanted = true;
    return cli_main(argc, argv);
}
