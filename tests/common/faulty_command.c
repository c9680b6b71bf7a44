/* faulty_command.c - a command that does what serve_command.c must notice: test_served.py. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "sandbox.h"

bool cli_sandbox_wanted;

int cli_main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    char *volatile block = malloc(16);
    if (!block)
        return 1;
    if (!strcmp(fault, "leak")) {
        block = NULL;
        return 0;
    }
    free(block);
    if (!strcmp(fault, "use"))
        return *block;
    if (!strcmp(fault, "die"))
        abort();
    if (!strcmp(fault, "hang"))
        for (volatile bool forever = true; forever;)
            continue;
    puts(fault);
    return 7;
}
