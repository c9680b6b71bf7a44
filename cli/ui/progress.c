/* progress.c - see progress.h. */
#include "progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clamp.h"
#include "output.h"

enum { FIRST_MS = 1000, BETWEEN_MS = 100 };

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void cli_progress_init(cli_progress *progress, cli_progress_kind kind)
{
    *progress = (cli_progress){.kind = kind, .files_total = 1};
    pthread_mutex_init(&progress->lock, NULL);
    progress->begun_ms = now_ms();
    if (kind == CLI_PROGRESS_LINE)
        progress->next_ms = progress->begun_ms + FIRST_MS;
}

/* "12 of 300 files, 40 per second, 0:07 left" */
static void put_files(const cli_progress *progress, cli_strbuf *to)
{
    double seconds = (double)(now_ms() - progress->begun_ms) / 1000;
    double rate = seconds > 0 ? (double)progress->files_done / seconds : 0;
    cli_printf(to, "%zu of %zu files", progress->files_done, progress->files_total);
    if (rate <= 0)
        return;
    unsigned long left = (unsigned long)cli_to_uint(
        (double)(progress->files_total - progress->files_done) / rate + 0.5);
    cli_printf(to, rate < 10 ? ", %.1f per second" : ", %.0f per second", rate);
    cli_printf(to, ", %lu:%02lu left", left / 60, left % 60);
}

static void put_line(const cli_progress *progress, const char *name, uint64_t done, uint64_t total,
                     cli_strbuf *to)
{
    cli_puts(to, "\r\033[K");
    if (progress->files_total > 1) {
        put_files(progress, to);
        return;
    }
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    cli_put_shown(to, base, strlen(base));
    cli_puts(to, "  ");
    if (total) {
        double part = done < total ? (double)done / (double)total : 1;
        size_t filled = (size_t)cli_to_uint(part * 20);
        cli_putc(to, '[');
        cli_fill(to, '#', filled);
        cli_fill(to, '.', 20 - filled);
        cli_printf(to, "] %3.0f%%", part * 100);
    } else {
        cli_put_size(to, done);
    }
}

static void put_json_line(const cli_progress *progress, const char *name, uint64_t done,
                          uint64_t total, cli_strbuf *to)
{
    cli_json json = {.to = to};
    cli_json_object(&json, NULL);
    cli_json_object(&json, "progress");
    cli_json_text(&json, "file", name);
    cli_json_uint(&json, "done", done);
    cli_json_uint(&json, "total", total);
    cli_json_uint(&json, "files_done", progress->files_done);
    cli_json_uint(&json, "files_total", progress->files_total);
    cli_json_close(&json);
    cli_json_close(&json);
    cli_putc(to, '\n');
}

/* Called with the lock held. */
static void show(cli_progress *progress, const char *name, uint64_t done, uint64_t total)
{
    cli_strbuf text = {0};
    if (progress->kind == CLI_PROGRESS_LINE)
        put_line(progress, name, done, total, &text);
    else
        put_json_line(progress, name, done, total, &text);
    cli_write(STDERR_FILENO, text.data, text.size);
    cli_strbuf_free(&text);
    progress->visible = progress->kind == CLI_PROGRESS_LINE;
    progress->next_ms = now_ms() + BETWEEN_MS;
}

bool cli_progress_step(void *ctx, uint64_t done, uint64_t total)
{
    const cli_progress_file *file = ctx;
    if (file->progress->kind == CLI_PROGRESS_OFF)
        return true;
    pthread_mutex_lock(&file->progress->lock);
    if (now_ms() >= file->progress->next_ms)
        show(file->progress, file->name, done, total);
    pthread_mutex_unlock(&file->progress->lock);
    return true;
}

void cli_progress_file_done(cli_progress *progress, const char *name)
{
    if (progress->kind == CLI_PROGRESS_OFF)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->files_done++;
    if (progress->kind == CLI_PROGRESS_LINES_OF_JSON || now_ms() >= progress->next_ms)
        show(progress, name, 1, 1);
    pthread_mutex_unlock(&progress->lock);
}

void cli_progress_clear(cli_progress *progress)
{
    if (progress->kind == CLI_PROGRESS_OFF)
        return;
    pthread_mutex_lock(&progress->lock);
    if (progress->visible) {
        cli_strbuf text = {0};
        cli_puts(&text, "\r\033[K");
        cli_write(STDERR_FILENO, text.data, text.size);
        cli_strbuf_free(&text);
    }
    progress->visible = false;
    pthread_mutex_unlock(&progress->lock);
}
