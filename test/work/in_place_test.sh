#!/bin/sh
# Edits in place, as the shipped program makes them, under the sanitizers: debug builds copy unless they are told not to.
QUIRE_IN_PLACE=1 exec "$(dirname "${QUIRE:-build/asan/quire}")/test/work/document_test"
