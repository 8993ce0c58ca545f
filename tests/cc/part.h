#ifdef __HEDDLE__
extern int built_by_heddle;
#endif
int part(int x);
