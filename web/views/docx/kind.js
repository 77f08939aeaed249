import "./view.css";

export default {
  name: "docx", title: "Word files", key: "w", order: 4,
  owns: (path) => /\.(docx|docm|dotx|dotm)$/i.test(path),
  view: () => import("./view.jsx"),
};
