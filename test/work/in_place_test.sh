#!/bin/sh
# Tests edits in place, as the shipped program does them, under the sanitizers. Without this variable, debug builds
# copy.
QUIRE_IN_PLACE=1 exec "$(dirname "${QUIRE:-build/asan/quire}")/test/work/document_test"
