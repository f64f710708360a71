/** Checks that each command in documents, pages and help texts is tested. `printed.long.test.ts` runs them. */
import { expect, test } from 'vitest';
import { readPackage } from '../../src/cli/add/package.ts';
import { listPrinted, readDocument, site } from './list.ts';
import { atCloudflare, readers } from './others.ts';
import { anIndex, operators, theCheckout } from './own.ts';

/**
 * Commands that `printed.long.test.ts` does not run, each with the file that runs it instead. At most six commands may be listed here.
 */
const elsewhere: Readonly<Record<string, string>> = {
  'npm run pack': 'test/printed/stage.ts',
  'npm test': '.ci/run',
  'bash .ci/run': '.github/workflows/check.yml',
  'npm run test:all': '.github/workflows/nightly.yml',
  'npm run bench': '.github/workflows/nightly.yml',
  'npm run world': 'test/readme.long.test.ts',
};

/** Sections of documents whose code blocks a separate test runs, by heading. */
const sections: Readonly<Record<string, string>> = {
  'An index that reads an index': 'test/guide.long.test.ts',
  'An index of one tool': 'test/setup.long.test.ts',
};

function readSection(heading: string): string {
  const documents = readDocument('.github/GUIDE.md') + readDocument('.github/SETUP.md');
  return documents.split(/^## /m).find((section) => section.startsWith(`${heading}\n`))!;
}

const form = /^add (?!static|npm semver|-)([a-z-]+) (\S+)/;

test('readPackage finds the datasource of each documented "add" command', async () => {
  const forms = [...(await listPrinted()).keys()].filter((line) => form.test(line));
  for (const line of forms) {
    const [words = '', options] = line.slice('add '.length).split(' --');
    const named = readPackage(words.split(' '), options && site);
    expect(named?.datasource ?? 'nodejs', line).toBe(words.split(' ')[0]);
  }
  expect(forms.length).toBeGreaterThan(10);
});

test('each command in a document is tested, and each tested command is in a document', async () => {
  const rows = [theCheckout, anIndex, readers, operators, atCloudflare].flat();
  const commands = new Set([...rows.map(([line]) => line), ...Object.keys(elsewhere)]);
  const printed = await listPrinted();
  const inSections = Object.keys(sections).map(readSection).join('');
  const isRun = (line: string) =>
    commands.has(line) || form.test(line) || inSections.includes(line);

  expect([...printed].filter(([line]) => !isRun(line))).toEqual([]);
  expect([...commands].filter((line) => !printed.has(line) && !line.includes('public'))).toEqual(
    [],
  );
  expect(Object.keys(elsewhere).length).toBeLessThanOrEqual(6);
});

test.each(Object.entries(elsewhere))('"%s" is run by %s', (command, path) => {
  expect(readDocument(path).replaceAll('--silent ', '')).toContain(command.split(' && ')[0]);
});

test.each(Object.entries(sections))('the section "%s" is run by %s', (heading, path) => {
  expect(readSection(heading)).toMatch(/^```sh$/m);
  expect(readDocument(path)).toContain(`## ${heading}`);
});
