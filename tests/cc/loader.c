#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
        void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
        int (*part)(int);

        if (!library) {
                puts(dlerror());
                return 1;
        }
        *(void **)&part = dlsym(library, "part");
        printf("part %d\n", part(2));
        return 0;
}
