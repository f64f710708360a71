import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { endpoints } from '../../../src/ask/api/endpoints.ts';
import { answerEndpoint } from '../../../src/ask/api/router.ts';
import { openIndex } from '../../../src/ask/published-index.ts';
import { checkout } from '../../harness/checkout.ts';
import { removeTemporaryFolders } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

/**
 * The answers that the pages about the API show: those of the index of the fixtures, shortened. The requests stand in the
 * file. `node test/site/render/answers.ts` writes the answers anew.
 */
export const answersFile = join(checkout, 'site/answers.json');
export const dayOfAnswers = '2026-11-20';

type Answers = Record<string, { request: string; answer: string }>;

const mostLines = 16;
const mostCharacters = 800;

export async function makeAnswers(): Promise<Answers> {
  const out = siteOfFixtureIndex(dayOfAnswers);
  const read = (path: string) =>
    Promise.resolve(existsSync(join(out, path)) ? readFileSync(join(out, path), 'utf8') : undefined);
  const settings = { baseUrl: 'https://releases.example.com', retryMs: 1, heartbeatMs: 1, lifetimeMs: 1 };
  const shown = JSON.parse(readFileSync(answersFile, 'utf8')) as Answers;
  const answers: Answers = {};
  for (const { name, example } of endpoints) {
    if (example === undefined) continue;
    const { request } = shown[name] ?? {};
    if (request === undefined)
      throw new Error(`${answersFile}: ${name}: add its request, and an empty answer`);
    const [method, address] = request.split(' ') as [string, string];
    const asked = new Request(`${settings.baseUrl}${address}`, { method });
    const response = await answerEndpoint(asked, openIndex({ read }), settings);
    answers[name] = { request, answer: shorten(await response!.text()) };
  }
  return answers;
}

function shorten(body: string): string {
  if (!/^[[{]/.test(body)) return body.length > mostCharacters ? `${body.slice(0, mostCharacters)}…\n` : body;
  const lines = JSON.stringify(JSON.parse(body), undefined, 2).split('\n');
  return lines.length > mostLines
    ? `${lines.slice(0, mostLines).join('\n')}\n  …\n`
    : `${lines.join('\n')}\n`;
}

if (import.meta.main) {
  mock.timers.enable({ apis: ['Date'], now: Date.parse(`${dayOfAnswers}T12:00:00Z`) });
  writeFileSync(answersFile, `${JSON.stringify(await makeAnswers(), undefined, 2)}\n`);
  removeTemporaryFolders();
}
