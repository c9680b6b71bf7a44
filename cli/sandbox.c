/* sandbox.c - see sandbox.h. */
#include "sandbox.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <reprise/sandbox.h>

#include "batch/catalog_rows.h"
#include "batch/write_batch.h"
#include "settings.h"
#include "verbs/export.h"
#include "viewer/clip.h"

bool cli_sandbox_wanted;

enum {
    SPOOLS = 24,       /* temporary files for the parts of a result or of a scene */
    DEPTH_MAX = 16,    /* of directories in which links are searched */
    LINKS_MAX = 10000, /* links added to the readable files */
};

/* Owned copies, because some paths are built here. */
typedef struct paths {
    char **items;
    size_t count, capacity;
} paths;

static void add(paths *to, const char *path)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->items = cli_memory(to->items, to->capacity * sizeof *to->items);
    }
    size_t size = strlen(path) + 1;
    to->items[to->count] = cli_memory(NULL, size);
    memcpy(to->items[to->count++], path, size);
}

static void free_paths(paths *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i]);
    free(all->items);
}

static bool is_word(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; word && i < count; i++) {
        if (strcmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

#define IS_ONE_OF(word, ...)                          \
    is_word(word, (const char *const[]){__VA_ARGS__}, \
            CLI_COUNT(((const char *const[]){__VA_ARGS__})))

/* ---- settings by the name of their option ---- */

static const void *setting(const cli_run *run, const char *name, cli_parser *parse)
{
    for (size_t i = 0; i < run->command->option_count; i++) {
        const cli_option *option = &run->command->options[i];
        if (strcmp(option->name, name) == 0 && option->parse == parse)
            return (const char *)run->settings + option->offset;
    }
    return NULL;
}

static bool flag(const cli_run *run, const char *name)
{
    const bool *value = setting(run, name, cli_parse_flag);
    return value && *value;
}

static const char *text(const cli_run *run, const char *name)
{
    const char *const *value = setting(run, name, cli_parse_text);
    return value ? *value : NULL;
}

/* ---- inputs ---- */

/* Links in a directory may lead to files outside it, which must be readable too. */
static void add_links(paths *to, const char *directory_path, unsigned depth)
{
    DIR *directory = depth < DEPTH_MAX ? opendir(directory_path) : NULL;
    struct dirent *item;
    while (directory && (item = readdir(directory)) && to->count < LINKS_MAX) {
        struct stat info;
        if (item->d_name[0] == '.')
            continue;
        cli_strbuf path = {0};
        cli_printf(&path, "%s/%s", directory_path, item->d_name);
        bool link = lstat(path.data, &info) == 0 && S_ISLNK(info.st_mode);
        if (!link && S_ISDIR(info.st_mode))
            add_links(to, path.data, depth + 1);
        if (link)
            add(to, path.data);
        cli_strbuf_free(&path);
    }
    if (directory)
        closedir(directory);
}

static void add_readable(paths *to, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0)
        return;
    add(to, path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        add_links(to, path, 0);
}

static void add_inputs(paths *to, const cli_run *run)
{
    static char own_settings[4096];
    for (size_t i = 0; i < run->operand_count; i++)
        add_readable(to, run->operands[i]);
    for (size_t i = 0; i < run->command->option_count; i++) {
        const cli_option *option = &run->command->options[i];
        const char *const *value = (const void *)((const char *)run->settings + option->offset);
        if (option->parse == cli_parse_text && *value &&
            IS_ONE_OF(option->value, "FILE", "DIR", "GLB", "RUN"))
            add_readable(to, *value);
    }
    if (cli_preferences_path(own_settings, sizeof own_settings))
        add(to, own_settings);
}

/* ---- outputs ---- */

/* The directory for the results of many files, or NULL. */
static const char *output_dir(const cli_run *run)
{
    return run->common->output_dir ? run->common->output_dir
           : flag(run, "batch")    ? text(run, "output")
                                   : NULL;
}

/*
 * It is made now, so that nothing around it need be writable. Temporary files go there too: how
 * many are needed is not known.
 */
static void add_output_dir(paths *to, const cli_run *run)
{
    const char *directory = output_dir(run);
    reprise_error error = REPRISE_ERROR_INIT;
    if (!directory || cli_output_dir_make(directory, &error) != REPRISE_OK)
        return; /* the verb says why */
    add(to, directory);
    setenv("TMPDIR", directory, 1);
}

/* The result is --output or, for verbs with that option, the last operand. */
static void add_results(paths *to, const cli_run *run)
{
    const char *output = text(run, "output");
    if (output_dir(run))
        return;
    bool takes_output = setting(run, "output", cli_parse_text) != NULL;
    if (!output && takes_output && run->operand_count > 1)
        output = run->operands[run->operand_count - 1];
    if (output && strcmp(output, "-") != 0)
        add(to, output);
    if (strcmp(run->command->name, "anonymize") != 0)
        return;
    static const char *const more[] = {"substitutions", "report"};
    for (size_t i = 0; i < CLI_COUNT(more); i++) {
        if (text(run, more[i]))
            add(to, text(run, more[i]));
    }
}

/*
 * The directory of a catalog, in which SQLite makes further files. That of a directory is made now,
 * so that nothing else in the directory need be writable.
 */
static void add_catalog(paths *to, const cli_run *run)
{
    if (strcmp(run->command->name, "index") != 0)
        return;
    char *path = cli_catalog_path(run->operands[0], text(run, "catalog"));
    cli_catalog_folder(path);
    char *slash = strrchr(path, '/');
    if (slash > path)
        *slash = '\0';
    add(to, slash ? path : ".");
    free(path);
}

/*
 * Verbs that write directories, keys or bookmarks create files later, so they may still open any
 * file; sockets and programs are blocked all the same.
 */
static bool opens_more(const cli_run *run, const paths *results)
{
    const char *verb = run->command->name;
    struct stat info;
    for (size_t i = 0; i < results->count; i++) {
        const char *path = results->items[i];
        bool named = *path && path[strlen(path) - 1] == '/';
        if (named || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
            return true;
    }
    if (strcmp(verb, "play") == 0)
        return !(flag(run, "headless") || flag(run, "screen") || run->common->json) ||
               flag(run, "allow-embedded");
    if (strcmp(verb, "export") == 0)
        return cli_export_is_site(run);
    return IS_ONE_OF(verb, "extract", "sign");
}

/* These need sockets and start a browser. */
static bool starts_browser(const cli_run *run, const paths *results)
{
    const char *form;
    if (strcmp(run->command->name, "export") == 0)
        return results->count && cli_clip_form(results->items[0], &form);
    return strcmp(run->command->name, "view") == 0;
}

void cli_sandbox_enter(const cli_run *run)
{
    const char *verb = run->command->name;
    paths readable = {0}, results = {0}, writable = {0};
    add_results(&results, run);
    bool outside = starts_browser(run, &results) ||
                   strcmp(verb, "record") == 0; /* reads no replay */
    if (!cli_sandbox_wanted || run->common->no_sandbox || !run->command->reads || outside) {
        free_paths(&results);
        return;
    }
    add_inputs(&readable, run);
    add_catalog(&writable, run);
    add_output_dir(&writable, run);
    /* Verbs that write use temporary files even if the result goes to standard output. */
    bool spools = !output_dir(run) &&
                  (setting(run, "output", cli_parse_text) || IS_ONE_OF(verb, "at", "diff"));
    reprise_sandbox rules = {.struct_size = sizeof rules,
                             .readable = (const char *const *)readable.items,
                             .readable_count = readable.count,
                             .results = (const char *const *)results.items,
                             .result_count = results.count,
                             .writable = (const char *const *)writable.items,
                             .writable_count = writable.count,
                             .replace = flag(run, "force"),
                             .spools = spools ? SPOOLS : 0,
                             .any_file = opens_more(run, &results)};
    /* A process in the sandbox could not write the counters of a coverage build. */
#ifndef CLI_COVERAGE
    (void)!reprise_sandbox_enter(&rules, NULL, NULL);
#else
    (void)rules;
#endif
    free_paths(&readable);
    free_paths(&results);
    free_paths(&writable);
}
