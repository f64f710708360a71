/** The JSON documents: one function a document, from judged data to the text of its file. */
import { nameSourcePackage } from '../../core/datasources.ts';
import type { Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Status } from '../../core/schema/documents.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import type { SearchedComponent, SearchLine, ShortRelease } from '../../core/search.ts';
import { stateTones } from '../../core/words.ts';

/** All names under which the files of a component are published. */
export function listFileNames({ component, renamedFrom = [] }: Component): string[] {
  return [component, ...renamedFrom];
}

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
    releases: renderByLine(releases.map((release) => describeRelease(release, day))),
  });
}

function describeRelease(release: Release, day: Day): object {
  const { version, changelogUrl, isDeprecated, isPrerelease } = release;
  return {
    version,
    releaseTimestamp: findWaitingStart(release, day),
    changelogUrl,
    isDeprecated,
    // Renovate's `loose` calls every version stable.
    isStable: isPrerelease ? false : undefined,
  };
}

/** The start of a minimum release age: no earlier than the last answer of a source without the release, so backdating gains nothing. */
function findWaitingStart({ releaseTimestamp, notBefore }: Release, day: Day): string | undefined {
  if (releaseTimestamp === undefined || notBefore === undefined) {
    return releaseTimestamp;
  }

  const bound = `${notBefore < day ? notBefore : day}T00:00:00Z`;
  return releaseTimestamp < bound ? bound : releaseTimestamp;
}

/** `details/<component>.json`: all that is known, as of the day of the build, which `status.json` says. */
export function renderDetails(
  { lines, releases: _, ...head }: Component,
  short: readonly ShortRelease[],
): string {
  const members: Record<string, string | undefined> = {};
  for (const [key, value] of Object.entries(head)) {
    members[key] = JSON.stringify(value);
  }
  return renderMembers({ ...members, lines: renderByLine(lines), releases: renderByLine(short) });
}

/** `search.json`: what a query and a list of versions need. One line a release, so that a diff shows single releases. */
export function renderSearch(asOf: Day, entries: readonly string[]): string {
  return `{"asOf":${JSON.stringify(asOf)},"components": {${entries.join(',')}\n}}\n`;
}

/** The entry of a component. */
export function renderSearched(
  component: Component,
  short: readonly ShortRelease[],
  freshness: string,
): string {
  const {
    title,
    aliases = [],
    sourceRepository,
    latest,
    watchesAdvisories,
    support,
    packages,
    advisories,
  } = component;
  const head: Omit<SearchedComponent, 'releases'> = {
    title,
    names: [...new Set([...listFileNames(component), title, ...aliases])],
    packages,
    latest,
    sourceRepository,
    freshness,
    support: { policy: support.policy },
    sources: component.sources.map(({ datasource, packageName }) => ({ datasource, packageName })),
    watchesAdvisories,
    advisories: advisories.map(({ id, aliases: others }) => ({ id, aliases: others })),
    lines: component.lines.map((line): SearchLine => {
      const {
        line: name,
        state,
        isSupported,
        isLts,
        ltsFrom,
        isInferred,
        phase,
        supportedUntil,
        supportedUntilAtMost,
        latest: newest,
        moveTo,
        moveBy,
        reason,
      } = line;
      return {
        line: name,
        state,
        isSupported,
        isLts,
        ltsFrom,
        isInferred,
        phase,
        supportedUntil,
        supportedUntilAtMost,
        latest: newest,
        moveTo,
        moveBy,
        reason,
      };
    }),
  };
  const rows = short.map((release) => `\n${JSON.stringify(pickSearched(release))}`);
  return `\n${JSON.stringify(component.component)}: ${JSON.stringify(head).slice(0, -1)},"releases":[${rows.join(',')}]}`;
}

function pickSearched({
  version,
  line,
  state,
  releaseTimestamp,
  timestampKind,
  firstSeen,
  availableAt,
  isPrerelease,
  isDeprecated,
  isSupported,
  advisories,
  severity,
  exploitedSince,
  moveTo,
  moveBy,
  reasons,
  fixes,
  without,
}: ShortRelease) {
  return {
    version,
    line,
    state,
    releaseTimestamp,
    timestampKind,
    firstSeen,
    availableAt,
    isPrerelease,
    isDeprecated,
    isSupported,
    advisories,
    severity,
    exploitedSince,
    moveTo,
    moveBy,
    reasons,
    fixes,
    without,
  };
}

/** `all.json`: the component files in one document. */
export function renderAll(files: readonly (readonly [name: string, body: string])[]): string {
  const members = files.map(([name, body]) => `\n${JSON.stringify(name)}: ${body.trimEnd()}`);
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}

export function renderNames(components: readonly Component[]): string {
  return `${JSON.stringify(components.flatMap(listFileNames).sort())}\n`;
}

/** `supported/<component>.json`: the latest release of each supported line, oldest first. */
export function renderSupported({ lines }: Component): string {
  const supported = lines.filter(({ state }) => stateTones[state] !== 'over');
  return `${JSON.stringify(supported.flatMap(({ latest }) => latest ?? []))}\n`;
}

/** `status.json`: how fresh each component is. */
export function renderStatus({
  asOf,
  settings,
  components,
  freshness,
  journals,
  events,
  runs,
}: Index): string {
  const told = [...journals.values()].flat();
  const status: Status = {
    asOf,
    url: settings.releasesUrl,
    staleAfterDays: settings.staleAfterDays,
    events,
    lastRun: runs.at(-1),
    years: {
      builds: listYears(runs.map((run) => run.asOf)),
      changes: listYears(told.map(({ at }) => at)),
    },
    components: Object.fromEntries(
      components.map((component) => {
        const {
          title,
          aliases = [],
          renamedFrom = [],
          latest,
          releases,
          packages,
          sources,
        } = component;
        const others = [...renamedFrom, ...aliases];
        return [
          component.component,
          {
            title,
            ...(others.length > 0 && { aliases: others }),
            ...(packages.length > 0 && {
              packages: packages.map((purl) => ({
                purl,
                extractVersion: findExtraction(purl, sources),
              })),
            }),
            latest,
            releases: releases.length,
            ...freshness.get(component.component)!,
          },
        ];
      }),
    ),
  };
  return `${JSON.stringify(status, undefined, 2)}\n`;
}

/** Finds the version of the component in a version of the package. */
function findExtraction(purl: string, sources: Component['sources']): string | undefined {
  return sources.find((source) => nameSourcePackage(source) === purl)?.extractVersion;
}

function listYears(times: readonly string[]): string[] {
  return [...new Set(times.map((time) => time.slice(0, 4)))].sort();
}

const badgeColours = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** `badges/<component>.json`, for shields.io/badges/endpoint-badge. */
export function renderBadge({ title, latest, lines, releases }: Component): string {
  const release = releases.find(({ isLatest }) => isLatest);
  const line = lines.find((each) => each.line === release?.line);
  const none = releases.length === 0 ? 'no releases' : 'none supported';
  const color = badgeColours[line ? stateTones[line.state] : 'none'];
  return `${JSON.stringify({ schemaVersion: 1, label: title, message: latest ?? none, color })}\n`;
}

/** `policies.json` */
export function renderPolicies({ policies }: Index): string {
  return `${JSON.stringify({ policies }, undefined, 2)}\n`;
}

function renderMembers(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{\n  ${present.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(',\n  ')}\n}\n`;
}

/** One element a line: a diff of two days shows single releases. */
function renderByLine(items: readonly object[]): string {
  return items.length === 0
    ? '[]'
    : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}
