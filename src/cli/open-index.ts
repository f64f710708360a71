import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedDocuments } from '../ask/answers/published-documents.ts';
import { openIndex, type PublishedIndex } from '../ask/answers/published-index.ts';
import type { Day } from '../core/model/dates.ts';
import { warning, inputError } from '../core/schemas/finding.ts';
import { sentence } from '../core/text/text.ts';
import {
  checkedDocument,
  documentsAt,
  documentsIn,
  NotAnIndexError,
} from '../deliver/publish/index-documents.ts';
import { openSiteHttp } from '../deliver/publish/site-http.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { cacheFolder, type Root } from '../io/files/root.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { HttpError } from '../io/http/error.ts';
import { openCheckout, type Checkout } from '../site/checkout-documents.ts';
import { type Invocation } from './command.ts';
import { requireValue } from '../io/files/read-documents.ts';

/** An index that answers until it is closed. */
export interface OpenedIndex {
  readonly index: PublishedIndex;
  readonly documents: PublishedDocuments;
  close(): Promise<void>;
}

/** The index in the folder of a built site. */
export function openFolder(folder: string, today: () => Day): OpenedIndex {
  const documents = checkedDocument(documentsIn(folder));

  return {
    index: openIndex(documents, undefined, today),
    documents,
    close: () => Promise.resolve(),
  };
}

/** The index of the checkout. It answers like the published one, and reads only what a question needs. */
export function openOwn({ root, day, report }: Invocation): Checkout & {
  readonly index: PublishedIndex;
} {
  const checkout = openCheckout(root, day, (finding) => report.finding(finding));
  return { ...checkout, index: openIndex(checkout.documents, undefined, () => day) };
}

/** Builds the site of the checkout, for a program that answers many questions about everything. */
export async function openBuilt(
  { root, baseUrl, report }: Invocation,
  day: string,
): Promise<OpenedIndex> {
  const { buildSite } = await import('../site/build-site.ts');
  const { readTheme } = await import('../site/theme.ts');
  const parent = join(cacheFolder(root), 'mcp');

  mkdirSync(parent, { recursive: true });

  const folder = mkdtempSync(join(parent, 'run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const out = join(folder, 'dist');

  try {
    // Only the documents are read, so the program's own templates serve: those of the root may not fit it.
    const theme = readTheme({ ...root, siteDirs: root.siteDirs.slice(0, 1) });
    const built = buildSite({ root, day, out, theme, baseUrl });
    report.finding(...built.findings);
  } catch (error) {
    remove();
    throw error;
  }

  return { ...openFolder(out, () => day), close: () => Promise.resolve(remove()) };
}

/** The index published at an address. `indexError` explains the errors of its questions. */
export function openPublished(
  { root, env, signal }: Invocation,
  baseUrl: string,
  today: () => Day,
): OpenedIndex {
  const config = requireValue(readSiteConfig(root));
  const http = openSiteHttp({ config, env, signal, ownUrl: ownUrlOf(root, baseUrl) });
  const documents = checkedDocument(documentsAt(http, baseUrl));

  return { index: openIndex(documents, undefined, today), documents, close: () => http.close() };
}

/** The address that receives the key of the environment: the given one outside an index; inside, only its own. */
export function ownUrlOf({ dir }: Root, address: string): string | undefined {
  return isAbsent(join(dir, 'site', 'site.json')) ? address : undefined;
}

/** Queries a published index as of the day of the invocation, and closes it. */
export async function askPublished<Answer>(
  invocation: Invocation,
  url: string,
  ask: (index: PublishedIndex, documents: PublishedDocuments) => Promise<Answer>,
): Promise<Answer> {
  const { day, report } = invocation;
  const { index, documents, close } = openPublished(invocation, url, () => day);

  try {
    const message = await index.staleness();
    if (message !== undefined) {
      report.finding(warning(url, message));
    }

    return await ask(index, documents);
  } catch (error) {
    throw indexError(url, error);
  } finally {
    await close();
  }
}

/** Queries a published index, or the checkout without an address. */
export async function askIndex<Answer>(
  invocation: Invocation,
  url: string | undefined,
  ask: (index: PublishedIndex) => Promise<Answer>,
): Promise<Answer> {
  return url === undefined ? ask(openOwn(invocation).index) : askPublished(invocation, url, ask);
}

/** Explains why an index gives no answer. Returns other errors unchanged. */
export function indexError(place: string, error: unknown): unknown {
  if (!(error instanceof HttpError || error instanceof NotAnIndexError)) {
    return error;
  }

  const advice = 'Give the address of the folder with status.json and search.json.';
  const isElsewhere =
    error instanceof NotAnIndexError || ['absent', 'content'].includes(error.kind);

  return inputError(place, isElsewhere ? `${sentence(error.message)} ${advice}` : error.message);
}
