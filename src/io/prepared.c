/* prepared.c - see prepared.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "prepared.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 64, DIRECTORIES_MAX = 4 };

typedef struct directory {
    char path[RP_DIRECTORY_MAX];
    int fd;
} directory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static directory directories[DIRECTORIES_MAX];
static size_t directory_count;
static struct {
    int fd;
    size_t directory;
} files[FILES_MAX];
static size_t file_count;

bool rp_directory_of(const char *path, char to[RP_DIRECTORY_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) : 1;
    if (slash == path)
        size = 1;
    if (size >= RP_DIRECTORY_MAX)
        return false;
    memcpy(to, slash ? path : ".", size);
    to[size] = '\0';
    return true;
}

static size_t find(const char *path)
{
    size_t i = 0;
    while (i < directory_count && strcmp(directories[i].path, path) != 0)
        i++;
    return i;
}

static bool prepare(const char *path, size_t count)
{
    size_t at = find(path), size = strlen(path);
    if (at == directory_count) {
        int fd = at < DIRECTORIES_MAX && size < RP_DIRECTORY_MAX
                     ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                     : -1;
        if (fd < 0)
            return false;
        memcpy(directories[at].path, path, size + 1);
        directories[at].fd = fd;
        directory_count++;
    }
    for (size_t i = 0; i < count; i++) {
        int fd = file_count < FILES_MAX ? open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
        if (fd < 0)
            return false;
        files[file_count].fd = fd;
        files[file_count++].directory = at;
    }
    return true;
}

bool rp_prepare(const char *path, size_t count)
{
    pthread_mutex_lock(&lock);
    bool done = prepare(path, count);
    pthread_mutex_unlock(&lock);
    return done;
}

int rp_prepared_take(const char *path)
{
    int fd = -1;
    pthread_mutex_lock(&lock);
    size_t at = path ? find(path) : 0;
    for (size_t i = file_count; i-- > 0 && fd < 0;) {
        if (path && files[i].directory != at)
            continue;
        fd = files[i].fd;
        files[i] = files[--file_count];
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

int rp_prepared_directory(const char *path)
{
    pthread_mutex_lock(&lock);
    size_t at = find(path);
    int fd = at < directory_count ? directories[at].fd : -1;
    pthread_mutex_unlock(&lock);
    return fd;
}
