# Another process comes between two locks of SQLite; a disk fails to flush.
WRAP_store_test := -Wl,--wrap=fcntl64 -Wl,--wrap=fdatasync
