/* terminal.c - see terminal.h. */
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "output.h"

#define ENTER_SCREEN "\033[?1049h\033[?25l"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"

/* Global, because a signal handler gets no context. */
static struct termios before;
static volatile sig_atomic_t drawn_on;

static void restore(void)
{
    if (!drawn_on)
        return;
    drawn_on = 0;
    (void)!write(STDOUT_FILENO, LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void interrupted(int number)
{
    restore();
    signal(number, SIG_DFL);
    raise(number);
}

bool cli_terminal_begin(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    for (size_t i = 0; i < CLI_COUNT(signals); i++)
        signal(signals[i], interrupted);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
        return false;
    drawn_on = 1;
    (void)cli_write(STDOUT_FILENO, ENTER_SCREEN, sizeof ENTER_SCREEN - 1);
    return true;
}

void cli_terminal_end(void)
{
    restore();
}

void cli_terminal_size(size_t *ret_width, size_t *ret_height)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    *ret_width = known ? size.ws_col : 80;
    *ret_height = known ? size.ws_row : 24;
}

static bool has_input(int wait_ms)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&fd, 1, wait_ms) > 0;
}

/* Special keys send an escape sequence; a single escape is the key Esc. */
static int read_sequence(void)
{
    static const struct {
        const char *text;
        int key;
    } known[] = {{"[D", CLI_KEY_LEFT}, {"[C", CLI_KEY_RIGHT}, {"[H", CLI_KEY_HOME},
                 {"[F", CLI_KEY_END},  {"[1~", CLI_KEY_HOME}, {"[4~", CLI_KEY_END},
                 {"OH", CLI_KEY_HOME}, {"OF", CLI_KEY_END},   {"OD", CLI_KEY_LEFT},
                 {"OC", CLI_KEY_RIGHT}};
    char text[8] = "";
    for (size_t size = 0;
         size + 1 < sizeof text && has_input(10) && read(STDIN_FILENO, &text[size], 1) == 1;) {
        text[++size] = '\0';
        for (size_t i = 0; i < CLI_COUNT(known); i++) {
            if (strcmp(known[i].text, text) == 0)
                return known[i].key;
        }
    }
    return text[0] ? CLI_KEY_NONE : '\033';
}

int cli_terminal_key(unsigned wait_ms)
{
    unsigned char c;
    if (!has_input((int)wait_ms))
        return CLI_KEY_NONE;
    ssize_t n = read(STDIN_FILENO, &c, 1);
    if (n <= 0)
        return n < 0 && (errno == EINTR || errno == EAGAIN) ? CLI_KEY_NONE : CLI_KEY_CLOSED;
    return c == '\033' ? read_sequence() : c;
}

/* Clears the rest of each line and of the screen instead of everything, to avoid flicker. */
void cli_terminal_draw(const cli_strbuf *lines)
{
    cli_strbuf out = {0};
    cli_puts(&out, "\033[H");
    for (size_t i = 0; i < lines->size; i++) {
        if (lines->data[i] != '\n')
            cli_putc(&out, lines->data[i]);
        else if (i + 1 < lines->size)
            cli_puts(&out, "\033[K\r\n");
    }
    cli_puts(&out, "\033[K\033[J");
    (void)cli_write(STDOUT_FILENO, out.data, out.size);
    cli_strbuf_free(&out);
}
