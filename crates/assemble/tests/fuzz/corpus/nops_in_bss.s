.bss
.skip 2
.nop
.nops 5
