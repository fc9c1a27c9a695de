# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a source file that holds the page of FOLDER: page.html, the STYLES one after the other and the SCRIPTS
# likewise, with the digests by which the page's security policy lets these, and nothing else, take effect.
function(read_all result)
  set(text "")
  foreach(name IN LISTS ARGN)
    file(READ "${FOLDER}/${name}" part)
    string(APPEND text "${part}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

read_all(page_html page.html)
read_all(page_css ${STYLES})
read_all(page_js ${SCRIPTS})
string(PREPEND page_js "\"use strict\";\n")
string(SHA256 page_css_digest "${page_css}")
string(SHA256 page_js_digest "${page_js}")
configure_file("${FOLDER}/page_sources.cpp.in" "${OUTPUT}" @ONLY)
