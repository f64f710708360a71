import { toTimestamp, type Day, type Timestamp } from '../../../core/model/dates.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../../core/schemas/published/details-file.ts';
import type { Component } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { dropUndefined, pick, pickDefined } from '../../../core/model/objects.ts';
import {
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../../core/schemas/published/release-documents.ts';
import type { SiteFile } from '../site-context.ts';

/**
 * `<component>.json` in the response format of Renovate's custom datasource (renovatebot/renovate,
 * lib/modules/datasource/custom/readme.md). No `null` and no other keys: one bad field makes Renovate drop the component.
 * Oldest first, because mise and updatecli take the last entry as the latest.
 */
export function renderReleaseFile({ definition, judgement }: Component): string {
  const { homepage, changelogUrl, sourceRepository } = definition;
  const { latest, releases, day } = judgement;
  const members = [
    `"homepage": ${JSON.stringify(homepage)}`,
    `"changelogUrl": ${JSON.stringify(changelogUrl)}`,
  ];
  if (sourceRepository !== undefined) {
    members.push(`"sourceUrl": ${JSON.stringify(sourceRepository)}`);
  }
  if (latest) {
    members.push(`"tags": { "latest": ${JSON.stringify(latest.version)} }`);
  }
  members.push(`"releases": ${renderByLine(releases.map((each) => describeRelease(each, day)))}`);

  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

function describeRelease(release: JudgedRelease, day: Day): object {
  const { version, changelogUrl, isDeprecated, isPrerelease } = release;
  return {
    version,
    releaseTimestamp: findWaitingStart(release, day),
    changelogUrl,
    isDeprecated,
    // Renovate's `loose` calls every version stable; only the release itself can say otherwise.
    isStable: isPrerelease ? false : undefined,
  };
}

/**
 * The start of a minimum release age. A backdated release does not shorten it: the age starts no earlier than the last answer
 * of the source that lacked the release.
 */
function findWaitingStart(
  { releaseTimestamp, recorded }: JudgedRelease,
  day: Day,
): Timestamp | undefined {
  const { notListedOn } = recorded;
  if (releaseTimestamp === undefined || notListedOn === undefined) {
    return releaseTimestamp;
  }

  const earliest = toTimestamp(notListedOn < day ? notListedOn : day);
  return releaseTimestamp < earliest ? earliest : releaseTimestamp;
}

/** `details/<component>.json`: the same releases with all known fields and the reasons. */
export function renderDetailsFile({ lines, ends, releases, ...head }: DetailsFile): string {
  let text = JSON.stringify(head, undefined, 2).replace(/\n\}$/, '');
  for (const [key, items] of Object.entries({ lines, ends, releases })) {
    if (items) {
      text += `,\n  "${key}": ${renderByLine(items)}`;
    }
  }

  return `${text}\n}\n`;
}

/** An array with one element per line: a diff of two days shows single releases. */
function renderByLine(items: readonly object[]): string {
  if (items.length === 0) {
    return '[]';
  }

  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}

type SearchedRelease = SearchedLine['releases'][number];

/** The entry of a component in `search.json`, with one line per release: a diff shows single releases. */
export function renderSearchedComponent(details: DetailsFile): string {
  const { lines, ...component } = compactDetails(details);
  return `${renderWithList(component, 'lines', lines.map(renderLine))}\n`;
}

function renderLine({ releases, ...line }: SearchedLine): string {
  const rows = releases.map((release) => `\n${JSON.stringify(release)}`);
  return `\n${renderWithList(line, 'releases', rows)}`;
}

/** An object as JSON, with a last member that is a list of JSON texts. */
function renderWithList(object: object, key: string, items: readonly string[]): string {
  return `${JSON.stringify(object).slice(0, -1)},"${key}":[${items.join(',')}]}`;
}

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...pickDefined({ ...details, policy: details.support.policy }, searchedKeys.component),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

/** A line with the values that all of its releases share, and its releases with the others. */
function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const sharedKeys = searchedKeys.release.filter((key) => isShared(key, releases));
  const ownKeys = searchedKeys.release.filter((key) => !sharedKeys.includes(key));
  const shared = compactRelease(releases[0] ?? {}, sharedKeys);

  return dropUndefined({
    ...pick(line, searchedKeys.line),
    shared: Object.keys(shared).length > 0 ? shared : undefined,
    releases: releases.map((release) => compactRelease(release, ownKeys)),
  });
}

function isShared(key: keyof SearchedRelease, releases: readonly PublishedRelease[]): boolean {
  const values = new Set(releases.map((release) => JSON.stringify(release[key])));
  return releases.length > 1 && values.size === 1;
}

function compactRelease(
  release: Partial<PublishedRelease>,
  keys: readonly (keyof SearchedRelease)[],
): SearchedRelease {
  const compact: SearchedRelease = pickDefined(release, keys);
  if (compact.releaseTimestamp !== undefined) {
    // A day stands for its first instant.
    compact.releaseTimestamp = compact.releaseTimestamp.replace('T00:00:00Z', '');
  }

  return compact;
}

/** Hosts accept files up to 25 MiB, so a longer document is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/**
 * Writes `all.json` or `search.json` if every entry fits, otherwise its parts (`all/1.json`, `all/2.json` …) and a document that
 * lists them. Writes each part as soon as it is full, because all parts together may exceed the memory.
 */
export function openParts(
  document: 'all' | 'search',
  write: (file: SiteFile) => void,
  limit = maxPartLength,
) {
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;

  return { add, finish };

  /** Call it in the order of names. `body`: the entry of a component. */
  function add(name: string, body: string): void {
    const member = renderMember(name, body);
    const bytes = Buffer.byteLength(member);
    if (length + bytes > limit && members.length > 0) {
      writePart();
    }

    members.push(member);
    length += bytes;
  }

  function writePart(): void {
    const path = `${document}/${parts.length + 1}.json`;
    write({ path, body: joinMembers(members) });
    parts.push(path);
    members = [];
    length = 0;
  }

  function finish(): void {
    const path = `${document}.json`;
    if (parts.length === 0) {
      write({ path, body: joinMembers(members) });
      return;
    }

    writePart();
    write({ path, body: `${JSON.stringify({ isComplete: false, parts, components: {} })}\n` });
  }
}

/** A document with an entry for every component, whatever its length. */
export function renderWhole(entries: readonly (readonly [name: string, body: string])[]): string {
  return joinMembers(entries.map(([name, body]) => renderMember(name, body)));
}

function renderMember(name: string, body: string): string {
  return `\n${JSON.stringify(name)}: ${body.trimEnd()}`;
}

function joinMembers(members: readonly string[]): string {
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}
