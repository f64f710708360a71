import { join } from 'node:path';
import { openIndex, type PublishedIndex } from '../ask/answers/published-index.ts';
import type { Day } from '../core/model/dates.ts';
import { QuestionError } from '../core/query/question-error.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { InputError, problem, warning } from '../core/schemas/finding.ts';
import { endSentence } from '../core/text/wording.ts';
import {
  checkDocuments,
  openDocumentsAt,
  openDocumentsIn,
} from '../deliver/publish/index-documents.ts';
import { openSiteHttp } from '../deliver/publish/site-http.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import type { Root } from '../io/files/root.ts';
import { HttpError } from '../io/http/error.ts';
import type { Invocation } from './command.ts';

/** The index in the folder of a built site. */
export function openFolder(folder: string, today: () => Day): { index: PublishedIndex } {
  return { index: openIndex(checkDocuments(openDocumentsIn(folder)), { today }) };
}

/** The index published at an address, with its client. `explainIndexError` explains the errors of its questions. */
export function openPublished(
  { root, env, signal }: Invocation,
  baseUrl: string,
  today: () => Day,
) {
  const config = requireSiteConfig(root);
  const http = openSiteHttp({ config, env, signal, ownUrl: findKeyAddress(root, config, baseUrl) });
  const documents = checkDocuments(openDocumentsAt(http, baseUrl));
  return { index: openIndex(documents, { today }), http };
}

/** The address that receives the key of the environment: that of the index in the folder, else the address to read. */
export function findKeyAddress({ dir }: Root, { releasesUrl }: SiteConfig, url: string): string {
  return isAbsent(join(dir, 'site', 'site.json')) ? url : releasesUrl;
}

/** Queries a published index as of the day of the invocation, and closes it. */
export async function askPublished<Answer>(
  invocation: Invocation,
  url: string,
  ask: (index: PublishedIndex) => Promise<Answer>,
): Promise<Answer> {
  const { day, report } = invocation;
  const { index, http } = openPublished(invocation, url, () => day);

  try {
    const message = await index.staleness();
    if (message !== undefined) {
      report.finding(warning(url, message));
    }

    return await ask(index);
  } catch (error) {
    throw explainIndexError(url, error) ?? error;
  } finally {
    await http.close();
  }
}

/** The error for a place that has no index, or one that cannot be read; undefined for any other error. */
export function explainIndexError(place: string, error: unknown): InputError | undefined {
  if (!(error instanceof QuestionError) || !['unreadable', 'no-index'].includes(error.reason)) {
    return undefined;
  }

  const { reason, message, cause } = error;
  const isElsewhere =
    reason === 'no-index' ||
    (cause instanceof HttpError && ['absent', 'content'].includes(cause.kind));
  const advice = ' Give the address of the folder with status.json and search.json.';
  const text = isElsewhere ? endSentence(message) + advice : message;
  return new InputError([problem(place, text)], { cause: error });
}
