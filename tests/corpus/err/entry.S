#: entry      call start
#: variant    a
begin:	ret
