// session.js: who looks at the page. The cookie of a visit is the browser's; the token is kept here, in the storage of this
// origin, and every request sends it (host.js).
const KEY = "quire.token";

export const token = () => localStorage.getItem(KEY);
export const forget = () => localStorage.removeItem(KEY);

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token()) headers["Quire-Token"] = token();
  const r = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" });
  const answer = await r.json().catch(() => ({}));
  if (!r.ok) throw Object.assign(new Error(answer.message ?? answer.error?.message ?? `the server answered ${r.status}`), { status: r.status });
  if (answer.token) localStorage.setItem(KEY, answer.token);
  return answer;
}

// Who is here, as the server knows it; throws with status 401 if a key is needed.
export const whoami = () => post("/login", {});
export const enter = (key) => post("/login", { key });
export const enterOnce = (once) => post("/login", { once });

export async function leave() {
  await post("/logout", {}).catch(() => {});
  forget();
}
