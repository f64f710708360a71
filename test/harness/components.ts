/** Writes and builds small indexes that contain only the facts that a test needs. */
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
  /** Keys to add to the definition, which already has a title, links and an empty list of sources. */
  definition?: object;
  /** Release dates by version, or whole recorded releases. */
  releases?: Readonly<Record<string, Day>> | object[];
  /** Release lines with their end-of-support dates, as recorded from a source. */
  lines?: readonly object[];
  journal?: JournalEvent[];
}

/** The keys that a test sets in a recorded event. */
interface JournalEvent {
  type?: string | undefined;
  version?: string | undefined;
  [key: string]: unknown;
}

/** File contents by path. An object is written as JSON. */
type Files = Readonly<Record<string, string | object>>;

/** Writes these files into a new folder, which is removed when the tests end. */
export function writeFiles(files: Files): string {
  const { root, write } = openIndex(createFolder());
  for (const [path, content] of Object.entries(files)) {
    write(path, content);
  }
  return root;
}

/** Writes an index of these components into a new folder. Returns the folder. */
export function writeIndex(components: Readonly<Record<string, Facts>>, settings = {}): string {
  const files = Object.entries(components).map(([name, facts]) => describeFiles(name, facts));
  return writeFiles(
    Object.assign({ 'site/site.json': { ...usualSettings, ...settings } }, ...files) as Files,
  );
}

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

/** Returns a recorded release for each version that has a `released` event. A component without `releases` gets these recorded releases. */
function listReleased(journal: readonly JournalEvent[] = []): object[] {
  const released = journal.filter(({ type }) => type === 'released');
  const versions = new Set(released.flatMap(({ version }) => version ?? []));
  return Array.from(versions, (version) => release(version));
}

/** Returns an index of these components, judged as of a day. Throws if the index has a problem. */
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

/** Builds the site of the index in `root`. The default of `out` is the subfolder `dist` of `root`. */
export function buildFolder(root: string, day: Day, out = join(root, 'dist')): Index {
  const { index } = loadIndex(root, day, program);
  buildSite(index, { program, root, out });
  return index;
}

/** Builds the site of an index, and returns all its files by path. `root` is the folder of the index. */
export function renderFiles(index: Index, root = exampleRoot): Map<string, string> {
  const out = join(writeFiles({}), 'dist');
  buildSite(index, { program, root, out });
  return readFiles(out);
}

/** Renders every HTML page of an index. Returns the pages by path. */
export function renderHtml(index: Index): Map<string, string> {
  const pages = renderPages(openTemplates(program, index), index);
  return new Map(pages.map(([path, body]) => [path, String(body)]));
}

export function readFiles(folder: string): Map<string, string> {
  return new Map(
    listFiles(folder).map(({ path }) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
