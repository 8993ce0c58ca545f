/*
 * Nodes: the files, directories and symbolic links that executions made or changed.  The machine's own are never changed.
 *
 * The contents of a file are in memory (memfd); its descriptor is the runtime's, and each open() of the program opens it again.
 */
#ifndef HEDDLE_RT_FILES_NODE_H
#define HEDDLE_RT_FILES_NODE_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

#define NODE_CELL_BITS 10

enum node_kind { NODE_FILE, NODE_DIR, NODE_LINK };

struct node {
        uint8_t kind;    /* #define NODE_CELL_BITS 10

enum node_kind */
        bool written;    /* a file that was opened for writing, or changed in another way */
        int fd;          /* of a file's contents; the runtime's */
        uint64_t memory; /* of a file, and of an open directory: the inode of its memfd */
        uint32_t text;   /* of a link: its target; of a directory: that of the machine under it, 0: none (names_text) */
        uint32_t path;   /* of an open directory: its name (names_text) */
        uint32_t mode;   /* with the kind, as in st_mode */
        uint32_t uid, gid; /* of directories and links */
        uint64_t dev, ino; /* that the program sees */
        int64_t mtime;     /* seconds, of a file that was not written since it became a node */
        uint32_t cell;     /* which state stands for its contents */
        char *saved;       /* the contents at the snapshot */
        uint64_t saved_size;
};

#pragma GCC visibility push(hidden)

struct node *node_at(int i);
uint32_t node_count(void);

/* Makes a node; `path`: its first name.  Negative: an error number. */
int node_new_file(const char *path, uint32_t mode);
int node_new_dir(const char *path, uint32_t mode);
int node_new_link(const char *path, const char *target);
/* ... for what the machine has at this path. */
int node_copy(const char *real);

/* A directory with this node and name is open: its names are in the memfd (dev, ino), which has a node of its own. */
void node_open_dir(int of, uint64_t dev, uint64_t ino, const char *path);

/* The node whose memory is behind the program's descriptor, -1: none. */
int node_of_memory(uint64_t dev, uint64_t ino);
int node_of_descriptor(int fd);
/* ... that is the copy of this file of the machine. */
int node_of_real(uint64_t dev, uint64_t ino);

/* Opens a file once more, with these flags of open(). */
long node_open(int i, long flags);

/* As stat() shows it. */
long node_stat(int i, struct stat *st);

/* The number of the state that stands for the contents of a file, from 0; several files may have one. */
uint32_t node_cell(uint64_t dev, uint64_t ino);

/* The time of files that executions make. */
int64_t node_time(void);

/* For the snapshot.  `shared`: a child may have written what we share with it. */
void node_save(void);
void node_restore(bool shared);

#pragma GCC visibility pop

#endif
