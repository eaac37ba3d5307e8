.type x,@common
x: .long 1
.type y,@common
.comm y,4
.comm z,4
.type z,@common
.weak w1
.weak w2
.type w2,@function
.weak w3
.hidden w3
.weak w4
.size w4,4
 .quad x-x+.Lu
.globl .Lg
.type f1,@function
.data
 .globl g
g: nop
 jmp g@PLT
 jmp g
 jne g@PLT
 jmp l@PLT
l: nop
 .globl h
 .hidden h
 jmp h@PLT
h: jmp w@PLT
 .weak w
w: ret
 .skip 200
 jmp g@PLT
 jmp g
 jmp l@PLT
