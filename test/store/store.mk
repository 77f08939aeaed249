# Runs another process between two locks of SQLite, and makes a flush fail.
WRAP_store_test := -Wl,--wrap=fcntl64 -Wl,--wrap=fdatasync
