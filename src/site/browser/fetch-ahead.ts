/** Fetches a file that the page will need soon, so that the browser has it in its cache. */
export function fetchAhead(path: string): void {
  // The browser caches the whole body only if somebody reads it.
  void fetch(path)
    .then((response) => response.text())
    .catch(() => {});
}
