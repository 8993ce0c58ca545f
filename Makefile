# heddle: build, test, install.
#
#   make            builds build/heddle and its runtime; it runs in place
#   make demo       installs what is missing, builds, checks two of the examples
#   make check      what to run before a commit: under a minute
#   make test       installs what is missing, builds, runs every test;  make test-long: the nightly amounts
#   make bench      executions per second, beside fork mode
#   make asan       the explorer's unit tests under ASan and UBSan
#   make deps       only the packages        make format     clang-format over the sources
#   make man        refreshes the option lists of the man pages
#   make compile_commands.json               for editors and clang tools
#   make install    PREFIX=/usr/local DESTDIR=;  make uninstall removes it
#   make deb        a Debian package in build/;  make dist: a source tarball there
#
# Variables: BUILD=folder, CC=gcc|clang, DEBUG=1 (with a BUILD of its own: structures are checked after every change), V=1.

VERSION  = 0.1.0
BUILD   ?= build
# One name for each file, however the folder was given: the dependency files hold it.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
PREFIX  ?= /usr/local
DESTDIR ?=

ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc),gcc,clang)
endif
WERROR ?= -Werror

# V=1 shows the commands.
Q = $(if $(V),,@)

# The compiler that did not build this: everything must be free of warnings with both.
OTHER_CC = $(if $(findstring clang,$(CC)),gcc,clang)

WARN   = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
COMMON = -std=gnu11 -D_GNU_SOURCE= -DHEDDLE_VERSION='"$(VERSION)"' -Isrc -Iinclude -MMD -MP $(WARN)

# DEBUG=1, with a BUILD of its own: structures are checked after every change (base/assert.h).
DEBUG ?=

EXPLORER_CFLAGS = $(COMMON) -O2 -g $(if $(DEBUG),-DHEDDLE_DEBUG) $(CFLAGS)
EXPLORER_LIBS   = -lm -ldw -lelf -lZydis -liberty

# The runtime must never call into what it intercepts: no builtin or loop may become a call of memcpy, and no function
# may touch a TLS canary across a switch of fibers.
RT_CFLAGS = $(COMMON) -O2 -g -fPIC -fvisibility=hidden -fno-stack-protector -fno-builtin -fcf-protection=none \
            -fno-omit-frame-pointer -U_FORTIFY_SOURCE
ifeq ($(findstring clang,$(CC)),)
RT_CFLAGS += -fno-tree-loop-distribute-patterns
endif
RT_LDFLAGS = -shared -Wl,-soname,libheddle-rt.so -Wl,-z,now
RT_LIBS    = -ldl

# What programs are linked to: the hooks and annotations, always idle (src/rt/plain/plain.c).
PLAIN_CFLAGS  = $(filter-out -fno-builtin -fno-omit-frame-pointer,$(RT_CFLAGS)) -DHEDDLE_PLAIN -ffunction-sections -fomit-frame-pointer
PLAIN_LDFLAGS = -shared -Wl,-soname,libheddle-rt.so -Wl,--gc-sections -Wl,--version-script=src/rt/plain/plain.map

# The rooms of the explorer and of the runtime (docs/ARCHITECTURE.md).
EXPLORER_ROOMS = base wire op config binary binary/transaction trace analysis hb smt strategy strategy/dpor strategy/deepening strategy/mcr strategy/mcr/wait strategy/mcr/compare strategy/predict strategy/states target program \
                 record verdict engine parallel parallel/store minimize report report/cause cli cli/cc cli/option cli/many cli/record
RT_ROOMS       = rt rt/sched rt/trace rt/loops rt/user rt/sync rt/thread rt/memory rt/copy rt/calls rt/weak rt/txn rt/io rt/files rt/helper rt/world rt/waypoint rt/signal rt/arch/x86_64 op

# --cluster needs hiredis, and its TLS is a library of its own: files with `_none` take the place of what is not there.
HIREDIS     := $(if $(wildcard /usr/include/hiredis/hiredis.h),redis,none)
HIREDIS_TLS := $(if $(wildcard /usr/include/hiredis/hiredis_ssl.h),redis,none)
EXPLORER_LIBS += $(if $(filter redis,$(HIREDIS)),-lhiredis $(if $(filter redis,$(HIREDIS_TLS)),-lhiredis_ssl))
NOT_BUILT = $(patsubst %,src/parallel/store/%.c,$(if $(filter redis,$(HIREDIS)),redis_none,redis redis_link)) \
            src/parallel/store/$(if $(filter redis,$(HIREDIS_TLS)),redis_tls_none,redis_tls).c
# --mcr checked needs Z3, whose library is loaded when it is asked.
NOT_BUILT += src/smt/$(if $(wildcard /usr/include/z3.h),z3_none,z3).c

EXPLORER_SRC = $(filter-out $(NOT_BUILT),$(sort $(wildcard $(EXPLORER_ROOMS:%=src/%/*.c))))
RT_SRC       = $(sort $(wildcard $(RT_ROOMS:%=src/%/*.c)))
RT_ASM       = $(sort $(wildcard $(RT_ROOMS:%=src/%/*.S)))
PLAIN_SRC    = $(sort $(wildcard src/rt/plain/*.c)) \
               $(patsubst %,src/rt/%.c,memory/access memory/atomic memory/tsan user/annotate txn/intrinsics arch/x86_64/atomic16)
RECORD_SRC   = $(sort $(wildcard src/rt/record/*.c))
UNIT_SRC     = $(sort $(wildcard $(foreach d,* */* */*/*,tests/unit/$(d)_test.c)))

# The instrumenter is a plugin for the clang of the same major version: one for each LLVM whose headers and clang are here.
# Compiler caches know a plugin by its path alone, so the path has a sum of the sources in it.
LLVM_MAJORS ?= $(sort $(foreach major,$(shell clang -dumpversion 2>/dev/null | cut -d . -f 1) \
                        $(patsubst /usr/bin/clang-%,%,$(wildcard /usr/bin/clang-[0-9][0-9])), \
                        $(if $(wildcard /usr/lib/llvm-$(major)/include/llvm-c/Core.h),$(major))))
INSTRUMENT_SRC = $(sort $(wildcard src/instrument/*.c src/instrument/*.cc))
INSTRUMENT_SUM := $(shell cat src/instrument/* src/wire/inline.h | cksum | cut -d ' ' -f 1)
INSTRUMENT    := $(foreach major,$(LLVM_MAJORS),$(BUILD)/instrument/llvm-$(major)/$(INSTRUMENT_SUM)/heddle.so)
# The same plugin under the name that asks for paths (src/instrument/path.h).
INSTRUMENT    += $(patsubst %/heddle.so,%/heddle-record.so,$(INSTRUMENT))
INSTRUMENT_OBJ = $(foreach major,$(LLVM_MAJORS),$(INSTRUMENT_SRC:%=$(BUILD)/plugin/$(major)/%.o))

# `heddle static` reads LLVM's bitcode: a program for each version of LLVM, as the instrumenter is (heddle does not link LLVM).
STATIC_SRC  = $(sort $(wildcard src/static/*.c src/static/*/*.c)) src/instrument/escape.c src/instrument/pass.c
STATIC_BASE = $(patsubst %,$(BUILD)/obj/src/base/%.o,error fault json memory ptrmap shown)
STATIC      = $(foreach major,$(LLVM_MAJORS),$(if $(wildcard /usr/lib/llvm-$(major)/lib/libLLVM-$(major).so),$(BUILD)/static/llvm-$(major)/heddle-static))
STATIC_OBJ  = $(foreach major,$(LLVM_MAJORS),$(STATIC_SRC:%=$(BUILD)/plugin/$(major)/%.o))

# Functions of C++ containers that are instrumented in place of the library's (src/cxx): where clang and the plugin are.
CXX_SRC  = $(sort $(wildcard src/cxx/*.cc))
CXX_OBJ  = $(CXX_SRC:%.cc=$(BUILD)/cxx-obj/%.o)
CXX_TREE = $(if $(INSTRUMENT),$(BUILD)/cxx/libheddle-cxx.a $(BUILD)/cxx/bits/basic_string.tcc)

EXPLORER_OBJ = $(EXPLORER_SRC:%.c=$(BUILD)/obj/%.o)
LIB_OBJ      = $(filter-out %/src/cli/main.o,$(EXPLORER_OBJ))
RT_OBJ       = $(RT_SRC:%.c=$(BUILD)/rt/%.o) $(RT_ASM:%.S=$(BUILD)/rt/%.o)
PLAIN_OBJ    = $(PLAIN_SRC:%.c=$(BUILD)/idle/%.o)
RECORD_OBJ   = $(RECORD_SRC:%.c=$(BUILD)/idle/%.o)
TSAN_STUBS   = $(addprefix $(BUILD)/tsan/,libtsan.so.2 libtsan.so.0 libclang_rt.tsan-x86_64.so libclang_rt.tsan.so)
UNIT_BIN     = $(UNIT_SRC:tests/unit/%.c=$(BUILD)/unit/%)

# ASan and UBSan are a build tree of their own, by clang, with the checks of a debug build.  libFuzzer runs its objects
# (tests/fuzz), and tests/debug its explorer, with the runtime of the ordinary build.
ASAN_BUILD = $(BUILD)/asan
ASAN_FLAGS = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1
ASAN_MAKE  = $(MAKE) --no-print-directory BUILD=$(ASAN_BUILD) CC=clang CFLAGS="$(ASAN_FLAGS)" DEBUG=1

.PHONY: all runtime objects archive unit asan asan-unit asan-archive asan-heddle deps test-deps demo help check test test-long bench format man install uninstall deb dist clean
.SECONDARY:
.DELETE_ON_ERROR:

all: $(BUILD)/heddle $(BUILD)/heddle-cc $(BUILD)/heddle-c++ $(BUILD)/assembler/as $(BUILD)/libheddle-rt.so $(BUILD)/plain/libheddle-rt.so \
     $(BUILD)/record/libheddle-rt.so $(BUILD)/heddle.specs $(TSAN_STUBS) $(INSTRUMENT) $(STATIC) $(CXX_TREE)

# The compilers as one word each, for those that cannot take two.
$(BUILD)/heddle-cc $(BUILD)/heddle-c++: $(BUILD)/heddle
	@ln -sf heddle $@

# What compilers find as the assembler (src/cli/cc/assembler.c).
$(BUILD)/assembler/as: $(BUILD)/heddle
	@mkdir -p $(@D)
	@ln -sf ../heddle $@

$(BUILD)/heddle.specs: src/cli/cc/heddle.specs
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/heddle: $(EXPLORER_OBJ)
	@echo '  LINK   $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EXPLORER_LIBS)

$(BUILD)/libheddle-rt.so: $(RT_OBJ)
	@echo '  LINK   $@'
	$(Q)$(CC) $(LDFLAGS) $(RT_LDFLAGS) -o $@ $^ $(RT_LIBS)

# The same with the recorder (src/rt/record): programs built by heddle cc --record are linked to it.
$(BUILD)/record/libheddle-rt.so: $(PLAIN_OBJ) $(RECORD_OBJ) src/rt/record/record.map
	@mkdir -p $(@D)
	@echo '  LINK   $@'
	$(Q)$(CC) $(LDFLAGS) $(subst plain/plain.map,record/record.map,$(PLAIN_LDFLAGS)) -o $@ \
		$(filter-out %/rt/plain/path.o,$(PLAIN_OBJ)) $(RECORD_OBJ) -ldl

$(BUILD)/plain/libheddle-rt.so: $(PLAIN_OBJ) src/rt/plain/plain.map
	@mkdir -p $(@D)
	@echo '  LINK   $@'
	$(Q)$(CC) $(LDFLAGS) $(PLAIN_LDFLAGS) -o $@ $(PLAIN_OBJ)

# Empty libraries under the names of ThreadSanitizer's: loaded first, they keep the loader from loading those.
$(BUILD)/tsan/%:
	@mkdir -p $(@D)
	@echo '  LINK   $@'
	$(Q)$(CC) -shared -nostdlib -Wl,-soname,$* -o $@ -x c /dev/null

$(BUILD)/instrument/%/heddle-record.so: $(BUILD)/instrument/%/heddle.so
	@cp $< $@

define plugin # major
$(BUILD)/instrument/llvm-$(1)/$(INSTRUMENT_SUM)/heddle.so: $(INSTRUMENT_SRC:%=$(BUILD)/plugin/$(1)/%.o)
	@mkdir -p $$(@D)
	@echo '  LINK   $$@'
	$$(Q)$$(CXX) -shared -o $$@ $$^

$(BUILD)/static/llvm-$(1)/heddle-static: $(STATIC_SRC:%=$(BUILD)/plugin/$(1)/%.o) $(STATIC_BASE)
	@mkdir -p $$(@D)
	@echo '  LINK   $$@'
	$$(Q)$$(CC) $$(LDFLAGS) -o $$@ $$^ -L/usr/lib/llvm-$(1)/lib -lLLVM-$(1) -lelf

$(BUILD)/plugin/$(1)/%.c.o: %.c Makefile
	@mkdir -p $$(@D)
	@echo '  CC     $$<'
	$$(Q)$$(CC) $$(COMMON) -isystem /usr/lib/llvm-$(1)/include -O2 -g -fPIC -fvisibility=hidden -c -o $$@ $$<

$(BUILD)/plugin/$(1)/%.cc.o: %.cc Makefile
	@mkdir -p $$(@D)
	@echo '  CXX    $$<'
	$$(Q)$$(CXX) -std=c++17 -fno-exceptions -fno-rtti -DHEDDLE_VERSION='"$$(VERSION)"' -Isrc -isystem /usr/lib/llvm-$(1)/include \
		-O2 -g -fPIC -MMD -MP -c -o $$@ $$<
endef
$(foreach major,$(LLVM_MAJORS),$(eval $(call plugin,$(major))))

$(BUILD)/cxx/libheddle-cxx.a: $(CXX_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	@echo '  AR     $@'
	$(Q)ar qcs $@ $^

$(BUILD)/cxx-obj/%.o: %.cc $(BUILD)/heddle $(INSTRUMENT) Makefile
	@mkdir -p $(@D)
	@echo '  CXX    $<'
	$(Q)$(BUILD)/heddle c++ --compiler clang -std=c++17 -O1 -g -fPIC -fdebug-prefix-map=$(CURDIR)/=heddle/ -MMD -MP -c -o $@ $<

$(BUILD)/cxx/bits/%: src/cxx/bits/%
	@mkdir -p $(@D)
	@cp $< $@

# An archive, so that a unit test links only what it needs.  Appended to, because names repeat in different folders.
$(BUILD)/libexplorer.a: $(LIB_OBJ)
	@rm -f $@
	@echo '  AR     $@'
	$(Q)ar qcs $@ $^

# An initialiser that throws is left through pthread_once.
$(BUILD)/rt/src/rt/sync/once.o: RT_CFLAGS += -fexceptions

$(BUILD)/obj/src/cli/cc/cc.o: EXPLORER_CFLAGS += -DHEDDLE_INSTRUMENT_SUM='"$(INSTRUMENT_SUM)"'
$(BUILD)/obj/src/cli/cc/cc.o: $(wildcard src/instrument/*) src/wire/inline.h
$(BUILD)/obj/src/report/html.o: src/report/page.html
$(BUILD)/obj/src/cli/gdb.o: src/cli/gdb.py

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  CC     $<'
	$(Q)$(CC) $(EXPLORER_CFLAGS) -c -o $@ $<

$(BUILD)/rt/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  CC-RT  $<'
	$(Q)$(CC) $(RT_CFLAGS) -c -o $@ $<

$(BUILD)/idle/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  CC-RT  $<'
	$(Q)$(CC) $(PLAIN_CFLAGS) -c -o $@ $<

$(BUILD)/rt/%.o: %.S Makefile
	@mkdir -p $(@D)
	@echo '  AS-RT  $<'
	$(Q)$(CC) -Isrc -Iinclude -MMD -MP -g -fPIC -c -o $@ $<

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libexplorer.a Makefile
	@mkdir -p $(@D)
	@echo '  TEST   $@'
	$(Q)$(CC) $(EXPLORER_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libexplorer.a $(EXPLORER_LIBS)

runtime: $(RT_OBJ) $(PLAIN_OBJ) $(RECORD_OBJ)
objects: $(EXPLORER_OBJ) runtime
archive: $(BUILD)/libexplorer.a
unit: $(UNIT_BIN)

asan: asan-unit
	@set -e; for t in $(UNIT_SRC:tests/unit/%.c=$(ASAN_BUILD)/unit/%); do echo $$t; $$t; done

asan-unit:
	+@$(ASAN_MAKE) unit

asan-archive:
	+@$(ASAN_MAKE) archive

asan-heddle:
	+@$(ASAN_MAKE) $(ASAN_BUILD)/heddle
	@ln -sf ../libheddle-rt.so $(ASAN_BUILD)/libheddle-rt.so

deps:
	@scripts/deps.sh

test-deps:
	@scripts/deps.sh test

demo: deps
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh $(BUILD)

help:
	@sed -n '/^#  /s/^# *//p; /^# Variables/s/^# //p; /^VERSION/q' Makefile

# Depends on nothing but the compilers: what is missing is installed by make test.
check:
	+@BUILD=$(BUILD) OTHER_CC=$(OTHER_CC) scripts/test.sh --check

compile_commands.json: Makefile
	@{ echo '['; for f in $(EXPLORER_SRC) $(RT_SRC); do \
		printf '%s{"directory": "%s", "file": "%s", "command": "cc -std=gnu11 -D_GNU_SOURCE= -DHEDDLE_VERSION=\\"%s\\" -Isrc -Iinclude -c %s"}\n' \
			"$$comma" "$(CURDIR)" "$$f" "$(VERSION)" "$$f"; comma=,; done; echo ']'; } >$@

test: test-deps
	+@BUILD=$(BUILD) OTHER_CC=$(OTHER_CC) scripts/test.sh

test-long: test-deps
	+@BUILD=$(BUILD) OTHER_CC=$(OTHER_CC) HEDDLE_TEST_LONG=1 scripts/test.sh

bench: deps
	@$(MAKE) --no-print-directory all
	@scripts/bench.sh $(BUILD)

format:
	clang-format -i $$(find src include tests/unit examples -name '*.[ch]')

man: $(BUILD)/heddle
	scripts/man-options.sh $(BUILD)/heddle docs/man

# The tree may be moved afterwards: heddle finds its parts by where it is.  The completions are asked of the program.
ROOT = $(DESTDIR)$(PREFIX)
BASH_COMPLETION = share/bash-completion/completions/heddle
ZSH_COMPLETION  = share/zsh/vendor-completions/_heddle

install: all
	install -d "$(ROOT)"/bin "$(ROOT)"/lib/heddle/plain "$(ROOT)"/lib/heddle/record "$(ROOT)"/lib/heddle/tsan "$(ROOT)"/lib/heddle/assembler "$(ROOT)"/include/heddle "$(ROOT)"/share/man/man1 "$(ROOT)"/share/pkgconfig
	install -d "$(ROOT)"/$(dir $(BASH_COMPLETION)) "$(ROOT)"/$(dir $(ZSH_COMPLETION))
	install -m 755 $(BUILD)/heddle "$(ROOT)"/bin/heddle
	install -m 644 $(BUILD)/libheddle-rt.so "$(ROOT)"/lib/heddle/libheddle-rt.so
	install -m 644 $(BUILD)/plain/libheddle-rt.so "$(ROOT)"/lib/heddle/plain/libheddle-rt.so
	install -m 644 $(BUILD)/record/libheddle-rt.so "$(ROOT)"/lib/heddle/record/libheddle-rt.so
	install -m 644 $(TSAN_STUBS) "$(ROOT)"/lib/heddle/tsan/
	install -m 644 $(BUILD)/heddle.specs "$(ROOT)"/lib/heddle/heddle.specs
ifneq ($(INSTRUMENT),)
	for f in $(INSTRUMENT:$(BUILD)/%=%); do install -D -m 644 $(BUILD)/$$f "$(ROOT)"/lib/heddle/$$f; done
	for f in $(STATIC:$(BUILD)/%=%); do install -D -m 755 $(BUILD)/$$f "$(ROOT)"/lib/heddle/$$f; done
	install -d "$(ROOT)"/lib/heddle/cxx/bits
	install -m 644 $(BUILD)/cxx/libheddle-cxx.a "$(ROOT)"/lib/heddle/cxx/
	install -m 644 src/cxx/bits/basic_string.tcc "$(ROOT)"/lib/heddle/cxx/bits/
endif
	ln -sf heddle "$(ROOT)"/bin/heddle-cc
	ln -sf heddle "$(ROOT)"/bin/heddle-c++
	ln -sf ../../../bin/heddle "$(ROOT)"/lib/heddle/assembler/as
	install -m 644 include/heddle/*.h "$(ROOT)"/include/heddle/
	install -m 644 docs/man/*.1 "$(ROOT)"/share/man/man1/
	install -d "$(ROOT)"/share/man/man7
	install -m 644 docs/man/*.7 "$(ROOT)"/share/man/man7/
	$(BUILD)/heddle completion bash >"$(ROOT)"/$(BASH_COMPLETION)
	$(BUILD)/heddle completion zsh >"$(ROOT)"/$(ZSH_COMPLETION)
	sed 's/@VERSION@/$(VERSION)/' packaging/heddle.pc.in >"$(ROOT)"/share/pkgconfig/heddle.pc
	install -d "$(ROOT)"/share/cmake/heddle
	install -m 644 cmake/heddle-config.cmake "$(ROOT)"/share/cmake/heddle/
	sed 's/@VERSION@/$(VERSION)/' packaging/heddle-config-version.cmake.in >"$(ROOT)"/share/cmake/heddle/heddle-config-version.cmake

# What install put there, and the folders that are heddle's own.
uninstall:
	rm -f "$(ROOT)"/bin/heddle "$(ROOT)"/bin/heddle-cc "$(ROOT)"/bin/heddle-c++ "$(ROOT)"/share/pkgconfig/heddle.pc
	rm -f "$(ROOT)"/lib/heddle/assembler/as "$(ROOT)"/lib/heddle/libheddle-rt.so "$(ROOT)"/lib/heddle/plain/libheddle-rt.so "$(ROOT)"/lib/heddle/record/libheddle-rt.so "$(ROOT)"/lib/heddle/heddle.specs
	rm -f "$(ROOT)"/share/cmake/heddle/heddle-config.cmake "$(ROOT)"/share/cmake/heddle/heddle-config-version.cmake
	rm -f $(TSAN_STUBS:$(BUILD)/%="$(ROOT)"/lib/heddle/%)
	rm -rf "$(ROOT)"/lib/heddle/instrument "$(ROOT)"/lib/heddle/static "$(ROOT)"/lib/heddle/cxx
	cd include/heddle && for f in *.h; do rm -f "$(ROOT)/include/heddle/$$f"; done
	cd docs/man && for f in *.1; do rm -f "$(ROOT)/share/man/man1/$$f"; done
	cd docs/man && for f in *.7; do rm -f "$(ROOT)/share/man/man7/$$f"; done
	rm -f "$(ROOT)"/$(BASH_COMPLETION) "$(ROOT)"/$(ZSH_COMPLETION)
	rmdir "$(ROOT)"/lib/heddle/plain "$(ROOT)"/lib/heddle/record "$(ROOT)"/lib/heddle/tsan "$(ROOT)"/lib/heddle/assembler "$(ROOT)"/lib/heddle "$(ROOT)"/include/heddle "$(ROOT)"/share/cmake/heddle 2>/dev/null || true

deb: all
	@VERSION=$(VERSION) BUILD=$(BUILD) MAKE="$(MAKE)" packaging/deb.sh

dist:
	@VERSION=$(VERSION) BUILD=$(BUILD) packaging/dist.sh

clean:
	rm -rf build $(BUILD)

-include $(INSTRUMENT_OBJ:.o=.d) $(STATIC_OBJ:.o=.d) $(EXPLORER_OBJ:.o=.d) $(RT_OBJ:.o=.d) $(PLAIN_OBJ:.o=.d) $(UNIT_BIN:=.d)
