import "./view.css";

export default {
  name: "floorplan", title: "Plans", key: "p", order: 2,
  owns: (path) => /\.floorplan$/i.test(path),
  view: () => import("./view.jsx"),
};
