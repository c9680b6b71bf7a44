/*
 * options.c - sanitizer settings of all fuzz targets. The quarantine of freed memory is kept small,
 * because cycling through 256 MiB of it cost more page faults than the code under test.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8:malloc_context_size=8:max_malloc_fill_size=0";
}
