import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRecordedDays } from '../check/recorded-days.ts';
import type { Day } from '../../core/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { Freshness } from '../../core/schemas/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { readRecorded } from '../../io/files/read.ts';
import { listComponents, recordedFolder, type Root } from '../../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { listed } from '../../core/text.ts';

/** GitHub refuses larger files from 100 MB on, and warns from 50 on. */
const mostBytes = 50_000_000;

interface Taken {
  file: string;
  content: string;
}

/**
 * Takes over the files of `data/` that other runs have gathered, each in a folder of its own below this one. Those runs read
 * what strangers write and are not trusted: only what is new in well-formed files of known components is taken, and each
 * other file costs nothing but itself.
 */
export function takeGathered(root: Root, folder: string, day: Day): Finding[] {
  if (!existsSync(folder)) return [problem(folder, 'there is no such folder: nothing gathered was taken')];
  const names = new Set(listComponents(root).names);
  const findings: Finding[] = [];
  const taken = new Map<string, Taken>();
  for (const part of readdirSync(folder, { withFileTypes: true })) {
    const inside = join(folder, part.name);
    if (!part.isDirectory()) findings.push(problem(inside, 'is not the folder of a run. It was not taken'));
    else for (const one of readPart(inside, '')) take(one);
  }
  for (const { file, content } of taken.values()) saveIfChanged(join(root.dir, 'data', file), content);
  return findings;

  function take(one: { file: string } & ({ path: string } | { refusal: string })): void {
    const refuse = (why: string) =>
      findings.push(
        problem(
          `data/${one.file}`,
          `${why}. What another run gathered of it was not taken; ours is unchanged`,
        ),
      );
    if ('refusal' in one) return void refuse(one.refusal);
    const [, isFreshness, name = ''] = /^(freshness\/)?(.*)\.json$/.exec(one.file) ?? [];
    if (!names.has(name)) return void refuse('is no file of a component');
    const bytes = readFileSync(one.path);
    if (isKnown(one.file, bytes)) return;
    const schema = isFreshness === undefined ? RecordedData : Freshness;
    const { value, findings: broken } = parseDocument<object>(bytes, `data/${one.file}`, schema);
    if (!value) return void refuse(broken[0]!.message);
    if (isFreshness === undefined) {
      const why = whyNoGrowth(root, name, (value as RecordedData).releases, day);
      if (why !== undefined) return void refuse(why);
    }
    if (taken.has(one.file)) return void refuse('was gathered by two runs');
    taken.set(one.file, { file: one.file, content: formatDocument(value) });
  }

  function isKnown(file: string, bytes: Buffer): boolean {
    const path = join(recordedFolder(root), file);
    return existsSync(path) && readFileSync(path).equals(bytes);
  }
}

/** Every entry, as far as `data/` has folders; what is no plain file of a bearable size is refused unread. */
function* readPart(
  folder: string,
  prefix: string,
): Generator<{ file: string } & ({ path: string } | { refusal: string })> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = `${prefix}${entry.name}`;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && file === 'freshness') yield* readPart(path, 'freshness/');
    else if (!entry.isFile()) yield { file, refusal: 'is not a plain file' };
    else if (lstatSync(path).size > mostBytes) yield { file, refusal: `has more than ${mostBytes} bytes` };
    else yield { file, path };
  }
}

/** Why this cannot be what a run has made of our data. */
function whyNoGrowth(
  root: Root,
  component: string,
  releases: readonly RecordedRelease[],
  day: Day,
): string | undefined {
  const wrong = checkRecordedDays(component, releases, day)[0];
  if (wrong) return wrong.message;
  const now = new Map(releases.map((release) => [release.version, release]));
  if (now.size < releases.length) return 'holds a version twice';
  const lost = (readRecorded(root, component).value ?? []).filter(
    (before) => !isKept(before, now.get(before.version)),
  );
  if (lost.length === 0) return undefined;
  return `lacks or changes what is recorded for good of ${listed(
    lost.map(({ version }) => version),
    5,
  )}`;
}

/** A run adds corrections and replaces observed days, and leaves the rest of what is settled alone. */
function isKept(before: RecordedRelease, now: RecordedRelease | undefined): boolean {
  if (!now || now.firstSeen !== before.firstSeen) return false;
  const isSettled = before.releaseTimestamp !== undefined && before.timestampKind !== 'observed';
  if (isSettled && now.releaseTimestamp !== before.releaseTimestamp) return false;
  if (!areDigestsKept(before, now)) return false;
  const corrections = before.corrections ?? [];
  return JSON.stringify(corrections) === JSON.stringify(now.corrections?.slice(0, corrections.length) ?? []);
}

/** Only a person accepts other bytes, and no run of the day does. */
function areDigestsKept(before: RecordedRelease, { digests: now = {} }: RecordedRelease): boolean {
  return Object.entries(before.digests ?? {}).every(([source, artifacts]) =>
    Object.entries(artifacts).every(([artifact, digest]) => {
      const kept = now[source]?.[artifact]?.split(' ');
      return kept !== undefined && digest.split(' ').every((one) => kept.includes(one));
    }),
  );
}
