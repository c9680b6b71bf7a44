/* scenery.c - see scenery.h. */
#include "scenery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "ui/report.h"

enum { SCENERY_BYTES_MAX = 256 << 20, MAP_BYTES_MAX = 64 << 20, MAPS_MAX = 20000 };

static reprise_status refuse(reprise_error *error, reprise_status status, const char *message)
{
    *error = (reprise_error){.status = status, .cause = status == REPRISE_E_IO ? errno : 0};
    if (status == REPRISE_E_IO)
        snprintf(error->message, sizeof error->message, "%s: %s", message, strerror(error->cause));
    else
        snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* ---- maps ---- */

/* The content of a file; the caller frees it. NULL: it cannot be read completely. */
static char *load(int fd, off_t size)
{
    char *data = cli_memory(NULL, (size_t)size + 1);
    for (off_t at = 0; at < size;) {
        ssize_t got = pread(fd, data + at, (size_t)(size - at), at);
        if (got <= 0) {
            free(data);
            return NULL;
        }
        at += got;
    }
    return data;
}

static reprise_status make_ground(const char *data, size_t size, cli_scenery *ret_scenery,
                                  reprise_error *error)
{
    cli_strbuf made = {0};
    reprise_sink sink = cli_strbuf_sink(&made);
    reprise_status status = reprise_map_scenery(data, size, &sink, NULL, error);
    if (status == REPRISE_OK)
        *ret_scenery = (cli_scenery){.fd = -1, .made = made};
    else
        cli_strbuf_free(&made);
    return status;
}

static reprise_status open_map(int fd, off_t size, cli_scenery *ret_scenery, reprise_error *error)
{
    if (size > MAP_BYTES_MAX)
        return refuse(error, REPRISE_E_USAGE, "maps are limited to 64 MiB");
    char *data = load(fd, size);
    reprise_status status = data ? make_ground(data, (size_t)size, ret_scenery, error)
                                 : refuse(error, REPRISE_E_IO, "cannot read");
    free(data);
    if (status == REPRISE_E_UNSUPPORTED) /* an archive of something else */
        error->status = status = REPRISE_E_USAGE;
    return status;
}

/* ---- any file ---- */

reprise_status cli_scenery_open(const char *path, cli_scenery *ret_scenery, reprise_error *error)
{
    *ret_scenery = CLI_SCENERY_NONE;
    if (!path)
        return REPRISE_OK;
    char magic[4] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    if (size < 0) {
        (void)refuse(error, REPRISE_E_IO, "cannot open");
    } else {
        bool read = pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic;
        if (read && memcmp(magic, "PK\3\4", sizeof magic) == 0)
            (void)open_map(fd, size, ret_scenery, error);
        else if (!read || memcmp(magic, "glTF", sizeof magic) != 0)
            (void)refuse(error, REPRISE_E_USAGE, "not a GLB file, and not a map of OpenRA");
        else if (size > SCENERY_BYTES_MAX)
            (void)refuse(error, REPRISE_E_USAGE, "scenery is limited to 256 MiB");
        else
            *ret_scenery = (cli_scenery){.fd = fd, .size = (uint64_t)size};
    }
    if (fd >= 0 && ret_scenery->fd != fd)
        close(fd);
    return error->status;
}

/* ---- searching ---- */

/* The map that a replay names. */
typedef struct wanted {
    const char *uid, *title, *mod;
} wanted;

typedef enum match { NO_MATCH, SAME_TITLE, SAME_MAP } match;

static bool same(const char *a, const char *b)
{
    return a && *a && strcasecmp(a, b) == 0;
}

/* Files that are no maps match nothing. */
static match compare(const char *path, const wanted *map)
{
    reprise_error ignored = REPRISE_ERROR_INIT;
    reprise_map_about about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    char *data = size > 0 && size <= MAP_BYTES_MAX ? load(fd, size) : NULL;
    match found = NO_MATCH;
    if (data && reprise_map_scenery(data, (size_t)size, NULL, &about, &ignored) == REPRISE_OK) {
        if (same(map->uid, about.uid))
            found = SAME_MAP;
        else if (same(map->title, about.title) && (!map->mod || same(map->mod, about.mod)))
            found = SAME_TITLE;
    }
    free(data);
    if (fd >= 0)
        close(fd);
    return found;
}

static bool is_map_name(const char *name)
{
    static const char ending[] = ".oramap";
    size_t size = strlen(name);
    return size >= sizeof ending && strcasecmp(name + size - (sizeof ending - 1), ending) == 0;
}

/* The path of the best match; the caller frees it. NULL: there is none. */
static char *search(DIR *directory, const char *path, const wanted *map, match *ret_match)
{
    cli_strbuf best = {0};
    struct dirent *item;
    *ret_match = NO_MATCH;
    for (size_t i = 0; i < MAPS_MAX && *ret_match != SAME_MAP && (item = readdir(directory)); i++) {
        if (!is_map_name(item->d_name))
            continue;
        cli_strbuf name = {0};
        cli_printf(&name, "%s/%s", path, item->d_name);
        match found = compare(name.data, map);
        if (found > *ret_match) {
            *ret_match = found;
            cli_strbuf_clear(&best);
            cli_puts(&best, name.data);
        }
        cli_strbuf_free(&name);
    }
    return best.data;
}

static const char *text_of(const reprise_value *object, const char *key)
{
    return reprise_value_text(reprise_value_get(object, key), NULL);
}

reprise_status cli_scenery_find(const char *directory, reprise_replay *replay,
                                cli_scenery *ret_scenery, bool *ret_other, reprise_error *error)
{
    *ret_scenery = CLI_SCENERY_NONE;
    *ret_other = false;
    if (!directory)
        return REPRISE_OK;
    const reprise_value *info = NULL;
    if (reprise_info(replay, &info, error) != REPRISE_OK)
        return error->status;
    const reprise_value *map = reprise_value_get(info, "map");
    wanted target = {text_of(map, "uid"), text_of(map, "name"), text_of(info, "mod")};
    DIR *opened = opendir(directory);
    if (!opened)
        return refuse(error, REPRISE_E_IO, "cannot open");
    match found = NO_MATCH;
    char *path = search(opened, directory, &target, &found);
    closedir(opened);
    reprise_status status = cli_scenery_open(path, ret_scenery, error);
    *ret_other = found == SAME_TITLE;
    free(path);
    return status;
}

void cli_say_map(cli_run *run, const cli_scenery *scenery, bool other)
{
    cli_strbuf words = {0};
    if (!cli_scenery_name(scenery))
        cli_puts(&words, "reprise: the map of this match was not found; the ground stays empty\n");
    else if (other)
        cli_puts(&words, "reprise: showing another version of this map, found by its title\n");
    if (words.size)
        cli_say(run, &words);
    cli_strbuf_free(&words);
}

void cli_scenery_close(cli_scenery *scenery)
{
    if (scenery->fd >= 0)
        close(scenery->fd);
    cli_strbuf_free(&scenery->made);
    *scenery = CLI_SCENERY_NONE;
}

const char *cli_scenery_name(const cli_scenery *scenery)
{
    return scenery->fd >= 0 || scenery->made.size ? "map.glb" : NULL;
}
