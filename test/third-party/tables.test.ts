import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { detailsOn } from '../../src/ask/answers/details-on.ts';
import { detailsOf } from '../../src/decide/details.ts';
import { componentOf } from '../site/render/sites.ts';
import { openTable, tableColumns } from '../../src/site/render/parts.ts';
import { copyOfFixtureIndex, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { run } from '../harness/run.ts';
import { copiedFrom } from '../harness/page-command.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { csvParse, duckdb, duckdbBinary } from './install.ts';

type Parse = (text: string, options: object) => Record<string, string>[];

const { parse } = createRequire(import.meta.url)(join(csvParse.dir, 'dist/cjs/sync.cjs')) as {
  parse: Parse;
};

const columns = tableColumns.map(({ name }) => name);

/** A row of what a search says, too: without the mark before what would be a formula. */
function fromCsv(row: Record<string, string>): Record<string, string> {
  const known = Object.entries(row).filter(([, text]) => text !== '');
  return Object.fromEntries(
    known.map(([name, text]) => [name, text.replace(/^'(?=[=+\-@\t\r])/, '')]),
  );
}

/** A found release as the cells of its record. */
function toCells(release: Record<string, unknown>): Record<string, string> {
  const cells = tableColumns.map(({ name }) => [name, release[name.replace('onBuildDay.', '')]]);
  return Object.fromEntries(
    cells
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toCell(value)] as const),
  );
}

const reason = 'onBuildDay.reason';

/** Queries have no field for what to move to. */
function withoutMove({ 'onBuildDay.moveTo': _, ...cells }: Record<string, string>): object {
  return cells;
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

const table = { columns: true, record_delimiter: '\r\n' };

test('the table of an index says what a search says', async () => {
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
  const { stdout } = await run(['search', '', '--json', '--root', root, '--as-of', fixtureDay]);

  const rows = parse(csv, table);
  const searched = (JSON.parse(stdout) as Record<string, unknown>[]).map(toCells);

  expect(csv.split('\r\n')[0]).toBe(columns.join(','));
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map((row) => withoutMove(fromCsv(row)))).toEqual(searched.map(withoutMove));
  for (const cell of rows.flatMap((row) => Object.values(row))) {
    expect(cell, cell).not.toMatch(/^(?:[=+\-\t\r]|@.*\()/);
  }
});

test('a table that is too long is published in parts, which its file lists', () => {
  const files = new Map<string, string>();
  const { add, finish } = openTable(({ path, body }) => files.set(path, body.toString()), 200);
  const names = Array.from({ length: 9 }, (_, index) => `svc-${index}`);
  for (const component of names) {
    const because = ['One\ntwo', '=3'].map((text) => ({ rule: 'definition' as const, text }));
    const details = detailsOf(componentOf([{ version: '1.0' }], { title: component }));
    const { policy } = details.support;
    const { lines, ...asOf } = detailsOn({ ...details, component }, fixtureDay);
    const reasoned = lines.map((line) => ({
      ...line,
      releases: line.releases.map((release) => ({ ...release, because })),
    }));
    add({ ...asOf, policy, lines: reasoned }, new Map());
  }

  finish();
  const parts = parse(files.get('releases.csv')!, table).map(({ part }) => part!);
  const rows = parts.flatMap((path) => parse(files.get(path)!, table));

  expect(parts.length).toBeGreaterThan(1);
  expect(rows.map((row) => [row['component'], row['version'], row[reason]])).toEqual(
    names.map((component) => [component, '1.0', 'One\ntwo; =3']),
  );
});

interface Database {
  connect(): Promise<{
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRowsJson(): unknown[][] }>;
  }>;
}

/** Opens an empty database in memory. */
async function openDuckDb() {
  const binary = join(dirname(duckdb.dir), basename(duckdbBinary.dir));
  if (!existsSync(binary)) {
    symlinkSync(duckdbBinary.dir, binary);
  }
  const { DuckDBInstance } = createRequire(import.meta.url)(duckdb.dir) as {
    DuckDBInstance: { create(path: string): Promise<Database> };
  };
  return (await DuckDBInstance.create(':memory:')).connect();
}

test('the statements on the page about the API keep lines and versions in a database', async () => {
  const out = siteOfFixtureIndex();
  const folder = temporaryFolder();
  const header = `${columns.join(',')}\r\n`;
  const recordOf = (values: Record<string, string>) =>
    `${columns.map((name) => values[name] ?? '').join(',')}\r\n`;
  const versions = ['3.1', '3.10', '3.1.10'];
  const rows = versions.map((version) =>
    recordOf({ component: 'x', version, line: version, 'onBuildDay.isSupported': 'true' }),
  );
  copyFileSync(join(out, 'releases.csv'), join(folder, 'site.csv'));
  writeIn(folder, 'releases.csv', header + rows.join(''));
  const sql = copiedFrom(readFileSync(join(out, 'api.html'), 'utf8'), 'Table of releases');

  const database = await openDuckDb();
  await database.run(sql.replace("'releases.csv'", `'${join(folder, 'releases.csv')}'`));
  await database.run(`COPY releases FROM '${join(folder, 'site.csv')}' (FORMAT csv, HEADER)`);

  const read = async (query: string) => (await database.runAndReadAll(query)).getRowsJson();
  expect(await read("SELECT version, line FROM releases WHERE component = 'x'")).toEqual(
    versions.map((version) => [version, version]),
  );
  const [[releases, supported]] = (await read(
    'SELECT count(*), count("onBuildDay.isSupported") FROM releases',
  )) as [[string, string]];
  const lines = parse(readFileSync(join(out, 'releases.csv'), 'utf8'), table).length;
  expect(Number(releases)).toBe(lines + versions.length);
  expect(Number(supported)).toBeGreaterThan(versions.length);
});
