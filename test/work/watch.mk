# Watches run out, and file systems are far away, when the test says so.
WRAP_watch_test := -Wl,--wrap=inotify_add_watch -Wl,--wrap=fstatfs
