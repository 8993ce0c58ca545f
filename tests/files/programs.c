/*
 * Programs that write files: PROGRAM NUMBER, in a folder with file, list, dir/inner, link -> file.  Each asserts what it finds, so
 * that it passes outside of heddle too, and again in every execution if the folder is as it was.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(const char *name, int flags, const char *text)
{
        int fd = open(name, flags, 0644);

        assert(fd >= 0);
        assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
        assert(close(fd) == 0);
}

static void expect(const char *name, const char *text)
{
        char buffer[256] = "";
        int fd = open(name, O_RDONLY);

        assert(fd >= 0);
        assert(read(fd, buffer, sizeof buffer - 1) >= 0);
        assert(strcmp(buffer, text) == 0);
        close(fd);
}

static int exists(const char *name)
{
        return access(name, F_OK) == 0;
}

static unsigned names_in(const char *dir)
{
        DIR *d = opendir(dir);
        const struct dirent *e;
        unsigned n = 0;

        assert(d);
        while ((e = readdir(d)))
                n += e->d_name[0] != '.';
        closedir(d);
        return n;
}

static void twice(void *(*f)(void *))
{
        pthread_t a, b;

        pthread_create(&a, NULL, f, "1");
        pthread_create(&b, NULL, f, "2");
        pthread_join(a, NULL);
        pthread_join(b, NULL);
}

static void *append_locked(void *arg)
{
        pthread_mutex_lock(&lock);
        put("list", O_WRONLY | O_APPEND, "x");
        put("new", O_WRONLY | O_CREAT | O_APPEND, "y");
        pthread_mutex_unlock(&lock);
        return arg;
}

static void appends(void)
{
        twice(append_locked);
        expect("list", "abcxx");
        expect("new", "yy");
}

static void *write_stream(void *arg)
{
        FILE *f;

        pthread_mutex_lock(&lock);
        f = fopen("link", "a+");
        fprintf(f, "line\n");
        fclose(f);
        pthread_mutex_unlock(&lock);
        return arg;
}

static void streams(void)
{
        FILE *f;

        twice(write_stream);
        expect("file", "0123456789line\nline\n");
        f = fopen("file", "w");
        fputs("short", f);
        fclose(f);
        expect("link", "short");
        f = freopen("file", "r+", stdin);
        assert(f && fgetc(f) == 's');
}

static void *make_own(void *arg)
{
        char name[32];

        snprintf(name, sizeof name, "made.%s", (const char *)arg);
        put(name, O_WRONLY | O_CREAT | O_EXCL, arg);
        expect(name, arg);
        assert(unlink(name) == 0 && !exists(name));
        return arg;
}

static void temporary(void)
{
        char name[] = "tmp.XXXXXX";
        FILE *f = tmpfile();
        int fd = mkstemp(name);

        assert(f && fputs("x", f) >= 0 && fclose(f) == 0);
        assert(fd >= 0 && write(fd, "t", 1) == 1 && exists(name));
        twice(make_own);
        assert(unlink(name) == 0 && lseek(fd, 0, SEEK_END) == 1);
        assert(open("file", O_WRONLY | O_CREAT | O_EXCL, 0644) < 0 && errno == EEXIST);
        assert(open("absent", O_WRONLY) < 0 && errno == ENOENT);
        assert(open("file/below", O_WRONLY | O_CREAT, 0644) < 0 && errno == ENOTDIR);
        assert(open("dir", O_WRONLY) < 0 && errno == EISDIR);
        assert(open("link", O_WRONLY | O_NOFOLLOW) < 0 && errno == ELOOP);
}

static void *rename_it(void *arg)
{
        pthread_mutex_lock(&lock);
        if (exists("file"))
                assert(rename("file", "moved") == 0);
        pthread_mutex_unlock(&lock);
        return arg;
}

static void renames(void)
{
        twice(rename_it);
        expect("moved", "0123456789");
        assert(!exists("file") && !exists("link") && errno == ENOENT);
        assert(rename("moved", "list") == 0);
        expect("list", "0123456789");
        assert(rename("dir", "list") < 0 && errno == ENOTDIR);
        assert(rename("dir", "folder") == 0 && !exists("dir/inner"));
        expect("folder/inner", "in");
        assert(rename("folder", "folder/below") < 0 && errno == EINVAL);
        put("folder/more", O_WRONLY | O_CREAT, "m");
        assert(rename("folder", "dir") == 0);
        expect("dir/more", "m");
        assert(names_in("dir") == 2 && names_in(".") == 3 && rename("absent", "x") < 0 && errno == ENOENT);
}

static void *make_dir(void *arg)
{
        if (mkdir("made", 0755) != 0)
                assert(errno == EEXIST);
        return arg;
}

static void directories(void)
{
        char at[512];
        struct stat st;
        int fd;

        twice(make_dir);
        assert(stat("made", &st) == 0 && S_ISDIR(st.st_mode) && names_in("made") == 0 && names_in(".") == 5);
        put("made/a", O_WRONLY | O_CREAT, "a");
        assert(rmdir("made") < 0 && errno == ENOTEMPTY && rmdir("dir") < 0 && errno == ENOTEMPTY);
        assert(unlink("made") < 0 && rmdir("file") < 0 && errno == ENOTDIR);
        assert(chdir("made") == 0 && exists("a") && getcwd(at, sizeof at) && strcmp(strrchr(at, '/'), "/made") == 0);
        expect("../file", "0123456789");
        assert(chdir("..") == 0 && exists("made"));
        fd = open("made", O_RDONLY | O_DIRECTORY);
        assert(fd >= 0 && faccessat(fd, "a", F_OK, 0) == 0 && unlinkat(fd, "a", 0) == 0);
        assert(fstat(fd, &st) == 0 && S_ISDIR(st.st_mode));
        close(fd);
        assert(rmdir("made") == 0 && !exists("made") && unlink("dir/inner") == 0 && rmdir("dir") == 0);
        assert(mkdir("dir", 0700) == 0 && names_in("dir") == 0);
}

static void *add_link(void *arg)
{
        char name[32];

        snprintf(name, sizeof name, "hard.%s", (const char *)arg);
        assert(link("file", name) == 0);
        return arg;
}

static void links(void)
{
        char target[64];
        struct stat a, b;

        twice(add_link);
        assert(stat("file", &a) == 0 && stat("hard.2", &b) == 0 && a.st_ino == b.st_ino && a.st_nlink == 3);
        put("hard.1", O_WRONLY | O_TRUNC, "through");
        expect("file", "through");
        assert(unlink("file") == 0 && symlink("hard.2", "file") == 0);
        expect("link", "through");
        assert(readlink("file", target, sizeof target) == 6 && memcmp(target, "hard.2", 6) == 0);
        assert(lstat("file", &a) == 0 && S_ISLNK(a.st_mode) && a.st_size == 6);
        assert(symlink("self", "self") == 0 && open("self", O_RDONLY) < 0 && errno == ELOOP);
        assert(symlink("dir", "way") == 0);
        expect("way/inner", "in");
        put("way/inner", O_WRONLY | O_TRUNC, "out");
        expect("dir/inner", "out");
        assert(unlink("link") == 0 && !exists("link") && exists("hard.2"));
}

static void *change_part(void *arg)
{
        int fd = open("file", O_RDWR);

        assert(pwrite(fd, arg, 1, *(char *)arg - '0') == 1);
        close(fd);
        return arg;
}

static void parts(void)
{
        const struct iovec v[] = {{"ab", 2}, {"c", 1}};
        int old = open("file", O_RDONLY), twin = dup(old), fd;
        char c[4];
        struct stat st;

        assert(read(old, c, 2) == 2);
        twice(change_part);
        assert(read(twin, c, 2) == 2 && memcmp(c, "23", 2) == 0 && lseek(old, 0, SEEK_SET) == 0);
        assert(read(twin, c, 3) == 3 && memcmp(c, "012", 3) == 0);
        fd = open("file", O_RDWR | O_APPEND);
        assert(writev(fd, v, 2) == 3 && fstat(fd, &st) == 0 && st.st_size == 13);
        assert(ftruncate(fd, 4) == 0 && stat("file", &st) == 0 && st.st_size == 4);
        assert(truncate("list", 1) == 0 && truncate("absent", 1) < 0);
        expect("file", "0123");
        expect("list", "a");
        close(fd);
}

static void *change_mode(void *arg)
{
        assert(chmod("file", arg ? 0600 : 0640) == 0);
        return NULL;
}

static void attributes(void)
{
        const struct utimbuf times = {1000, 2000};
        struct stat st, before;
        int fd = open("list", O_RDONLY);

        assert(fstat(fd, &before) == 0);
        twice(change_mode);
        assert(stat("file", &st) == 0 && (st.st_mode & 0777) == 0600);
        assert(utime("list", &times) == 0 && stat("list", &st) == 0 && st.st_mtime == 2000);
        assert(fchmod(fd, 0400) == 0 && fstat(fd, &st) == 0 && (st.st_mode & 0777) == 0400 && st.st_ino == before.st_ino);
        put("list", O_WRONLY | O_APPEND, "z");
        assert(stat("list", &st) == 0 && st.st_mtime != 2000);
        assert(chmod("dir", 0711) == 0 && stat("dir", &st) == 0 && (st.st_mode & 0777) == 0711);
        umask(077);
        put("closed", O_WRONLY | O_CREAT, "c");
        assert(stat("closed", &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_nlink == 1);
        expect("dir/inner", "in");
}

static char *mapped;

static void *write_mapped(void *arg)
{
        mapped[*(char *)arg - '0'] = 'M';
        return arg;
}

static void mappings(void)
{
        int fd = open("file", O_RDWR);

        mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        assert(mapped != MAP_FAILED && memcmp(mapped, "0123", 4) == 0);
        twice(write_mapped);
        expect("file", "0MM3456789");
        assert(munmap(mapped, 4096) == 0);
        close(fd);
}

/* Written before the first thread. */
static void *count_lines(void *arg)
{
        expect("list", "abc1");
        expect("early", "e");
        put("early", O_WRONLY | O_APPEND, "");
        return arg;
}

static void before(void)
{
        int fd = open("list", O_WRONLY | O_APPEND);

        assert(write(fd, "1", 1) == 1);
        put("early", O_WRONLY | O_CREAT | O_EXCL, "e");
        twice(count_lines);
        assert(write(fd, "2", 1) == 1);
        expect("list", "abc12");
        put("early", O_WRONLY | O_APPEND, "f");
        expect("early", "ef");
        assert(unlink("early") == 0);
        close(fd);
}

int main(int argc, char **argv)
{
        static void (*const programs[])(void) = {appends,     streams, temporary, renames,    directories,
                                                 links,       parts,   attributes, mappings, before};

        assert(argc == 2);
        programs[atoi(argv[1])]();
        return 0;
}
