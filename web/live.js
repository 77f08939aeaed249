// live.js: one event stream for all tabs of a browser. A browser opens six connections to a host, so a stream in each tab
// would stop every call. The tab that holds the lock listens and tells the others.
import { subscribe } from "./host.js";

const CHANGES = "quire://changes";
const listeners = new Set();
const channel = new BroadcastChannel("quire.changes");

const tell = () => listeners.forEach((run) => run());
channel.onmessage = tell;

// Starts listening; returns what ends it.
export function start() {
  const end = new AbortController();
  navigator.locks.request("quire.stream", { signal: end.signal }, () =>
    subscribe([CHANGES], () => {
      tell();
      channel.postMessage(0);
    }, end.signal)).catch(() => {});
  return () => end.abort();
}

export function onChange(run) {
  listeners.add(run);
  return () => listeners.delete(run);
}
