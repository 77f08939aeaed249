// failure.jsx: an error, where the thing would be: what is wrong, and what to do.
export function Failure({ error, again, children }) {
  return (
    <div class="note" role="alert">
      <p>{error.message}</p>
      {error.hint && <p class="small">{error.hint}</p>}
      {again && <p class="row"><button onClick={again}>Try again</button></p>}
      {children}
    </div>
  );
}

export const Waiting = ({ what = "Reading…" }) => <p class="quiet" role="status">{what}</p>;
