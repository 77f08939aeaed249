# The test makes watches run out, and file systems look like network ones.
WRAP_watch_test := -Wl,--wrap=inotify_add_watch -Wl,--wrap=fstatfs
