import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countDaysBetween, type Day } from '../../../src/core/model/dates.ts';
import { parseVersion } from '../../../src/core/model/version.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { readJsonIn } from '../../harness/root.ts';

/** What upstreams list, by component: versions with their days. */
export type Lists = ReadonlyMap<string, ReadonlyMap<string, Day>>;

interface JournalEvent {
  readonly type: string;
  readonly version?: string;
  readonly line?: string;
}

type EventsByComponent = ReadonlyMap<string, readonly JournalEvent[]>;
type Release = ReleaseFile['releases'][number];

/**
 * Compares what `<component>.json` says after each run with the day before, with the journal and with the lists of upstreams.
 * `isHeld`: whether something of a component waits, or this version of it.
 */
export function openReaderLog(root: string) {
  const journals = openFolder(join(root, 'data/journal'), '.ndjson');
  const site = openFolder(join(root, 'dist'), '.json');
  const published = new Map<string, Map<string, Release>>();
  const log = {
    vanished: [] as string[],
    /** Changes of a day or a verdict without an event. */
    silentChanges: [] as string[],
    /** Versions that upstream lists no more, without an event and without waiting. */
    silentRemovals: [] as string[],
    /** New versions that came later than the run that could see them, and did not wait. */
    late: [] as string[],
    waited: [] as string[],
    counts: { runs: 0, added: 0, removed: 0, withdrawn: 0, back: 0, moved: 0 },
    read(day: Day, lists: Lists, isHeld: (component: string, version?: string) => boolean) {
      log.counts.runs += 1;
      const events = readEvents();
      readSite(day, events);
      arrivals.read(day, lists, isHeld);
      removals.read(day, lists, events, isHeld);
    },
    describe: () => [
      `${Object.entries(log.counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
      `${published.size} components, ${published.values().reduce((sum, { size }) => sum + size, 0)} versions`,
      `new versions that waited: ${log.waited.join(', ')}`,
    ],
  };
  const arrivals = openArrivals(published, log);
  const removals = openRemovals(log);
  const linesRead = new Map<string, number>();
  /** The release lines of versions, by component and version. */
  const releaseLines = new Map<string, string | undefined>();

  function readEvents(): EventsByComponent {
    const events = new Map<string, JournalEvent[]>();
    for (const file of journals.listChanged()) {
      const lines = readFileSync(join(root, 'data/journal', file), 'utf8')
        .trim()
        .split('\n');
      const added = lines.slice(linesRead.get(file) ?? 0);
      linesRead.set(file, lines.length);
      const component = file.replace('.ndjson', '');
      const ofComponent = added.map((line) => JSON.parse(line) as JournalEvent);
      events.set(component, ofComponent);
      for (const { version, line } of ofComponent.filter(({ type }) => type === 'released')) {
        releaseLines.set(`${component} ${version}`, line);
      }
    }
    return events;
  }

  function readSite(day: Day, events: EventsByComponent): void {
    for (const file of site.listChanged()) {
      const component = file.replace('.json', '');
      if (!linesRead.has(`${component}.ndjson`)) {
        continue;
      }
      const { releases } = readJsonIn<ReleaseFile>(join(root, 'dist'), file);
      const now = new Map(releases.map((release) => [release.version, release]));
      const ofComponent = events.get(component) ?? [];
      for (const before of published.get(component)?.values() ?? []) {
        compare([day, component], before, now.get(before.version), ofComponent);
      }
      published.set(component, now);
    }
  }

  function compare(
    [day, component]: readonly [Day, string],
    before: Release,
    now: Release | undefined,
    events: readonly JournalEvent[],
  ): void {
    const { version } = before;
    const subject = `${day} ${component}`;
    const releaseLine = releaseLines.get(`${component} ${version}`);
    if (now === undefined) {
      log.vanished.push(`${subject} ${version}`);
      return;
    }
    const isMoved = now.releaseTimestamp !== before.releaseTimestamp;
    log.counts.moved += isMoved ? 1 : 0;
    const isTold = events.some((event) => event.version === version);
    const isLineTold = events.some(
      ({ version: ofVersion, line }) => ofVersion === undefined && line === releaseLine,
    );
    if (isMoved && !isTold) {
      const days = `${before.releaseTimestamp} to ${now.releaseTimestamp}`;
      log.silentChanges.push(`${subject} ${version}: ${days}`);
    }
    if (now.isDeprecated !== before.isDeprecated && !isTold && !isLineTold) {
      log.silentChanges.push(`${subject} ${version}: deprecated ${now.isDeprecated}`);
    }
  }

  return log;
}

type ReaderLog = ReturnType<typeof openReaderLog>;

/** Notes which new versions come later than upstream lists them. */
function openArrivals(
  published: ReadonlyMap<string, ReadonlyMap<string, Release>>,
  log: Pick<ReaderLog, 'late' | 'waited' | 'counts'>,
) {
  const seen = new Set<string>();
  const pending = new Map<string, readonly [since: Day, component: string, version: string]>();

  return {
    read(day: Day, lists: Lists, isHeld: (component: string, version?: string) => boolean) {
      for (const [component, list] of lists) {
        for (const version of list.keys()) {
          const key = `${component} ${version}`;
          if (!seen.has(key) && parseVersion(version)) {
            seen.add(key);
            pending.set(key, [day, component, version]);
            log.counts.added += 1;
          }
        }
      }
      for (const [key, [since, component, version]] of pending) {
        if (published.get(component)?.has(version)) {
          pending.delete(key);
        } else if (!lists.get(component)?.has(version)) {
          pending.delete(key);
        } else if (isHeld(component, version)) {
          pending.delete(key);
          log.waited.push(key);
        } else if (since === day) {
          log.late.push(`${day} ${key}`);
        }
      }
    },
  };
}

/** Notes which versions upstreams list no more, and whether readers were told by the second day. */
function openRemovals(log: Pick<ReaderLog, 'silentRemovals' | 'counts'>) {
  /** By component: the versions that readers know as listed, and since when they are not. */
  const listed = new Map<string, Map<string, Day | undefined>>();

  function fold(events: EventsByComponent): void {
    for (const [component, ofComponent] of events) {
      const versions = listed.get(component) ?? new Map<string, Day | undefined>();
      listed.set(component, versions);
      for (const { type, version = '' } of ofComponent) {
        if (['released', 'relisted', 'included'].includes(type)) {
          versions.set(version, undefined);
        } else if (['withdrawn', 'excluded'].includes(type) && versions.delete(version)) {
          log.counts.withdrawn += 1;
        }
      }
    }
  }

  return {
    read(
      day: Day,
      lists: Lists,
      events: EventsByComponent,
      isHeld: (component: string) => boolean,
    ) {
      fold(events);
      for (const [component, versions] of listed) {
        for (const [version, since] of versions) {
          if (lists.get(component)!.has(version)) {
            log.counts.back += since === undefined ? 0 : 1;
            versions.set(version, undefined);
          } else if (since === undefined) {
            log.counts.removed += 1;
            versions.set(version, day);
          } else if (!isHeld(component)) {
            const days = countDaysBetween(since, day);
            log.silentRemovals.push(`${day} ${component} ${version}, missing for ${days} days`);
          }
        }
      }
    },
  };
}

/** The files of a folder that changed since they were listed last. */
function openFolder(folder: string, ending: string) {
  const identities = new Map<string, string>();

  return {
    listChanged(): string[] {
      return readdirSync(folder).filter((file) => {
        const { size, mtimeMs, ino } = statSync(join(folder, file));
        const identity = `${size} ${mtimeMs} ${ino}`;
        const isChanged = file.endsWith(ending) && identities.get(file) !== identity;
        identities.set(file, identity);
        return isChanged;
      });
    },
  };
}
