# Sourced by the scripts that break one rule at a time in a copy of the tree and ask whether a test notices it.
#
#     mutate.sh [NUMBER ...]      only these mutations; SOURCE is the tree to break
#     mutate.sh --check           only whether each one still changes its file into something that compiles
#
# The script names itself ($mutants: the folder in BUILD), defines noticed(), calls mutations_begin, has its rows, and ends
# with mutations_end.  noticed ARG...: runs a test on $tree/build/heddle with its log in $log; 0 if it failed; what it writes
# to standard output is reported, in both cases.
# shellcheck shell=sh disable=SC2154,SC2046
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
SOURCE=${SOURCE:-.}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
case $HEDDLE in /*) ;; *) HEDDLE=$PWD/$HEDDLE ;; esac
only=" $* "
number=0
missed=0
caught=0
check=
[ "$only" != ' --check ' ] || check=1

mutations_make() {
        make -s -C "$tree" BUILD=build WERROR= -j2 all >"$dir/make.log" 2>&1
}

# The copy of the tree, built once; only what a mutation touches is built afterwards.
mutations_begin() {
        dir=$BUILD/$mutants${check:+-check}
        tree=$dir/tree
        rm -rf "$tree" "$dir"/*.passed
        mkdir -p "$tree"
        cp -a "$SOURCE/Makefile" "$SOURCE/src" "$SOURCE/include" "$tree"
        [ -n "$check" ] || mutations_make || {
                echo "FAIL mutate: the copy of the tree cannot be built, see $dir/make.log"
                exit 1
        }
}

# Every header compiles alone, so one file shows whether a mutation does; a table compiles where it is included.
mutations_compiles() ( # FILE
        cd "$tree" || exit 3
        case $1 in
        *.def) set -- $(grep -rl "#include \"${1#src/}\"" src) ;;
        esac
        case $1 in
        *.cc) # the instrumenter's, for the LLVM of this clang
                ${CXX:-c++} -std=gnu++17 -D_GNU_SOURCE= -Isrc -Iinclude -w -fsyntax-only \
                        -idirafter "/usr/lib/llvm-$(clang -dumpversion | cut -d . -f 1)/include" "$@" >"$dir/make.log" 2>&1
                return
                ;;
        esac
        set -- $(printf -- '-idirafter %s ' /usr/lib/llvm-*/include) "$@"
        ${CC:-cc} -std=gnu11 -D_GNU_SOURCE= -DHEDDLE_VERSION='"0"' -DHEDDLE_INSTRUMENT_SUM='"0"' -Isrc -Iinclude -w -fsyntax-only -x c "$@" >"$dir/make.log" 2>&1
)

# mutation NAME FILE SED-SCRIPT [ARG...]: the script must change the file, and noticed ARG... must notice it.
mutation() {
        number=$((number + 1))
        name=$1
        file=$2
        script=$3
        shift 3
        case $only in
        '  ' | ' --check ' | *" $number "*) ;;
        *) return ;;
        esac
        log=$dir/$number.log
        how=
        cp -p "$tree/$file" "$dir/original"
        sed -E "$script" "$dir/original" >"$tree/$file"
        if cmp -s "$tree/$file" "$dir/original"; then
                why="changes nothing in $file"
        elif [ -n "$check" ]; then
                why=
                mutations_compiles "$file" || why="does not compile: $(head -n 1 "$dir/make.log")"
        elif ! mutations_make; then
                why="cannot be built, see $dir/make.log"
        elif how=$(noticed "$@"); then
                why=
        else
                why="not noticed${how:+ by $how}, see $log"
        fi
        cp "$dir/original" "$tree/$file"
        if [ -n "$why" ]; then
                echo "FAIL mutation $number: $name: $why"
                missed=$((missed + 1))
        else
                [ -n "$check" ] || printf 'PASS mutation %2d: %-58s %s\n' "$number" "$name" "$how"
                caught=$((caught + 1))
        fi
}

mutations_end() {
        if [ -z "$check" ]; then
                echo "mutations: $caught caught, $missed not"
        else
                [ "$missed" != 0 ] || echo "PASS $mutants: $caught mutations change what they are about and compile"
                rm -rf "$dir"
        fi
        [ "$missed" = 0 ]
}

# noticed_by TEST [ARG...]: by tests/TEST/run.sh ARG..., or by a unit test (unit NAME), whose sources mutations_units copies.  It
# must pass without the mutation.
noticed_by() {
        echo "tests/$*"
        passed=$dir/$(echo "$*" | tr ' /' '__').passed
        if [ ! -e "$passed" ]; then
                passes . "${BUILD#"$PWD"/}" "$HEDDLE" "$@" || {
                        echo "which fails without the mutation"
                        return 1
                }
                : >"$passed"
        fi
        ! passes "$tree" build "$tree/build/heddle" "$@"
}

passes() { # TREE BUILD HEDDLE TEST [ARG...]
        folder=$1 build=$2 heddle=$3 test=$4
        shift 4
        if [ "$test" = unit ]; then
                make -s -C "$folder" BUILD="$build" WERROR= "$build/unit/$1" >"$log" 2>&1 || exit 3
                (cd "$folder" && "$build/unit/$1") >>"$log" 2>&1
        else
                HEDDLE=$heddle BUILD=$BUILD "tests/$test/run.sh" "$@" >"$log" 2>&1
        fi
}

mutations_units() {
        mkdir -p "$tree/tests"
        cp -a tests/unit "$tree/tests"
}

# first_difference WHO: from a log of compare, the number of programs until then.
first_difference() {
        after=$(sed -n "s/^$1: first difference after \([0-9]*\) programs\$/\1/p" "$log")
        [ -n "$after" ] && echo "caught after $after programs"
}
