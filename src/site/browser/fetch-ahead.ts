/** Fetches a file that the page will need soon, so that the browser has it in its cache. */
export function fetchAhead(path: string): void {
  // Reads the body to its end, because the browser caches a response only after all of it has been read.
  void fetch(path)
    .then((response) => response.text())
    .catch(() => {});
}
