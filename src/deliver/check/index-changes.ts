/** The differences between two checkouts of an index: in events for readers, in settings, and in the files of the built sites. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readFileSync } from 'node:fs';
import { parse } from 'ini';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeChange, numberEvents } from '../../record/journal/events/describe-change.ts';
import { show } from '../../core/text/show.ts';
import { readIfThere } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { accessFile } from '../../io/files/settings-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { readEarlierFiles } from '../../site/output-folder.ts';

interface IndexChanges {
  /** The events that a run would record of the change, by component. */
  events: ReadonlyMap<string, readonly JournalEvent[]>;
  /** A sentence for each component that is no longer there. */
  removed: readonly string[];
}

/** The events that a run would record of the change, after those that a run before the change would record. */
export function listIndexChanges(
  before: readonly Component[],
  after: readonly Component[],
  day: Day,
): IndexChanges {
  const remaining = new Map(before.map((component) => [component.name, component]));
  const events = new Map<string, readonly JournalEvent[]>();

  for (const component of after) {
    const { name, definition } = component;
    const formerNames = [name, ...(definition.renamedFrom ?? []).toReversed()];
    const formerName = formerNames.find((candidate) => remaining.has(candidate)) ?? name;
    const former = remaining.get(formerName);
    const journal = former ? appendEvents(former.journal, former, day) : [];
    const newEvents = appendEvents(journal, component, day).slice(journal.length);
    remaining.delete(formerName);
    if (newEvents.length > 0) {
      events.set(name, newEvents);
    }
  }

  const removed = Array.from(
    remaining.values(),
    ({ name, judgement: { releases } }) =>
      `${name}: no longer there, with its ${formatCount(releases.length, 'release')}.`,
  );
  return { events, removed };
}

/** A journal with the events that a run would append. */
function appendEvents(
  journal: readonly JournalEvent[],
  component: Component,
  day: Day,
): readonly JournalEvent[] {
  const drafts = describeChange(foldJournal(journal), component, day);
  return [...journal, ...numberEvents(journal, drafts, `${day}T00:00:00.000Z`, component)];
}

const Settings = z.record(z.string(), z.unknown());

/**
 * Each changed key of `site/site.json`, of the access rules, of npm's configuration and of the sources of definitions, in sentences:
 * such a change may not change a file yet.
 */
export function describeSettingChanges(before: Root, after: Root): string[] {
  const lines: string[] = [];
  for (const file of ['site/site.json', accessFile]) {
    lines.push(...compareValues(file, '', readSettings(before, file), readSettings(after, file)));
  }

  lines.push(...describeNpmChanges(before, after));

  const names = new Set([...listComponents(before).names, ...listComponents(after).names]);
  for (const name of [...names].sort()) {
    const file = `components/${name}.json`;
    lines.push(...compareValues(file, '', readSources(before, file), readSources(after, file)));
  }
  return lines;
}

function readSettings({ dir }: Root, file: string): Record<string, unknown> {
  return readDocument(join(dir, file), file, Settings, { findings: [] }).value ?? {};
}

/** Sources of releases, advisories and ends. */
function readSources(root: Root, file: string): object {
  const { sources, support } = readSettings(root, file);
  const { source } = Settings.safeParse(support).data ?? {};
  return { sources, support: { source } };
}

/** Names the registries of packages and the hosts that get a credential, never the credential. */
function describeNpmChanges(before: Root, after: Root): string[] {
  const past = readNpmSettings(before);
  const present = readNpmSettings(after);
  const lines: string[] = [];
  for (const key of Object.keys({ ...past, ...present })) {
    const former = hideCredential(key, past[key]);
    const value = hideCredential(key, present[key]);
    if (former === value && past[key] !== present[key]) {
      lines.push(`.npmrc: ${key} is another credential.`);
    } else {
      lines.push(...compareValues('.npmrc', `.${key}`, former, value));
    }
  }
  return lines;
}

function readNpmSettings({ dir }: Root): Record<string, unknown> {
  const settings = parse(readIfThere(join(dir, '.npmrc'))?.toString() ?? '');
  return Object.fromEntries(listNpmSettings(settings, ''));
}

/** The settings of npm, also of sections, which npm ignores: `section.key`. */
function listNpmSettings(settings: object, prefix: string): [path: string, value: unknown][] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const path = prefix + key;
    const section = Settings.safeParse(value).data;
    return section ? listNpmSettings(section, `${path}.`) : [[path, value]];
  });
}

/**
 * Npm reads credentials from keys that begin with `//` or `_`, and from `key`. A section may hold them by mistake. A reference to a
 * variable of the environment is none.
 */
function hideCredential(path: string, value: unknown): unknown {
  const isCredential =
    value !== undefined &&
    /(?:^|[.:])(?:\/\/|_|key$)/.test(path) &&
    !/^\$\{\w+\??\}$/.test(String(value));
  return isCredential ? 'a credential' : value;
}

/** `path`: of both values within the file, such as `.sources[0].url`. */
function compareValues(file: string, path: string, former: unknown, value: unknown): string[] {
  if (isDeepStrictEqual(former, value)) {
    return [];
  }

  const values = [former, value].filter((each) => each !== undefined);
  const areLists = values.every(Array.isArray);
  const areObjects = values.every((each) => Settings.safeParse(each).success);
  const past: Record<string, unknown> = { ...Object(former) };
  const present: Record<string, unknown> = { ...Object(value) };
  const keys = areLists || areObjects ? Object.keys({ ...past, ...present }) : [];
  if (keys.length === 0) {
    return [`${file}: ${path.slice(1)} is ${showValue(value)} (before: ${showValue(former)}).`];
  }

  return keys.flatMap((key) => {
    const innerPath = areLists ? `${path}[${key}]` : `${path}.${key}`;
    return compareValues(file, innerPath, past[key], present[key]);
  });
}

function showValue(value: unknown): string {
  return value === undefined ? 'none' : show(value);
}

/** The most files, and the most keys, that a sentence names. */
const maxFiles = 30;
const maxKeys = 6;

interface FileChange {
  path: string;
  state: 'new' | 'gone' | 'changed';
  /** The changed keys of a JSON document; empty where there are none. */
  keys: string;
}

/**
 * The files of two built sites that differ by a byte, in sentences. Files with the same state and the same changed keys share a
 * sentence: one cause often changes many. Omits the list of digests, which differs with any other file.
 */
export function describeFileChanges(before: string, after: string): string[] {
  const sentences: string[] = [];
  const changes = listFileChanges(before, after);

  for (const group of Map.groupBy(changes, ({ state, keys }) => `${state} ${keys}`).values()) {
    const [{ state, keys }] = group;
    const paths = formatList(
      group.map(({ path }) => path),
      maxFiles,
    );
    sentences.push(keys === '' ? `${state}: ${paths}` : `${paths}: ${keys}`);
  }

  return sentences.sort();
}

function listFileChanges(before: string, after: string): FileChange[] {
  const past = readEarlierFiles(before);
  const present = readEarlierFiles(after);
  const changes: FileChange[] = [];

  for (const path of listDifferences(past, present)) {
    if (path === digestsFile) {
      continue;
    }

    const state = findState(path, past, present);
    const hasKeys = state === 'changed' && path.endsWith('.json');
    const keys = hasKeys ? describeKeys(join(before, path), join(after, path)) : '';
    changes.push({ path, state, keys });
  }

  return changes;
}

/** Whether a file that differs between two lists is new, changed or gone. */
export function findState(path: string, past: Digests, present: Digests): FileChange['state'] {
  if (!past.has(path)) {
    return 'new';
  }

  return present.has(path) ? 'changed' : 'gone';
}

/** The paths of files that have different digests, or that only one list has. */
export function listDifferences(past: Digests, present: Digests): string[] {
  const paths = new Set(past.keys()).union(present);
  return [...paths].filter((path) => past.get(path) !== present.get(path)).sort();
}

function describeKeys(formerPath: string, path: string): string {
  const keys = listChangedKeys(readJson(formerPath), readJson(path), '');
  return formatList([...new Set(keys)].sort(), maxKeys);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The innermost key of each difference. Elements of lists of another length have no names. */
function listChangedKeys(former: unknown, value: unknown, key: string): string[] {
  if (isDeepStrictEqual(former, value)) {
    return [];
  }

  const isList = Array.isArray(former) && Array.isArray(value);
  if (!hasKeys(former) || !hasKeys(value) || (isList && former.length !== value.length)) {
    return [key];
  }

  return Object.keys({ ...former, ...value }).flatMap((name) =>
    listChangedKeys(former[name], value[name], isList ? key : name),
  );
}

function hasKeys(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
