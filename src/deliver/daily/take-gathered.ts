import { existsSync, lstatSync, readFileSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { whyTooLarge } from '../host/host-limits.ts';
import { checkRecordedDays } from '../check/component-rules.ts';
import { findFuture } from '../check/future-days.ts';
import { wrongClock } from '../../record/gather/wrong-day.ts';
import type { Day } from '../../core/dates.ts';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { daysIn, Freshness } from '../../core/schemas/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { entriesBelow } from '../../io/files/file-system.ts';
import { readRecordedData } from '../../io/files/read.ts';
import { listComponents, recordedFolder, type Root } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { listed } from '../../core/text.ts';

/** GitHub rejects files from 100 MB on, and warns from 50 MB on. */
const maxBytes = 50_000_000;

/**
 * Copies files from the `data/` of another run. That run read untrusted upstreams, so only well-formed files of known
 * components are copied, and the gate judges them. A rejected file does not affect the others.
 */
export function takeGathered(root: Root, folder: string, day: Day, committedOn?: Day): Finding[] {
  if (!existsSync(folder)) {
    return [problem(folder, 'there is no such folder. No gathered data was accepted')];
  }
  const names = new Set(listComponents(root).names);
  const findings: Finding[] = [];
  const taken = new Map<string, string>();
  let askedOn: Day | undefined;
  for (const entry of entriesBelow(folder)) {
    take(entry);
  }
  // The gathering job has another clock, which it compared with upstreams.
  const wrong = wrongClock(day, askedOn, committedOn);
  if (wrong) {
    throw new InputError([wrong]);
  }
  for (const [file, content] of taken) {
    saveIfChanged(join(root.dir, 'data', file), content);
  }
  return findings;

  /** Rejects links, other special files and large files without reading them. */
  function take(entry: Dirent): void {
    const path = join(entry.parentPath, entry.name);
    const file = relative(folder, path).replaceAll('\\', '/');
    const consequence = 'The data that another run gathered was rejected; ours is unchanged';
    const reject = (why: string) =>
      findings.push(problem(`data/${file}`, `${why}. ${consequence}`));
    if (!entry.isFile()) {
      return void reject('is not a plain file');
    }
    if (lstatSync(path).size > maxBytes) {
      return void reject(`has more than ${maxBytes} bytes`);
    }
    const bytes = readFileSync(path);
    const known = join(recordedFolder(root), file);
    if (existsSync(known) && readFileSync(known).equals(bytes)) {
      return;
    }
    const [, isFreshness, name = ''] = /^(freshness\/)?(.*)\.json$/.exec(file) ?? [];
    if (root.damaged?.has(name)) {
      return;
    }
    if (!names.has(name)) {
      return void reject('is not a file of a component');
    }
    const schema = isFreshness === undefined ? RecordedData : Freshness;
    const { value, findings: broken } = parseDocument<object>(bytes, `data/${file}`, schema);
    if (!value) {
      return void reject(broken[0]!.message);
    }
    const why =
      isFreshness === undefined
        ? rejectionOf(root, name, value as RecordedData, day)
        : findFuture(file, day, daysIn(value as Freshness))[0]?.message;
    if (why !== undefined) {
      return void reject(why);
    }
    if (isFreshness !== undefined) {
      askedOn = [askedOn ?? '', ...daysIn(value as Freshness)].sort().at(-1) || undefined;
    }
    taken.set(file, formatDocument(value));
  }
}

/** The reason why no run can have made this file from our data; undefined if a run can. */
function rejectionOf(
  root: Root,
  component: string,
  { releases }: RecordedData,
  day: Day,
): string | undefined {
  const wrong = checkRecordedDays(component, releases, day)[0];
  if (wrong) {
    return wrong.message;
  }
  const now = new Map(releases.map((release) => [release.version, release]));
  if (now.size < releases.length) {
    return 'holds a version twice';
  }
  const known = readRecordedData(root, component).value;
  const lost = (known?.releases ?? []).filter((before) => !isKept(before, now.get(before.version)));
  const versions = lost.map(({ version }) => version);
  if (versions.length > 0) {
    return `lacks or changes settled values of ${listed(versions, 5)}`;
  }
  return whyTooLarge(root, component, day, releases);
}

/** A run may replace an observed day and add provenance that it could not verify before. Other recorded values never change. */
function isKept(before: RecordedRelease, now: RecordedRelease | undefined): boolean {
  if (!now || now.firstSeen !== before.firstSeen) {
    return false;
  }
  const isSettled = before.releaseTimestamp !== undefined && before.timestampKind !== 'observed';
  if (isSettled && now.releaseTimestamp !== before.releaseTimestamp) {
    return false;
  }
  return !before.provenance || isDeepStrictEqual(before.provenance, now.provenance);
}
