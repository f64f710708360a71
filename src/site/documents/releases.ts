/** The documents of versions alone: one function a document, from a judged component to the text of its file. */
import { toTimestamp, type Day } from '../../core/day.ts';
import { toExtraction } from '../../core/index/extract.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import { stateTones } from '../../core/words.ts';

/** `<component>.json`, for Renovate's `custom` datasource. It refuses a document with one null, so absent keys stay absent. */
export function renderReleaseFile(
  { homepage, changelogUrl, sourceRepository, latest, releases }: Component,
  day: Day,
): string {
  return renderMembers({
    homepage: JSON.stringify(homepage),
    changelogUrl: JSON.stringify(changelogUrl),
    sourceUrl: JSON.stringify(sourceRepository),
    tags: latest && `{ "latest": ${JSON.stringify(latest)} }`,
    releases: renderByLine(releases.map((each) => renderRelease(each, day))),
  });
}

function renderRelease(release: Release, day: Day): string {
  const { version, releaseTimestamp, notBefore, changelogUrl, isDeprecated } = release;
  // A minimum release age begins no earlier than the last answer of a source without the release: backdating gains nothing.
  const bound = notBefore && toTimestamp(notBefore < day ? notBefore : day);
  const isBackdated = bound && releaseTimestamp && releaseTimestamp < bound;
  return JSON.stringify({
    version,
    releaseTimestamp: isBackdated ? bound : releaseTimestamp,
    changelogUrl,
    isDeprecated,
    // Renovate's `loose` calls every version stable.
    isStable: release.isPrerelease ? false : undefined,
    // Without the algorithm, so that it fits after `@sha256:`, too.
    digest: release.digest?.slice('sha256:'.length),
  });
}

/** `details/<component>.json`, as of the day of the build, which `status.json` says: else each file would change daily. */
export function renderDetails({ lines, releases, ...head }: Component): string {
  const members = Object.entries(head).map(([key, value]) => [key, JSON.stringify(value)]);
  // No pattern that `status.json` has not either.
  const sources = head.sources.map((source) =>
    toExtraction(source.extractVersion) ? source : { ...source, extractVersion: undefined },
  );
  return renderMembers({
    ...Object.fromEntries(members),
    sources: JSON.stringify(sources),
    lines: renderByLine(lines.map((line) => JSON.stringify(line))),
    releases: renderByLine(releases.map((release) => JSON.stringify(release))),
  });
}

/** `all.json`: the component files in one document. */
export function renderAll(files: readonly (readonly [name: string, body: string])[]): string {
  const members = files.map(([name, body]) => `\n${JSON.stringify(name)}: ${body.trimEnd()}`);
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}

/** `index.json` */
export function renderNames(components: readonly Component[]): string {
  return `${JSON.stringify(components.map(({ component }) => component))}\n`;
}

/** `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function renderSupported({ lines }: Component): string {
  const latest = lines.flatMap((line) => (line.isSupported && line.latest) || []);
  return `${JSON.stringify(latest)}\n`;
}

const badgeColours = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** `badges/<component>.json`, for shields.io/badges/endpoint-badge. */
export function renderBadge({ title, latest, lines, releases }: Component): string {
  const { state = 'ended' } = lines.find((line) => latest && line.latest === latest) ?? {};
  const [message, tone] =
    releases.length === 0
      ? ['no releases', 'none' as const]
      : [latest ?? 'none supported', stateTones[state]];
  const badge = { schemaVersion: 1, label: title, message, color: badgeColours[tone] };
  return `${JSON.stringify(badge)}\n`;
}

/** The members of an object, each as JSON; absent ones stay absent. */
function renderMembers(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{\n  ${present.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(',\n  ')}\n}\n`;
}

/** One element a line: a diff of two days shows single releases. */
function renderByLine(rows: readonly string[]): string {
  return rows.length === 0 ? '[]' : `[\n${rows.join(',\n')}\n]`;
}
