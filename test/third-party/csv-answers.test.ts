import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../harness/root.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { run } from '../harness/run.ts';
import { csvParse } from './install.ts';

type Row = Record<string, string>;

const { parse } = createRequire(import.meta.url)(join(csvParse.dir, 'dist/cjs/sync.cjs')) as {
  parse(text: string, options: object): Row[];
};

/** The cells with a value, without the mark before a formula. */
function fromCsv(row: Row): Row {
  const cells = Object.entries(row).filter(([, text]) => text !== '');
  return Object.fromEntries(
    cells.map(([name, text]) => [name, text.replace(/^'(?=[=+\-@\t\r])/, '')]),
  );
}

function toCells(release: object): Row {
  const values = Object.entries(release as Record<string, unknown>);
  return Object.fromEntries(values.map(([name, value]) => [name, withoutControls(toCell(value))]));
}

/** Printed text shows a control character as its escape. */
function withoutControls(text: string): string {
  return text.replaceAll('\u202e', '\\u202e');
}

function toCell(value: unknown): string {
  if (Array.isArray(value)) {
    return value.join('; ');
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, text]) => `${key}=${String(text)}`);
    return pairs.join('; ');
  }
  return String(value);
}

test('a search as a table says what the same search says as JSON', async () => {
  const root = copyOfFixtureIndex();
  const svc = readJsonIn<object>(root, 'components/svc.json');
  const hostile = {
    title: '=cmd|\' /C calc\'!A0, "quoted"; and — more',
    labels: { team: '+1', 'a,b': '@SUM(1)' },
  };
  writeIn(root, 'components/svc.json', { ...svc, ...hostile });
  const search = async (form: string) =>
    (await run(['search', '', form, '--root', root, '--as-of', fixtureDay])).stdout;

  const rows = parse(await search('--csv'), { columns: true });
  const releases = JSON.parse(await search('--json')) as object[];

  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map(fromCsv)).toEqual(releases.map(toCells));
  for (const cell of rows.flatMap((row) => Object.values(row))) {
    expect(cell, cell).not.toMatch(/^(?:[=+\-\t\r]|@.*\()/);
  }
});
