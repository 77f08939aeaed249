# Counts the comparisons in constant time, and replaces the clock.
WRAP_keys_test := -Wl,--wrap=secret_same,--wrap=clock_ticks,--wrap=clock_now
