/*
 * terminal.h - a terminal that is drawn on and gives keys one by one. It is put back as it was
 * also when the program is interrupted.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "strbuf.h"

typedef enum cli_key {
    CLI_KEY_NONE = 0, /* nothing was pressed in time */
    /* characters are themselves */
    CLI_KEY_LEFT = 256,
    CLI_KEY_RIGHT,
    CLI_KEY_HOME,
    CLI_KEY_END,
    CLI_KEY_CLOSED, /* there is nobody any more */
} cli_key;

bool cli_terminal_begin(void);
void cli_terminal_end(void);
void cli_terminal_size(size_t *ret_width, size_t *ret_height);
/* Waits for a key. */
int cli_terminal_key(unsigned wait_ms);
/* Puts lines on the screen from its top; what was there goes. */
void cli_terminal_draw(const cli_strbuf *lines);

#endif
