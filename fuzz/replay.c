/* replay.c: runs a fuzzer's function once on every file of its committed corpus, as a test.
 *
 * Linked with NAME_fuzz.c it becomes NAME_corpus, which reads fuzz/corpus/NAME below the current directory and prints
 * TAP. A violated property aborts, and the test harness reports that. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END)) {
		perror(path);
		exit(1);
	}
	size_t n = (size_t)ftell(f);
	/* Allocate exactly the file's length, so that the sanitizer finds a read beyond its end. */
	uint8_t *bytes = malloc(n ? n : 1);
	rewind(f);
	if (!bytes || fread(bytes, 1, n, f) != n) {
		perror(path);
		exit(1);
	}
	fclose(f);
	LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
}

static int is_file(const struct dirent *e) { return e->d_name[0] != '.'; }

int main(int argc, char **argv)
{
	const char *base = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	char folder[200], path[600];
	struct dirent **files;

	(void)argc;
	snprintf(folder, sizeof folder, "fuzz/corpus/%.*s", (int)strcspn(base, "."), base);
	char *suffix = strstr(folder, "_corpus");
	if (suffix)
		*suffix = 0;
	int n = scandir(folder, &files, is_file, alphasort);
	if (n < 0) {
		perror(folder);
		return 1;
	}
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]->d_name);
		replay(path);
		printf("ok %d - %s\n", i + 1, files[i]->d_name);
		fflush(stdout);
		free(files[i]);
	}
	free(files);
	return 0;
}
