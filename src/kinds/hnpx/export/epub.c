/* epub.c: a book as EPUB 3: one XHTML file per chapter, a title page, a table of contents.
 *
 * The same book gives the same bytes on the same day: the archive has fixed times, and the identifier is derived from
 * the book. */
#include "base/clock.h"
#include "base/digest.h"
#include "format/xml.h"
#include "format/zip_write.h"
#include "kinds/hnpx/export/xhtml.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

static const char container[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n"
	"  <rootfiles>\n"
	"    <rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/>\n"
	"  </rootfiles>\n"
	"</container>\n";

static void put(struct buffer *to, struct text t) { xhtml_add(to, t); }

/* The included chapters, in order. */
struct chapters {
	ARRAY(uint32_t) list;
};

static void page_open(struct buffer *to, const struct manuscript *m, struct text title)
{
	buffer_put(
		to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"
		"<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" xml:lang=\"");
	put(to, m->language);
	buffer_byte(to, '"');
	xhtml_language(to, m);
	buffer_put(to, ">\n<head>\n  <title>");
	put(to, title);
	buffer_put(to,
		   "</title>\n  <link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n<body>\n");
}

static void page_close(struct buffer *to) { buffer_put(to, "</body>\n</html>\n"); }

static struct text chapter_page(struct arena *a, const struct manuscript *m, uint32_t chapter)
{
	struct xhtml page = {.out = {.arena = a}, .heading = "h1"};

	page_open(&page.out, m, manuscript_heading(a, m, chapter));
	buffer_put(&page.out, "<section epub:type=\"chapter\">\n");
	manuscript_walk(a, m, chapter, &xhtml_form, &page);
	buffer_put(&page.out, "</section>\n");
	page_close(&page.out);
	return buffer_text(&page.out);
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

static struct text contents_page(struct arena *a, const struct manuscript *m, const struct chapters *chapters)
{
	struct buffer out = {.arena = a};

	page_open(&out, m, m->title);
	buffer_put(&out, "<nav epub:type=\"toc\" id=\"toc\">\n<h1>");
	xml_escape(&out, m->title, false);
	buffer_put(&out, "</h1>\n<ol>\n");
	if (!chapters->list.n) /* a list must not be empty */
		buffer_put(&out, "<li><a href=\"title.xhtml\">…</a></li>\n");
	for (size_t i = 0; i < chapters->list.n; i++) {
		buffer_format(&out, "<li><a href=\"chapter-%zu.xhtml\">", i + 1);
		xml_escape(&out, manuscript_heading(a, m, chapters->list.items[i]), false);
		buffer_put(&out, "</a></li>\n");
	}
	buffer_put(&out, "</ol>\n</nav>\n");
	page_close(&out);
	return buffer_text(&out);
}

static struct text cover_page(struct arena *a, const struct manuscript *m)
{
	struct buffer out = {.arena = a};

	page_open(&out, m, TEXT("Cover"));
	buffer_format(&out,
		      "<section epub:type=\"cover\"><p class=\"cover\"><img alt=\"Cover\" src=\"%s\"/></p></section>\n",
		      cover_name(m));
	page_close(&out);
	return buffer_text(&out);
}

/* A name-based identifier. It is the same in every edition of a book. */
static struct text identifier(struct arena *a, const struct manuscript *m)
{
	unsigned char digest[32];

	sha256(text_format(a, "hnpx:%s:%s", book_id(a, m->book, 0).at, text_string(a, m->title)), digest);
	digest[6] = (digest[6] & 0x0f) | 0x80; /* version 8: custom (RFC 9562) */
	digest[8] = (digest[8] & 0x3f) | 0x80;
	const char *hex = hex_encode(a, (struct text){(const char *)digest, 16}).at;
	return text_format(a, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

static struct text package(struct arena *a, const struct manuscript *m, const struct chapters *chapters)
{
	struct buffer out = {.arena = a};

	buffer_put(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package xmlns=\"http://www.idpf.org/2007/opf\" "
			 "version=\"3.0\" unique-identifier=\"id\">\n"
			 "  <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
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
	if (m->cover.at)
		buffer_format(
			&out,
			"    <item id=\"cover-image\" href=\"%s\" media-type=\"%s\" properties=\"cover-image\"/>\n"
			"    <item id=\"cover\" href=\"cover.xhtml\" media-type=\"application/xhtml+xml\"/>\n",
			cover_name(m), m->picture.mime);
	for (size_t i = 1; i <= chapters->list.n; i++)
		buffer_format(&out,
			      "    <item id=\"chapter-%zu\" href=\"chapter-%zu.xhtml\" "
			      "media-type=\"application/xhtml+xml\"/>\n",
			      i, i);
	buffer_put(&out, "  </manifest>\n  <spine");
	buffer_put(&out, is_right_to_left(m->language) ? " page-progression-direction=\"rtl\"" : "");
	buffer_put(&out, m->cover.at ? ">\n    <itemref idref=\"cover\"/>\n" : ">\n");
	buffer_put(&out, "    <itemref idref=\"title\"/>\n    <itemref idref=\"nav\"/>\n");
	for (size_t i = 1; i <= chapters->list.n; i++)
		buffer_format(&out, "    <itemref idref=\"chapter-%zu\"/>\n", i);
	buffer_put(&out, "  </spine>\n</package>\n");
	return buffer_text(&out);
}

struct text manuscript_epub(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct chapters chapters = {0};
	struct zip_writer zip;

	for (uint32_t i = 1; i < b->n; i = b->nodes[i].after)
		if (manuscript_has(m, i))
			*ARRAY_PUSH(a, &chapters.list) = i;
	zip_begin(&zip, a);
	/* The first entry, not compressed, so that programs recognise the file by its bytes. */
	zip_add(&zip, TEXT("mimetype"), TEXT("application/epub+zip"), false);
	zip_add(&zip, TEXT("META-INF/container.xml"), text_of(container), true);
	zip_add(&zip, TEXT("OEBPS/content.opf"), package(a, m, &chapters), true);
	zip_add(&zip, TEXT("OEBPS/nav.xhtml"), contents_page(a, m, &chapters), true);
	zip_add(&zip, TEXT("OEBPS/style.css"), text_of(book_style), true);
	zip_add(&zip, TEXT("OEBPS/title.xhtml"), title_page(a, m), true);
	if (m->cover.at) {
		zip_add(&zip, text_format(a, "OEBPS/%s", cover_name(m)), m->cover, false);
		zip_add(&zip, TEXT("OEBPS/cover.xhtml"), cover_page(a, m), true);
	}
	for (size_t i = 0; i < chapters.list.n; i++)
		zip_add(&zip, text_format(a, "OEBPS/chapter-%zu.xhtml", i + 1),
			chapter_page(a, m, chapters.list.items[i]), true);
	return zip_end(&zip);
}
