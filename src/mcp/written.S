/* The entries of tools/list (written.h) as constants of the program. The Makefile sets WRITTEN to the file's name. */
	.section .rodata
	.balign 64
	.global quire_written
	.hidden quire_written
quire_written:
	.incbin WRITTEN
	.byte 0
	.section .note.GNU-stack, "", %progbits
