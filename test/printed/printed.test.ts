/** What documents, pages and help texts print, run as it is printed: what stands in place of a value becomes one. */
import { expect, test } from 'vitest';
import { readPackage } from '../../src/cli/add/package.ts';
import { listPrinted, readDocument, site } from './list.ts';
import { atCloudflare, readers } from './others.ts';
import { anIndex, operators, theCheckout } from './own.ts';
import { checkout, index, play, reader } from './stage.ts';

/** What no row runs, at most seven, and where it is run. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm run pack': 'test/printed/stage.ts',
  'npm test': '.ci/run',
  'npm run lint && npm run types': '.ci/run',
  'bash .ci/run': '.github/workflows/check.yml',
  'npm run test:all': '.github/workflows/nightly.yml',
  'npm run bench': '.github/workflows/nightly.yml',
  'npm run world': 'test/readme.long.test.ts',
};

test.each([
  ['this checkout', checkout, theCheckout],
  ['an index of one’s own', index, anIndex],
  ['the site of others', reader, readers],
  ['the days of an index', index, operators],
] as const)('what is printed about %s does what it says', (_, place, rows) => play(place, rows));

const form = /^add (?!static|npm semver|-)([a-z-]+) (\S+)/;

test('each form of "add" names a package of its datasource, or products', async () => {
  const forms = [...(await listPrinted()).keys()].filter((line) => form.test(line));
  for (const line of forms) {
    const [words = '', options] = line.slice('add '.length).split(' --');
    const named = readPackage(words.split(' '), options && site);
    expect(named?.datasource ?? 'nodejs', line).toBe(words.split(' ')[0]);
  }
  expect(forms.length).toBeGreaterThan(10);
});

test('no document prints another command, and none of these is in no document', async () => {
  const rows = [theCheckout, anIndex, readers, operators, atCloudflare].flat();
  const commands = new Set([...rows.map(([line]) => line), ...Object.keys(elsewhere)]);
  const printed = await listPrinted();

  expect([...printed].filter(([line]) => !commands.has(line) && !form.test(line))).toEqual([]);
  expect([...commands].filter((line) => !printed.has(line) && !line.includes('public'))).toEqual(
    [],
  );
  expect(Object.keys(elsewhere).length).toBeLessThanOrEqual(7);
});

test.each(Object.entries(elsewhere))('"%s" is run by %s', (command, path) => {
  expect(readDocument(path).replaceAll('--silent ', '')).toContain(command.split(' && ')[0]);
});
