# As it is shipped, too: there edits are made in place.
EXTRA_TESTS += $(B)/release/test/work/document_test
