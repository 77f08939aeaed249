# Another process comes between two locks of SQLite.
WRAP_store_test := -Wl,--wrap=fcntl64
