import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Day } from '../dates.ts';
import type { ComponentState, ComponentSummary } from '../policy/component.ts';
import type { Finding } from '../model/finding.ts';
import type { Parts } from '../render/all-json.ts';
import { cacheFolder, cacheName } from '../store/cache.ts';
import { fileRefusal } from '../store/file-refusal.ts';
import { forgetUnused } from '../store/forget-unused.ts';
import { sha256 } from '../store/sha256.ts';
import type { Stamps } from '../store/stamps.ts';
import type { NewestChanges } from './newest-changes.ts';
import type { BuildOptions } from './options.ts';

/** What a build remembers for the next one. Without it, that one makes the same site from nothing. */
export interface SiteMemory {
  day: Day;
  /** Digest of what every file is made with. */
  shared: string;
  /** Digest of everything the site was built from. */
  digest: string;
  inputs: Stamps;
  outputs: Stamps;
  findings: readonly Finding[];
  /** How the components stand on that day, in the order of names. */
  states: readonly ComponentState[];
}

export interface ComponentMemory {
  /** Digest of what it was made from. */
  digest: string;
  /** The first day for which its files hold, and the first day after for which they do not. */
  from: Day;
  until?: Day;
  /** Paths of its files. */
  files: readonly string[];
  findings: readonly Finding[];
  /** On no day in particular. */
  state: ComponentState;
}

/** With what only a build needs that has something to do. */
export interface EarlierBuild extends SiteMemory {
  /** By name. */
  components: Readonly<Record<string, ComponentMemory>>;
  summaries: Readonly<Record<string, ComponentSummary>>;
  /** Of the changes before this day, not all are remembered. */
  changesFrom?: Day;
  parts: Parts;
}

type Place = Pick<BuildOptions, 'root' | 'out'>;

export function recallSite(place: Place): SiteMemory | undefined {
  return recall(place, 'site') as SiteMemory | undefined;
}

export function rememberSite(place: Place, memory: SiteMemory): void {
  save(place, 'site', memory);
}

interface Summaries extends Omit<EarlierBuild, keyof SiteMemory> {
  /** Which site they are of. */
  of: string;
}

export function recallBuild(place: Place, memory = recallSite(place)): EarlierBuild | undefined {
  const recalled = memory && (recall(place, 'summaries') as Summaries | undefined);
  if (recalled?.of !== (memory && identify(memory))) return undefined;
  return memory && recalled && { ...memory, ...recalled };
}

export function rememberBuild(
  place: Place,
  memory: SiteMemory,
  { memories, summaries, changes }: RememberedComponents,
  parts: Parts,
): void {
  const changesFrom = changes.from;
  // First, so that a run that is stopped in between leaves summaries of no site rather than a site with those of another.
  save(place, 'summaries', {
    of: identify(memory),
    components: memories,
    ...(changesFrom !== undefined && { changesFrom }),
    summaries: Object.fromEntries(summaries.map((summary) => [summary.name, summary])),
    parts,
  } satisfies Summaries);
  rememberSite(place, memory);
}

interface RememberedComponents {
  memories: Readonly<Record<string, ComponentMemory>>;
  summaries: readonly ComponentSummary[];
  changes: NewestChanges;
}

/** What decides the summaries. */
function identify({ day, shared, digest }: SiteMemory): string {
  return sha256(`${day} ${shared} ${digest}`);
}

function memoryPath({ root, out }: Place, kind: string): string {
  return join(root.dir, cacheName, 'build', `${sha256(out).slice(0, 16)}-${kind}.json`);
}

/** A root that cannot be written to is built from nothing each time. */
function save(place: Place, kind: string, document: object): void {
  const text = JSON.stringify(document);
  try {
    const path = memoryPath(place, kind);
    cacheFolder(place.root);
    mkdirSync(dirname(path), { recursive: true });
    // There is a memory for each folder that was ever built into.
    forgetUnused(dirname(path));
    // In place and not flushed: what is not whole is not recalled.
    writeFileSync(path, `${sha256(text)}\n${text}`);
  } catch (error) {
    if (fileRefusal(error) === undefined) throw error;
  }
}

/** Undefined for what is not there, or not whole. */
function recall(place: Place, kind: string): unknown {
  const text = readIfPossible(memoryPath(place, kind));
  const end = text.indexOf('\n');
  const document = text.slice(end + 1);
  return end > 0 && text.slice(0, end) === sha256(document) ? JSON.parse(document) : undefined;
}

function readIfPossible(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (fileRefusal(error) === undefined) throw error;
    return '';
  }
}
