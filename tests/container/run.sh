#!/bin/sh
# Containers: with what Docker's default profile refuses, with more refused, and as a user without privileges.  In long runs
# also a Debian of its own (debootstrap, as root), with heddle installed into it and run as nobody.
cd "$(dirname "$0")/../.." || exit 3
root=$PWD
build=$(cd "${BUILD:-build}" && pwd)
heddle=${HEDDLE:-$build/heddle}
work=$(mktemp -d) || exit 3
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # name status pattern command...
        name=$1 wanted=$2 pattern=$3
        shift 3
        "$@" >"$work/out" 2>&1 </dev/null
        status=$?
        if [ "$status" != "$wanted" ]; then
                echo "FAIL container/$name: status $status, not $wanted: $(tail -n 1 "$work/out")"
        elif ! grep -q -e "$pattern" "$work/out"; then
                echo "FAIL container/$name: no '$pattern' in: $(head -c 300 "$work/out" | tr '\n' ' ')"
        else
                echo "PASS container/$name"
                return
        fi
        failed=1
}

confine=$work/confine
cc -O1 -Wall -o "$confine" tests/container/confine.c || { echo "FAIL container: confine cannot be built"; exit 1; }
lost=$root/examples/lost_update.c
once=$root/tests/faults/once.c

# The same verdicts and figures, refusal by refusal; restarts at other addresses included.
for also in none seccomp memfd_create; do
        run=$confine
        [ "$also" = none ] || run="$confine --also $also"
        expect "safe ($also)" 0 '(60 executions (30 of them probes)' $run "$heddle" check --quiet -DTWIST -DN=5 "$root/examples/philosophers.c"
        expect "failure ($also)" 1 'Replay' $run "$heddle" check --quiet "$lost"
        schedule=$(sed -n "s/.*replay '\(.*\)' .*/\1/p" "$work/out")
        expect "replay ($also)" 1 'balance == 30' $run "$heddle" replay "$schedule" "$lost"
        expect "many threads ($also)" 0 '(542 executions (32 of them probes)' $run "$heddle" check --quiet -DTWIST -DN=9 "$root/examples/philosophers.c"
        rm -f "$work/marker"
        mkfifo "$work/marker"
        exec 8<>"$work/marker"
        printf x >&8
        expect "killed ($also)" 0 '90 :> count=6' env FAULT_MARKER="$work/marker" \
                $run "$heddle" check --quiet --observe count -DKIND=1 "$once"
        exec 8>&-
        expect "doctor ($also)" 0 'note *addresses' $run "$heddle" doctor
done
expect verbose_seccomp 1 'seccomp is not permitted' $confine --also seccomp "$heddle" check --verbose "$lost"
expect verbose_memfd 1 'memfd_create() is not permitted' $confine --also memfd_create "$heddle" check --verbose "$lost"
expect verbose_addresses 1 'personality() is not permitted' $confine "$heddle" check --verbose "$lost"

# As nobody, with nothing but what is installed.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        make -s -C "$root" BUILD="$build" install DESTDIR="$work/tree" PREFIX=/usr >"$work/out" 2>&1
        cp "$lost" "$work" && mkdir -m 777 "$work/tmp"
        nobody="setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs env TMPDIR=$work/tmp"
        expect nobody 1 'Replay' $nobody "$work/tree/usr/bin/heddle" check "$work/lost_update.c"
        expect nobody_confined 1 'Replay' $nobody "$confine" "$work/tree/usr/bin/heddle" check "$work/lost_update.c"
fi

[ -n "${HEDDLE_TEST_LONG:-}" ] && [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || exit $failed
debian=$work/debian
if ! debootstrap --variant=minbase --include=gcc,libc6-dev,libdw1,libelf1 "${DEBIAN_SUITE:-bookworm}" "$debian" \
        ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$work/debootstrap.log" 2>&1; then
        echo "FAIL container/debootstrap: $(tail -n 1 "$work/debootstrap.log")"
        exit 1
fi
make -s -C "$root" BUILD="$build" install DESTDIR="$debian" PREFIX=/usr >"$work/out" 2>&1
cp "$lost" "$confine" "$debian/tmp/"
mount -t proc proc "$debian/proc"
trap 'umount "$debian/proc"; rm -rf "$work"' EXIT
inside="chroot --userspec=65534:65534 $debian env HOME=/tmp"
expect debian_doctor 0 'heddle can run here' $inside heddle doctor
expect debian_nobody 1 'Replay' $inside heddle check /tmp/lost_update.c
expect debian_confined 1 'Replay' $inside /tmp/confine heddle check /tmp/lost_update.c
exit $failed
