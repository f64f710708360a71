/** Renders the documents about a component's releases, and the documents that list all components. */
import { toExtraction } from '../../ask/extract.ts';
import { countDays, toDay, toTimestamp, type Day } from '../../core/day.ts';
import type { Problem } from '../../core/errors.ts';
import { findWords, hasLts, isOpen } from '../../core/phrases.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import { formatList } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import { joinMembers, renderComponents, renderDocument, renderRows, writeMembers } from './json.ts';

/**
 * Renders `<component>.json` for Renovate's `custom` datasource. A single null makes Renovate reject the document, so absent keys are left
 * out.
 */
export function renderReleaseFile(component: Component, asOf: Day): string {
  const { homepage, changelogUrl, sourceRepository, releases } = component;
  return renderDocument({
    ...writeMembers({ homepage, changelogUrl, sourceUrl: sourceRepository }),
    tags: renderTags(component, asOf),
    releases: renderRows(releases.map(viewRelease)),
  });
}

/** Renders `<component>/<name>.json`: the releases whose files all have a digest. Each release has the digest of its file `<name>`. */
export function renderFileOfName(component: Component, name: string, asOf: Day): string {
  const releases = component.releases.flatMap((release) => {
    const { files = {}, hasAllFiles } = release;
    return hasAllFiles && Object.hasOwn(files, name) ? { ...release, digest: files[name] } : [];
  });
  return renderReleaseFile({ ...component, releases }, asOf);
}

/**
 * Renders the tags: the greatest usable release (`latest`), and the greatest with long-term support (`lts`). Undefined if there is neither.
 */
function renderTags({ releases, lines }: Component, asOf: Day): string | undefined {
  const ltsLines = lines
    .filter((line) => hasLts(line, asOf) && isOpen(line))
    .map(({ line }) => line);
  const usable = releases.filter(
    ({ isPrerelease, isDeprecated }) => !isPrerelease && !isDeprecated,
  );
  const latest = usable.at(-1)?.version;
  const lts = usable.findLast(({ line }) => ltsLines.includes(line))?.version;
  const tags = joinMembers(writeMembers({ latest, lts }), ', ');
  return tags === '' ? undefined : `{ ${tags} }`;
}

function viewRelease(release: Release): object {
  const { version, releaseTimestamp, notBefore, changelogUrl, isDeprecated } = release;
  // Renovate's `minimumReleaseAge` counts days from the release timestamp. If upstream backdates a release, Renovate would wait too short a
  // time. So a backdated release gets the day of the last check that did not find it (`notBefore`).
  const isBackdated = notBefore && releaseTimestamp && releaseTimestamp < notBefore;
  return {
    version,
    releaseTimestamp: isBackdated ? toTimestamp(notBefore) : releaseTimestamp,
    changelogUrl,
    isDeprecated,
    // `isStable` is needed, because Renovate's `loose` versioning treats every version as stable.
    isStable: release.isPrerelease ? false : undefined,
    isStop: release.isStop,
    // The digest is written without its algorithm, so that it also fits after `@sha256:`.
    digest: release.digest?.slice('sha256:'.length),
  };
}

/** Renders `details/<component>.json`. Only `status.json` contains the date of the build, so that these files do not change daily. */
export function renderDetails({ lines, releases, ...head }: Component): string {
  // An `extractVersion` that `status.json` leaves out is also left out here.
  const sources = head.sources.map((source) =>
    toExtraction(source.extractVersion) ? source : { ...source, extractVersion: undefined },
  );
  return renderDocument({
    ...writeMembers({ ...head, sources }),
    lines: renderRows(lines),
    releases: renderRows(releases),
  });
}

/**
 * Finds the newest release that can be installed: stable, not deprecated, and with all files that the definition names. A newer release may
 * lack files that its vendor is still building.
 */
export function findInstallable({ releases, files }: Component): Release | undefined {
  return releases.findLast(({ isPrerelease, isDeprecated, hasAllFiles }) => {
    return !isPrerelease && !isDeprecated && (files === undefined || hasAllFiles);
  });
}

/** The number of days for which newer releases may lack files without a warning. */
const maxDaysBehind = 30;

/** Finds components whose `latest/<component>.json` has not changed for too long, because every newer release lacks a file. */
export function* findBehind({ components, asOf }: Index): Generator<Problem> {
  for (const component of components) {
    const { component: name, releases, latest, files = [] } = component;
    const installable = findInstallable(component);
    const newer = releases
      .slice(installable ? releases.indexOf(installable) + 1 : 0)
      .filter(({ isPrerelease, isDeprecated }) => !isPrerelease && !isDeprecated);
    const [since] = newer.map(findFirstDay).sort();
    if (since && countDays(since, asOf) > maxDaysBehind) {
      const lacking = files.filter((file) => !Object.hasOwn(newer.at(-1)?.files ?? {}, file));
      const state = installable ? `still has ${installable.version}` : 'is missing';
      const message = `latest/${name}.json ${state}, because no newer release has had all its files since ${since}. ${latest} lacks ${formatList(lacking, 5)}. If its maintainers no longer publish a file, remove the name of the file from digestOf in components/${name}.json.`;
      yield { level: 'warning', subject: name, message };
    }
  }
}

function findFirstDay({ firstSeen, releaseTimestamp }: Release): Day {
  return firstSeen ?? (releaseTimestamp ? toDay(releaseTimestamp) : '');
}

/**
 * Yields `latest/<name>.txt` with the latest version, and `latest/<name>.json` with the newest installable release. `name`: the component's
 * present name or a former name.
 */
export function* renderLatest(name: string, component: Component): Generator<File> {
  if (component.latest !== undefined) {
    yield [`latest/${name}.txt`, `${component.latest}\n`];
  }

  const release = findInstallable(component);
  if (release) {
    // The state and the advice are added, so that readers need no other file.
    const words = findWords(release, component.lines);
    // If `files` has each digest with the name of its file, `digests` would only repeat them.
    const digests = release.files ? undefined : release.digests;
    yield [`latest/${name}.json`, `${JSON.stringify({ ...release, ...words, digests })}\n`];
  }
}

/** Renders `all.json`: the component files in one document. */
export function renderAll(files: ReadonlyMap<string, string>): Generator<string> {
  const components = files.entries().map(([name, body]) => [name, body.trimEnd()] as const);
  return renderComponents(components);
}

/** Renders `index.json`. */
export function renderNames(components: readonly Component[]): string {
  return `${JSON.stringify(components.map(({ component }) => component))}\n`;
}

/** Renders `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function renderSupported({ lines }: Component): string {
  const supported = lines.filter(({ isSupported }) => isSupported);
  const latest = supported.flatMap((line) => line.latest ?? []);
  return `${JSON.stringify(latest)}\n`;
}
