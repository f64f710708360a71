/** Small indexes, from the facts that a test is about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import { listFiles } from '../../src/core/files.ts';
import { buildSite } from '../../src/site/build.ts';
import { loadIndex, type Index } from '../../src/site/load-index.ts';
import { renderPages } from '../../src/site/pages/pages.ts';
import { openTemplates } from '../../src/site/pages/templates.ts';
import { exampleRoot, program } from './example.ts';
import { createFolder, openIndex, usualSettings } from './index-folder.ts';
import { release } from './judging.ts';

export interface Facts {
  /** Beside a title and links. */
  definition?: object;
  /** By version, the day of its release; or releases. */
  releases?: Readonly<Record<string, Day>> | object[];
  /** As a source states them. */
  lines?: readonly object[];
  journal?: JournalEvent[];
}

/** As much of an event as a test states. */
interface JournalEvent {
  type?: string | undefined;
  version?: string | undefined;
  [key: string]: unknown;
}

/** By path; an object becomes JSON. */
type Files = Readonly<Record<string, string | object>>;

/** A folder with these files, until the tests end. */
export function writeFiles(files: Files): string {
  const { root, write } = openIndex(createFolder());
  for (const [path, content] of Object.entries(files)) {
    write(path, content);
  }
  return root;
}

/** The folder of an index of these components. */
export function writeIndex(components: Readonly<Record<string, Facts>>, settings = {}): string {
  const files = Object.entries(components).map(([name, facts]) => describeFiles(name, facts));
  return writeFiles(
    Object.assign({ 'site/site.json': { ...usualSettings, ...settings } }, ...files) as Files,
  );
}

/** The files of a component. */
function describeFiles(name: string, { definition, releases = {}, lines, journal }: Facts): Files {
  const listed = Array.isArray(releases)
    ? releases
    : Object.entries(releases).map(([version, day]) => release(version, `${day}T00:00:00Z`));
  return {
    [`components/${name}.json`]: {
      title: `The ${name}`,
      homepage: `https://example.com/${name}`,
      changelogUrl: `https://example.com/${name}/changes`,
      sources: [],
      ...definition,
    },
    [`data/${name}.json`]: { releases: listed.length > 0 ? listed : listReleased(journal), lines },
    ...(journal && {
      [`data/journal/${name}.ndjson`]: journal
        .map((event, position) => `${JSON.stringify({ id: position + 1, ...event })}\n`)
        .join(''),
    }),
  };
}

/** Where a test is about events alone, all that was told is recorded. */
function listReleased(journal: readonly JournalEvent[] = []): object[] {
  const released = journal.filter(({ type }) => type === 'released');
  const versions = new Set(released.flatMap(({ version }) => version ?? []));
  return Array.from(versions, (version) => release(version));
}

/** The index of these components, judged as of a day. */
export function judgeComponents(
  components: Readonly<Record<string, Facts>>,
  day: Day = '2026-11-27',
  settings = {},
): Index {
  const { index, problems } = loadIndex(writeIndex(components, settings), day, program);
  if (problems.length > 0) {
    throw new Error(JSON.stringify(problems));
  }

  return index;
}

/** Builds the site of the index in a folder, by default into its `dist`. */
export function buildFolder(root: string, day: Day, out = join(root, 'dist')): Index {
  const { index } = loadIndex(root, day, program);
  buildSite(index, { program, root, out });
  return index;
}

/** Every file of the site of an index, by path. `root`: its folder. */
export function renderFiles(index: Index, root = exampleRoot): Map<string, string> {
  const out = join(writeFiles({}), 'dist');
  buildSite(index, { program, root, out });
  return readFiles(out);
}

/** Every page of an index, by path. */
export function renderHtml(index: Index): Map<string, string> {
  const pages = renderPages(openTemplates(program, index), index);
  return new Map(pages.map(([path, body]) => [path, String(body)]));
}

export function readFiles(folder: string): Map<string, string> {
  return new Map(
    listFiles(folder).map(({ path }) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
