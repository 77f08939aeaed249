/* docx.c: a book as a Word file in the manuscript format that publishers require.
 *
 * Twelve points, double spaced, margins of an inch, the first line of a paragraph indented by half an inch, a centred #
 * between scenes, each chapter on a new page, and a page header with author, title and page number. A cover is a
 * separate page before the title page. */
#include "base/clock.h"
#include "format/xml.h"
#include "format/zip_write.h"
#include "kinds/hnpx/export/xhtml.h"

#define WORD_NAMESPACE "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#define RELATIONS "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

#define DRAWING "http://schemas.openxmlformats.org/drawingml/2006/"

static const char types[] = DECLARATION
	"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
	"<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
	"<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
	"<Default Extension=\"png\" ContentType=\"image/png\"/><Default Extension=\"jpg\" ContentType=\"image/jpeg\"/>"
	"<Override PartName=\"/word/document.xml\" ContentType=\"application/"
	"vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/>"
	"<Override PartName=\"/word/styles.xml\" ContentType=\"application/"
	"vnd.openxmlformats-officedocument.wordprocessingml.styles+xml\"/>"
	"<Override PartName=\"/word/header1.xml\" ContentType=\"application/"
	"vnd.openxmlformats-officedocument.wordprocessingml.header+xml\"/>"
	"<Override PartName=\"/docProps/core.xml\" ContentType=\"application/"
	"vnd.openxmlformats-package.core-properties+xml\"/></Types>";

static const char package_relations[] = DECLARATION
	"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
	"<Relationship Id=\"rId1\" Type=\"" RELATIONS "/officeDocument\" Target=\"word/document.xml\"/>"
	"<Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/"
	"core-properties\" Target=\"docProps/core.xml\"/></Relationships>";

static struct text document_relations(struct arena *a, const struct manuscript *m)
{
	struct buffer out = {.arena = a};

	buffer_put(&out,
		   DECLARATION "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
			       "<Relationship Id=\"rId1\" Type=\"" RELATIONS "/styles\" Target=\"styles.xml\"/>"
			       "<Relationship Id=\"rId2\" Type=\"" RELATIONS "/header\" Target=\"header1.xml\"/>");
	if (m->cover.at)
		buffer_format(&out, "<Relationship Id=\"rId3\" Type=\"" RELATIONS "/image\" Target=\"media/%s\"/>",
			      cover_name(m));
	buffer_put(&out, "</Relationships>");
	return buffer_text(&out);
}

/* Sizes are half points, lengths twentieths of a point. */
static const char style_rules[] =
	"<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/><w:pPr>"
	"<w:spacing w:line=\"480\" w:lineRule=\"auto\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Prose\"><w:name w:val=\"Prose\"/><w:basedOn w:val=\"Normal\"/><w:pPr>"
	"<w:ind w:firstLine=\"720\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/><w:basedOn w:val=\"Normal\"/>"
	"<w:next w:val=\"Prose\"/><w:pPr><w:keepNext/><w:pageBreakBefore/><w:spacing w:before=\"3600\" w:after=\"480\"/>"
	"<w:jc w:val=\"center\"/><w:outlineLvl w:val=\"0\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"SceneBreak\"><w:name w:val=\"Scene Break\"/><w:basedOn w:val=\"Normal\"/>"
	"<w:next w:val=\"Prose\"/><w:pPr><w:jc w:val=\"center\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Title\"><w:name w:val=\"Title\"/><w:basedOn w:val=\"Normal\"/><w:pPr>"
	"<w:spacing w:before=\"4800\"/><w:jc w:val=\"center\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Front\"><w:name w:val=\"Front\"/><w:basedOn w:val=\"Normal\"/><w:pPr>"
	"<w:jc w:val=\"center\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Cover\"><w:name w:val=\"Cover\"/><w:basedOn w:val=\"Normal\"/><w:pPr>"
	"<w:spacing w:line=\"240\" w:lineRule=\"auto\"/><w:jc w:val=\"center\"/></w:pPr></w:style>"
	"<w:style w:type=\"paragraph\" w:styleId=\"Header\"><w:name w:val=\"header\"/><w:basedOn w:val=\"Normal\"/><w:pPr>"
	"<w:spacing w:line=\"240\" w:lineRule=\"auto\"/><w:jc w:val=\"right\"/></w:pPr></w:style></w:styles>";

static struct text styles_part(struct arena *a, const struct manuscript *m)
{
	struct buffer out = {.arena = a};

	buffer_put(&out, DECLARATION "<w:styles xmlns:w=\"" WORD_NAMESPACE "\"><w:docDefaults><w:rPrDefault><w:rPr>"
				     "<w:rFonts w:ascii=\"Times New Roman\" w:hAnsi=\"Times New Roman\" "
				     "w:eastAsia=\"Times New Roman\" w:cs=\"Times New Roman\"/><w:sz w:val=\"24\"/>"
				     "<w:szCs w:val=\"24\"/><w:lang w:val=\"");
	xhtml_add(&out, m->language);
	buffer_put(&out, "\"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>");
	buffer_put(&out, style_rules);
	return buffer_text(&out);
}

struct word {
	struct buffer out;
	bool is_right_to_left;
};

static void paragraph_open(struct word *w, const char *style)
{
	buffer_format(&w->out, "<w:p><w:pPr><w:pStyle w:val=\"%s\"/>%s</w:pPr>", style,
		      w->is_right_to_left ? "<w:bidi/>" : "");
}

static void put_run(struct word *w, struct text words, bool italic, bool bold)
{
	const char *rtl = w->is_right_to_left ? "<w:rtl/>" : "";

	buffer_put(&w->out, "<w:r>");
	if (italic || bold || *rtl)
		buffer_format(&w->out, "<w:rPr>%s%s%s</w:rPr>", bold ? "<w:b/><w:bCs/>" : "",
			      italic ? "<w:i/><w:iCs/>" : "", rtl);
	buffer_put(&w->out, "<w:t xml:space=\"preserve\">");
	xml_escape(&w->out, words, false);
	buffer_put(&w->out, "</w:t></w:r>");
}

static void put_line(struct word *w, const char *style, struct text words)
{
	paragraph_open(w, style);
	put_run(w, words, false, false);
	buffer_put(&w->out, "</w:p>");
}

static void put_chapter(void *to, uint32_t chapter, struct text heading)
{
	(void)chapter;
	put_line(to, "Heading1", heading);
}

static void put_break(void *to) { put_line(to, "SceneBreak", TEXT("#")); }

static void put_block(void *to, const struct type_block *b)
{
	struct word *w = to;

	paragraph_open(w, "Prose");
	for (size_t i = 0; i < b->runs.n; i++) {
		const struct type_run *run = &b->runs.items[i];
		put_run(w, run->words, run->is_italic, run->is_bold);
		buffer_put(&w->out, run->ends_line ? "<w:r><w:br/></w:r>" : "");
	}
	buffer_put(&w->out, "</w:p>");
}

static void put_unwritten(void *to, struct text summary)
{
	struct word *w = to;

	paragraph_open(w, "Prose");
	put_run(w, TEXT("[Unwritten: "), false, false);
	put_run(w, summary, false, false);
	put_run(w, TEXT("]"), false, false);
	buffer_put(&w->out, "</w:p>");
}

/* Publishers want a rounded length: to the nearest hundred, or thousand from 10,000 on. */
static size_t about(size_t words)
{
	size_t unit = words >= 10000 ? 1000 : words >= 500 ? 100 : 1;

	return (words + unit / 2) / unit * unit;
}

#define PAGE                                                                                                           \
	"<w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" "             \
	"w:left=\"1440\" w:header=\"720\" w:footer=\"720\" w:gutter=\"0\"/>"

/* A section of one page without a page header. The picture fills the space inside the margins and keeps its
 * proportions. */
static void put_cover(struct word *w, const struct picture *p)
{
	enum { INCH = 914400, WIDTH = INCH * 13 / 2, HEIGHT = INCH * 17 / 2 };
	uint64_t width = WIDTH, height = (uint64_t)WIDTH * p->height / p->width;

	if (height > HEIGHT) {
		height = HEIGHT;
		width = (uint64_t)HEIGHT * p->width / p->height;
	}
	unsigned long long x = width ? width : 1, y = height ? height : 1;
	buffer_put(&w->out,
		   "<w:p><w:pPr><w:pStyle w:val=\"Cover\"/><w:sectPr>" PAGE "</w:sectPr></w:pPr><w:r><w:drawing>");
	buffer_format(&w->out,
		      "<wp:inline xmlns:wp=\"" DRAWING "wordprocessingDrawing\"><wp:extent cx=\"%llu\" cy=\"%llu\"/>"
		      "<wp:docPr id=\"1\" name=\"Cover\" descr=\"Cover\"/>",
		      x, y);
	buffer_put(&w->out,
		   "<a:graphic xmlns:a=\"" DRAWING "main\"><a:graphicData uri=\"" DRAWING "picture\">"
		   "<pic:pic xmlns:pic=\"" DRAWING "picture\"><pic:nvPicPr><pic:cNvPr id=\"1\" name=\"Cover\"/>"
		   "<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed=\"rId3\"/><a:stretch><a:fillRect/>"
		   "</a:stretch></pic:blipFill>");
	buffer_format(
		&w->out,
		"<pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"%llu\" cy=\"%llu\"/></a:xfrm>"
		"<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>"
		"</wp:inline></w:drawing></w:r></w:p>",
		x, y);
}

static struct text document_part(struct arena *a, const struct manuscript *m)
{
	static const struct form form = {put_chapter, put_break, put_block, put_unwritten};
	struct word w = {.out = {.arena = a}, .is_right_to_left = is_right_to_left(m->language)};
	size_t words = manuscript_words(m->book);

	buffer_put(&w.out, DECLARATION "<w:document xmlns:w=\"" WORD_NAMESPACE "\" xmlns:r=\"" RELATIONS "\"><w:body>");
	if (m->cover.at)
		put_cover(&w, &m->picture);
	put_line(&w, "Title", one_line(a, m->title));
	if (m->author.at)
		put_line(&w, "Front", text_format(a, "by %s", one_line(a, m->author).at));
	put_line(&w, "Front", text_format(a, "%s%zu words", about(words) == words ? "" : "about ", about(words)));
	manuscript_walk(a, m, 0, &form, &w);
	buffer_format(&w.out,
		      "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId2\"/>" PAGE
		      "%s<w:titlePg/></w:sectPr></w:body></w:document>",
		      m->cover.at ? "<w:pgNumType w:start=\"1\"/>" : "");
	return buffer_text(&w.out);
}

static struct text header_part(struct arena *a, const struct manuscript *m)
{
	struct word w = {.out = {.arena = a}};

	buffer_put(&w.out, DECLARATION "<w:hdr xmlns:w=\"" WORD_NAMESPACE "\">");
	paragraph_open(&w, "Header");
	if (m->author.at)
		put_run(&w, text_format(a, "%s / ", one_line(a, m->author).at), false, false);
	put_run(&w, text_format(a, "%s / ", one_line(a, m->title).at), false, false);
	buffer_put(&w.out,
		   "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText xml:space=\"preserve\"> PAGE "
		   "</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>1</w:t></w:r>"
		   "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p></w:hdr>");
	return buffer_text(&w.out);
}

static struct text properties_part(struct arena *a, const struct manuscript *m)
{
	struct buffer out = {.arena = a};

	buffer_put(
		&out, DECLARATION
		"<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
		"xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" "
		"xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>");
	xml_escape(&out, m->title, false);
	buffer_put(&out, "</dc:title>");
	if (m->author.at) {
		buffer_put(&out, "<dc:creator>");
		xml_escape(&out, m->author, false);
		buffer_put(&out, "</dc:creator>");
	}
	buffer_put(&out, "<dc:language>");
	xml_escape(&out, m->language, false);
	buffer_put(&out, "</dc:language><dcterms:modified xsi:type=\"dcterms:W3CDTF\">");
	buffer_add(&out, clock_iso(a, clock_now()));
	buffer_put(&out, "</dcterms:modified></cp:coreProperties>");
	return buffer_text(&out);
}

struct text manuscript_docx(struct arena *a, const struct manuscript *m)
{
	struct zip_writer zip;

	zip_begin(&zip, a);
	zip_add(&zip, TEXT("[Content_Types].xml"), text_of(types), true);
	zip_add(&zip, TEXT("_rels/.rels"), text_of(package_relations), true);
	zip_add(&zip, TEXT("word/document.xml"), document_part(a, m), true);
	zip_add(&zip, TEXT("word/_rels/document.xml.rels"), document_relations(a, m), true);
	zip_add(&zip, TEXT("word/styles.xml"), styles_part(a, m), true);
	zip_add(&zip, TEXT("word/header1.xml"), header_part(a, m), true);
	if (m->cover.at)
		zip_add(&zip, text_format(a, "word/media/%s", cover_name(m)), m->cover, false);
	zip_add(&zip, TEXT("docProps/core.xml"), properties_part(a, m), true);
	return zip_end(&zip);
}
