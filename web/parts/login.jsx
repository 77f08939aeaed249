// login.jsx: asks for the key. What was typed and the address stay as they were.
import { useState } from "preact/hooks";
import { enter } from "../session.js";

export function Login({ why, entered }) {
  const [error, setError] = useState(why);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      entered(await enter(new FormData(event.target).get("key").trim()));
    } catch (e) {
      setError(e.status ? e.message : "The server does not respond.");
      setBusy(false);
    }
  };
  return (
    <main class="gate">
      <h1 class="brand"><img src="/icon.svg" alt="" /> quire</h1>
      <p>This server shows documents to people who have a key. <code>quire serve</code> prints the key of its run; a lasting key is in the keys file.</p>
      <form onSubmit={submit}>
        <label for="key">Key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus aria-describedby={error ? "why" : undefined} />
        {error && <p id="why" class="note" role="alert">{error}</p>}
        <button class="main" disabled={busy}>Log in</button>
      </form>
    </main>
  );
}
