#include "kinds/docjl/export/words.h"

#include "base/array.h"

#include <string.h>
#include <strings.h>

static const struct words rows[] = {
	{"en", "Table #", "Figure #", "Listing #", "Equation #", "section #", "paragraph #", "list #", "block #",
	 "Contents", "Document #", "version #", "revision #", "Compliance: #", "# (missing)", "page # of #"},
	{"de", "Tabelle #", "Abbildung #", "Listing #", "Gleichung #", "Abschnitt #", "Absatz #", "Liste #", "Block #",
	 "Inhalt", "Dokument #", "Version #", "Revision #", "Konformität: #", "# (fehlt)", "Seite # von #"},
	{"hu", "#. táblázat", "#. ábra", "#. kódrészlet", "#. egyenlet", "#. szakasz", "#. bekezdés", "#. lista",
	 "#. blokk", "Tartalom", "Dokumentum: #", "verzió: #", "revízió: #", "Megfelelőség: #", "# (hiányzik)",
	 "#. oldal, összesen #"},
	{"fr", "Tableau #", "Figure #", "Listing #", "Équation #", "section #", "paragraphe #", "liste #", "bloc #",
	 "Table des matières", "Document #", "version #", "révision #", "Conformité : #", "# (manquant)",
	 "page # sur #"},
	{"es", "Tabla #", "Figura #", "Listado #", "Ecuación #", "sección #", "párrafo #", "lista #", "bloque #",
	 "Índice", "Documento #", "versión #", "revisión #", "Conformidad: #", "# (falta)", "página # de #"},
	{"it", "Tabella #", "Figura #", "Listato #", "Equazione #", "sezione #", "paragrafo #", "elenco #", "blocco #",
	 "Indice", "Documento #", "versione #", "revisione #", "Conformità: #", "# (mancante)", "pagina # di #"},
	{"nl", "Tabel #", "Figuur #", "Listing #", "Vergelijking #", "paragraaf #", "alinea #", "lijst #", "blok #",
	 "Inhoud", "Document #", "versie #", "revisie #", "Conformiteit: #", "# (ontbreekt)", "pagina # van #"},
	{"pt", "Tabela #", "Figura #", "Listagem #", "Equação #", "seção #", "parágrafo #", "lista #", "bloco #",
	 "Índice", "Documento #", "versão #", "revisão #", "Conformidade: #", "# (ausente)", "página # de #"},
	{"pl", "Tabela #", "Rysunek #", "Listing #", "Równanie #", "sekcja #", "akapit #", "lista #", "blok #",
	 "Spis treści", "Dokument #", "wersja #", "rewizja #", "Zgodność: #", "# (brak)", "strona # z #"},
	{"cs", "Tabulka #", "Obrázek #", "Výpis #", "Rovnice #", "oddíl #", "odstavec #", "seznam #", "blok #", "Obsah",
	 "Dokument #", "verze #", "revize #", "Shoda: #", "# (chybí)", "strana # z #"},
	{"sv", "Tabell #", "Figur #", "Listning #", "Ekvation #", "avsnitt #", "stycke #", "lista #", "block #",
	 "Innehåll", "Dokument #", "version #", "revision #", "Efterlevnad: #", "# (saknas)", "sida # av #"},
};

const struct words *words_in(struct text language)
{
	for (size_t i = 0; language.at && i < ARRAY_COUNT(rows); i++)
		if (language.len >= 2 && !strncasecmp(language.at, rows[i].language, 2) &&
		    (language.len == 2 || language.at[2] == '-' || language.at[2] == '_'))
			return &rows[i];
	return &rows[0];
}

struct text words_with(struct arena *a, const char *pattern, struct text number)
{
	const char *place = strchr(pattern, '#');

	return text_format(a, "%.*s%.*s%s", (int)(place - pattern), pattern, TEXT_ARGS(number), place + 1);
}
