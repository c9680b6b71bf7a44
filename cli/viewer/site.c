/* site.c - see site.h. */
#include "site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "batch/batch.h"
#include "batch/outfile.h"
#include "site_page.h"
#include "viewer_page.h"

enum { PAGES_USUAL = 100 };

/* A site that is being written. */
typedef struct writing {
    const cli_site *site;
    cli_archive archive;
    cli_strbuf root; /* the directory, with a slash */
    cli_site_page *pages;
    size_t page_count;
    uint64_t made, kept, failed, index_bytes;
} writing;

/* ---- options ---- */

static bool read_count(const char *text, size_t *ret_count)
{
    char *end;
    *ret_count = PAGES_USUAL;
    if (!text)
        return true;
    *ret_count = SIZE_MAX;
    if (strcmp(text, "all") == 0)
        return true;
    errno = 0;
    unsigned long long count = strtoull(text, &end, 10);
    *ret_count = (size_t)count;
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* An address goes into pages, so only what addresses consist of is accepted. */
static bool is_address(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-._~:/?#[]@!$()*+,;=%";
    bool scheme = strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
    return scheme && strspn(text, allowed) == strlen(text);
}

/* ---- which replays have pages ---- */

static int by_digest(const void *a, const void *b)
{
    const cli_site_page *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static int by_path(const void *a, const void *b)
{
    const cli_site_page *left = a, *right = b;
    return strcmp(left->path, right->path);
}

/* Names of replays that were chosen: a hash table, so that copies get one page. */
typedef struct chosen {
    const char **slots;
    size_t slot_count;
} chosen;

static const char **find_chosen(const chosen *c, const char *name)
{
    size_t at = (size_t)strtoull(name + 4, NULL, 16) & (c->slot_count - 1);
    while (c->slots[at] && strcmp(c->slots[at], name) != 0)
        at = (at + 1) & (c->slot_count - 1);
    return &c->slots[at];
}

static void choose(writing *w, chosen *c, size_t row, size_t most)
{
    cli_archive_row *r = &w->archive.rows[row];
    if (!r->sound || !r->digest[0] || w->page_count >= most)
        return;
    const char **slot = find_chosen(c, r->digest);
    char *path = *slot ? NULL : cli_archive_path(&w->archive, row);
    if (!path)
        return;
    *slot = r->digest;
    cli_site_page *page = &w->pages[w->page_count++];
    *page = (cli_site_page){.row = row, .path = path};
    memcpy(page->name, r->digest, sizeof page->name);
}

/* Records first, then the latest. */
static void choose_pages(writing *w, size_t most)
{
    chosen c = {.slot_count = 64};
    while (c.slot_count < 2 * w->archive.count)
        c.slot_count *= 2;
    c.slots = cli_memory(NULL, c.slot_count * sizeof *c.slots);
    memset(c.slots, 0, c.slot_count * sizeof *c.slots);
    w->pages = cli_memory(NULL, (w->archive.count + 1) * sizeof *w->pages);
    for (size_t i = 0; i < w->archive.record_count; i++)
        choose(w, &c, w->archive.records[i], most);
    for (size_t i = 0; i < w->archive.count; i++)
        choose(w, &c, i, most);
    free(c.slots);
}

/* ---- files ---- */

static reprise_status make_directory(const writing *w, const char *name, reprise_error *error)
{
    cli_strbuf path = {0};
    cli_printf(&path, "%s%s", w->root.data, name);
    if (mkdir(path.data, 0777) != 0 && errno != EEXIST) {
        error->cause = errno;
        cli_fail(error, REPRISE_E_IO, "cannot create %s: %s", name, strerror(errno));
    }
    cli_strbuf_free(&path);
    return error->status;
}

static reprise_status write_text(const writing *w, const char *name, const cli_strbuf *text,
                                 reprise_error *error)
{
    cli_outfile file;
    cli_strbuf path = {0};
    cli_printf(&path, "%s%s", w->root.data, name);
    reprise_status status = cli_outfile_open(&file, path.data, true, error);
    if (status == REPRISE_OK) {
        cli_out_put(&file.out, text->data, text->size);
        status = cli_outfile_commit(&file, error);
        cli_outfile_close(&file);
    }
    cli_strbuf_free(&path);
    return status;
}

static reprise_status write_assets(const writing *w, reprise_error *error)
{
    cli_page_assets assets;
    cli_strbuf compare = {0};
    cli_page_assets_get(&assets);
    cli_site_put_compare(w->archive.name, &compare);
    reprise_status status = write_text(w, "viewer.js", &assets.script, error);
    if (status == REPRISE_OK)
        status = write_text(w, "viewer.css", &assets.style, error);
    if (status == REPRISE_OK)
        status = write_text(w, "licences.txt", &assets.licences, error);
    if (status == REPRISE_OK)
        status = write_text(w, "compare/index.html", &compare, error);
    cli_page_assets_free(&assets);
    cli_strbuf_free(&compare);
    return status;
}

/* ---- pages ---- */

static void make_page(cli_job *job)
{
    writing *w = job->ctx;
    cli_site_page wanted = {.path = (char *)job->path};
    cli_site_page *page = bsearch(&wanted, w->pages, w->page_count, sizeof wanted, by_path);
    if (page)
        cli_site_make_page(page, w->root.data, job, w->site->scene_max);
}

static void count_page(void *ctx, cli_job *job)
{
    writing *w = ctx;
    cli_site_page wanted = {.path = (char *)job->path};
    cli_site_page *page = bsearch(&wanted, w->pages, w->page_count, sizeof wanted, by_path);
    if (!page)
        return;
    w->made += page->state == CLI_SITE_MADE;
    w->kept += page->state == CLI_SITE_KEPT;
    w->failed += page->state == CLI_SITE_FAILED;
}

static int make_pages(writing *w)
{
    cli_run *run = w->site->run;
    cli_file_list files = {.several = true};
    files.recognised = cli_memory(NULL, (run->operand_count + 1) * sizeof *files.recognised);
    for (size_t i = 0; i < run->operand_count; i++)
        files.recognised[i] = SIZE_MAX;
    qsort(w->pages, w->page_count, sizeof *w->pages, by_path);
    for (size_t i = 0; i < w->page_count; i++)
        cli_file_list_add(&files, w->pages[i].path);
    int code = cli_batch_run_list(
        run,
        &(cli_work){
            .work = make_page, .done = count_page, .ctx = w, .collects = true, .closed = true},
        &files);
    cli_file_list_free(&files);
    return code;
}

/* Copies of a replay share its page. */
static void name_pages(writing *w)
{
    qsort(w->pages, w->page_count, sizeof *w->pages, by_digest);
    for (size_t i = 0; i < w->archive.count; i++) {
        cli_archive_row *row = &w->archive.rows[i];
        cli_site_page wanted = {0};
        memcpy(wanted.name, row->digest, sizeof wanted.name);
        const cli_site_page *page = bsearch(&wanted, w->pages, w->page_count, sizeof wanted,
                                            by_digest);
        if (page && page->state != CLI_SITE_FAILED)
            memcpy(row->page, row->digest, sizeof row->page);
    }
}

static reprise_status write_page_html(const writing *w, const cli_site_page *page,
                                      reprise_error *error)
{
    cli_strbuf html = {0}, title = {0}, about = {0}, name = {0};
    bool spoiler_free = w->site->spoiler_free;
    cli_archive_put_title(&w->archive, page->row, &title);
    cli_archive_put_description(&w->archive, page->row, spoiler_free, &about);
    cli_printf(&name, "r/%s/index.html", page->name);
    cli_site_put_page(&(cli_site_head){.title = title.data,
                                       .about = about.data,
                                       .url = w->site->url,
                                       .address = name.data,
                                       .picture = page->has_picture && !spoiler_free},
                      &html);
    reprise_status status = write_text(w, name.data, &html, error);
    cli_strbuf_free(&html);
    cli_strbuf_free(&title);
    cli_strbuf_free(&about);
    cli_strbuf_free(&name);
    return status;
}

/* The page of the archive and its data come last: they name only what is there. */
static reprise_status write_index(writing *w, reprise_error *error)
{
    cli_strbuf html = {0}, json = {0}, about = {0};
    reprise_status status = REPRISE_OK;
    for (size_t i = 0; i < w->page_count && status == REPRISE_OK; i++) {
        if (w->pages[i].state != CLI_SITE_FAILED)
            status = write_page_html(w, &w->pages[i], error);
    }
    cli_printf(&about, "%zu replays, %zu players", w->archive.count, w->archive.people_count);
    cli_site_put_index(&(cli_site_head){.title = w->archive.name,
                                        .about = about.data,
                                        .url = w->site->url,
                                        .address = "index.html"},
                       &html);
    cli_archive_put_json(&w->archive, w->site->spoiler_free, true, &json);
    w->index_bytes = json.size;
    if (status == REPRISE_OK)
        status = write_text(w, "archive.json", &json, error);
    if (status == REPRISE_OK)
        status = write_text(w, "index.html", &html, error);
    cli_strbuf_free(&html);
    cli_strbuf_free(&json);
    cli_strbuf_free(&about);
    return status;
}

/* ---- the site ---- */

static void report(const writing *w)
{
    cli_run *run = w->site->run;
    cli_strbuf text = {0};
    if (run->common->json) {
        cli_json json = {.to = &text};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "output", w->site->output);
        cli_json_uint(&json, "replays", w->archive.count);
        cli_json_uint(&json, "pages_made", w->made);
        cli_json_uint(&json, "pages_kept", w->kept);
        cli_json_uint(&json, "pages_failed", w->failed);
        cli_json_uint(&json, "index_bytes", w->index_bytes);
        cli_json_close(&json);
        cli_putc(&text, '\n');
        cli_out_put(&run->out, text.data, text.size);
    }
    cli_strbuf_clear(&text);
    cli_puts(&text, "reprise: ");
    cli_put_shown(&text, w->site->output, strlen(w->site->output));
    cli_printf(&text, ": %zu replays, %llu pages made, %llu kept, %llu failed\n", w->archive.count,
               (unsigned long long)w->made, (unsigned long long)w->kept,
               (unsigned long long)w->failed);
    cli_say(run, &text);
    cli_strbuf_free(&text);
}

static int write_site(writing *w)
{
    cli_run *run = w->site->run;
    reprise_error error = REPRISE_ERROR_INIT;
    static const char *const folders[] = {"", "r", "compare"};
    for (size_t i = 0; i < CLI_COUNT(folders); i++) {
        if (make_directory(w, folders[i], &error) != REPRISE_OK)
            return cli_report(run, w->site->output, &error);
    }
    if (write_assets(w, &error) != REPRISE_OK)
        return cli_report(run, w->site->output, &error);
    int code = make_pages(w);
    name_pages(w);
    if (write_index(w, &error) != REPRISE_OK)
        return cli_exit_worse(code, cli_report(run, w->site->output, &error));
    report(w);
    /* A replay without a page is still listed. */
    return w->failed ? CLI_WARNED : CLI_DONE;
}

static reprise_status check(const cli_site *site, size_t *ret_most, reprise_error *error)
{
    if (!read_count(site->pages, ret_most))
        return cli_fail(error, REPRISE_E_USAGE,
                        "invalid value for '--pages'; expected a number or 'all'");
    if (site->url && !is_address(site->url))
        return cli_fail(error, REPRISE_E_USAGE,
                        "invalid value for '--site-url'; expected an address such as "
                        "https://example.org/replays/");
    if (cli_page_check(error) != REPRISE_OK)
        return error->status;
    if (site->force && cli_is_directory(site->output))
        return REPRISE_OK;
    if (cli_outdir_check(site->output, error) == REPRISE_E_USAGE)
        snprintf(error->hint, sizeof error->hint, "--force updates the site in it");
    return error->status;
}

int cli_site_write(const cli_site *site)
{
    reprise_error error = REPRISE_ERROR_INIT;
    writing w = {.site = site};
    size_t most = 0;
    if (check(site, &most, &error) != REPRISE_OK)
        return cli_report(site->run, site->output, &error);
    int code = cli_archive_open(site->run, site->operand, site->catalog, &w.archive);
    if (code != CLI_DONE)
        return code;
    cli_printf(&w.root, "%s/", site->output);
    choose_pages(&w, most);
    code = write_site(&w);
    for (size_t i = 0; i < w.page_count; i++)
        free(w.pages[i].path);
    free(w.pages);
    cli_strbuf_free(&w.root);
    cli_archive_close(&w.archive);
    return code;
}

bool cli_site_is(const char *directory)
{
    static const char name[] = "site";
    size_t size = strlen(directory);
    while (size && directory[size - 1] == '/')
        size--;
    const char *last = directory + size;
    while (last > directory && last[-1] != '/')
        last--;
    if ((size_t)(directory + size - last) == sizeof name - 1 &&
        memcmp(last, name, sizeof name - 1) == 0)
        return true;
    cli_strbuf page = {0}, data = {0};
    cli_printf(&page, "%s/index.html", directory);
    cli_printf(&data, "%s/archive.json", directory);
    bool has = access(page.data, F_OK) == 0 && access(data.data, F_OK) == 0;
    cli_strbuf_free(&page);
    cli_strbuf_free(&data);
    return has;
}
