/* main.c - the command: everything is in run.c. */
#include "run.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
