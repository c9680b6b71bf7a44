/*
 * terminal.h - full-screen output and single key presses. The terminal is restored at the end, also
 * if a signal ends the program.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "strbuf.h"

typedef enum cli_key {
    CLI_KEY_NONE = 0, /* no key within the time */
    /* a character is its own code */
    CLI_KEY_LEFT = 256,
    CLI_KEY_RIGHT,
    CLI_KEY_HOME,
    CLI_KEY_END,
    CLI_KEY_CLOSED, /* the terminal is gone */
} cli_key;

bool cli_terminal_begin(void);
void cli_terminal_end(void);
void cli_terminal_size(size_t *ret_width, size_t *ret_height);
/* Waits for a key. */
int cli_terminal_key(unsigned wait_ms);
/* Replaces the contents of the screen. */
void cli_terminal_draw(const cli_strbuf *lines);

#endif
