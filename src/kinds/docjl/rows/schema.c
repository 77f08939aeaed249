/* schema.c: the tables. `doc` comes first in every key, so that a distributed database can keep a document together.
 *
 * SQLite has no statistics here. So it prefers a key that begins with `doc`, although that matches the whole document.
 * Queries that need another index name it (INDEXED BY); for PostgreSQL that is removed. */
#include "kinds/docjl/docjl.h"

/* doc: one row for each document.
 * node: parent 0: the top; ord has gaps; name: a stored label; run and slot: a computed label.
 * run: numbers base .. base + n - 1 below the number of the container `stem`.
 * ref: dst NULL: no block has the label `text`.
 * counter: the largest plain number ever given to a prefix; holds: containers have labels with this prefix.
 * audit: the chain; `state` is the hash of the document after the entry. Entries of version 1 have none.
 * refusal: refused writes; not part of the chain, because they changed nothing.
 * seal: the pages of hashes over all these rows (rows/seal.h). */
/* clang-format off */
#define TABLES \
	"CREATE TABLE doc (doc INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, metadata TEXT NOT NULL," \
	" created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL, revision INTEGER NOT NULL, blocks INTEGER NOT NULL," \
	" next_uid INTEGER NOT NULL, next_run INTEGER NOT NULL, audit_seq INTEGER NOT NULL, audit_hash BLOB," \
	" irregular INTEGER NOT NULL) STRICT", \
	"CREATE UNIQUE INDEX doc_id ON doc (id)", \
	"CREATE TABLE node (doc INTEGER NOT NULL, uid INTEGER NOT NULL, parent INTEGER NOT NULL, ord INTEGER NOT NULL," \
	" type TEXT NOT NULL, container INTEGER NOT NULL, name TEXT, run INTEGER, slot INTEGER, auto_label INTEGER NOT NULL," \
	" PRIMARY KEY (doc, uid)) WITHOUT ROWID, STRICT", \
	"CREATE INDEX node_place ON node (doc, parent, ord)", \
	"CREATE INDEX node_container ON node (doc, parent, ord) WHERE container = 1", \
	"CREATE UNIQUE INDEX node_name ON node (doc, name) WHERE name IS NOT NULL", \
	"CREATE INDEX node_run ON node (doc, run, slot) WHERE run IS NOT NULL", \
	"CREATE TABLE run (doc INTEGER NOT NULL, run INTEGER NOT NULL, stem INTEGER NOT NULL, prefix TEXT NOT NULL," \
	" base INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (doc, run)) WITHOUT ROWID, STRICT", \
	"CREATE INDEX run_base ON run (doc, stem, prefix, base)", \
	"CREATE TABLE body (doc INTEGER NOT NULL, uid INTEGER NOT NULL, json TEXT NOT NULL, folded TEXT NOT NULL," \
	" note INTEGER NOT NULL, PRIMARY KEY (doc, uid)) WITHOUT ROWID, STRICT", \
	"CREATE TABLE ref (doc INTEGER NOT NULL, src INTEGER NOT NULL, k INTEGER NOT NULL, dst INTEGER, text TEXT NOT NULL," \
	" PRIMARY KEY (doc, src, k)) WITHOUT ROWID, STRICT", \
	"CREATE INDEX ref_dst ON ref (doc, dst)", \
	"CREATE INDEX ref_text ON ref (doc, text) WHERE dst IS NULL", \
	"CREATE TABLE counter (doc INTEGER NOT NULL, prefix TEXT NOT NULL, max INTEGER NOT NULL, holds INTEGER NOT NULL," \
	" PRIMARY KEY (doc, prefix)) WITHOUT ROWID, STRICT",
#define AUDIT_1 \
	"CREATE TABLE audit (doc INTEGER NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL, op TEXT NOT NULL," \
	" usr TEXT NOT NULL, uid INTEGER NOT NULL, label TEXT, details TEXT NOT NULL, touched TEXT NOT NULL," \
	" prev BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (doc, seq)) WITHOUT ROWID, STRICT", \
	"CREATE INDEX audit_uid ON audit (doc, uid)", \
	"CREATE INDEX audit_label ON audit (doc, label)",
#define AUDIT \
	"CREATE TABLE audit (doc INTEGER NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL, op TEXT NOT NULL," \
	" usr TEXT NOT NULL, uid INTEGER NOT NULL, label TEXT, details TEXT NOT NULL, touched TEXT NOT NULL," \
	" prev BLOB NOT NULL, hash BLOB NOT NULL, state BLOB, PRIMARY KEY (doc, seq)) WITHOUT ROWID, STRICT", \
	"CREATE INDEX audit_uid ON audit (doc, uid)", \
	"CREATE INDEX audit_label ON audit (doc, label)",
#define REFUSALS \
	"CREATE TABLE refusal (doc INTEGER NOT NULL, ts INTEGER NOT NULL, nonce INTEGER NOT NULL, op TEXT NOT NULL," \
	" usr TEXT NOT NULL, label TEXT, code TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (doc, ts, nonce))" \
	" WITHOUT ROWID, STRICT",
#define SEALS \
	"CREATE TABLE seal (doc INTEGER NOT NULL, level INTEGER NOT NULL, number INTEGER NOT NULL, hashes BLOB NOT NULL," \
	" PRIMARY KEY (doc, level, number)) WITHOUT ROWID, STRICT",
/* clang-format on */

static const char *const version_1[] = {TABLES AUDIT_1 REFUSALS NULL};
static const char *const version_2[] = {TABLES AUDIT REFUSALS SEALS NULL};
static const char *const from_1[] = {
	"CREATE TABLE audit_1 AS SELECT * FROM audit",
	"DROP TABLE audit",
	AUDIT "INSERT INTO audit (doc, seq, ts, op, usr, uid, label, details, touched, prev, hash) "
	      "SELECT doc, seq, ts, op, usr, uid, label, details, touched, prev, hash FROM audit_1",
	"DROP TABLE audit_1",
	SEALS NULL,
};
static const struct schema_version versions[] = {{version_1, NULL}, {version_2, from_1}, {NULL, NULL}};

const struct schema docjl_schema = {.name = "docjl", .application_id = 0x51444a4c, .versions = versions};
