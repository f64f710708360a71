import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { defaultUrl } from 'registry-url';
import { expect, test } from 'vitest';
import { pageScripts } from '../src/site/page-scripts.ts';

const src = resolve(import.meta.dirname, '../src');

/** The folders of `src`, and the folders that each may import from beside itself. A folder inside another has its own row. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'core/text': [],
  io: ['core'],
  decide: ['core'],
  record: ['core', 'io', 'decide'],
  'record/gate/rules': ['core', 'decide', 'record/journal/events'],
  'record/journal/events': ['core', 'decide'],
  ask: ['core'],
  site: ['core', 'io', 'decide', 'record', 'ask'],
  deliver: ['core', 'io', 'decide', 'record', 'ask', 'site'],
  run: ['core', 'io', 'decide', 'record', 'ask', 'site', 'deliver'],
  cli: ['core', 'io', 'decide', 'record', 'ask', 'site', 'deliver', 'run'],
};

const pathOf = (file: string) => relative(src, file).replaceAll('\\', '/');
const roomOf = (file: string) => pathOf(file).split('/')[0]!;

/** The row of a file: of the innermost folder that has one. */
function rowOf(file: string): string | undefined {
  const rows = Object.keys(allowedImports).filter((folder) => isWithin(pathOf(file), folder));

  return rows.sort((a, b) => b.length - a.length)[0];
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Static, dynamic and type-only imports of a file of ours. */
function importsOf(file: string): string[] {
  return Array.from(
    readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g),
    ([, path]) => join(dirname(file), path!),
  );
}

const files = globSync('**/*.{ts,js}', { cwd: src }).map((file) => join(src, file));

test('every file is in one of the nine folders, but for the two that start the program', () => {
  const others = files.filter((file) => rowOf(file) === undefined);

  expect(others.map(pathOf).sort()).toEqual(['cli.js', 'main.ts']);
});

/** Commands are named after their verbs, which may repeat the name of another file. */
const isCommand = (file: string) => file.includes('cli/commands/');

/** Folders with a file for each item of a list. */
const lists = ['cli/commands', 'record/sources'];

test('no two files have the same name, and no folder but those of lists has more than 24', () => {
  const names = files.filter((file) => !isCommand(file)).map((file) => basename(file));
  const perFolder = Map.groupBy(files, (file) => dirname(file));

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const full = [...perFolder].filter(([, inFolder]) => inFolder.length > 24);
  expect(
    full.map(([folder]) => pathOf(folder)).filter((folder) => !lists.includes(folder)),
  ).toEqual([]);
});

test('each folder imports only from the folders it may', () => {
  const wrong = files.flatMap((file) => {
    const row = rowOf(file);
    const allowed = row === undefined ? [] : [row, ...allowedImports[row]!];

    return importsOf(file)
      .filter(
        (target) =>
          row !== undefined && !allowed.some((folder) => isWithin(pathOf(target), folder)),
      )
      .map((target) => `${pathOf(file)} -> ${pathOf(target)}`);
  });

  expect(wrong).toEqual([]);
});

test.each([
  ['the schemas import no package but zod', 'core/schemas/**/*.ts', /^\.|^node:|^zod$/],
  [
    'the query language imports only what pages may load',
    'core/query/*.ts',
    /^\.\/|^\.\.\/(?:model|text)\/[a-z-]+\.ts$/,
  ],
])('%s', (_, pattern, allowed) => {
  const imported = globSync(pattern, { cwd: src }).flatMap((file) =>
    Array.from(
      readFileSync(join(src, file), 'utf8').matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm),
      ([, name]) => name!,
    ),
  );

  expect(imported).not.toEqual([]);
  expect(imported.filter((name) => !allowed.test(name))).toEqual([]);
});

/**
 * Files that one other file alone imports and that are still files of their own. All others of that kind are part of the file that
 * imports them, unless both together would have more than 300 lines.
 */
const ownFiles: Readonly<Record<string, readonly string[]>> = {
  'loaded apart, when a page or a process needs it': [
    'ask/server/worker/auth-worker.ts',
    'main.ts',
    'record/sources/shared/transform-process.ts',
    'site/page/answers.ts',
    'site/page/more.ts',
  ],
  'a document or a page in the table of the site': [
    'site/render/documents/badge.ts',
    'site/render/documents/endoflife-json.ts',
    'site/render/html/api-page.ts',
    'site/render/html/changes-page.ts',
    'site/render/html/status-page.ts',
    'site/render/html/use-page.ts',
  ],
  'a check of foreign files, to be read by itself': ['site/check-assets.ts'],
  'the tools of one subject': [
    'ask/server/mcp/changes-since-tool.ts',
    'ask/server/mcp/check-versions-tool.ts',
    'ask/server/mcp/component-tool.ts',
    'ask/server/mcp/find-releases-tool.ts',
    'ask/server/mcp/list-runs-tool.ts',
  ],
  'a subject that people look for by its name': [
    'ask/server/access/authorization.ts',
    'ask/server/access/match-user.ts',
    'ask/server/api/component-endpoints.ts',
    'ask/server/api/statement-endpoints.ts',
    'ask/server/mcp/mcp-endpoint.ts',
    'cli/packages-in-file.ts',
    'cli/starter/starter-texts.ts',
    'cli/ask-policy.ts',
    'deliver/publish/protection.ts',
    'deliver/publish/read-back.ts',
    'io/http/fetch-document.ts',
    'io/http/follow-redirects.ts',
    'io/http/hosts.ts',
    'record/add/repository-pages.ts',
    'record/gather/check-days.ts',
    'record/gather/check-source.ts',
    'record/gather/merge-advisories.ts',
    'record/gather/moving-tags.ts',
    'record/gather/short-list.ts',
    'record/sources/shared/evaluate-transform.ts',
    'record/sources/shared/oci-registry.ts',
    'run/describe-run.ts',
  ],
  'in a lower layer than the file that imports it': [
    'ask/plan/plan-calendar.ts',
    'ask/scan/scan-exceptions.ts',
    'deliver/check/foreign-changes.ts',
    'deliver/check/setting-changes.ts',
    'deliver/host/static-server.ts',
    'deliver/publish/copy-site.ts',
    'deliver/publish/publish-site.ts',
    'record/gate/save-judged.ts',
    'run/plan-day.ts',
    'site/checkout-documents.ts',
  ],
  'bundled for the package, too': ['site/page-scripts.ts'],
  'a section of the start page': ['site/render/html/ends-by-month.ts'],
  'a section of the card of an answer': ['site/page/line-picture.ts', 'site/page/upgrade-path.ts'],
  'the keys and states of a list, whatever its options are': ['site/page/option-list.ts'],
  'needs no browser, and is tested without one': ['site/page/plan/draw-lane.ts'],
};

test('a file that one other file alone imports is part of it', () => {
  const importers = Map.groupBy(
    files.flatMap((file) => importsOf(file).map((target) => ({ file, target }))),
    ({ target }) => target,
  );
  const countLines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;

  const alone = [...importers].flatMap(([target, [first, ...others]]) => {
    const isPart =
      !lists.includes(pathOf(dirname(target))) &&
      others.every(({ file }) => file === first!.file) &&
      countLines(target) + countLines(first!.file) <= 300;
    return isPart ? [pathOf(target)] : [];
  });

  expect(alone.sort()).toEqual(Object.values(ownFiles).flat().sort());
});

test('HTML is in templates, and what a script of the pages draws in markup of files that the script has', () => {
  const inScripts = new Set<string>();
  const add = (file: string) => {
    if (!inScripts.has(file)) {
      inScripts.add(file);
      importsOf(file).forEach(add);
    }
  };
  Object.values(pageScripts).forEach(({ module }) => add(join(src, `${module}.ts`)));
  const using = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map(pathOf);
  const drawing = using(/\bmarkup`/);

  expect(drawing).toContain('site/page/card.ts');
  expect(drawing.filter((file) => !inScripts.has(join(src, file)))).toEqual([]);
  expect(
    using(/createElement|innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment/),
  ).toEqual(['site/page/dom.ts']);
});

test('only the command line reads the arguments and the environment of the process', () => {
  const readers = files.filter((file) =>
    /^(?!\s*(?:\/\/|\*)).*\bprocess\.(?:argv|env)\b/m.test(readFileSync(file, 'utf8')),
  );

  expect(
    readers.map(roomOf).filter((folder) => !['cli', 'cli.js', 'main.ts'].includes(folder)),
  ).toEqual([]);
});

test('only the launcher and the upgrade, which needs a checkout, name npm scripts: other commands work everywhere', () => {
  const saying = files.filter((file) =>
    /['"`].*\bnpm (?:run|start|ci)\b/.test(readFileSync(file, 'utf8')),
  );

  expect(saying.map((file) => relative(src, file)).sort()).toEqual([
    'cli.js',
    'cli/starter/written-files.ts',
  ]);
});

test('each feature in ARCHITECTURE names at most seven files, all there', () => {
  const page = readFileSync(resolve(src, '../.github/ARCHITECTURE.md'), 'utf8');
  const [, table = ''] = page.split('## Where a feature lives');
  const rows = table
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('.ts`'));
  const named = rows.map((row) => Array.from(row.matchAll(/`([^`]+\.ts)`/g), ([, path]) => path!));

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((paths) => paths.length > 7)).toEqual([]);
  expect(named.flat().filter((path) => !existsSync(join(src, path)))).toEqual([]);
});

test('ARCHITECTURE says of each class of errors who can mend it', () => {
  const page = readFileSync(resolve(src, '../.github/ARCHITECTURE.md'), 'utf8');
  const [, table = ''] = page.split('## Errors');
  const explained = table.split('\n## ')[0]!.matchAll(/^\| `.*?` +\|/gm);
  const named = Array.from(explained, ([cell]) => cell.match(/\w+/g)!).flat();
  const classes = files.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/\bclass (\w+) extends \w*Error\b/g),
      ([, name]) => name!,
    ),
  );

  expect(classes.length).toBeGreaterThan(5);
  expect(named.sort()).toEqual(classes.sort());
});

test('the README of the harness names each of its files', () => {
  const harness = join(import.meta.dirname, 'harness');
  const page = readFileSync(join(harness, 'README.md'), 'utf8');
  const helpers = globSync('*.{ts,mjs}', { cwd: harness });

  expect(helpers.length).toBeGreaterThan(30);
  expect(helpers.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

/** Folders of tests of the whole program. Each other folder tests the folder of `src` with its name. */
const suites = [
  'mutants',
  'record/conformance',
  'renovate',
  'simulations',
  'site/pages',
  'specification',
  'third-party',
];

test('a test has a name of its own, and lies where the part of the program lies that it tests', () => {
  const sources = Map.groupBy(files, (file) => basename(file, '.ts'));
  const tests = globSync('**/*.test.ts', { cwd: import.meta.dirname });
  const nameOf = (path: string) => basename(path).split('.')[0]!;
  const byName = Map.groupBy(
    tests.filter((path) => !isCommand(path)),
    nameOf,
  );
  const repeated = [...byName.values()].filter((paths) => paths.length > 1);
  const elsewhere = tests.filter((path) => {
    const places = sources.get(nameOf(path));
    return places && !places.some((file) => pathOf(dirname(file)) === dirname(path));
  });

  const folders = [...new Set(tests.map(dirname))];
  const others = folders.filter((folder) => !existsSync(join(src, folder)));

  expect(tests.length).toBeGreaterThan(100);
  expect({ repeated, elsewhere }).toEqual({ repeated: [], elsewhere: [] });
  expect(others.sort()).toEqual(suites);
});

test('a regular expression names each group once, as the oldest Node that the package takes wants it', () => {
  const repeated = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => {
        const names = [...line.matchAll(/\(\?<([a-z]\w*)>/gi)].map(([, name]) => name);
        return new Set(names).size < names.length;
      })
      .map((line) => `${relative(src, file)}: ${line.trim()}`),
  );

  expect(repeated).toEqual([]);
});

test("no file names the host of npm's default registry, which is read from a library", () => {
  const root = join(src, '..');
  const { host } = new URL(defaultUrl);
  const texts = globSync('{src,site,components,test,.github,.ci}/**/*.{ts,js,json,md,yml,hbs}', {
    cwd: root,
  });

  expect(texts.length).toBeGreaterThan(files.length);
  expect(texts.filter((file) => readFileSync(join(root, file), 'utf8').includes(host))).toEqual([]);
});
