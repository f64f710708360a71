/** Small indexes, from the facts that a test is about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/core/day.ts';
import { listFiles } from '../../src/core/files.ts';
import type { Event } from '../../src/core/schema/events.ts';
import { buildSite } from '../../src/site/build.ts';
import { loadIndex, type Index } from '../../src/site/load-index.ts';
import { exampleRoot, program } from './example.ts';
import { createFolder, openIndex, usualSettings } from './index-folder.ts';
import { release } from './judging.ts';

export interface Facts {
  /** Beside a title and links. */
  definition?: object;
  /** By version, the day of its release; or releases. */
  releases?: Readonly<Record<string, Day>> | object[];
  journal?: object[];
}

/** A folder with these files, until the tests end. Objects become JSON. */
export function writeFiles(files: Readonly<Record<string, string | object>>): string {
  const { root, write } = openIndex(createFolder());
  for (const [path, content] of Object.entries(files)) {
    write(path, content);
  }
  return root;
}

/** The folder of an index of these components. */
export function writeIndex(components: Readonly<Record<string, Facts>>, settings = {}): string {
  const files: Record<string, string | object> = {
    'site/site.json': { ...usualSettings, ...settings },
  };
  for (const [name, { definition, releases = {}, journal }] of Object.entries(components)) {
    files[`components/${name}.json`] = {
      title: `The ${name}`,
      homepage: `https://example.com/${name}`,
      changelogUrl: `https://example.com/${name}/changes`,
      sources: [],
      ...definition,
    };
    const own = Array.isArray(releases)
      ? releases
      : Object.entries(releases).map(([version, day]) => release(version, `${day}T00:00:00Z`));
    // Where a test is about events alone, all that was told is recorded.
    const events = (journal ?? []) as Partial<Event>[];
    const told = events
      .filter(({ type }) => type === 'released')
      .flatMap(({ version }) => version ?? []);
    files[`data/${name}.json`] = {
      releases: own.length > 0 ? own : [...new Set(told)].map((version) => release(version)),
    };
    if (journal) {
      files[`data/journal/${name}.ndjson`] = journal
        .map((event, place) => `${JSON.stringify({ id: place + 1, ...event })}\n`)
        .join('');
    }
  }
  return writeFiles(files);
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

/** Every file of the site of an index, by path. `root`: its folder. */
export function renderFiles(index: Index, root = exampleRoot): Map<string, string> {
  const out = join(writeFiles({}), 'dist');
  buildSite(index, { program, root, out });
  return readFiles(out);
}

export function readFiles(folder: string): Map<string, string> {
  return new Map(
    listFiles(folder).map(({ path }) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
