# Also as shipped, where edits are made in place.
EXTRA_TESTS += $(B)/release/test/work/document_test
