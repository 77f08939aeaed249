/* The files of the page as constants of the program (page.h). PAGE is the file's name, set by the Makefile. */
	.section .rodata
	.balign 64
	.global quire_page
	.global quire_page_end
	.hidden quire_page
	.hidden quire_page_end
quire_page:
	.incbin PAGE
quire_page_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
