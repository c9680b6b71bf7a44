/* write_state.c - see write_state.h. */
#include "write_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16, FIELDS = 8 };

/* ---- lines ---- */

/* Tabs and line feeds separate, so they are written as %09 and %0a. */
static void put_field(cli_strbuf *to, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == '%' || c == 0x7f)
            cli_printf(to, "%%%02x", c);
        else
            cli_putc(to, (char)c);
    }
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* In place. False if an escape is not complete. */
static bool decode_field(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (*at != '%') {
            *to++ = *at;
            continue;
        }
        int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);
        if (low < 0 || !(high * 16 + low))
            return false;
        *to++ = (char)(high * 16 + low);
        at += 2;
    }
    *to = '\0';
    return true;
}

static bool read_number(const char *text, int64_t *ret_value)
{
    char *end;
    errno = 0;
    *ret_value = strtoll(text, &end, 10);
    return !errno && end != text && !*end;
}

static bool split_line(char *line, char *fields[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        bool last = i + 1 == FIELDS;
        if (last != !*line)
            return false;
        if (!last)
            *line++ = '\0';
    }
    return true;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cli_memory(NULL, size);
    memcpy(copy, text, size);
    return copy;
}

static void add(cli_write_state *state, const cli_written *about)
{
    if (state->count == state->capacity) {
        state->capacity = state->capacity ? state->capacity * 2 : 64;
        state->items = cli_memory(state->items, state->capacity * sizeof *state->items);
    }
    cli_written *item = &state->items[state->count++];
    *item = *about;
    item->output = copy_of(about->output);
    item->options = copy_of(about->options);
}

/* A line that is not as written is left out: its result then counts as not ours. */
static void take_line(cli_write_state *state, char *line, size_t number)
{
    char *fields[FIELDS];
    int64_t numbers[5];
    if (!split_line(line, fields))
        return;
    bool done = strcmp(fields[0], "done") == 0;
    if (!done && strcmp(fields[0], "begun") != 0)
        return;
    for (size_t i = 0; i < CLI_COUNT(numbers); i++) {
        if (!read_number(fields[1 + i], &numbers[i]))
            return;
    }
    if (!decode_field(fields[6]) || !decode_field(fields[7]))
        return;
    add(state, &(cli_written){.output = fields[7],
                              .options = fields[6],
                              .done = done,
                              .code = numbers[0] == CLI_WARNED ? CLI_WARNED : CLI_DONE,
                              .input = {(uint64_t)numbers[1], numbers[2]},
                              .result = {(uint64_t)numbers[3], numbers[4]},
                              .line = number});
}

static void put_line(cli_strbuf *to, const cli_written *about)
{
    cli_printf(to, "%s\t%d\t%" PRIu64 "\t%" PRId64 "\t%" PRIu64 "\t%" PRId64 "\t",
               about->done ? "done" : "begun", about->code, about->input.size,
               about->input.mtime_ns, about->result.size, about->result.mtime_ns);
    put_field(to, about->options);
    cli_putc(to, '\t');
    put_field(to, about->output);
    cli_putc(to, '\n');
}

/* ---- the file ---- */

static reprise_status fail(reprise_error *error, const char *what)
{
    int cause = errno;
    cli_fail(error, REPRISE_E_IO, "%s: %s", what, strerror(cause));
    error->cause = cause;
    return error->status;
}

static bool read_all(int fd, cli_strbuf *to)
{
    char *piece = cli_memory(NULL, READ_BYTES);
    ssize_t size;
    while ((size = read(fd, piece, READ_BYTES)) > 0)
        cli_put(to, piece, (size_t)size);
    free(piece);
    return size == 0;
}

static int compare_items(const void *a, const void *b)
{
    const cli_written *x = a, *y = b;
    int order = strcmp(x->output, y->output);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void free_item(cli_written *item)
{
    free(item->output);
    free(item->options);
}

/* Keeps the last line about each result. */
static void sort_items(cli_write_state *state)
{
    size_t kept = 0;
    if (!state->count)
        return;
    qsort(state->items, state->count, sizeof *state->items, compare_items);
    for (size_t i = 0; i < state->count; i++) {
        if (kept && strcmp(state->items[kept - 1].output, state->items[i].output) == 0)
            free_item(&state->items[--kept]);
        state->items[kept++] = state->items[i];
    }
    state->count = kept;
}

static void take_lines(cli_write_state *state, cli_strbuf *text)
{
    size_t number = 0;
    char *end = text->data + text->size;
    for (char *at = text->data; at < end;) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            break; /* cut off */
        *stop = '\0';
        if (!memchr(at, '\0', (size_t)(stop - at)))
            take_line(state, at, number++);
        at = stop + 1;
    }
}

static reprise_status lock_folder(cli_write_state *state, const char *folder, reprise_error *error)
{
    state->lock = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (state->lock < 0)
        return fail(error, "cannot open");
    if (flock(state->lock, LOCK_EX | LOCK_NB) == 0)
        return REPRISE_OK;
    if (errno != EWOULDBLOCK)
        return REPRISE_OK; /* a file system without locks */
    return cli_fail(error, REPRISE_E_USAGE, "another run is writing to this directory");
}

reprise_status cli_write_state_open(cli_write_state *state, const char *folder,
                                    reprise_error *error)
{
    cli_strbuf text = {0};
    *state = (cli_write_state){.fd = -1, .lock = -1};
    pthread_mutex_init(&state->append, NULL);
    if (lock_folder(state, folder, error) != REPRISE_OK)
        return error->status;
    state->fd = openat(state->lock, "written",
                       O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (state->fd < 0 || !read_all(state->fd, &text))
        fail(error, "cannot open the list of what was written");
    state->ended = !text.size || text.data[text.size - 1] == '\n';
    if (text.size)
        take_lines(state, &text);
    sort_items(state);
    cli_strbuf_free(&text);
    return error->status;
}

void cli_write_state_close(cli_write_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        free_item(&state->items[i]);
    free(state->items);
    if (state->fd >= 0)
        close(state->fd);
    if (state->lock >= 0)
        close(state->lock);
    pthread_mutex_destroy(&state->append);
}

static int compare_output(const void *name, const void *item)
{
    return strcmp(name, ((const cli_written *)item)->output);
}

const cli_written *cli_write_state_find(const cli_write_state *state, const char *output)
{
    return state->count
               ? bsearch(output, state->items, state->count, sizeof *state->items, compare_output)
               : NULL;
}

reprise_status cli_write_state_add(cli_write_state *state, const cli_written *about,
                                   reprise_error *error)
{
    cli_strbuf line = {0};
    pthread_mutex_lock(&state->append);
    if (!state->ended)
        cli_putc(&line, '\n');
    put_line(&line, about);
    int cause = cli_write(state->fd, line.data, line.size);
    state->ended = !cause; /* after a failure part of a line may be there */
    pthread_mutex_unlock(&state->append);
    cli_strbuf_free(&line);
    errno = cause;
    return cause ? fail(error, "cannot write the list of what was written") : REPRISE_OK;
}
