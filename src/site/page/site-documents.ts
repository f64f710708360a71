import type { StatusFile } from '../../core/schemas/published/status-file.ts';

/** The scripts of a page are bundled apart, and share what they read. */
const shared = globalThis as { releaseIndexDocuments?: Map<string, Promise<string>> };
const read = (shared.releaseIndexDocuments ??= new Map<string, Promise<string>>());

/** The folder of the site, which may be below the root of its host. */
const root = new URL(
  '..',
  document.querySelector<HTMLScriptElement>('script[src$="assets/site.js"]')!.src,
);

/** Reads a document of this index, once. After a failure, the next call tries again. */
export function readDocumentText(path: string): Promise<string> {
  const cached = read.get(path);
  if (cached) {
    return cached;
  }

  const text = fetchText(path);
  read.set(path, text);
  text.catch(() => read.delete(path));
  return text;
}

export async function readStatus(): Promise<StatusFile> {
  return JSON.parse(await readDocumentText('status.json')) as StatusFile;
}

export function toUrl(path: string): URL {
  return new URL(path, root);
}

async function fetchText(path: string): Promise<string> {
  const response = await fetch(toUrl(path));
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}`);
  }

  return response.text();
}

/** The reason for a missing answer, in a sentence. */
export function describeFailure({ message }: Error): string {
  return navigator.onLine
    ? `No answer, please try again: ${message}`
    : 'No connection. The page itself is still valid.';
}
