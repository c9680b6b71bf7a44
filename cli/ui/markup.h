/* markup.h - text of games without the tags that colour it there. */
#ifndef CLI_MARKUP_H
#define CLI_MARKUP_H

#include "strbuf.h"

/* Text without <#FFF>, <color=red>, </color>, <b> and their kin (Unity), and without §c
 * (Minecraft). */
void cli_put_plain(cli_strbuf *to, const char *text, size_t size);

#endif
