import "./view.css";
import { call } from "../../host.js";

// A manual is in a database: its id stands for its path.
export default {
  name: "docjl", title: "Manuals", key: "m", order: 5,
  async list() {
    const { data } = await call("mcp_docjl_list_documents", {}, { kind: "docjl" });
    return (data.documents ?? []).map((d) => ({ path: d.id, title: d.title ?? d.metadata?.title, modified: d.modified_at ?? d.metadata?.modified_at }));
  },
  view: () => import("./view.jsx"),
};
