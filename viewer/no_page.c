/* no_page.c - replaces the pages of the viewer where they cannot be built: see
 * cli/viewer/viewer_page.h. */
#include <stddef.h>

extern const unsigned char cli_page_data[], cli_archive_page_data[];
extern const size_t cli_page_data_size, cli_page_size;
extern const size_t cli_archive_page_data_size, cli_archive_page_size;
const unsigned char cli_page_data[1] = {0}, cli_archive_page_data[1] = {0};
const size_t cli_page_data_size = 0, cli_page_size = 0;
const size_t cli_archive_page_data_size = 0, cli_archive_page_size = 0;
