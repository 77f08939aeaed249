#include "kinds/floorplan/model/glb.h"

#include "format/json_write.h"
#include "kinds/floorplan/model/building.h"

#include <math.h>
#include <string.h>

enum mesh_part { MESH_WALLS, MESH_SLAB, MESH_STAIRS, MESH_PARTS };

static const struct {
	const char *name;
	double colour[3];
} materials[MESH_PARTS] = {
	[MESH_WALLS] = {"walls", {0.90, 0.89, 0.86}},
	[MESH_SLAB] = {"slab", {0.62, 0.60, 0.57}},
	[MESH_STAIRS] = {"stairs", {0.72, 0.58, 0.42}},
};

/* Little-endian on every machine. */
static void put_u32(struct buffer *b, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		buffer_byte(b, (char)(v >> 8 * i & 255));
}

static void put_float(struct buffer *b, float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	put_u32(b, bits);
}

struct mesh {
	struct buffer positions, normals, indices;
	uint32_t vertices, triangles;
	float low[3], high[3];
};

struct modeller {
	struct arena *arena;
	double scale; /* plan units to metres */
	double level; /* of this storey, metres */
	struct mesh meshes[MESH_PARTS];
};

/* Converts plan x, y and height to the model's axes. */
static void vertex_add(const struct modeller *m, struct mesh *to, double x, double y, double z, const double normal[3])
{
	float p[3] = {(float)(x * m->scale), (float)(z * m->scale + m->level), (float)(y * m->scale)};

	for (int i = 0; i < 3; i++) {
		put_float(&to->positions, p[i]);
		to->low[i] = to->vertices ? fminf(to->low[i], p[i]) : p[i];
		to->high[i] = to->vertices ? fmaxf(to->high[i], p[i]) : p[i];
	}
	put_float(&to->normals, (float)normal[0]);
	put_float(&to->normals, (float)normal[2]);
	put_float(&to->normals, (float)normal[1]);
	to->vertices++;
}

struct vertex {
	double x, y, z;
};

/* A convex face. Its corners are counter-clockwise as seen from outside, in the plan's axes with y towards the
 * viewer. */
static void face_add(const struct modeller *m, struct mesh *to, const struct vertex *corners, int n,
		     const double normal[3])
{
	uint32_t first = to->vertices;

	for (int i = 0; i < n; i++)
		vertex_add(m, to, corners[i].x, corners[i].y, corners[i].z, normal);
	for (int i = 2; i < n; i++) {
		put_u32(&to->indices, first);
		put_u32(&to->indices, first + (uint32_t)i - 1);
		put_u32(&to->indices, first + (uint32_t)i);
		to->triangles++;
	}
}

static void quad_add(void *to, const struct quad *q)
{
	struct modeller *m = to;
	double normal[3] = {0, 0, 0};
	struct vertex v[4], turned[4];

	normal[q->normal] = q->up ? 1 : -1;
	for (int i = 0; i < 4; i++) {
		double u = i == 1 || i == 2 ? q->u2 : q->u1, w = i >= 2 ? q->v2 : q->v1;

		v[i] = q->normal == 0   ? (struct vertex){q->at, u, w}
		       : q->normal == 1 ? (struct vertex){u, q->at, w}
					: (struct vertex){u, w, q->at};
	}
	/* With y towards the viewer, x to the right and z upwards: (u, v) is counter-clockwise for faces in direction
	 * +y, clockwise for those in direction +x or +z. */
	bool keep = (q->normal == 1) == q->up;

	for (int i = 0; i < 4; i++)
		turned[i] = v[keep ? i : 3 - i];
	face_add(m, &m->meshes[q->part == SOLID_SLAB ? MESH_SLAB : MESH_WALLS], turned, 4, normal);
}

static void prism_add(struct modeller *m, const struct prism *p)
{
	struct mesh *to = &m->meshes[MESH_STAIRS];
	struct vertex top[PRISM_POINTS], bottom[PRISM_POINTS];
	double area = 0;

	for (int i = 0; i < p->n; i++) {
		struct point a = p->points[i], b = p->points[(i + 1) % p->n];

		area += a.x * b.y - b.x * a.y;
	}
	if (p->n < 3 || fabs(area) < 1e-12 || p->high <= p->low)
		return;
	/* Seen from above, y runs downwards: a positive area is clockwise there. */
	for (int i = 0; i < p->n; i++) {
		struct point at = p->points[area > 0 ? p->n - 1 - i : i];

		top[i] = (struct vertex){at.x, at.y, p->high};
		bottom[p->n - 1 - i] = (struct vertex){at.x, at.y, p->low};
	}
	face_add(m, to, top, p->n, (const double[]){0, 0, 1});
	face_add(m, to, bottom, p->n, (const double[]){0, 0, -1});
	for (int i = 0; i < p->n; i++) {
		struct vertex a = top[i], b = top[(i + 1) % p->n];
		double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
		struct vertex side[] = {{a.x, a.y, p->low}, {b.x, b.y, p->low}, b, a};

		if (length > 0)
			face_add(m, to, side, 4, (const double[]){-y / length, x / length, 0});
	}
}

struct writing {
	struct arena *arena;
	struct buffer binary;
	struct buffer views, accessors, meshes, nodes; /* members of JSON arrays */
	struct json_out view_out, accessor_out, mesh_out, node_out;
	int view_count, accessor_count, mesh_count, node_count;
};

static void put_member(struct json_out *o, const char *key, double value)
{
	json_key(o, key);
	json_put_int(o, (int64_t)value);
}

/* A range of the binary part, and its type. */
static int accessor_add(struct writing *w, struct buffer *bytes, int type, const char *shape, uint32_t count,
			const struct mesh *bounds)
{
	size_t at = w->binary.len;

	buffer_add(&w->binary, buffer_text(bytes));
	json_open(&w->view_out, '{');
	put_member(&w->view_out, "buffer", 0);
	put_member(&w->view_out, "byteOffset", (double)at);
	put_member(&w->view_out, "byteLength", (double)bytes->len);
	put_member(&w->view_out, "target", type == 5125 ? 34963 : 34962);
	json_close(&w->view_out, '}');
	json_open(&w->accessor_out, '{');
	put_member(&w->accessor_out, "bufferView", w->view_count++);
	put_member(&w->accessor_out, "componentType", type);
	put_member(&w->accessor_out, "count", count);
	json_key(&w->accessor_out, "type");
	json_put_string(&w->accessor_out, shape);
	for (int k = 0; bounds && k < 2; k++) {
		json_key(&w->accessor_out, k ? "max" : "min");
		json_open(&w->accessor_out, '[');
		for (int i = 0; i < 3; i++)
			json_put_number(&w->accessor_out, (double)(k ? bounds->high : bounds->low)[i]);
		json_close(&w->accessor_out, ']');
	}
	json_close(&w->accessor_out, '}');
	return w->accessor_count++;
}

enum { FLOAT = 5126, UNSIGNED_INT = 5125 };

static void mesh_put(struct writing *w, struct mesh *m, int material)
{
	int positions = accessor_add(w, &m->positions, FLOAT, "VEC3", m->vertices, m);
	int normals = accessor_add(w, &m->normals, FLOAT, "VEC3", m->vertices, NULL);
	int indices = accessor_add(w, &m->indices, UNSIGNED_INT, "SCALAR", 3 * m->triangles, NULL);
	struct json_out *o = &w->mesh_out;

	json_open(o, '{');
	json_key(o, "name");
	json_put_string(o, materials[material].name);
	json_key(o, "primitives");
	json_open(o, '[');
	json_open(o, '{');
	json_key(o, "attributes");
	json_open(o, '{');
	put_member(o, "POSITION", positions);
	put_member(o, "NORMAL", normals);
	json_close(o, '}');
	put_member(o, "indices", indices);
	put_member(o, "material", material);
	json_close(o, '}');
	json_close(o, ']');
	json_close(o, '}');
	w->mesh_count++;
}

/* The storey's meshes are separate nodes below it. */
static void storey_put(struct writing *w, struct modeller *m, struct text name)
{
	int children[MESH_PARTS], n = 0;

	for (int i = 0; i < MESH_PARTS; i++) {
		if (!m->meshes[i].triangles)
			continue;
		mesh_put(w, &m->meshes[i], i);
		json_open(&w->node_out, '{');
		json_key(&w->node_out, "name");
		json_put_string(&w->node_out, materials[i].name);
		put_member(&w->node_out, "mesh", w->mesh_count - 1);
		json_close(&w->node_out, '}');
		children[n++] = w->node_count++;
	}
	json_open(&w->node_out, '{');
	json_key(&w->node_out, "name");
	json_put_text(&w->node_out, name);
	if (n) {
		json_key(&w->node_out, "children");
		json_open(&w->node_out, '[');
		for (int i = 0; i < n; i++)
			json_put_int(&w->node_out, children[i]);
		json_close(&w->node_out, ']');
	}
	json_close(&w->node_out, '}');
	w->node_count++;
}

static void materials_put(struct json_out *o)
{
	json_key(o, "materials");
	json_open(o, '[');
	for (int i = 0; i < MESH_PARTS; i++) {
		json_open(o, '{');
		json_key(o, "name");
		json_put_string(o, materials[i].name);
		json_key(o, "pbrMetallicRoughness");
		json_open(o, '{');
		json_key(o, "baseColorFactor");
		json_open(o, '[');
		for (int k = 0; k < 3; k++)
			json_put_number(o, materials[i].colour[k]);
		json_put_int(o, 1);
		json_close(o, ']');
		put_member(o, "metallicFactor", 0);
		json_key(o, "roughnessFactor");
		json_put_number(o, 0.9);
		json_close(o, '}');
		json_close(o, '}');
	}
	json_close(o, ']');
}

static void list_put(struct json_out *o, const char *key, struct buffer *members)
{
	if (members->len <= 2)
		return;
	json_key(o, key);
	json_put_raw(o, buffer_text(members));
}

static struct text json_of(struct writing *w, const int *roots, size_t n, struct text title)
{
	struct buffer b = {.arena = w->arena};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "asset");
	json_open(&o, '{');
	json_key(&o, "version");
	json_put_string(&o, "2.0");
	json_key(&o, "generator");
	json_put_string(&o, "quire");
	json_close(&o, '}');
	put_member(&o, "scene", 0);
	json_key(&o, "scenes");
	json_open(&o, '[');
	json_open(&o, '{');
	if (title.at && title.len) {
		json_key(&o, "name");
		json_put_text(&o, title);
	}
	if (n) {
		json_key(&o, "nodes");
		json_open(&o, '[');
		for (size_t i = 0; i < n; i++)
			json_put_int(&o, roots[i]);
		json_close(&o, ']');
	}
	json_close(&o, '}');
	json_close(&o, ']');
	list_put(&o, "nodes", &w->nodes);
	if (w->mesh_count) {
		list_put(&o, "meshes", &w->meshes);
		materials_put(&o);
		list_put(&o, "accessors", &w->accessors);
		list_put(&o, "bufferViews", &w->views);
		json_key(&o, "buffers");
		json_open(&o, '[');
		json_open(&o, '{');
		put_member(&o, "byteLength", (double)w->binary.len);
		json_close(&o, '}');
		json_close(&o, ']');
	}
	json_close(&o, '}');
	while (b.len % 4)
		buffer_byte(&b, ' ');
	return buffer_text(&b);
}

static struct text file_of(struct writing *w, struct text json)
{
	struct buffer b = {.arena = w->arena};
	bool has_binary = w->binary.len > 0;

	buffer_put(&b, "glTF");
	put_u32(&b, 2);
	put_u32(&b, (uint32_t)(12 + 8 + json.len + (has_binary ? 8 + w->binary.len : 0)));
	put_u32(&b, (uint32_t)json.len);
	buffer_put(&b, "JSON");
	buffer_add(&b, json);
	if (has_binary) {
		put_u32(&b, (uint32_t)w->binary.len);
		buffer_add(&b, (struct text){"BIN\0", 4});
		buffer_add(&b, buffer_text(&w->binary));
	}
	return buffer_text(&b);
}

static void writing_open(struct writing *w, struct arena *a)
{
	*w = (struct writing){.arena = a,
			      .binary = {.arena = a},
			      .views = {.arena = a},
			      .accessors = {.arena = a},
			      .meshes = {.arena = a},
			      .nodes = {.arena = a}};
	w->view_out = (struct json_out){.to = &w->views};
	w->accessor_out = (struct json_out){.to = &w->accessors};
	w->mesh_out = (struct json_out){.to = &w->meshes};
	w->node_out = (struct json_out){.to = &w->nodes};
	json_open(&w->view_out, '[');
	json_open(&w->accessor_out, '[');
	json_open(&w->mesh_out, '[');
	json_open(&w->node_out, '[');
}

bool glb_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct building building;
	struct writing w;

	if (!building_make(c, p, o->all_floors ? -1 : o->floor, &building))
		return false;
	int *roots = arena_array(c->arena, building.n + 1, sizeof *roots);

	writing_open(&w, c->arena);
	for (size_t i = 0; i < building.n; i++) {
		const struct storey *s = &building.storeys[i];
		struct modeller m = {.arena = c->arena, .scale = 1 / p->metre, .level = s->level / p->metre};

		for (int k = 0; k < MESH_PARTS; k++)
			m.meshes[k] = (struct mesh){.positions = {.arena = c->arena},
						    .normals = {.arena = c->arena},
						    .indices = {.arena = c->arena}};
		solid_quads(&s->solid, quad_add, &m);
		for (size_t k = 0; k < s->stairs.n; k++)
			prism_add(&m, &s->stairs.items[k]);
		storey_put(&w, &m, p->floors.items[s->floor].name);
		roots[i] = w.node_count - 1;
		if (!goes_on(c))
			return false;
	}
	json_close(&w.view_out, ']');
	json_close(&w.accessor_out, ']');
	json_close(&w.mesh_out, ']');
	json_close(&w.node_out, ']');
	struct text json = json_of(&w, roots, building.n, p->title);

	*out = (struct drawing){
		.bytes = file_of(&w, json), .mime = format_mimes[FORMAT_GLB], .scale = 1, .floor = o->floor};
	return true;
}
