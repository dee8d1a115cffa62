#ifndef FLAGBOARD_CLIBXML2_SHIM_H
#define FLAGBOARD_CLIBXML2_SHIM_H

/* The system ICU headers clash with Foundation's own copy of ICU, and libxml2 needs neither here. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#endif
