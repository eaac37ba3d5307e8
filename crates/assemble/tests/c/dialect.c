/* What compilers write: tables of jumps, thread-local and weak symbols, strings, vectors, atomics. */
typedef unsigned long uint64_t;
double sqrt(double);
int strcmp(const char *, const char *);
unsigned long strlen(const char *);
void *memset(void *, int, unsigned long);
int printf(const char *, ...);
extern int ext(int, ...); extern __thread int tls_ext; __thread int tls_own = 3; static __thread long tls_static;
int table[4] = {1,2,3,4}; static const char *names[] = {"a","b","long string \"quoted\" \\ \n\t\001"};
const double consts[] = {1.0, 2.5, -0.0, 1e300}; static int counter; int common_var; extern int weak_sym __attribute__((weak));
int sw(int x, int y) { switch (x) { case 0: return y+1; case 1: return ext(y); case 2: return y*7; case 3: return table[y&3]; case 4: return ext(1,2.0); case 5: return 9; case 6: return y/3; case 7: return y%10; } return -1; }
double fp(double *a, float *b, int n) { double s=0; for (int i=0;i<n;i++) s += a[i]*b[i] + sqrt(a[i]); return s; }
void vec(float *restrict a, float *restrict b, int *restrict c, int n){ for(int i=0;i<n;i++){ a[i]=a[i]*b[i]+3.0f; if(c[i]>3) c[i]+=(int)b[i]; } }
uint64_t bits(uint64_t x){ return __builtin_popcountll(x)+__builtin_ctzll(x)+__builtin_bswap64(x)+(x<<13|x>>51); }
long tls(void){ tls_static++; return tls_ext + tls_own + tls_static; }
void *fnp(int i){ static void *(*f[])(int)={fnp,fnp}; return f[i](i); }
struct s { char a; short b; int c; long d; double e; } gs = {1,2,3,4,5.0};
struct s ret(struct s x){ x.a++; x.b*=3; x.c<<=x.a; x.d^=0x123456789abcdefL; return x; }
__int128 mul(__int128 a, long b){ return a*b + (a>>3); }
int strs(const char *p){ return strcmp(p,"hello")+strlen(names[counter++%3])+(int)(long)&weak_sym; }
int atomics(int *p){ return __sync_fetch_and_add(p,3)+__atomic_exchange_n(p,4,__ATOMIC_SEQ_CST)+__sync_bool_compare_and_swap(p,1,2); }
long double ld(long double x, int n){ return x*n+1.5L; }
int alloca_(int n){ char b[n]; memset(b,n,n); return ext((int)(long)b); }
unsigned divs(unsigned a, unsigned b){ return a/b + a%7 + (unsigned)(a/1000000007u); }
_Bool cmp(double a,double b,float c){ return a<b && c!=c; }
int main(int c,char**v){ void *l[]={&&x,&&y}; goto *l[c&1]; x: printf("%d %s\n",c,v[0]); y: return sw(c,2)+(int)fp(0,0,0); }
