/*
 * prepared.h - unnamed temporary files, opened before the sandbox forbids opening files.
 *
 * There is one table per process, because a sandbox applies to the process. Without a sandbox it is
 * empty.
 */
#ifndef RP_PREPARED_H
#define RP_PREPARED_H

#include <stdbool.h>
#include <stddef.h>

enum { RP_DIRECTORY_MAX = 4096 };

/* Gets the directory part of a path, or ".". Returns false if it is too long. */
bool rp_directory_of(const char *path, char to[RP_DIRECTORY_MAX]);

/* Opens `count` files in a directory. Returns false if its file system has no unnamed files. */
bool rp_prepare(const char *directory, size_t count);

/* Returns a file of that directory (NULL: of any), which the caller then owns, or -1. */
int rp_prepared_take(const char *directory);

/* Returns the directory for syncing, which stays open, or -1 if it was not prepared. */
int rp_prepared_directory(const char *directory);

#endif
