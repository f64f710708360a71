import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ages } from '../../src/core/query/ages.ts';
import { answeredFields } from '../../src/core/query/fields.ts';
import { openTables } from '../../src/site/render/parts.ts';
import { copyOfFixtureIndex, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { run } from '../harness/run.ts';
import { csvParse } from './install.ts';

type Parse = (text: string, options: object) => Record<string, string>[];

const { parse } = createRequire(import.meta.url)(join(csvParse.dir, 'dist/cjs/sync.cjs')) as {
  parse: Parse;
};

const changing = { freshness: '', ...ages };
const tableFields = answeredFields.filter(({ name }) => !(name in changing));
const columns = tableFields.map(({ name, isOfDay }) => (isOfDay ? `onBuildDay.${name}` : name));

/** A row as a cell of CSV can say it: without the mark before what would be a formula. */
function fromCsv(row: Record<string, string>): Record<string, string> {
  const known = Object.entries(row).filter(([, text]) => text !== '');
  return Object.fromEntries(
    known.map(([name, text]) => [name, text.replace(/^'(?=[=+\-@\t\r])/, '')]),
  );
}

/** A row under the names of the columns. */
function named(row: object): Record<string, unknown> {
  const { onBuildDay = {}, ...facts } = row as { onBuildDay?: object };
  const ofDay = Object.entries(onBuildDay).map(([name, value]) => [`onBuildDay.${name}`, value]);
  return { ...facts, ...Object.fromEntries(ofDay) };
}

function fromJson(line: string): Record<string, string> {
  const texts = Object.entries(named(JSON.parse(line) as object)).map(([name, value]) => {
    if (Array.isArray(value)) {
      return [name, value.join('; ')];
    }
    const pairs = Object.entries(Object(value) as object).map(
      ([key, text]) => `${key}=${String(text)}`,
    );
    return [name, typeof value === 'object' ? pairs.join('; ') : String(value)];
  });
  return Object.fromEntries(texts) as Record<string, string>;
}

const table = { columns: true, record_delimiter: '\r\n' };

const linesOf = (text: string) => text.trimEnd().split('\n');

test('both tables of an index say the same, and what a search says', async () => {
  const root = copyOfFixtureIndex();
  const svc = readJsonIn<object>(root, 'components/svc.json');
  const hostile = {
    title: '=cmd|\' /C calc\'!A0, "quoted"; and — more',
    labels: { team: '+1', 'a,b': '@SUM(1)' },
  };
  writeIn(root, 'components/svc.json', { ...svc, ...hostile });
  const out = join(temporaryFolder(), 'dist');
  await run(['build', '--root', root, '--out', out, '--as-of', fixtureDay]);
  const csv = readFileSync(join(out, 'releases.csv'), 'utf8');
  const ndjson = readFileSync(join(out, 'releases.ndjson'), 'utf8');
  const { stdout } = await run(['search', '', '--json', '--root', root, '--as-of', fixtureDay]);

  const rows = parse(csv, table);
  const searched = (JSON.parse(stdout) as Record<string, unknown>[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !(name in changing))),
  );

  expect(csv.split('\r\n')[0]).toBe(columns.join(','));
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map(fromCsv)).toEqual(linesOf(ndjson).map(fromJson));
  const flat = linesOf(ndjson).map((line) => {
    const { onBuildDay, ...facts } = JSON.parse(line) as { onBuildDay: object };
    return { ...facts, ...onBuildDay };
  });
  expect(flat).toEqual(searched);
  for (const cell of rows.flatMap((row) => Object.values(row))) {
    expect(cell, cell).not.toMatch(/^(?:[=+\-\t\r]|@.*\()/);
  }
});

test('tables that are too long are published in parts, which their file lists', () => {
  const files = new Map<string, string>();
  const tables = openTables(({ path, body }) => files.set(path, body.toString()), 200);
  const rows = Array.from({ length: 9 }, (_, index) => ({
    component: `svc-${index}`,
    releases: 1,
    version: `1.${index}`,
    onBuildDay: { reason: ['One\ntwo', '=3'] },
  }));
  for (const { version, onBuildDay, ...shared } of rows) {
    tables.add([{ shared, own: { version, ...onBuildDay } }]);
  }
  tables.finish();
  const parts = parse(files.get('releases.csv')!, table).map(({ part }) => part!);
  const lists = linesOf(files.get('releases.ndjson')!).map(
    (line) => JSON.parse(line) as { part: string },
  );

  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap((path) => parse(files.get(path)!, table)).map(fromCsv)).toEqual(
    rows.map(({ onBuildDay: { reason }, ...row }) => ({
      ...row,
      releases: '1',
      'onBuildDay.reason': reason.join('; '),
    })),
  );
  expect(
    lists
      .flatMap(({ part }) => linesOf(files.get(part)!))
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows);
});
