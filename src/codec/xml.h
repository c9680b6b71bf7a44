/*
 * xml.h - XML documents piece by piece, read with expat behind our limits.
 *
 * Events are pulled, so that a reader may stop in the middle of a document of any length. A
 * document type declaration is refused, so nothing can be expanded that does not stand there. Long
 * plain text (numbers, mostly) is given straight from the input and never passes through expat,
 * which costs as much as parsing the numbers does.
 */
#ifndef RP_XML_H
#define RP_XML_H

#include "stream.h"
#include "writer.h"

typedef struct rp_xml rp_xml;

typedef enum rp_xml_kind {
    RP_XML_START,
    RP_XML_END,
    RP_XML_TEXT, /* any piece of text; what belongs together may come in many */
    RP_XML_FINISHED,
} rp_xml_kind;

/* Everything it points to is valid until the next call. */
typedef struct rp_xml_event {
    rp_xml_kind kind;
    const char *name;              /* of an element */
    const char *const *attributes; /* name, value, name, value ..., NULL */
    const char *text;
    size_t size;
    uint64_t offset; /* about where it stands in the input */
} rp_xml_event;

/*
 * Owns the stream, also when opening fails. The text is UTF-8 whatever its declaration says; from
 * the first piece that is not, it is taken for Windows-1252 (rp_xml_foreign tells).
 */
reprise_status rp_xml_open(rp_context *context, rp_stream *stream, rp_xml **ret_xml,
                           reprise_error *error);
void rp_xml_close(rp_xml *xml);

/*
 * Writes text of an element or attribute. Characters that XML does not allow in any form are left
 * out; line ends and tabs are kept from being taken for layout.
 */
void rp_xml_put_text(rp_writer *w, const char *text, size_t size);

/*
 * The next event; after RP_XML_FINISHED there are no more. What is not well-formed is
 * REPRISE_E_CORRUPT, a document type declaration REPRISE_E_UNSUPPORTED, nesting deeper than depth
 * or a single tag longer than string_bytes REPRISE_E_LIMIT, and the stream's own failures pass
 * through. A failure stands.
 */
reprise_status rp_xml_next(rp_xml *xml, rp_xml_event *ret_event, reprise_error *error);

/* Whether the text so far was read as Windows-1252. */
bool rp_xml_foreign(const rp_xml *xml);

/* The value of an attribute of a start event, or NULL. */
const char *rp_xml_attribute(const rp_xml_event *event, const char *name);

#endif
