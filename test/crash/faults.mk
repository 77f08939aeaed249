WRAP_faults_test := $(foreach f,open open64 openat syscall write pwrite64 pread pread64 fsync fdatasync renameat2 mkdirat \
	unlinkat ftruncate64 fchmod flock fallocate fstatfs fcntl64,-Wl,--wrap=$(f))
