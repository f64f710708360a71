/** Fetches a file that is asked for soon: the browser caches it. */
export function fetchAhead(path: string): void {
  // A body that nobody reads is not cached to its end.
  void fetch(path)
    .then((response) => response.text())
    .catch(() => {});
}
