#ifndef ARGENT_TEST_REPORT_WELL_FORMED_H
#define ARGENT_TEST_REPORT_WELL_FORMED_H

#include <string>

/** Why `html` is not well-formed in the sense of XML (tags nest and close, attributes are quoted and unique, text holds no bare
 *  < or &, ids are unique, links within the page lead somewhere), or "" if it is. The contents of style and script are skipped. */
std::string not_well_formed(const std::string &html);

#endif
