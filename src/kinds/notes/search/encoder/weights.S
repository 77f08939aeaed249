/* The packed model as constants of the program. MODEL is the file's name, set by the Makefile. */
	.section .rodata
	.balign 64
	.global quire_model_weights
	.global quire_model_weights_end
	.hidden quire_model_weights
	.hidden quire_model_weights_end
quire_model_weights:
	.incbin MODEL
quire_model_weights_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
