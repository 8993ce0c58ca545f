/*
 * confine [--also NAME]... COMMAND ARG...: runs a command with the system calls refused (EPERM) that Docker's default profile
 * refuses, ptrace with them, as a process without privileges sees them; --also refuses one more: seccomp, memfd_create.
 * personality() may only ask, and set what the profile allows, so addresses stay random.  clone3 is ENOSYS, as there.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int refused[] = {
        SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_adjtime, SYS_clock_settime, SYS_delete_module, SYS_finit_module,
        SYS_get_mempolicy, SYS_init_module, SYS_ioperm, SYS_iopl, SYS_kcmp, SYS_kexec_load, SYS_keyctl, SYS_lookup_dcookie,
        SYS_mbind, SYS_mount, SYS_move_pages, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_perf_event_open,
        SYS_pivot_root, SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_quotactl, SYS_reboot, SYS_request_key,
        SYS_set_mempolicy, SYS_setns, SYS_settimeofday, SYS_swapon, SYS_swapoff, SYS_sysfs, SYS_umount2, SYS_unshare,
        SYS_uselib, SYS_userfaultfd, SYS_ustat, SYS_vhangup,
};
static const unsigned personalities[] = {0, 8, 0x20000, 0x20008, 0xffffffff};

#define N(array) (sizeof(array) / sizeof *(array))
#define LOAD(what) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define UNLESS(k) (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, 1)
#define ANSWER(k) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (k))
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter filter[256];
static unsigned short n;

static void add(struct sock_filter f)
{
        filter[n++] = f;
}

static void refuse(unsigned number)
{
        add(UNLESS(number));
        add(REFUSE);
}

int main(int argc, char **argv)
{
        int i = 1;

        add(LOAD(nr));
        for (size_t k = 0; k < N(refused); k++)
                refuse((unsigned)refused[k]);
        for (; i + 1 < argc && strcmp(argv[i], "--also") == 0; i += 2)
                refuse(strcmp(argv[i + 1], "seccomp") == 0 ? SYS_seccomp : SYS_memfd_create);
        add(UNLESS(SYS_clone3));
        add(ANSWER(SECCOMP_RET_ERRNO | ENOSYS));
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
        add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x7e020000 /* CLONE_NEW* */, 0, 1));
        add(REFUSE);
        add(LOAD(nr));
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 2 + 2 * N(personalities)));
        add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
        for (size_t k = 0; k < N(personalities); k++) {
                add(UNLESS(personalities[k]));
                add(ANSWER(SECCOMP_RET_ALLOW));
        }
        add(REFUSE);
        add(ANSWER(SECCOMP_RET_ALLOW));

        struct sock_fprog program = {n, filter};
        if (i >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
                fprintf(stderr, "confine: %s\n", i >= argc ? "name a command" : strerror(errno));
                return 125;
        }
        execvp(argv[i], argv + i);
        fprintf(stderr, "confine: %s: %s\n", argv[i], strerror(errno));
        return 126;
}
