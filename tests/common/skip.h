/* skip.h - leaves a case out and says why; tools/test-summary.py lists both. Include after
 * cmocka.h. */
#ifndef SKIP_H
#define SKIP_H

#define SKIP_BECAUSE(reason)                      \
    do {                                          \
        print_message("# skipped: %s\n", reason); \
        skip();                                   \
    } while (0)

#endif
