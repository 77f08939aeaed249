/* docx_file.h: small Word files for tests, made here. */
#ifndef QUIRE_TEST_DOCX_FILE_H
#define QUIRE_TEST_DOCX_FILE_H
#include "format/zip_write.h"

#define W_NS "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#define R_NS "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define W14_NS "http://schemas.microsoft.com/office/word/2010/wordml"
#define MC_NS "http://schemas.openxmlformats.org/markup-compatibility/2006"

static inline struct text docx_rels(struct arena *a, const char *inner)
{
	return text_format(a,
			   "<?xml version=\"1.0\"?><Relationships "
			   "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">%s</Relationships>",
			   inner);
}

/* A whole archive around the body's inner XML; styles and numbering may be NULL. */
static inline struct text docx_file(struct arena *a, const char *body, const char *styles, const char *numbering)
{
	struct zip_writer z;

	zip_begin(&z, a);
	zip_add(&z, TEXT("[Content_Types].xml"),
		TEXT("<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
		     "<Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>"),
		true);
	zip_add(&z, TEXT("_rels/.rels"),
		docx_rels(a, "<Relationship Id=\"r1\" Type=\"" R_NS "/officeDocument\" Target=\"word/document.xml\"/>"),
		true);
	zip_add(&z, TEXT("word/document.xml"),
		text_format(a,
			    "<w:document xmlns:w=\"" W_NS "\" xmlns:r=\"" R_NS "\" xmlns:w14=\"" W14_NS
			    "\" xmlns:mc=\"" MC_NS "\"><w:body>%s<w:sectPr/></w:body></w:document>",
			    body),
		true);
	zip_add(&z, TEXT("word/_rels/document.xml.rels"),
		docx_rels(a, "<Relationship Id=\"s\" Type=\"" R_NS "/styles\" Target=\"styles.xml\"/>"
			     "<Relationship Id=\"n\" Type=\"" R_NS "/numbering\" Target=\"/word/numbering.xml\"/>"),
		true);
	if (styles)
		zip_add(&z, TEXT("word/styles.xml"),
			text_format(a, "<w:styles xmlns:w=\"" W_NS "\">%s</w:styles>", styles), true);
	if (numbering)
		zip_add(&z, TEXT("word/numbering.xml"),
			text_format(a, "<w:numbering xmlns:w=\"" W_NS "\">%s</w:numbering>", numbering), true);
	return zip_end(&z);
}

#endif
