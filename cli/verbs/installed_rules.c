/* installed_rules.c - see installed_rules.h. */
#include "installed_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/report.h"

enum { FILE_MAX = 64 << 20, RULES_MAX = 10000, DEPTH_MAX = 16, NAME_MAX_SIZE = 256 };

/* ---- one file ---- */

/* Closes the descriptor. */
static bool read_regular(int fd, cli_strbuf *to)
{
    struct stat about;
    bool ok = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= FILE_MAX;
    char piece[4096];
    ssize_t n = 0;
    while (ok && to->size <= FILE_MAX && (n = read(fd, piece, sizeof piece)) > 0)
        cli_put(to, piece, (size_t)n);
    close(fd);
    return ok && n == 0;
}

bool cli_read_installed(const char *directory, const char *name, cli_strbuf *to)
{
    int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0) {
        const char *slash = strchr(name, '/');
        char part[NAME_MAX_SIZE];
        size_t size = slash ? (size_t)(slash - name) : strlen(name);
        if (size >= sizeof part)
            break;
        memcpy(part, name, size);
        part[size] = '\0';
        int kind = slash ? O_DIRECTORY : O_NONBLOCK;
        int next = openat(at, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
        close(at);
        at = next;
        name += size + 1;
        if (!slash)
            break;
    }
    return at >= 0 && read_regular(at, to);
}

/* ---- the rules of a mod ---- */

typedef struct walk {
    reprise_ic_manifest *manifest;
    const char *mod;
    reprise_error *error;
} walk;

static reprise_text own_text(const char *text, size_t size)
{
    char *copy = cli_memory(NULL, size + 1);
    if (size)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return (reprise_text){copy, size};
}

static bool is_rule(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

static reprise_status add_rule(walk *w, int fd, const char *path)
{
    reprise_ic_rule_list *rules = &w->manifest->rules;
    cli_strbuf yaml = {0};
    if (rules->count == RULES_MAX) {
        close(fd);
        return cli_fail(w->error, REPRISE_E_LIMIT, "more than %d rule files", RULES_MAX);
    }
    bool read = read_regular(fd, &yaml);
    if (read) {
        rules->items = cli_memory(rules->items, (rules->count + 1) * sizeof(reprise_ic_rule));
        rules->items[rules->count++] = (reprise_ic_rule){.mod_id = own_text(w->mod, strlen(w->mod)),
                                                         .path = own_text(path, strlen(path)),
                                                         .yaml = own_text(yaml.data, yaml.size)};
    }
    cli_strbuf_free(&yaml);
    return read ? REPRISE_OK
                : cli_fail(w->error, REPRISE_E_IO, "cannot read rule file %.80s/%.200s", w->mod,
                           path);
}

static reprise_status walk_rules(walk *w, int fd, const char *below, unsigned depth);

/* A directory entry: a rule file, a directory, or something to ignore. */
static reprise_status walk_entry(walk *w, int directory, const char *below, const char *name,
                                 unsigned depth)
{
    struct stat about;
    cli_strbuf path = {0};
    reprise_status status = REPRISE_OK;
    if (name[0] == '.' || fstatat(directory, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return REPRISE_OK;
    bool deeper = S_ISDIR(about.st_mode);
    if (!deeper && !(S_ISREG(about.st_mode) && is_rule(name)))
        return REPRISE_OK;
    int kind = deeper ? O_DIRECTORY : O_NONBLOCK;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    cli_printf(&path, "%s%s%s", below, below[0] ? "/" : "", name);
    if (fd < 0)
        status = cli_fail(w->error, REPRISE_E_IO, "cannot open %.200s: %s", path.data,
                          strerror(errno));
    else
        status = deeper ? walk_rules(w, fd, path.data, depth + 1) : add_rule(w, fd, path.data);
    cli_strbuf_free(&path);
    return status;
}

/* Closes the descriptor. */
static reprise_status walk_rules(walk *w, int fd, const char *below, unsigned depth)
{
    DIR *directory = fdopendir(fd);
    if (!directory || depth > DEPTH_MAX) {
        if (directory)
            closedir(directory);
        else
            close(fd);
        return cli_fail(w->error, REPRISE_E_LIMIT, "rules are nested more than %d directories deep",
                        DEPTH_MAX);
    }
    reprise_status status = REPRISE_OK;
    struct dirent *entry;
    while (status == REPRISE_OK && (entry = readdir(directory)))
        status = walk_entry(w, fd, below, entry->d_name, depth);
    closedir(directory);
    return status;
}

static int by_name(const void *left, const void *right)
{
    const reprise_ic_rule *a = left, *b = right;
    int order = strcmp(a->mod_id.data, b->mod_id.data);
    return order ? order : strcmp(a->path.data, b->path.data);
}

static const char *text_of(const reprise_value *mod, const char *key)
{
    const char *text = reprise_value_text(reprise_value_get(mod, key), NULL);
    return text ? text : "";
}

static reprise_status read_rules(const char *installed, const reprise_value *mods,
                                 reprise_ic_manifest *manifest, reprise_error *error)
{
    size_t count = reprise_value_count(mods);
    manifest->mods.items = cli_memory(NULL, (count + 1) * sizeof(reprise_ic_mod));
    for (size_t i = 0; i < count; i++) {
        const reprise_value *mod = reprise_value_at(mods, i);
        walk w = {.manifest = manifest, .mod = text_of(mod, "id"), .error = error};
        const char *version = text_of(mod, "version");
        ((reprise_ic_mod *)manifest->mods.items)[manifest->mods.count++] = (reprise_ic_mod){
            .id = own_text(w.mod, strlen(w.mod)), .version = own_text(version, strlen(version))};
        int all = open(installed, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int fd = all < 0 || strchr(w.mod, '/') || w.mod[0] == '.'
                     ? -1
                     : openat(all, w.mod, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (all >= 0)
            close(all);
        if (fd < 0)
            return cli_fail(error, REPRISE_E_IO, "mod %.80s is not installed in %.200s", w.mod,
                            installed);
        if (walk_rules(&w, fd, "", 0) != REPRISE_OK)
            return error->status;
    }
    if (manifest->rules.count)
        qsort(manifest->rules.items, manifest->rules.count, sizeof(reprise_ic_rule), by_name);
    return REPRISE_OK;
}

/* ---- what to embed ---- */

static bool parse_mode(const char *mode, reprise_ic_embedding_mode *ret_mode)
{
    static const char *const names[] = {[REPRISE_IC_MINIMAL] = "minimal",
                                        [REPRISE_IC_MAP_EMBEDDED] = "map",
                                        [REPRISE_IC_SELF_CONTAINED] = "self-contained"};
    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        if (strcmp(mode, names[i]) == 0) {
            *ret_mode = (reprise_ic_embedding_mode)i;
            return true;
        }
    }
    return false;
}

reprise_status cli_embedded_read(const cli_embedding *request, const reprise_value *mods,
                                 cli_embedded *ret_embedded, reprise_error *error)
{
    cli_embedded *e = ret_embedded;
    *e = (cli_embedded){.with = {.struct_size = sizeof e->with}};
    if (!parse_mode(request->mode, &e->mode))
        return cli_fail(
            error, REPRISE_E_USAGE,
            "invalid value '%.40s' for '--embed'; expected minimal, map or self-contained",
            request->mode);
    if (request->map && e->mode != REPRISE_IC_MINIMAL) {
        int fd = open(request->map, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0 || !read_regular(fd, &e->map))
            return cli_fail(error, REPRISE_E_IO, "cannot read map %.200s: %s", request->map,
                            fd < 0 ? strerror(errno) : "not a regular file of at most 64 MiB");
        e->with.map = cli_strbuf_string(&e->map);
        e->with.map_size = e->map.size;
    }
    if (request->installed && e->mode == REPRISE_IC_SELF_CONTAINED) {
        if (read_rules(request->installed, mods, &e->manifest, error) != REPRISE_OK)
            return error->status;
        e->with.manifest = &e->manifest;
    }
    return REPRISE_OK;
}

static void free_text(reprise_text text)
{
    free((void *)(uintptr_t)text.data);
}

void cli_embedded_free(cli_embedded *e)
{
    reprise_ic_rule *rules = e->manifest.rules.items;
    reprise_ic_mod *mods = e->manifest.mods.items;
    for (size_t i = 0; i < e->manifest.rules.count; i++) {
        free_text(rules[i].mod_id);
        free_text(rules[i].path);
        free_text(rules[i].yaml);
    }
    for (size_t i = 0; i < e->manifest.mods.count; i++) {
        free_text(mods[i].id);
        free_text(mods[i].version);
    }
    free(rules);
    free(mods);
    cli_strbuf_free(&e->map);
}
