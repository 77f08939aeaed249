/* epub.c: a book as EPUB 3: one XHTML file a chapter, a title page, a table of contents.
 *
 * The same book gives the same bytes on the same day: the archive has fixed times, the identifier comes from the book.
 */
#include "base/clock.h"
#include "base/digest.h"
#include "format/xml.h"
#include "format/zip_write.h"
#include "kinds/hnpx/level.h"
#include "kinds/hnpx/manuscript.h"
#include "kinds/hnpx/reading.h"

#include <string.h>

static const char style[] = "body { margin: 5%; line-height: 1.4; }\n"
			    "h1 { text-align: center; margin: 2em 0; font-weight: normal; }\n"
			    "p { margin: 0; text-indent: 1.5em; }\n"
			    "h1 + p, hr + p { text-indent: 0; }\n"
			    "hr { border: 0; margin: 1.5em 0; text-align: center; }\n"
			    "hr::after { content: \"* * *\"; }\n"
			    ".title { margin-top: 30%; text-align: center; }\n"
			    ".author { text-align: center; text-indent: 0; }\n";

static const char container[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n"
	"  <rootfiles>\n"
	"    <rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/>\n"
	"  </rootfiles>\n"
	"</container>\n";

static void put(struct buffer *to, struct text t) { xml_escape(to, t, true); }

/* Languages written from right to left: pages turn that way too. */
static bool is_right_to_left(struct text language)
{
	static const char *const tags[] = {"ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc", "syr"};

	for (size_t i = 0; i < ARRAY_COUNT(tags); i++) {
		size_t len = strlen(tags[i]);
		if (text_starts(language, tags[i]) && (language.len == len || language.at[len] == '-'))
			return true;
	}
	return false;
}

static void page_open(struct buffer *to, const struct manuscript *m, struct text title)
{
	buffer_put(
		to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"
		"<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" xml:lang=\"");
	put(to, m->language);
	buffer_put(to, "\" lang=\"");
	put(to, m->language);
	buffer_put(to, is_right_to_left(m->language) ? "\" dir=\"rtl" : "");
	buffer_put(to, "\">\n<head>\n  <title>");
	put(to, title);
	buffer_put(to,
		   "</title>\n  <link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n<body>\n");
}

static void page_close(struct buffer *to) { buffer_put(to, "</body>\n</html>\n"); }

/* Lines inside a paragraph are kept as such. */
static void put_paragraph(struct buffer *to, struct arena *a, const struct manuscript *m, uint32_t node)
{
	struct passage p = passage_of(a, m, node);
	struct text part, line;

	while (passage_next(&p, &part)) {
		buffer_put(to, p.is_thought ? "<p><em>" : "<p>");
		buffer_put(to, p.open);
		for (bool first = true; line_next(&part, &line); first = false) {
			buffer_put(to, first ? "" : "<br/>\n");
			xml_escape(to, line, false);
		}
		buffer_put(to, p.rest.at ? "" : p.close);
		buffer_put(to, p.is_thought ? "</em></p>\n" : "</p>\n");
	}
}

static bool has_prose(const struct book *b, uint32_t node)
{
	for (uint32_t i = node; i < b->nodes[node].after; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			return true;
	return false;
}

static struct text chapter_page(struct arena *a, const struct manuscript *m, uint32_t chapter)
{
	const struct book *b = m->book;
	struct buffer out = {.arena = a};
	struct text title = node_attribute(a, b, chapter, "title");
	bool written = false; /* a break stands between two scenes that both have words */

	page_open(&out, m, title);
	buffer_put(&out, "<section epub:type=\"chapter\">\n<h1>");
	xml_escape(&out, title, false);
	buffer_put(&out, "</h1>\n");
	for (uint32_t i = chapter + 1; i < b->nodes[chapter].after; i++) {
		if (b->nodes[i].level == LEVEL_SEQUENCE && has_prose(b, i)) {
			buffer_put(&out, written ? "<hr/>\n" : "");
			written = true;
		}
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			put_paragraph(&out, a, m, i);
	}
	buffer_put(&out, "</section>\n");
	page_close(&out);
	return buffer_text(&out);
}

static struct text title_page(struct arena *a, const struct manuscript *m)
{
	struct buffer out = {.arena = a};

	page_open(&out, m, m->title);
	buffer_put(&out, "<section epub:type=\"titlepage\">\n<h1 class=\"title\">");
	xml_escape(&out, m->title, false);
	buffer_put(&out, "</h1>\n");
	if (m->author.at) {
		buffer_put(&out, "<p class=\"author\">");
		xml_escape(&out, m->author, false);
		buffer_put(&out, "</p>\n");
	}
	buffer_put(&out, "</section>\n");
	page_close(&out);
	return buffer_text(&out);
}

static struct text contents_page(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct buffer out = {.arena = a};
	unsigned number = 0;

	page_open(&out, m, m->title);
	buffer_put(&out, "<nav epub:type=\"toc\" id=\"toc\">\n<h1>");
	xml_escape(&out, m->title, false);
	buffer_put(&out, "</h1>\n<ol>\n");
	if (b->n == 1) /* a list must hold something */
		buffer_put(&out, "<li><a href=\"title.xhtml\">…</a></li>\n");
	for (uint32_t i = 1; i < b->n; i = b->nodes[i].after) {
		buffer_format(&out, "<li><a href=\"chapter-%u.xhtml\">", ++number);
		xml_escape(&out, node_attribute(a, b, i, "title"), false);
		buffer_put(&out, "</a></li>\n");
	}
	buffer_put(&out, "</ol>\n</nav>\n");
	page_close(&out);
	return buffer_text(&out);
}

/* A name-based identifier: the same book has the same in every edition. */
static struct text identifier(struct arena *a, const struct manuscript *m)
{
	unsigned char digest[32];

	sha256(text_format(a, "hnpx:%s:%s", book_id(a, m->book, 0).at, text_string(a, m->title)), digest);
	digest[6] = (digest[6] & 0x0f) | 0x80; /* version 8: of our own making (RFC 9562) */
	digest[8] = (digest[8] & 0x3f) | 0x80;
	const char *hex = hex_encode(a, (struct text){(const char *)digest, 16}).at;
	return text_format(a, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

static struct text package(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct buffer out = {.arena = a};
	uint32_t chapters = b->nodes[0].children;

	buffer_put(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package xmlns=\"http://www.idpf.org/2007/opf\" "
			 "version=\"3.0\" "
			 "unique-identifier=\"id\">\n  <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
			 "    <dc:identifier id=\"id\">");
	put(&out, identifier(a, m));
	buffer_put(&out, "</dc:identifier>\n    <dc:title>");
	put(&out, m->title);
	buffer_put(&out, "</dc:title>\n    <dc:language>");
	put(&out, m->language);
	buffer_put(&out, "</dc:language>\n");
	if (m->author.at) {
		buffer_put(&out, "    <dc:creator>");
		put(&out, m->author);
		buffer_put(&out, "</dc:creator>\n");
	}
	buffer_put(&out, "    <meta property=\"dcterms:modified\">");
	put(&out, clock_iso(a, clock_now()));
	buffer_put(&out,
		   "</meta>\n  </metadata>\n  <manifest>\n"
		   "    <item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n"
		   "    <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n"
		   "    <item id=\"title\" href=\"title.xhtml\" media-type=\"application/xhtml+xml\"/>\n");
	for (uint32_t i = 1; i <= chapters; i++)
		buffer_format(&out,
			      "    <item id=\"chapter-%u\" href=\"chapter-%u.xhtml\" "
			      "media-type=\"application/xhtml+xml\"/>\n",
			      i, i);
	buffer_put(&out, "  </manifest>\n  <spine");
	buffer_put(&out, is_right_to_left(m->language) ? " page-progression-direction=\"rtl\"" : "");
	buffer_put(&out, ">\n    <itemref idref=\"title\"/>\n    <itemref idref=\"nav\"/>\n");
	for (uint32_t i = 1; i <= chapters; i++)
		buffer_format(&out, "    <itemref idref=\"chapter-%u\"/>\n", i);
	buffer_put(&out, "  </spine>\n</package>\n");
	return buffer_text(&out);
}

struct text manuscript_epub(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct zip_writer zip;
	unsigned number = 0;

	zip_begin(&zip, a);
	/* First and stored, so that a reader knows the file by its bytes. */
	zip_add(&zip, TEXT("mimetype"), TEXT("application/epub+zip"), false);
	zip_add(&zip, TEXT("META-INF/container.xml"), text_of(container), true);
	zip_add(&zip, TEXT("OEBPS/content.opf"), package(a, m), true);
	zip_add(&zip, TEXT("OEBPS/nav.xhtml"), contents_page(a, m), true);
	zip_add(&zip, TEXT("OEBPS/style.css"), text_of(style), true);
	zip_add(&zip, TEXT("OEBPS/title.xhtml"), title_page(a, m), true);
	for (uint32_t i = 1; i < b->n; i = b->nodes[i].after)
		zip_add(&zip, text_format(a, "OEBPS/chapter-%u.xhtml", ++number), chapter_page(a, m, i), true);
	return zip_end(&zip);
}
