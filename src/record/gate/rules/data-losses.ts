import { counted, listed } from '../../../core/text/text.ts';
import type { RecordedData, RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import { isShare, type Loss, type Measure, type StateChange } from './measures.ts';
import { changedDigests, type ChangedDigest } from './other-bytes.ts';
import { readFacts, type ReaderReleaseFacts } from './reader-facts.ts';

/** What recorded data loses. */
export function findLossesOfData({ before, after, day }: StateChange): Loss[] {
  const digests = changedDigests(before.data, after.data, day);

  return [...vanished(before.data, after.data, digests), ...otherHosts(before.data, after.data)];
}

/** Data only grows. */
function vanished(
  before: RecordedData,
  after: RecordedData,
  digests: readonly ChangedDigest[],
): Loss[] {
  const present = new Set(after.releases.map(({ version }) => version));
  const lines = new Set(after.lines?.map(({ line, source }) => `${line} ${source}`));
  const items: string[] = [];

  for (const { version } of before.releases) {
    if (!present.has(version)) {
      items.push(`${version} no longer recorded`);
    }
  }

  for (const { version, artifact, digest } of digests) {
    if (digest === undefined) {
      items.push(`digest of ${artifact} of ${version} no longer recorded`);
    }
  }

  for (const { line, source } of before.lines ?? []) {
    if (!lines.has(`${line} ${source}`)) {
      items.push(`line ${line} no longer recorded`);
    }
  }

  return items.length > 0 ? exceeded('recorded', items, listed(items, 5)) : [];
}

function otherHosts(before: RecordedData, after: RecordedData): Loss[] {
  const present = new Map(after.releases.map((release) => [release.version, release]));
  const linked = before.releases.filter(({ changelogUrl }) => changelogUrl !== undefined);
  const items: string[] = [];

  for (const release of linked) {
    const host = hostOf(present.get(release.version));
    if (host !== undefined && host !== hostOf(release)) {
      items.push(`${release.version} links to ${host}`);
    }
  }

  const reason = `the links of ${items.length} of ${counted(linked.length, 'release')} would lead to another host (${listed(items, 5)})`;

  return isShare(items.length, linked.length) ? exceeded('links', items, reason) : [];
}

function hostOf(release: RecordedRelease | undefined): string | undefined {
  return release?.changelogUrl === undefined ? undefined : new URL(release.changelogUrl).host;
}

/** Ended, deprecated or affected releases that come back at once by what sources state. A person's edit may bring them back. */
export function findReturns({ name, before, after, day }: StateChange): Loss[] {
  const isByLatestLines = after.definition.support?.policy === 'latest-lines';
  const was = readFacts(name, { ...after, data: before.data }, day);
  const now = readFacts(name, after, day);
  const items: string[] = [];
  let bad = 0;

  for (const [version, release] of was.releases) {
    const troubles = troublesOf(release, isByLatestLines);
    const present = now.releases.get(version);
    const left = present && new Set(troublesOf(present, isByLatestLines));
    const gone = troubles.filter((trouble) => left && !left.has(trouble));

    bad += troubles.length > 0 ? 1 : 0;

    if (gone.length > 0) {
      items.push(`${version} no longer ${gone.join(', ')}`);
    }
  }

  const reason = `${items.length} of ${counted(bad, 'release')} out of use would come back at once (${listed(items, 5)})`;

  return isShare(items.length, bad) ? exceeded('good news', items, reason) : [];
}

/** A release that was withdrawn may be listed again, and a policy that counts lines brings back the oldest. */
function troublesOf(
  { isSupported, isDeprecated, rule, affectedBy }: ReaderReleaseFacts,
  isByLatestLines: boolean,
): string[] {
  const troubles: string[] = [];

  if (isSupported === false && rule !== 'withdrawn' && !isByLatestLines) {
    troubles.push('ended');
  }

  if (isDeprecated && rule !== 'withdrawn' && rule !== 'support policy') {
    troubles.push('deprecated');
  }

  if (affectedBy.size > 0) {
    troubles.push('affected');
  }

  return troubles;
}

function exceeded(measure: Measure, items: readonly string[], reason: string): Loss[] {
  return [{ measure, reason }, ...items.map((item) => ({ measure, item }))];
}
