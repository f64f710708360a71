// Answers the same queries from a built site again and again, as the Worker does, and prints the milliseconds of CPU time of
// every repetition as JSON: the first of all, which reads the whole index, and then by turns each query, and what it takes any
// program to read search.json at all.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '../../../src/ask/published-index.ts';
import { answerEndpoint } from '../../../src/ask/api/router.ts';

const repetitions = 15;
const [folder, ...queries] = process.argv.slice(2) as [string, ...string[]];
const index = openIndex({
  read(path) {
    const file = join(folder, path);
    return Promise.resolve(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  },
});
const settings = {
  baseUrl: 'https://releases.example.com',
  ...{ retryMs: 0, heartbeatMs: 0, lifetimeMs: 0 },
};

/** A query may be refused with how to narrow it: then it has found nothing. */
async function answer(query: string): Promise<{ ms: number; releases?: number }> {
  const url = `https://releases.example.com/api/releases?${new URLSearchParams({ query }).toString()}`;
  const start = process.cpuUsage();
  const response = (await answerEndpoint(new Request(url), index, settings))!;
  const text = await response.text();
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  if (response.status === 200) return { ms, releases: (JSON.parse(text) as unknown[]).length };
  if (response.status !== 400) throw new Error(text);
  return { ms };
}

const first = await answer('');
const document = readFileSync(join(folder, 'search.json'), 'utf8');
const floor: number[] = [];
const times: Record<string, number[]> = {};
const releases: Record<string, number> = {};
for (let repetition = 0; repetition < repetitions; repetition += 1) {
  const start = process.cpuUsage();
  JSON.parse(document);
  const { user, system } = process.cpuUsage(start);
  floor.push((user + system) / 1000);
  for (const query of queries) {
    const answered = await answer(query);
    if (answered.releases !== undefined) releases[query] = answered.releases;
    (times[query] ??= []).push(answered.ms);
  }
}
process.stdout.write(JSON.stringify({ first: first.ms, floor, times, releases }));
