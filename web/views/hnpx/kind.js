import "./view.css";

export default {
  name: "hnpx", title: "Novels", key: "n", order: 1,
  owns: (path) => /\.(hnpx|xml)$/i.test(path),
  view: () => import("./view.jsx"), lines: () => import("./lines.js"),
};
