/* Tools as they are listed (written.h), as constants of the program; WRITTEN is the file's name, which the Makefile says. */
	.section .rodata
	.balign 64
	.global quire_written
	.hidden quire_written
quire_written:
	.incbin WRITTEN
	.byte 0
	.section .note.GNU-stack, "", %progbits
