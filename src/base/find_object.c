/* find_object.c: finds the unwind tables of a piece of code.
 *
 * The linked-in libgcc calls _dl_find_object(), which glibc has since 2.35. The program also runs with older versions,
 * so it defines the function itself, using what every glibc has. Only the unwinder calls it, when it ends a call
 * (budget.h). */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
struct asked {
	uintptr_t pc;
	struct dl_find_object *found;
};

/* Returns 1 when the code is in this object and the object has tables. Any value but 0 ends the search. */
static int look_in(struct dl_phdr_info *object, size_t size, void *of)
{
	struct asked *asked = of;
	uintptr_t from = 0, to = 0, tables = 0;

	(void)size;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t at = object->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && asked->pc >= at && asked->pc - at < part->p_memsz) {
			from = at;
			to = at + part->p_memsz;
		} else if (part->p_type == PT_GNU_EH_FRAME) {
			tables = at;
		}
	}
	if (!to)
		return 0;
	asked->found->dlfo_map_start = (void *)from;
	asked->found->dlfo_map_end = (void *)to;
	asked->found->dlfo_eh_frame = (void *)tables;
	return tables ? 1 : -1;
}

__attribute__((visibility("hidden"))) int _dl_find_object(void *pc, struct dl_find_object *found)
{
	struct asked asked = {(uintptr_t)pc, found};

	*found = (struct dl_find_object){0};
	return dl_iterate_phdr(look_in, &asked) == 1 ? 0 : -1;
}
#endif
