/** Lists as tools write them: read as a whole, or no success, in the same words at every door. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSite } from '../../src/core/index/site-reader.ts';
import { listOwners } from '../../src/core/index/owners.ts';
import { readList } from '../../src/core/read-list.ts';
import { openIndex } from '../../src/serve/published-index.ts';
import { runCli } from '../harness/cli.ts';
import { cases, listedSite, listsFolder, readSummary } from '../harness/listed-index.ts';
import { openTools } from '../harness/mcp-client.ts';

const index = openIndex(openSite(listedSite));
const client = await openTools(index);
const names = listOwners(await index.status());
afterAll(() => client.close());

/** Why a list is not judged as a whole. */
const reason = /: not judged: | not read\. A list has one item per line/;

test.each(cases)('$file ends with $status: $counts', async ({ status, file, counts }) => {
  const path = join(listsFolder, file);
  const scan = (...options: string[]) => runCli(['scan', path, '--out', listedSite, ...options]);
  const printed = await scan();
  const words = readSummary(printed.stdout);

  expect(printed.status).toBe(status);
  expect(words).toContain(`${counts} entries judged.`);
  // A reason for each list that is no success, also where an entry fails.
  expect(reason.test(printed.stderr)).toBe(status === 3 || /Not read/.test(words));

  const { problems = [], entries } = JSON.parse((await scan('--json')).stdout);
  expect(entries.some(({ fails }: { fails: string[] }) => fails.length > 0)).toBe(status === 1);
  expect(problems.length > 0).toBe(reason.test(printed.stderr));

  // A tool is not told the name of the file.
  if (!basename(file).startsWith('.')) {
    const text = readFileSync(path, 'utf8');
    const told = await client.callTool('check_versions', { text });
    expect(told.text).toContain(words);
  }
});

/** How many entries and problems a text has. */
function count(text: string): number {
  const { items, problems } = readList(text, names);
  return items.length + problems.length;
}

/** A document without one of its objects, for each of them. */
function* cutDocument(value: unknown, root = value): Generator<string> {
  for (const [key, inner] of Object.entries(Object(value) as Record<string, unknown>)) {
    if (typeof inner === 'object' && inner !== null) {
      const holder = value as Record<string, unknown>;
      const { [key]: _, ...rest } = holder;
      const former = Array.isArray(value) ? [...value] : undefined;
      if (former) {
        former.splice(Number(key), 1);
      }
      yield JSON.stringify(root, (_name, each) => (each === holder ? (former ?? rest) : each));
      yield* cutDocument(inner, root);
    }
  }
}

test.each(cases.filter(({ status }) => status === 0))(
  'of $file, no entry can be cut without another count',
  ({ file, total }) => {
    const text = readFileSync(join(listsFolder, file), 'utf8');
    const lines = text.split('\n');
    const cut = /^\s*(?:\{|\[\s*\{)/.test(text)
      ? [...cutDocument(JSON.parse(text))]
      : lines.map((_, place) => lines.toSpliced(place, 1).join('\n'));
    const losses = cut.map((each) => total - count(each));

    expect(count(text)).toBe(total);
    expect(losses.filter((loss) => loss !== 0).length).toBeGreaterThanOrEqual(
      file.includes('jsonpath') ? 1 : total,
    );
  },
);
