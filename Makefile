# The front door. Each target installs the Debian packages it lacks (tools/packages.txt) and hands
# over to Meson or to a script; how things are built and tested is decided there.
#
#   make            build the library and the command into build/
#   make run        show what it does on the sample replays
#   make test       build with gcc and sanitizers and run the tests; minutes
#   make test-all   also clang, the viewer in a browser, long sweeps and a fresh machine
#   make viewer     fail if the page of `reprise view` cannot be built, instead of leaving it out
#   make test-viewer    the page in a headless browser, with what `make test` leaves out
#   make test-python    the Python package in an environment of its own
#   make test-spark     Spark over FILES=10000 generated files against one machine; 2000 in test-all
#   make test-blender   import samples into Blender and compare poses
#   make addon      the add-on for Blender as dist/reprise_import.zip
#   make wheel      a Python wheel in dist/ that also has the compression libraries inside
#   make bench      measure the duels and write docs/performance.md; GROUP=seeks for one group
#   make coverage   run the tests and print lines and branches covered, by layer
#   make sweep      show damaged files to every verb: RUNS=200000, SEED=1; prints counts
#   make oracle     compare generated files with independent readings, SEED=N or a fresh one
#   make mutate     put MUTANTS=200 mistakes into the code and print those that no test notices
#   make soak       kill the recorder KILLS=10000 times
#   make fuzz       run the fuzzers: SECONDS=60 each, TARGET=name for one
#   make install    install to PREFIX (/usr/local), below DESTDIR if given
#   make lint       check format and layers, and what cppcheck finds
#   make format     format every C file
#   make docs       write the field tables into docs/formats
#   make clean      remove everything that was built

SECONDS = 60
KILLS = 10000
RUNS = 200000
MUTANTS = 200
FILES = 10000
SEED = 1
TARGET =
PREFIX = /usr/local
DESTDIR =

PACKAGES = @tools/install-packages.sh
SANITIZED = --buildtype=debugoptimized --werror -Db_sanitize=address,undefined -Db_lundef=false \
	-Dpkgconfig.relocatable=true
NO_RECOVER = -fno-sanitize-recover=all
C_FILES = $(shell find include src cli examples python tests -name '*.[ch]')
# cppcheck misreads hexadecimal floats, so that comparisons with them look decided to it, vectors
# read as arrays of their members, and a few macros of the field lists.
CPPCHECK = -j $(shell nproc) --max-configs=1 --quiet --error-exitcode=1 --enable=warning,performance,portability --std=c11 \
	--inline-suppr --suppress=incorrectLogicOperator --suppress=objectIndex \
	--suppress=internalAstError --suppress=toomanyconfigs
INCLUDES = -I include -I cli $(patsubst %/,-I %,$(wildcard src/*/))

# On Debian, Meson chooses a directory that neither the loader nor pkg-config searches, unless dpkg-dev
# is installed. `lib` works below every prefix.
LIBDIR = $(if $(wildcard /etc/debian_version),-Dlibdir=lib)

# Sets up a build directory once: $(call setup,directory,compiler,options)
setup = @test -f $(1)/build.ninja || CC=$(2) meson setup $(1) $(3)

.PHONY: all run viewer test test-all test-viewer test-python test-spark test-blender addon wheel bench coverage sweep oracle mutate soak fuzz install lint format docs clean

# A page that was left out is tried again: npm or a network may be there now.
all:
	$(PACKAGES) build --optional viewer
	$(call setup,build,gcc,--buildtype=release -Dtests=false $(LIBDIR))
	@test -s build/viewer/page.html || rm -f build/viewer/page_data.c
	@ninja -C build

run: all
	@tools/run-demo.sh build/cli/reprise

viewer:
	$(PACKAGES) build viewer
	$(call setup,build,gcc,--buildtype=release -Dtests=false $(LIBDIR))
	@meson configure build -Dviewer=enabled
	@ninja -C build

test-viewer: viewer
	$(PACKAGES) browser
	@REPRISE=$(CURDIR)/build/cli/reprise viewer/tests/run

test:
	$(PACKAGES) build test --optional viewer
	$(call setup,build-test,gcc,$(SANITIZED) -Dc_args=$(NO_RECOVER))
	@ninja -C build-test
	@tools/test-summary.py build-test

test-all: all
	$(PACKAGES) build test test-all python --optional viewer browser spark
	$(call setup,build-test,gcc,$(SANITIZED) -Dc_args=$(NO_RECOVER))
	$(call setup,build-clang,clang,$(SANITIZED) -Dc_args=$(NO_RECOVER))
	@ninja -C build-test
	@ninja -C build-clang
	@tools/test-summary.py --all build-test build-clang

test-python:
	$(PACKAGES) build test python
	$(call setup,build-test,gcc,$(SANITIZED) -Dc_args=$(NO_RECOVER))
	@ninja -C build-test cli/reprise
	@REPRISE=$(CURDIR)/build-test/cli/reprise python/tests/run

test-spark:
	$(PACKAGES) build test python spark
	$(call setup,build,gcc,--buildtype=release -Dtests=false $(LIBDIR))
	@ninja -C build cli/reprise
	@REPRISE=$(CURDIR)/build/cli/reprise python/tests/spark/run --files $(FILES)

wheel:
	$(PACKAGES) build python
	@tools/make-wheel.sh dist

addon:
	@mkdir -p dist
	@find blender -name __pycache__ -prune -exec rm -r {} +
	@cd blender && python3 -m zipfile -c ../dist/reprise_import.zip reprise_import
	@echo dist/reprise_import.zip

test-blender: all
	$(PACKAGES) blender
	@tests/blender/run build/cli/reprise

bench:
	$(PACKAGES) build bench python
	$(call setup,build-bench,gcc,--buildtype=release -Dtests=false -Dbench=true -Dpython=true)
	@ninja -C build-bench
	@tests/bench/run build-bench --docs $(if $(GROUP),--group $(GROUP))

coverage:
	$(PACKAGES) build test coverage
	$(call setup,build-coverage,gcc,--buildtype=debug -Db_coverage=true -Db_lundef=false \
		-Dpkgconfig.relocatable=true -Dc_args=-fprofile-update=atomic)
	@ninja -C build-coverage
	@tools/coverage.py build-coverage

# Fresh files every time; the seed is printed, and SEED=N repeats a run.
oracle: all
	$(PACKAGES) test
	@tests/oracle/run --reprise build/cli/reprise $(if $(filter command line,$(origin SEED)),--seed $(SEED))

# SEED=N repeats a choice of mistakes, SECONDS=N begins no further one after that time.
mutate:
	$(PACKAGES) build test test-all --optional viewer
	@tools/mutate/run --long --mutants $(MUTANTS) \
		$(if $(filter command line,$(origin SEED)),--seed $(SEED)) \
		$(if $(filter command line,$(origin SECONDS)),--seconds $(SECONDS))

# A damaged file is shown to 20 verbs, each of which is a run.
sweep:
	$(PACKAGES) build test
	$(call setup,build-sweep,gcc,--buildtype=release)
	@ninja -C build-sweep tests/test_damaged_files
	@build-sweep/tests/test_damaged_files $$(( ($(RUNS) + 19) / 20 )) $(SEED)

soak:
	$(PACKAGES) build test
	$(call setup,build-soak,gcc,--buildtype=debugoptimized)
	@ninja -C build-soak tests/test_recorder tests/test_recorder_kill
	@build-soak/tests/test_recorder
	@REPRISE_KILLS=$(KILLS) build-soak/tests/test_recorder_kill

fuzz:
	$(PACKAGES) build fuzz
	$(call setup,build-fuzz,clang,$(SANITIZED) -Dtests=false -Dfuzz=true \
		-Dc_args="$(NO_RECOVER) -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp")
	@ninja -C build-fuzz
	@tests/fuzz/run build-fuzz $(SECONDS) $(TARGET)

install: all
	@meson configure build -Dprefix=$(abspath $(PREFIX)) $(LIBDIR)
	meson install -C build $(if $(DESTDIR),--destdir $(abspath $(DESTDIR)))
	@test -n "$(DESTDIR)" || test "$$(id -u)" -ne 0 || ldconfig

lint:
	$(PACKAGES) lint
	@clang-format --dry-run -Werror --ferror-limit=1 $(C_FILES)
	@tools/check-layers.py
	@cppcheck $(CPPCHECK) $(INCLUDES) src cli

format:
	$(PACKAGES) lint
	@clang-format -i $(C_FILES)

docs: all
	@tools/make-docs.py build/cli/reprise

clean:
	rm -rf build build-test build-clang build-bench build-coverage build-mutate build-soak build-sweep build-fuzz build-python dist out viewer/node_modules viewer/dist
