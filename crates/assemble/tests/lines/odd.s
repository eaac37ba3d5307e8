call *foo@TLSCALL(%rax)
call *foo@tlscall(%rax)
call *foo@TLSCALL(%eax)
call *foo@TLSCALL+8(%rax)
lea foo@TLSDESC(%rip),%rax
lar %ecx,%rax
lar %rcx,%rax
lar %cx,%rax
lar %ax,%eax
lar %rax,%eax
lar %eax,%ax
lsl %ecx,%rax
lsl %cx,%rax
larl %ecx,%eax
larq %cx,%rax
larq %ecx,%rax
ud0
ud1
ud2b
ud0 %eax,%ecx
xacquire add %eax,(%rax)
xacquire lock add %eax,(%rax)
xacquire xchg %eax,(%rax)
xrelease mov %eax,(%rax)
xrelease mov %eax,%eax
xrelease add %eax,(%rax)
xrelease movl $3,(%rax)
xrelease xchg %eax,(%rax)
xacquire mov %eax,(%rax)
xacquire nop
xrelease mov %eax,foo
xacquire
{disp16} mov 3(%rax),%eax
{disp16} nop
{disp16} jmp foo
vmovaps %zmm1,(%rax){%k1}{z}
vmovaps %zmm1,(%rax){%k1}
vcvtps2ph $1,%zmm1,(%rax){%k1}{z}
tdpbssd %tmm1,%tmm1,%tmm2
tdpbssd %tmm1,%tmm2,%tmm1
tdpbssd %tmm1,%tmm2,%tmm2
tdpbssd %tmm1,%tmm2,%tmm3
mov $foo@PLT,%eax
movl $foo@GOT,%eax
movq $foo@GOTPCREL,%rax
mov $foo@SIZE,%eax
mov $foo@TPOFF,%eax
add $foo@TPOFF,%eax
mov $foo@DTPOFF,%eax
imul $foo@TPOFF,%eax,%eax
mwait %eax,%cl
mwait %eax,%rcx
mwait %rax,%rcx
mwaitx %eax,%rcx,%ebx
monitor %rax,%ecx,%rdx
monitor %rax,%cl,%dl
invlpga %rax,%cl
rmpadjust %rax,%rcx,%edx
in %edx,%al
in %dl,%al
out %al,%edx
ht je foo
hnt jne foo
ht nop
ht jmp foo
ht call foo
hnt ret
ht ht je foo
word nop
word push $1
dword nop
aword nop
adword mov (%eax),%eax
adword nop
mov.s %eax,%ebx
movw.s %ax,%bx
mov.s (%rax),%ebx
mov.s %ebx,(%rax)
movaps.s %xmm0,%xmm1
vmovaps.s %xmm0,%xmm1
vmovss.s %xmm0,%xmm1,%xmm2
add.s %eax,%ebx
mov.d8 3(%rax),%eax
mov.d8 (%rax),%eax
mov.d32 (%rax),%eax
mov.d32 3(%rax),%eax
mov.d16 3(%rax),%eax
jmp.d32 foo
jmp.d8 foo
jmp.s foo
nop.s
mov.l %eax,%ebx
test.s %eax,%ebx
xchg.s %ecx,%edx
adc.s $1,%eax
movq.s %rax,%xmm0
movq.s %xmm0,%xmm1
pextrw.s $1,%xmm0,%eax
vpextrw.s $1,%xmm0,%eax
bndmov.s %bnd0,%bnd1
mov.s %ds,%eax
addb.s %al,%bl
xchg.s %eax,%ecx
fadd.s %st,%st(1)
kmovw.s %k1,%k2
faddp %st(3),%st
fmulp %st(1),%st
fsubp %st(3),%st
clr %eax
clr %r9b
clr (%rax)
smov
ssto
ssca (%rdi)
slod (%rsi),%al
scmpb
retf
retf $4
retfq
retfw $2
xstorerng
xstore-rng
fcmova %st(1),%st
fcmovnae %st(2),%st
movsx %eax,%eax
movsx %eax,%rax
movsx (%rax),%eax
movsxl %eax,%eax
movsxl (%rax),%eax
movsxdq %eax,%rax
fxsaveq (%rax)
fxrstorq (%rax)
xsaveq (%rax)
xsaveoptq (%rax)
xrstorq (%rax)
xsavecq (%rax)
lea foo,%eax
lea foo,%ax
lea foo,%rax
movsd (%rsi),(%rdi)
movsd
cmpsd
lods foo
stos %al,foo
movs foo,(%rdi)
movs %fs:(%rsi),%fs:(%rdi)
movs (%rsi),%es:(%rdi)
cmps %fs:(%rdi),(%rsi)
outs foo,%dx
xlat foo
enqcmd (%rax),%eax
enqcmd (%eax),%eax
enqcmd foo,%eax
movdir64b (%eax),%rax
movdir64b foo(%rip),%eax
movdir64b foo(%rip),%rax
bndmk foo(%rip),%bnd1
bndmk (%rax),%bnd1
bndcl (%eax),%bnd1
bndldx foo(%rip),%bnd1
tileloadd foo(%rip),%tmm1
tileloadd foo,%tmm1
jmpq foo
jmpw foo
jmpl foo
callq foo
add %eax,*(%rax)
add *%rax,%rcx
notrack jmp *%rax
je *%rax
vmovd %rax,%xmm19
vmovd %rax,%xmm9
vmovw %rax,%xmm1
vmovw %eax,%xmm1
aorl %eax,(%rax)
aor %eax,(%rax)
cs fs
fs fs
data16 data16
rex.w rex.w
rep rep
lock lock
addr32 fs
fwait fs
adc $-128, *%rax
adcw %dx, *(%rax)
adcx %es:(%rdi), *%rax
add $-128, *%rax
addpd *(%rax), %xmm0
addq $-128, *%rax
addsubps *(%rax), %xmm0
adox %es:(%rdi), *%rax
adoxq %rax, *%rax
aesenc *(%rax), %xmm0
aesimc *(%rax), %xmm0
and $-128, *%rax
andq $-128, *%rax
aorq %rdx, (%rsi)
blcfill %es:(%rdi), *%rax
blci %es:(%rdi), *%rax
blcic %es:(%rdi), *%rax
blcmsk %es:(%rdi), *%rax
blcs %es:(%rdi), *%rax
blendvpd *(%rax), %xmm0
blendvps *(%rax), %xmm0
blsfill %es:(%rdi), *%rax
blsi %es:(%rdi), *%rax
blsic %es:(%rdi), *%rax
blsmsk %es:(%rdi), *%rax
blsr %es:(%rdi), *%rax
bndcl %fs:4(%edx), %bnd1
bndcn %fs:4(%edx), %bnd1
bndcu %fs:4(%edx), %bnd1
bndldx %fs:4(%edx), %bnd1
bndmk %fs:4(%edx), %bnd1
bndmov %bnd1, %fs:4(%edx)
bndstx %bnd1, %fs:4(%edx)
bsf %es:(%rdi), *%rax
bsr %es:(%rdi), *%rax
bswap *%rax
bswapq *%rax
bt $-128, *%rax
btc $-128, *%rax
btcq $foo, *(%rax)
btq *%rax, *%rax
btr $-128, *%rax
bts $-128, *%rax
cldemote *(%rax)
clr %ah
clrb %ah
clrl %eax
clrq %r12
clrssbsy *(%rax)
clrw %ax
clwb *(%rax)
clzero *%rax
cmova %es:(%rdi), *%rax
cmovae %es:(%rdi), *%rax
cmovaeq *(%rax), %r12
cmovb %es:(%rdi), *%rax
cmovbe %es:(%rdi), *%rax
cmovc %es:(%rdi), *%rax
cmovcq %rax, *%rax
cmove %es:(%rdi), *%rax
cmoveq *%rax, %rax
cmovg %es:(%rdi), *%rax
cmovge %es:(%rdi), *%rax
cmovgq (%rax), *%rax
cmovl %es:(%rdi), *%rax
cmovle %es:(%rdi), *%rax
cmovlq (%rax), *%rax
cmovna %es:(%rdi), *%rax
cmovnae %es:(%rdi), *%rax
cmovnaq %r12, *%rax
cmovnb %es:(%rdi), *%rax
cmovnbe %es:(%rdi), *%rax
cmovnc %es:(%rdi), *%rax
cmovne %es:(%rdi), *%rax
cmovng %es:(%rdi), *%rax
cmovnge %es:(%rdi), *%rax
cmovnl %es:(%rdi), *%rax
cmovnle %es:(%rdi), *%rax
cmovno %es:(%rdi), *%rax
cmovnp %es:(%rdi), *%rax
cmovnpq *(%rax), %rax
cmovns %es:(%rdi), *%rax
cmovnsq *%rax, *%rax
cmovnz %es:(%rdi), *%rax
cmovo %es:(%rdi), *%rax
cmovoq %es:(%rdi), *%rax
cmovp %es:(%rdi), *%rax
cmovpe %es:(%rdi), *%rax
cmovpo %es:(%rdi), *%rax
cmovs %es:(%rdi), *%rax
cmovz %es:(%rdi), *%rax
cmp $-128, *%rax
cmpb $-128, *(%rax)
cmpeqpd *(%rax), %xmm0
cmpeqsd *(%rax), %xmm0
cmpneqsd *(%rax), %xmm0
cmpneqss *(%rax), %xmm0
cmpnlepd *(%rax), %xmm0
cmpnleps *(%rax), %xmm0
cmpnlesd *(%rax), %xmm0
cmpq $-128, *%rax
cmps %es:(%rdi), *(%rax)
cmpsd %es:(%rdi), %es:(%rdi)
cmpunordpd *(%rax), %xmm0
cmpw $-128, *(%rax)
crc32 %al, *%rax
cvtpi2pd *(%rax), %xmm0
cvtps2dq *(%rax), %xmm0
cvtps2pd *(%rax), %xmm0
cvtsd2si %es:(%rdi), *%rax
cvtsd2siq 8(%rbx,%rcx,4), *%rax
cvtsi2sd *%rax, %xmm0
cvtsi2ss *%rax, %xmm0
cvtsi2ssq *%rax, %xmm0
cvtss2si %es:(%rdi), *%rax
cvtss2siq %fs:4(%edx), *%rax
cvttpd2dq *(%rax), %xmm0
cvttsd2si %es:(%rdi), *%rax
cvttss2si %es:(%rdi), *%rax
dec *%rax
decl *(%rax)
decq *%rax
div %es:(%rdi), *%rax
divq *%rax
enqcmd %es:(%rdi), %eax
enqcmds %es:(%rdi), %eax
faddp %st(1), %st
fcmova %st(1), %st
fcmovae %st(1), %st
fcmovna %st(1), %st
fcmovnae %st(1), %st
fcompl *(%rax)
fdivrs *(%rax)
fdivs *(%rax)
fidivl *(%rax)
fidivrl *(%rax)
fild *(%rax)
filds *(%rax)
fistpq *(%rax)
fisub *(%rax)
fldcww *(%rax)
fldenv *(%rax)
fmull *(%rax)
fmulp %st(1), %st
fnstenvl *(%rax)
fst *(%rax)
fstsww *(%rax)
fsubr *(%rax)
fxrstor64 *(%rax)
fxrstorq %es:(%rdi)
fxsave64 *(%rax)
fxsaveq %es:(%rdi)
haddpd *(%rax), %xmm0
hnt
ht
idiv %es:(%rdi), *%rax
idivl *(%rax)
idivq %fs:4(%edx), *%rax
imul $-128, *%rax
imulb *(%rax)
imulq *%rax
imulw *(%rax)
in %edx
inb %edx
inc *%rax
incb *(%rax)
incq *%rax
incsspq *%rax
inl %edx
insl %rdx, (%rax)
invept %es:(%rdi), *%rax
invlpga %eax, %cl
invpcid %es:(%rdi), *%rax
invvpid %es:(%rdi), *%rax
inw %edx
jmpq foo
jmpw foo
kmovq %k2, *%rax
lar %ax, *%rax
larq %r10w, *%rax
lea %es:(%rdi), *%rax
leaw foo, %dx
lgdtq *(%rax)
lidt *(%rax)
llwpcb *%rax
llwpcbl %eax
llwpcbq %r12
lmsw *(%rax)
lods %es:(%rdi), *%rax
lsl %ax, *%rax
lzcnt %es:(%rdi), *%rax
lzcntq %es:(%rdi), *%rax
maxps *(%rax), %xmm0
mov $-128, *%rax
movabs $-128, *%rax
movaps %xmm0, *(%rax)
movd %mm3, *%rax
movddup *(%rax), %xmm0
movdir64b %es:(%rdi), %eax
movhpd %xmm0, *(%rax)
movmskpd %xmm0, *%rax
movmskps %xmm0, *%rax
movntdqa *(%rax), %xmm0
movntss %xmm0, *(%rax)
movq $-128, *%rax
movsb %al, *%rax
movsd %es:(%rdi), %es:(%rdi)
movsl %eax, *%rax
movsldup *(%rax), %xmm0
movsw %ax, *%rax
movswl *(%rax), %r11d
movsx %al, *%rax
movsxd %eax, *%rax
movsxdq %eax, %r12
movsxl foo(%rip), %edx
movsxw (%rsi), *%rax
movupd %xmm0, *(%rax)
movzb %al, *%rax
movzw %ax, *%rax
movzwq (%rax), *%rax
movzx %al, *%rax
mul *%rax
mull *(%rax)
mulq *%rax
mulw *(%rax)
mwait %eax, %eax
neg *%rax
negl *(%rax)
negq *%rax
nop *%rax
nopq *%rax
not *%rax
notq *%rax
or $-128, *%rax
orb $-128, *(%rax)
orq $-128, *%rax
out %al, %edx
outb %edx
outl %edx
outs %es:(%rdi), %edx
outsb foo(%rip), %rdx
outsl 8(%rbx,%rcx,4), %rdx
outw %edx
pabsw *(%rax), %mm3
packuswb *(%rax), %mm3
paddsb *(%rax), %mm3
paddw *(%rax), %mm3
pcmpeqb *(%rax), %mm3
pcmpeqd *(%rax), %mm3
pcmpgtw *(%rax), %mm3
pfadd *(%rax), %mm3
pfcmpge *(%rax), %mm3
pfmin *(%rax), %mm3
pfmul *(%rax), %mm3
pfrcpit1 *(%rax), %mm3
phminposuw *(%rax), %xmm0
phsubd *(%rax), %mm3
pmaddwd *(%rax), %mm3
pmaxsw *(%rax), %mm3
pmaxub *(%rax), %mm3
pmovmskb %mm3, *%rax
pmovzxbw *(%rax), %xmm0
pmulhrsw *(%rax), %mm3
pmulhw *(%rax), %mm3
pmulld *(%rax), %xmm0
pop *%rax
popcnt %es:(%rdi), *%rax
popcntq %es:(%rdi), *%rax
popq *%rax
prefetcht0 *(%rax)
prefetchw *(%rax)
pshufb *(%rax), %mm3
psllw *(%rax), %mm3
psmash *%rax
psubusw *(%rax), %mm3
ptwrite *%rax
ptwritel *(%rax)
ptwriteq *%rax
punpckhwd *(%rax), %mm3
push *%rax
pushq *%rax
pushw *(%rax)
pvalidate *%rax
rcl $-128, *%rax
rclb *(%rax)
rclq %cl, *%rax
rclw *(%rax)
rcpps *(%rax), %xmm0
rcr $-128, *%rax
rcrl *(%rax)
rcrq *%rax
rdfsbase *%rax
rdgsbase *%rax
rdpid *%rax
rdrand *%rax
rdseed *%rax
rdsspq *%rax
retf
retfl
retfq
retfw
rmpadjust *%rax
rmpupdate %rax, %cl
rol $-128, *%rax
roll *(%rax)
rolq $-128, *%rax
ror $-128, *%rax
rorq $-128, *%rax
rsqrtps *(%rax), %xmm0
rsqrtss *(%rax), %xmm0
sal $-128, *%rax
salq $200, *%rax
sar $-128, *%rax
sarb *(%rax)
sarq *%rax
sarw $1, *(%rax)
sbb $-128, *%rax
scas %es:(%rdi), *%rax
scmp
scmpb
scmpl
scmpq
scmpw
senduipi *%rax
setaeb *(%rax)
seteb *(%rax)
setna *(%rax)
setnb *(%rax)
setnc *(%rax)
setng *(%rax)
setnob *(%rax)
seto *(%rax)
setob *(%rax)
setpb *(%rax)
setpe *(%rax)
setz *(%rax)
sgdtq *(%rax)
sha1msg1 *(%rax), %xmm0
sha256msg1 *(%rax), %xmm0
sha256msg2 *(%rax), %xmm0
sha256rnds2 *(%rax), %xmm0
shl $-128, *%rax
shld %ax, *(%rax)
shldq %r12, *%rax
shlq $-128, *%rax
shr $-128, *%rax
shrb *(%rax)
shrdq %r12, *%rax
shrq *%rax
shrw *(%rax)
sldt *%rax
sldtq *%rax
sldtw *(%rax)
slod
slodb
slodl
slodq
slodw
slwpcb *%rax
slwpcbl %eax
slwpcbq %r12
smov
smovb
smovl
smovq
smovw
smsw *%rax
smswq *%rax
ssca
sscab
sscal
sscaq
sscaw
ssto
sstob
sstol
sstoq
sstow
str *%rax
strq *%rax
sub $-128, *%rax
subq $-128, *%rax
subsd *(%rax), %xmm0
subss *(%rax), %xmm0
t1mskc %es:(%rdi), *%rax
t1mskcq foo(%rip), *%rax
test $-128, *%rax
testq $-128, *%rax
tzcnt %es:(%rdi), *%rax
tzmsk %es:(%rdi), *%rax
ud0
ud0q *%rax, %rax
ud1 %es:(%rdi), *%rax
ud2b %es:(%rdi), *%rax
umonitor *%rax
vbcstnebf162ps *(%rax), %xmm0
vbroadcastf64x4 *(%rax), %zmm5
vbroadcasti32x4 *(%rax), %ymm20
vbroadcasti32x8 *(%rax), %zmm5
vcvtdq2phy *(%rax), %xmm0
vcvtdq2ps *(%rax), %xmm0
vcvtneebf162ps *(%rax), %xmm0
vcvtpd2phy *(%rax), %xmm0
vcvtpd2phz *(%rax), %xmm0
vcvtpd2psy *(%rax), %xmm0
vcvtpd2uqq *(%rax), %xmm0
vcvtph2psx *(%rax), %xmm0
vcvtph2qq *(%rax), %xmm0
vcvtph2uqq *(%rax), %xmm0
vcvtps2phx *(%rax), %ymm20
vcvtps2uqq *(%rax), %xmm0
vcvtqq2phx *(%rax), %xmm0
vcvtqq2psx *(%rax), %xmm0
vcvtsd2si %es:(%rdi), *%rax
vcvtsd2usi %es:(%rdi), *%rax
vcvtsh2si %es:(%rdi), *%rax
vcvtsh2usi %es:(%rdi), *%rax
vcvtss2si %es:(%rdi), *%rax
vcvtss2usi %es:(%rdi), *%rax
vcvttpd2dq *(%rax), %ymm20
vcvttpd2qq *(%rax), %xmm0
vcvttph2udq *(%rax), %xmm0
vcvttps2qq *(%rax), %xmm0
vcvttsd2si %es:(%rdi), *%rax
vcvttsd2usi %es:(%rdi), *%rax
vcvttsh2si %es:(%rdi), *%rax
vcvttsh2usi %es:(%rdi), *%rax
vcvttss2si %es:(%rdi), *%rax
vcvttss2usi %es:(%rdi), *%rax
vcvtudq2pd *(%rax), %xmm0
vcvtudq2ps *(%rax), %xmm0
vcvtuqq2pd *(%rax), %xmm0
verr *(%rax)
vfrczpd *(%rax), %xmm0
vfrczps *(%rax), %xmm0
vlddqu *(%rax), %xmm0
vmclear *(%rax)
vmload *%rax
vmovd %r12, %xmm19
vmovddup *(%rax), %xmm0
vmovhpd %xmm0, *(%rax)
vmovhps %xmm0, *(%rax)
vmovmskpd %xmm0, *%rax
vmovmskps %xmm0, *%rax
vmovq %xmm0, *%rax
vmovsd %xmm0, *(%rax)
vmovsldup *(%rax), %xmm0
vmovw %r12, %xmm0
vmread %r12, *%rax
vmreadq *%rax, *%rax
vmrun *%rax
vmsave *%rax
vmwrite %es:(%rdi), *%rax
vpabsq *(%rax), %xmm0
vpbroadcastq *%rax, %xmm0
vpcompressq %xmm0, *(%rax)
vpcompressw %xmm0, *(%rax)
vpconflictd *(%rax), %xmm0
vpmovmskb %xmm0, *%rax
vpmovsxbq *(%rax), %xmm0
vpmovsxwq *(%rax), %xmm0
vrsqrt14ps *(%rax), %xmm0
vrsqrtps *(%rax), %xmm0
vucomisd *(%rax), %xmm0
word
wrfsbase *%rax
wrgsbase *%rax
wrssd %eax, *(%rax)
wrussd %eax, *(%rax)
xchg %ah, *(%rax)
xchgq *%rax, 8(%rbx,%rcx,4)
xor $-128, *%rax
xorq $-128, *%rax
xrstorq %es:(%rdi)
xsaveopt64 *(%rax)
xsaveoptq %es:(%rdi)
xsaveq %es:(%rdi)
xstorerng
{disp32} mov foo,%eax
{disp32} mov %al,foo
{disp32} mov foo,%ecx
{disp8} mov foo(%rax),%eax
{disp8} mov foo,%eax
{rex} mov foo@GOTPCREL(%rip),%eax
rex mov foo@GOTPCREL(%rip),%eax
mov foo@GOTPCREL(%rip),%eax
mov foo@GOTPCREL(%rip),%rax
mov foo@GOTPCREL(%rip),%ax
mov %rax,foo@GOTPCREL(%rip)
add foo@GOTPCREL(%rip),%rax
cmp foo@GOTPCREL(%rip),%al
test %rax,foo@GOTPCREL(%rip)
cmp $16,foo@GOTPCREL(%rip)
lea foo@GOTPCREL(%rip),%rax
push foo@GOTPCREL(%rip)
call *foo@GOTPCREL(%rip)
jmp *foo@GOTPCREL(%rip)
ljmp *foo@GOTPCREL(%rip)
movaps foo@GOTPCREL(%rip),%xmm0
vmovaps foo@GOTPCREL(%rip),%ymm0
movzbl foo@GOTPCREL(%rip),%eax
data16 mov $0xc1,8(%rbx)
data16 add $0x1234,(%rax)
data16 push (%rax)
outs 4(%eip),%dx
wait jne .
wait loop .
es jne .
ss call foo
{vex} vmovss %xmm8,%xmm1,%xmm2
{vex2} vmovaps %xmm8,%xmm1
{vex3} vmovaps %xmm8,%xmm1
{load} vmovaps %xmm8,%xmm1
{load} bndmov.s %bnd0,%bnd1
{vex3} fs
xchg.s %eax,%ecx
vmovups 64(%rax){%k7},%zmm2
vmovups 64(%rax),%zmm2{%k7}
vpaddd %ymm5,%ymm14{%k1},%ymm14
vcmpps $1,{sae},%zmm2{%k1},%zmm3,%k1
vaddps {sae},{ru-sae},%zmm1,%zmm2,%zmm3
tpause %edx,%ecx,%eax
tpause %ecx,%edx,%eax
umwait %ecx
bnd ljmp *(%rax)
bnd jmp *(%rax)
