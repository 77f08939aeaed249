# The program as it is shipped, killed at random: what the sanitizers' slow start would hide.
EXTRA_TESTS += $(B)/release/test/crash/crash_test
