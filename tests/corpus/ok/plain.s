# No preprocessor here: this is a comment.
	mov	$1, %eax	# and so is this
	ret
