import type { CalendarEvent } from './formats/calendar.ts';
import type { Day } from '../core/dates.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { counted, quote } from '../core/text.ts';
import { judgePair } from '../core/works-with.ts';
import { ask, askExactly, problemOf, type AnsweredVersion } from './ask.ts';
import type { PublishedIndex } from './published-index.ts';
import { readEntries } from './scan/bill-of-materials.ts';
import { entryOf, type Entry } from './scan/items.ts';
import { parsePublishedPolicy, scanEntries } from './scan/scan-items.ts';

/** Maximum number of versions in a list. */
export const mostVersions = 200;

export interface MyVersion {
  readonly component: string;
  readonly version: string;
}

/** The versions in a pasted text. */
export interface ReadVersions {
  readonly versions: readonly MyVersion[];
  /** Says how inexact lines were read, and which lines could not be read. */
  readonly notes: readonly string[];
}

/** The time to upgrade. */
export type Due = 'now' | 'soon' | 'later' | 'unstated';

export interface JudgedMine extends AnsweredVersion {
  readonly due: Due;
  /** The end of support: exact or earliest possible, else latest possible. */
  readonly until: Day | undefined;
  /** The version to move to, such as `2026.3` or `Edge node 2.2`; empty if there is none, or no need. */
  readonly goal: string;
}

/** A list as in addresses: `svc@2025.1,edge-node@2.1`. */
export function listOf(versions: readonly MyVersion[]): string {
  return versions.map(({ component, version }) => `${component}@${version}`).join(',');
}

/**
 * Reads a list, lines of a build file, a manifest, a lock file or a bill of materials. It may guess the names in lines, with a
 * note for each guess; in documents, only exact packages are found.
 */
export async function readVersions(index: PublishedIndex, text: string): Promise<ReadVersions> {
  const content = text.trim();
  const found = /^[{[<]/.test(content)
    ? await readDocument(index, content)
    : await readLines(index, content);
  const versions = [...new Map(found.versions.map((each) => [listOf([each]), each])).values()];
  if (versions.length <= mostVersions) {
    return { versions, notes: found.notes };
  }
  return {
    versions: versions.slice(0, mostVersions),
    notes: [...found.notes, `Only the first ${mostVersions} of ${versions.length} are shown.`],
  };
}

async function readLines(index: PublishedIndex, text: string): Promise<ReadVersions> {
  const lines = text
    .split(/\n|[,;](?=\s*[a-z@])/i)
    .map((line) => line.replace(/(?:^|\s)(?:#|\/\/).*$/, '').trim())
    .filter((line) => line !== '');
  const versions: MyVersion[] = [];
  const notes: string[] = [];
  for (const line of lines.slice(0, mostVersions * 5)) {
    const answer = await ask(index, line.replace('@', ' '), { most: 1, maySearch: false });
    if (answer.kind === 'version') {
      const { component, version, notes: read = [] } = answer.answer;
      versions.push({ component, version });
      notes.push(...read.map((note) => `${quote(line)}: ${note}`));
    } else if (answer.kind === 'choices') {
      const names = answer.choices.map(({ question }) => question).join(', ');
      notes.push(`${quote(line)} can mean ${names}.`);
    } else {
      notes.push(`${quote(line)} is not in this index.`);
    }
  }
  return { versions, notes };
}

async function readDocument(index: PublishedIndex, text: string): Promise<ReadVersions> {
  let entries: readonly Entry[];
  try {
    entries = manifestEntries(text) ?? readEntries(text).entries;
  } catch (error) {
    return { versions: [], notes: [`This document cannot be read: ${(error as Error).message}`] };
  }
  const day = await index.day();
  // The versions are the same for each policy.
  const policies = (await index.policies())
    .slice(0, 1)
    .map((policy) => parsePublishedPolicy(policy, day));
  const scanned = await scanEntries(entries, policies, { index, day });
  const known = scanned.flatMap(({ entry, scan: { details } }) =>
    details.component === undefined || details.version === undefined
      ? []
      : [{ entry, component: details.component, version: details.version }],
  );
  const others = entries.length - new Set(known.map(({ entry }) => entry)).size;
  const are = others === 1 ? 'is' : 'are';
  const versions = known.map(({ component, version }) => ({ component, version }));
  return {
    versions,
    notes: others > 0 ? [`${counted(others, 'other package')} ${are} not in this index.`] : [],
  };
}

/** The packages of a `package.json` or a `package-lock.json`; undefined for another document. */
function manifestEntries(text: string): Entry[] | undefined {
  if (text.startsWith('<')) {
    return undefined;
  }
  const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const packages: [name: string, version: string][] = [];
  const add = (name: string, version: unknown) => {
    // Takes the lowest version of a range.
    const [least] = (typeof version === 'string' && /\d[\w.+-]*/.exec(version)) || [];
    if (least !== undefined) {
      packages.push([name, least]);
    }
  };
  if (document['packages'] && document['lockfileVersion']) {
    for (const [path, entry] of Object.entries(
      document['packages'] as Record<string, { version?: string }>,
    )) {
      const [, name] = /(?:^|.*\/)node_modules\/(.+)$/.exec(path) ?? [];
      if (name !== undefined) {
        add(name, entry.version);
      }
    }
  } else {
    for (const key of [
      'dependencies',
      'devDependencies',
      'peerDependencies',
      'optionalDependencies',
      'engines',
    ]) {
      for (const [name, version] of Object.entries(
        (document[key] ?? {}) as Record<string, unknown>,
      )) {
        add(name, version);
      }
    }
  }
  if (packages.length === 0) {
    return undefined;
  }
  return packages.map(([name, version]) =>
    entryOf({ name, version, purls: [`pkg:npm/${name.replace('@', '%40')}@${version}`] }),
  );
}

/** Answers for each version of a list, the most urgent first, and explains unknown versions. */
export async function judgeVersions(
  index: PublishedIndex,
  versions: readonly MyVersion[],
): Promise<{ judged: JudgedMine[]; unknown: string[] }> {
  const titles = new Map((await index.named()).map(({ name, title }) => [name, title]));
  const judged: JudgedMine[] = [];
  const unknown: string[] = [];
  for (const { component, version } of versions.slice(0, mostVersions)) {
    try {
      const found = await askExactly(index, component, version);
      const { supportedUntil, supportedUntilAtMost } = found.answer;
      const until = supportedUntil ?? supportedUntilAtMost;
      judged.push({
        ...found,
        until,
        due: dueOf(found.answer, until),
        goal: goalOf(found.answer, titles),
      });
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) {
        throw error;
      }
      unknown.push(problem.message);
    }
  }
  const order: readonly Due[] = ['now', 'soon', 'later', 'unstated'];
  judged.sort(
    (a, b) =>
      order.indexOf(a.due) - order.indexOf(b.due) || ((a.until ?? '') < (b.until ?? '') ? -1 : 1),
  );
  return { judged, unknown };
}

function dueOf({ state, lineState, isSupported }: VersionAnswer, until: Day | undefined): Due {
  const known = state === 'not-listed' ? (lineState ?? state) : state;
  const isPlanned = known === 'deprecated' && isSupported === true && until !== undefined;
  if (known === 'ended' || known === 'withdrawn' || (known === 'deprecated' && !isPlanned)) {
    return 'now';
  }
  if (known === 'ends-soon' || known === 'may-have-ended' || isPlanned) {
    return 'soon';
  }
  return until === undefined ? 'unstated' : 'later';
}

export interface Conflict {
  readonly one: JudgedMine;
  readonly other: JudgedMine;
  readonly because: readonly { readonly text: string; readonly url?: string }[];
}

/** The pairs of a list that do not work together, as publishers state it. */
export function conflictsIn(judged: readonly JudgedMine[]): Conflict[] {
  return judged.flatMap((one, place) =>
    judged.slice(place + 1).flatMap((other) => {
      const { component, version } = other.answer;
      const { answer, because } = judgePair(one.details, one.answer.version, {
        component,
        version,
      });
      return answer === 'bad' ? { one, other, because } : [];
    }),
  );
}

function goalOf({ component, moveTo }: VersionAnswer, titles: ReadonlyMap<string, string>): string {
  if (!moveTo) {
    return '';
  }
  const title =
    moveTo.component === component ? undefined : (titles.get(moveTo.component) ?? moveTo.component);
  return [title, moveTo.version].filter(Boolean).join(' ');
}

/** An event for each version with a known end of support. `baseUrl`: the address of the index, with a slash at its end. */
export function eventsOf(judged: readonly JudgedMine[], baseUrl: string): CalendarEvent[] {
  return judged.flatMap(({ answer, until, goal, judged: { line } }) => {
    if (until === undefined) {
      return [];
    }
    const { component, title, version, supportedUntil, supportedUntilAtMost } = answer;
    const url = `${baseUrl}${component}.html`;
    const isRange = supportedUntil !== undefined && supportedUntilAtMost !== undefined;
    return {
      uid: `${component}/${version}/mine@${new URL(baseUrl).hostname}`,
      stamp: line?.firstReleaseDate ?? line?.firstReleaseDateAtMost ?? until,
      day: until,
      summary: `${title} ${version}: support ${isRange ? 'may end' : 'ends'}${goal && `. Move to ${goal}`}`,
      description: `${answer.sentence} ${answer.advice}\n${url}`,
      url,
    };
  });
}
