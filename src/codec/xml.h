/*
 * xml.h - reads XML documents event by event, with expat and within our limits.
 *
 * The caller pulls events, so it can stop in the middle of a document. Document type declarations
 * are refused, so entities cannot expand. Long plain text (mostly numbers) bypasses expat, which
 * would take as long as parsing the numbers.
 */
#ifndef RP_XML_H
#define RP_XML_H

#include "stream.h"
#include "writer.h"

typedef struct rp_xml rp_xml;

typedef enum rp_xml_kind {
    RP_XML_START,
    RP_XML_END,
    RP_XML_TEXT, /* a piece of text; one text may come in several pieces */
    RP_XML_FINISHED,
} rp_xml_kind;

/* All pointers are valid until the next call. */
typedef struct rp_xml_event {
    rp_xml_kind kind;
    const char *name;              /* of an element */
    const char *const *attributes; /* name, value, name, value ..., NULL */
    const char *text;
    size_t size;
    uint64_t offset; /* approximate offset in the input */
} rp_xml_event;

/*
 * Owns the stream, even if opening fails. The text is read as UTF-8 whatever its declaration says,
 * and as Windows-1252 from the first piece that is not UTF-8 (see rp_xml_foreign).
 */
reprise_status rp_xml_open(rp_context *context, rp_stream *stream, rp_xml **ret_xml,
                           reprise_error *error);
void rp_xml_close(rp_xml *xml);

/*
 * Writes the text of an element or attribute. Characters that XML does not allow are left out; line
 * ends and tabs are escaped.
 */
void rp_xml_put_text(rp_writer *w, const char *text, size_t size);

/*
 * Gets the next event. RP_XML_FINISHED is the last. XML that is not well-formed is
 * REPRISE_E_CORRUPT, a document type declaration is REPRISE_E_UNSUPPORTED, nesting deeper than
 * depth or a tag longer than string_bytes is REPRISE_E_LIMIT; failures of the stream are passed on.
 * After a failure every call fails.
 */
reprise_status rp_xml_next(rp_xml *xml, rp_xml_event *ret_event, reprise_error *error);

/* Whether any text so far was read as Windows-1252. */
bool rp_xml_foreign(const rp_xml *xml);

/* Returns the value of an attribute of a start event, or NULL. */
const char *rp_xml_attribute(const rp_xml_event *event, const char *name);

#endif
