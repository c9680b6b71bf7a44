/*
 * mutate.c - changes files where compression and checksums would turn away nearly every change.
 * Three times out of four one part of the file is changed after decompression, and everything
 * around it is made right again; the fourth time the file itself is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parts.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed);

enum { GROWTH_MAX = 256 };

/* The file with one part changed; nothing if there are no parts but the file. */
static bytes change_part(const uint8_t *data, size_t size, unsigned seed)
{
    bytes changed = {0};
    part_list *list = parts_of(data, size);
    if (list->count > 1) {
        const part *p = &list->items[1 + seed % (list->count - 1)];
        bytes content = {.capacity = p->content.size + GROWTH_MAX};
        content.data = malloc(content.capacity);
        assert_non_null(content.data);
        memcpy(content.data, p->content.data, p->content.size);
        content.size = LLVMFuzzerMutate(content.data, p->content.size, content.capacity);
        changed = part_replace(p, &content);
        bytes_free(&content);
    }
    parts_free(list);
    return changed;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned seed)
{
    bytes changed = {0};
    if (seed % 4 && size)
        changed = change_part(data, size, seed / 4);
    bool fits = changed.size && changed.size <= size_max;
    if (fits)
        memcpy(data, changed.data, changed.size);
    size_t result = fits ? changed.size : LLVMFuzzerMutate(data, size, size_max);
    bytes_free(&changed);
    return result;
}
