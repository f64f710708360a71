/** Fetches a file that the page will need soon, so that the browser has it in its cache. */
export function fetchAhead(path: string): void {
  // The body is read, because the browser caches it as a whole only then.
  void fetch(path)
    .then((response) => response.text())
    .catch(() => {});
}
