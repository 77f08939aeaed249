/* search_bench.c: measures a search among 10,000 notes. Prints `name value unit`, medians in CPU time.
 *
 * Notes are generated from a vocabulary of 20,000 words with the frequencies of prose, about 3 KB each. Their vectors
 * are random and are written to the engine's own file: computing them takes minutes and is measured separately. */
#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/excerpt.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/search/vector_file.h"

#include "base/buffer.h"
#include "base/call.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NOTES = 10000, WORDS_A_NOTE = 450, VOCABULARY = 20000, ROUNDS = 51, DIMENSION = 512, READ_WORDS = 80 };

static uint64_t seed = 88172645463325252u;

static uint64_t chance(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* A rank by Zipf's law: the word of rank n is n times rarer than the first. */
static unsigned rank(void)
{
	double x = (double)(chance() % 1000000 + 1) / 1000001;

	return (unsigned)pow(VOCABULARY, x) - 1;
}

static void word(struct buffer *b, unsigned number)
{
	static const char *const syllables[] = {"ka",  "ro",  "mi", "ten", "sul", "va",  "der", "no",
						"pli", "gor", "es", "tu",  "ban", "che", "lo",  "fi"};

	for (unsigned n = number + 17; n; n /= 16)
		buffer_put(b, syllables[n % 16]);
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static long resident_kb(void)
{
	long size = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	if (f)
		fclose(f);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

struct made {
	struct text path, title, text;
};

static struct made note(struct arena *a, int number)
{
	struct buffer title = {.arena = a}, text = {.arena = a};

	for (int i = 0; i < 3; i++) {
		word(&title, rank());
		buffer_byte(&title, ' ');
	}
	for (int i = 0; i < WORDS_A_NOTE; i++) {
		word(&text, rank());
		buffer_byte(&text, i % 12 == 11 ? '\n' : ' ');
	}
	return (struct made){text_format(a, "folder-%d/note-%d.md", number % 100, number), buffer_text(&title),
			     buffer_text(&text)};
}

static void keep_vector(struct vector_file *file, struct text excerpt)
{
	float vector[DIMENSION];
	int8_t row[DIMENSION];

	for (int i = 0; i < DIMENSION; i++)
		vector[i] = (float)(chance() % 2001) / 1000 - 1;
	float scale = vector_packed(vector, DIMENSION, row);
	vector_file_add(file, &(struct vector_record){revision_of(excerpt), DIMENSION, scale, row}, 1);
}

/* Opens the engine's own file for this vault. */
static struct vector_file *file_of(int folder)
{
	struct text pieces[] = {TEXT("bench"), TEXT("\n"), TEXT("use-lite-int8-1")};
	char name[64];

	snprintf(name, sizeof name, "vectors-%s", revision_of_pieces(pieces, 3).chars);
	return vector_file_open(folder, name);
}

static void measure(struct search *s, const char *name, enum search_mode mode)
{
	double spent[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		struct arena a = {0};
		struct call c = {.arena = &a};
		struct buffer words = {.arena = &a};
		for (int k = 0; k < 4; k++) {
			word(&words, rank());
			buffer_byte(&words, ' ');
		}
		struct search_query q = {.words = buffer_text(&words), .mode = mode, .limit = 10};
		struct search_found found;
		double began = cpu_ms();
		if (!search_find(&c, s, &q, &found))
			exit(1);
		spent[i] = cpu_ms() - began;
		arena_free(&a);
	}
	qsort(spent, ROUNDS, sizeof *spent, by_value);
	printf("%s %.3f ms\n", name, spent[ROUNDS / 2]);
}

static void encode(void)
{
	static const char *const texts[] = {
		"how do I keep the vehicle in good shape",
		"Car maintenance. Change the oil every ten thousand kilometres and check the brakes before winter. The garage keeps a list of the "
		"parts they replaced, with dates and prices, so that nobody sells us the same filter twice. The tires want air every month, the "
		"battery a look in autumn. When the engine makes a strange noise look at the belt first, then at the exhaust, and only then call "
		"the mechanic two streets away who charges little and knows much about old cars.",
	};
	float vector[ENCODER_DIMENSION];

	for (int t = 0; t < 2; t++) {
		double spent[ROUNDS];
		for (int i = 0; i < ROUNDS; i++) {
			double began = cpu_ms();
			encoder_encode(text_of(texts[t]), vector);
			spent[i] = cpu_ms() - began;
		}
		qsort(spent, ROUNDS, sizeof *spent, by_value);
		printf("encode_%s %.3f ms\n", t ? "note_of_80_words" : "query_of_9_words", spent[ROUNDS / 2]);
	}
}

int main(void)
{
	char folder[] = "/var/tmp/quire-search-XXXXXX";
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct search *s;
	double indexing = 0;
	size_t bytes = 0;

	if (!encoder_is_here()) {
		puts("skipped: this build has no sentence model");
		return 0;
	}
	encode();
	int fd = mkdtemp(folder) ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
	struct vector_file *file = file_of(fd);
	uint64_t start = seed;
	for (int i = 0; i < NOTES; i++) {
		struct arena scratch = {0};
		struct made n = note(&scratch, i);
		uint64_t after = seed;
		keep_vector(file, excerpt_of(&scratch, n.title, n.text, READ_WORDS));
		seed = after;
		arena_free(&scratch);
	}
	vector_file_close(file);
	seed = start;
	long before = resident_kb();
	if (!search_open(&c, &(struct search_options){.state = fd, .vault = TEXT("bench")}, &s))
		return 1;
	for (int i = 0; i < NOTES; i++) {
		struct arena scratch = {0};
		struct made n = note(&scratch, i);
		double began = cpu_ms();
		search_put(s, &(struct search_note){.path = n.path, .title = n.title, .text = n.text});
		indexing += cpu_ms() - began;
		bytes += n.text.len;
		arena_free(&scratch);
	}
	printf("notes %d with %.1f MB, vectors %zu\n", (int)NOTES, (double)bytes / 1e6, search_count(s, &a).vectors);
	printf("index_and_load_vectors %.1f ms, %.1f MB/s\n", indexing, (double)bytes / 1e3 / indexing);
	printf("memory_of_the_engine %.1f MB\n", (double)(resident_kb() - before) / 1024);
	measure(s, "search_words_10000", SEARCH_WORDS);
	measure(s, "search_meaning_10000", SEARCH_MEANING);
	measure(s, "search_blend_10000", SEARCH_BLEND);
	search_close(s);
	arena_free(&a);
	close(fd);
	char command[64];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}
