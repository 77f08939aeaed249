import "./view.css";
import { call } from "../../host.js";

export default {
  name: "notes", title: "Notes", key: "o", order: 3,
  owns: (path) => /\.(md|markdown)$/i.test(path),
  view: () => import("./view.jsx"),
  // Search by words and by meaning.
  async find(words, signal) {
    const { data } = await call("search", { query: words, limit: 10 }, { kind: "notes", signal });
    const hits = data?.results ?? data?.result ?? [];
    return hits.map((h) => ({ path: h.id ?? h.node?.id, title: h.title ?? h.node?.title ?? h.id, snippet: h.score !== undefined ? h.score.toFixed(2) : "" })).filter((h) => h.path);
  },
};
