import { endpoints, answerFromTable } from '../../src/ask/server/api/router.ts';
import { openIndex, type PublishedIndex } from '../../src/ask/answers/published-index.ts';
import { openDocumentsIn } from '../../src/deliver/publish/index-documents.ts';

const baseUrl = 'https://releases.example.com';
const settings = { baseUrl, retryMs: 30, heartbeatMs: 40, lifetimeMs: 200 };

/** The API of a built site on the day of its build, without the Worker around it. */
export function apiOf(
  out: string,
  index: PublishedIndex = openIndex(openDocumentsIn(out), { today: () => '' }),
) {
  return async (path: string, init?: RequestInit): Promise<Response> =>
    (await answerFromTable(endpoints, {
      request: new Request(baseUrl + path, init),
      index,
      settings,
    }))!;
}
