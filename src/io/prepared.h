/*
 * prepared.h - files without a name that were opened before the program gave up opening files.
 *
 * One table for the process, because a sandbox holds for the process. Empty outside of one.
 */
#ifndef RP_PREPARED_H
#define RP_PREPARED_H

#include <stdbool.h>
#include <stddef.h>

enum { RP_DIRECTORY_MAX = 4096 };

/* The directory of a path, "." if it names none. False if it is too long. */
bool rp_directory_of(const char *path, char to[RP_DIRECTORY_MAX]);

/* Opens `count` files in a directory. False where the file system has no files without a name. */
bool rp_prepare(const char *directory, size_t count);

/* One of them, which the caller owns: of that directory, or of any if it is NULL. -1: none. */
int rp_prepared_take(const char *directory);

/* The directory itself, to be synced; it stays open. -1: it was not prepared. */
int rp_prepared_directory(const char *directory);

#endif
