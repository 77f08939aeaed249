# The shipped program, with more kills and more writers than the sanitizers have time for.
EXTRA_TESTS += $(B)/release/test/crash/crash_test $(B)/release/test/crash/rivals_test $(B)/release/test/crash/meetings_test \
	$(B)/release/test/crash/editors_test $(B)/release/test/crash/holders_test $(B)/release/test/crash/thousands_test $(B)/release/test/crash/power_test

BUSY_MACHINE := $(foreach f,openat syscall pread pread64 fsync fdatasync fstat fstatat readlink renameat2 mkdirat unlinkat \
	flock fcntl fcntl64 close fstatfs statfs,-Wl,--wrap=$(f))
WRAP_rivals_test := $(BUSY_MACHINE)
WRAP_meetings_test := $(BUSY_MACHINE)
WRAP_editors_test := $(BUSY_MACHINE)
DISK_MODEL := $(foreach f,open open64 openat write pwrite64 ftruncate64 fallocate renameat2 renameat rename unlink unlinkat mkdir \
	mkdirat fsync fdatasync syncfs,-Wl,--wrap=$(f))
WRAP_holders_test := $(BUSY_MACHINE)
WRAP_power_test := $(DISK_MODEL)
