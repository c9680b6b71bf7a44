/* seccomp_filter.c - see seccomp_filter.h. */
#define _GNU_SOURCE /* syscall, CLONE_THREAD */
#include "seccomp_filter.h"

/* The leak detector traces this process, which the filter would prevent. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    !defined(RP_TRACES_LEAKS) && !defined(REPRISE_NO_SECCOMP)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { X32_BIT = 0x40000000 };

static const int allowed[] = {
    /* open files, and files that landlock allows to open */
    __NR_read,
    __NR_write,
    __NR_pread64,
    __NR_pwrite64,
    __NR_readv,
    __NR_writev,
    __NR_lseek,
    __NR_close,
    __NR_fstat,
    __NR_newfstatat,
    __NR_statx,
    __NR_openat,
    __NR_getdents64,
    __NR_readlinkat,
    __NR_faccessat,
    __NR_fcntl,
    __NR_dup,
    __NR_fsync,
    __NR_fdatasync,
    __NR_ftruncate,
    __NR_fallocate,
    __NR_fchmod,
    __NR_fchmodat,
    __NR_umask,
    __NR_linkat,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_mkdirat,
    __NR_flock,
    __NR_getcwd,
    __NR_ppoll,
    __NR_pselect6,
    __NR_copy_file_range,
    __NR_sendfile,
    __NR_fadvise64,
    __NR_inotify_init1,
    __NR_inotify_add_watch,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __x86_64__
    __NR_open,
    __NR_stat,
    __NR_lstat,
    __NR_access,
    __NR_readlink,
    __NR_unlink,
    __NR_rename,
    __NR_link,
    __NR_mkdir,
    __NR_rmdir,
    __NR_chmod,
    __NR_poll,
    __NR_select,
    __NR_arch_prctl,
#endif
    /* memory */
    __NR_munmap,
    __NR_mremap,
    __NR_madvise,
    __NR_brk,
    /* our own threads and signals */
    __NR_futex,
    __NR_exit,
    __NR_exit_group,
    __NR_set_robust_list,
    __NR_set_tid_address,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_gettid,
    __NR_getpid,
    __NR_tgkill,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_rt_sigtimedwait,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_membarrier,
#ifdef __NR_rseq
    __NR_rseq,
#endif
    /* time, random numbers, process ids */
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_gettimeofday,
    __NR_getrandom,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
    __NR_uname,
    __NR_sysinfo,
    __NR_prlimit64,
    __NR_getrusage,
};

/* Terminals: attributes and size, but not simulating input. */
static const unsigned ioctls[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, FIONREAD};

enum {
    ALLOWED_COUNT = sizeof allowed / sizeof allowed[0],
    IOCTL_COUNT = sizeof ioctls / sizeof ioctls[0],
    PROGRAM_MAX = 2 * ALLOWED_COUNT + 2 * IOCTL_COUNT + 32,
};

typedef struct program {
    struct sock_filter code[PROGRAM_MAX];
    unsigned short size;
} program;

static void put(program *p, struct sock_filter one)
{
    p->code[p->size++] = one;
}

#define DATA(member) offsetof(struct seccomp_data, member)
#define LOAD(place)  (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(place))
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE       (SECCOMP_RET_ERRNO | EPERM)
#define JUMP(test, value, yes, no) \
    (struct sock_filter) BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), (yes), (no))

static void put_allowed(program *p, int number)
{
    put(p, JUMP(BPF_JEQ, number, 0, 1));
    put(p, RETURN(SECCOMP_RET_ALLOW));
}

/* Allows a call if its argument has, or does not have, a bit. Only the low 32 bits are checked. */
static void put_bits(program *p, int number, unsigned argument, uint32_t bits, bool wanted)
{
    put(p, JUMP(BPF_JEQ, number, 0, 4));
    put(p, LOAD(DATA(args) + 8 * argument));
    put(p, JUMP(BPF_JSET, bits, wanted ? 0 : 1, wanted ? 1 : 0));
    put(p, RETURN(SECCOMP_RET_ALLOW));
    put(p, RETURN(REFUSE));
}

static void put_ioctls(program *p)
{
    put(p, JUMP(BPF_JEQ, __NR_ioctl, 0, 2 * IOCTL_COUNT + 2));
    put(p, LOAD(DATA(args) + 8));
    for (size_t i = 0; i < IOCTL_COUNT; i++)
        put_allowed(p, (int)ioctls[i]);
    put(p, RETURN(REFUSE));
}

bool rp_seccomp_enter(void)
{
    program p = {.size = 0};
    put(&p, LOAD(DATA(arch)));
    put(&p, JUMP(BPF_JEQ, ARCHITECTURE, 1, 0));
    put(&p, RETURN(REFUSE));
    put(&p, LOAD(DATA(nr)));
    put(&p, JUMP(BPF_JGE, X32_BIT, 0, 1));
    put(&p, RETURN(REFUSE));
    /* clone3 hides its flags from the filter; without it, the C library uses clone. */
#ifdef __NR_clone3
    put(&p, JUMP(BPF_JEQ, __NR_clone3, 0, 1));
    put(&p, RETURN(SECCOMP_RET_ERRNO | ENOSYS));
#endif
    put_bits(&p, __NR_clone, 0, CLONE_THREAD, true);
    put_bits(&p, __NR_mmap, 2, PROT_EXEC, false);
    put_bits(&p, __NR_mprotect, 2, PROT_EXEC, false);
    put_ioctls(&p);
    for (size_t i = 0; i < ALLOWED_COUNT; i++)
        put_allowed(&p, allowed[i]);
    put(&p, RETURN(REFUSE));
    struct sock_fprog all = {.len = p.size, .filter = p.code};
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &all) == 0;
}

#else

bool rp_seccomp_enter(void)
{
    return false;
}

#endif
