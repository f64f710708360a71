import * as z from 'zod';
import { parseTimestamp } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { HttpsUrl } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { GivenValues } from './draft-definition.ts';

/** The releases of a list that somebody keeps by hand, and what it states about the component. */
export interface ReleaseList {
  releases: StaticRelease[];
  facts: GivenValues;
  /** The version that the list states as the latest. */
  latest?: string | undefined;
  /** Notes on fields that Renovate reads, and that no definition has. */
  notes: string[];
}

/** A release as people and other programs write it: texts, unchecked. */
interface ListedRelease {
  version: string;
  day?: string | undefined;
  changelogUrl?: string | undefined;
  isDeprecated?: boolean | undefined;
  isStable?: boolean | undefined;
}

const mostReleases = 10_000;

/**
 * Reads Renovate's JSON (`{"releases": [{"version", "releaseTimestamp", …}]}` or its array), CSV with a header that has the column
 * `version`, or lines of `version day`. Throws an `InputError` with every line that cannot be read.
 */
export function readReleaseList(path: string, text: string): ReleaseList {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const {
    entries,
    facts,
    latest,
    lostFields = [],
  } = /^[[{]/.test(trimmed) ? readJsonList(path, trimmed) : readTextList(path, trimmed);
  if (entries.length === 0) {
    throw inputError(path, 'lists no version');
  }
  if (entries.length > mostReleases) {
    throw inputError(path, `expected at most ${mostReleases} releases; got ${entries.length}`);
  }

  const problems: string[] = [];
  const releases = new Map<string, StaticRelease>();
  for (const [place, entry] of entries) {
    const release = toStaticRelease(entry, (problem) => problems.push(`${place}: ${problem}`));
    if (releases.has(release.version)) {
      problems.push(`${place}: ${quote(release.version)} is listed twice`);
    }

    releases.set(release.version, release);
  }

  if (problems.length > 0) {
    throw inputError(path, listProblems(problems));
  }

  const hasPrereleases = releases
    .values()
    .some(({ version, isStable }) => isStable === false || isPrereleaseForm(version));
  return {
    releases: [...releases.values()],
    facts: hasPrereleases ? { ...facts, prereleases: true } : facts,
    latest,
    notes:
      lostFields.length > 0
        ? [`left out ${lostFields.join(', ')}: an index does not publish it`]
        : [],
  };
}

interface ReadList {
  entries: [place: string, entry: ListedRelease][];
  facts: GivenValues;
  latest?: string | undefined;
  /** The names of fields that are left out. */
  lostFields?: readonly string[];
}

const Entry = z.object({
  version: z.string(),
  releaseTimestamp: z.string().nullish(),
  changelogUrl: z.string().nullish(),
  isDeprecated: z.boolean().nullish(),
  isStable: z.boolean().nullish(),
});

/** Renovate's `ReleaseResult` (lib/modules/datasource/types.ts); a plain version stands for a release. */
const Document = z.object({
  homepage: HttpsUrl.nullish().catch(undefined),
  changelogUrl: HttpsUrl.nullish().catch(undefined),
  sourceUrl: HttpsUrl.nullish().catch(undefined),
  tags: z.object({ latest: z.string() }).nullish().catch(undefined),
  releases: z.array(z.unknown()),
});

function readJsonList(path: string, text: string): ReadList {
  const json = parseJson(path, text);
  const document = Document.safeParse(Array.isArray(json) ? { releases: json as unknown[] } : json);
  if (!document.success) {
    throw inputError(path, 'expected an array of releases, or an object with releases');
  }

  const { homepage, changelogUrl, sourceUrl, tags, releases } = document.data;

  const entries = releases.map((element, index): [string, ListedRelease] => {
    const place = `entry ${index + 1}`;
    const entry = Entry.safeParse(typeof element === 'string' ? { version: element } : element);
    if (!entry.success) {
      const [issue] = entry.error.issues;
      throw inputError(path, `${place}: ${issue?.path.join('.')}: ${issue?.message}`);
    }

    const { releaseTimestamp, ...rest } = entry.data;
    return [place, removeNulls({ ...rest, day: releaseTimestamp })];
  });

  const facts = removeNulls({ homepage, changelogUrl, sourceRepository: sourceUrl });
  return {
    entries,
    facts: facts as GivenValues,
    latest: tags?.latest,
    lostFields: listLostFields(json, releases),
  };
}

/** Fields that Renovate reads, and that `<component>.json` of an index does not have; it computes `tags.latest`. */
function listLostFields(document: unknown, releases: readonly unknown[]): string[] {
  const listFields = (value: unknown) => Object.keys(value instanceof Object ? value : {});
  const { tags } = document as { tags?: unknown };
  const releaseFields = new Set(
    releases.filter((each) => typeof each !== 'string').flatMap(listFields),
  );

  return [
    ...listFields(document).filter((name) => name === 'sourceDirectory'),
    ...listFields(tags)
      .filter((name) => name !== 'latest')
      .map((name) => `tags.${quote(name)}`),
    ...['sourceUrl', 'sourceDirectory', 'digest']
      .filter((name) => releaseFields.has(name))
      .map((name) => `releases[].${name}`),
  ];
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw inputError(path, `is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function removeNulls<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return dropUndefined(Object.fromEntries(entries)) as { [K in keyof T]: Exclude<T[K], null> };
}

/** The names of columns, in lower case without separators. */
const columns: Readonly<Record<string, keyof ListedRelease>> = {
  version: 'version',
  releasetimestamp: 'day',
  releasedate: 'day',
  released: 'day',
  date: 'day',
  day: 'day',
  changelogurl: 'changelogUrl',
  changelog: 'changelogUrl',
  isdeprecated: 'isDeprecated',
  deprecated: 'isDeprecated',
  isstable: 'isStable',
};

function readTextList(path: string, text: string): ReadList {
  const lines = text
    .split(/\r?\n/)
    .map((line, index): [string, string] => [
      `line ${index + 1}`,
      line.split(/(?:^|\s)#/, 1)[0]!.trim(),
    ])
    .filter(([, line]) => line !== '');
  const separator = /[,;\t]/.exec(lines[0]?.[1] ?? '')?.[0];
  if (separator === undefined) {
    return {
      entries: lines.map(([place, line]) => [place, readLine(line)]),
      facts: {},
    };
  }

  const [header, ...rows] = lines;
  const keys = splitRow(header?.[1] ?? '', separator).map(
    (name) => columns[name.toLowerCase().replaceAll(/[^a-z]/g, '')],
  );
  if (!keys.includes('version')) {
    throw inputError(path, 'the first line: expected the names of columns, among them version');
  }

  return {
    entries: rows.map(([place, row]) => [place, readRow(splitRow(row, separator), keys)]),
    facts: {},
  };
}

/** `1.2.3`, or `1.2.3 2026-01-31`: the rest of the line is the day. */
function readLine(line: string): ListedRelease {
  const [version = '', ...day] = line.split(/\s+/);
  return { version, day: day.join(' ') || undefined };
}

function readRow(cells: readonly string[], keys: readonly (string | undefined)[]): ListedRelease {
  const readCell = (key: string) => cells[keys.indexOf(key)]?.trim() || undefined;
  return {
    version: readCell('version') ?? '',
    day: readCell('day'),
    changelogUrl: readCell('changelogUrl'),
    isDeprecated: toBoolean(readCell('isDeprecated')),
    isStable: toBoolean(readCell('isStable')),
  };
}

/** The cells of a row as in RFC 4180, without line breaks in cells. */
function splitRow(row: string, separator: string): string[] {
  const cells: string[] = [''];
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push('');
    } else {
      cells[cells.length - 1] += character;
    }
  }

  return cells.map((cell) => cell.trim());
}

function toBoolean(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : /^(?:true|yes|1)$/i.test(text);
}

function toStaticRelease(
  { version, day, changelogUrl, isDeprecated, isStable }: ListedRelease,
  reject: (problem: string) => void,
): StaticRelease {
  if (version === '') {
    reject('expected a version');
  }

  const releaseTimestamp = day === undefined ? undefined : parseTimestamp(day);
  if (day !== undefined && releaseTimestamp === undefined) {
    reject(`${quote(version)}: expected a day such as 2026-01-31; got ${quote(day)}`);
  }
  if (changelogUrl !== undefined && !HttpsUrl.safeParse(changelogUrl).success) {
    reject(`${quote(version)}: expected an https: address; got ${quote(changelogUrl)}`);
  }

  return dropUndefined({
    version,
    releaseTimestamp,
    changelogUrl,
    deprecated: isDeprecated ? 'The list of releases states that it is deprecated.' : undefined,
    isStable: isStable === false ? false : undefined,
  });
}

const shownProblems = 5;

function listProblems(problems: readonly string[]): string {
  const more = problems.length - shownProblems;
  const shown = problems.slice(0, shownProblems).join('; ');
  return more > 0 ? `${shown}; and ${more} more` : shown;
}
