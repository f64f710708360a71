import { join } from 'node:path';
import { openIndex, type PublishedIndex } from '../ask/answers/published-index.ts';
import type { Day } from '../core/model/dates.ts';
import { QuestionError } from '../core/query/question-error.ts';
import { InputError, problem, warning } from '../core/schemas/finding.ts';
import { endSentence } from '../core/text/wording.ts';
import {
  checkDocuments,
  openDocumentsAt,
  openDocumentsIn,
} from '../deliver/publish/index-documents.ts';
import { openSiteHttp, type SiteHttp } from '../deliver/publish/site-http.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { HttpError } from '../io/http/error.ts';
import type { Invocation } from './command.ts';

/** The index in the folder of a built site. */
export function openFolder(folder: string, today: () => Day): { index: PublishedIndex } {
  return { index: openIndex(checkDocuments(openDocumentsIn(folder)), { today }) };
}

/** The index published at an address, with its client, which the caller may close. */
export function openPublished(invocation: Invocation, url: string, today: () => Day) {
  const http = openReadingHttp(invocation, url);
  return { index: openIndex(checkDocuments(openDocumentsAt(http, url)), { today }), http };
}

/** The client to read a published site. The key in the environment is for the index of the root, or without one for that site. */
export function openReadingHttp({ root, env, signal }: Invocation, url: string): SiteHttp {
  const config = requireSiteConfig(root);
  const isRootWithoutIndex = isAbsent(join(root.dir, 'site', 'site.json'));
  return openSiteHttp({ config, env, signal, ownUrl: isRootWithoutIndex ? url : undefined });
}

/** Asks a published index as of the day of the invocation. Reports an index that was updated too long ago. */
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
    return rejectNoIndex(url)(error);
  } finally {
    await http.close();
  }
}

/**
 * An error handler that throws an InputError for an address or folder that has no index, or one that cannot be read, and rethrows every
 * other error.
 */
export function rejectNoIndex(place: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof QuestionError) || !['unreadable', 'no-index'].includes(error.reason)) {
      throw error;
    }

    const { reason, message, cause } = error;
    const isWrongPlace =
      reason === 'no-index' ||
      (cause instanceof HttpError && ['absent', 'content'].includes(cause.kind));
    const text = isWrongPlace
      ? `${endSentence(message)} Give the address of the folder with status.json and search.json.`
      : message;
    throw new InputError([problem(place, text)], { cause: error });
  };
}
