import { openIndex, type PublishedIndex } from '../../ask/published-index.ts';
import { HttpError } from '../../io/http/error.ts';
import { documentsAt, NotAnIndexError } from '../../deliver/publish/index-documents.ts';
import { openSiteHttp } from '../../deliver/publish/site-http.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { sentence } from '../../core/text.ts';
import { refusal, refuseErrors, type Invocation } from './command.ts';

/** An index to ask, until it is closed. */
export interface OpenedIndex {
  readonly index: PublishedIndex;
  close(): Promise<void>;
}

/** The index that is published at an address. Asking it throws what `whyNoIndex` puts into words. */
export function openPublished({ root, env, signal }: Invocation, baseUrl: string): OpenedIndex {
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const http = openSiteHttp({ config: config.value!, env, signal });
  return { index: openIndex(documentsAt(http, baseUrl)), close: () => http.close() };
}

/** Says so where the verdicts of a published index are not of the day asked for. */
export async function tellDay(
  { day, report }: Invocation,
  { index }: OpenedIndex,
  place: string,
): Promise<void> {
  const { asOf } = await index.status();
  if (asOf === day) return;
  const message = `its verdicts are of ${asOf}, the day it was built for; ages count from ${day}`;
  report.finding({ level: 'notice', subject: place, message });
}

/** Why nothing can be answered from what is at a place. An error that is none of it comes back as it is. */
export function whyNoIndex(place: string, error: unknown): unknown {
  if (!(error instanceof HttpError || error instanceof NotAnIndexError)) return error;
  const advice = 'Give the address of the folder that its status.json and search.json lie in.';
  const isElsewhere = error instanceof NotAnIndexError || ['absent', 'content'].includes(error.kind);
  return refusal(place, isElsewhere ? `${sentence(error.message)} ${advice}` : error.message);
}
