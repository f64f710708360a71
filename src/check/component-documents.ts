import { dayOf, type Day } from '../dates.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import type { ReleaseFile } from '../model/published/release-file.ts';
import { compareVersions, parseVersion, type Version } from '../version.ts';
import type { Report } from './opened-site.ts';

const topKeys = ['homepage', 'changelogUrl', 'tags', 'releases'];
const releaseKeys = ['version', 'releaseTimestamp', 'changelogUrl', 'isDeprecated', 'isStable'];

/** What a schema cannot hold of a release file: order, days that have come, and the right latest version. */
export function checkReleaseFile(
  path: string,
  file: ReleaseFile,
  day: Day | undefined,
  report: Report,
): void {
  checkKeyOrder(file, topKeys, (message) => report(path, message));
  let previous: Version | undefined;
  for (const release of file.releases) {
    const where = `"${release.version}"`;
    checkKeyOrder(release, releaseKeys, (message) => report(path, `${where}: ${message}`));
    const { releaseTimestamp } = release;
    if (day !== undefined && releaseTimestamp !== undefined && dayOf(releaseTimestamp) > day) {
      report(path, `${where}: ${releaseTimestamp} lies after the day of the site, ${day}`);
    }
    const version = parseVersion(release.version);
    if (!version) report(path, `${where} has no place in the version order`);
    else if (previous && compareVersions(previous, version) >= 0) {
      report(path, `expected the oldest version first; got ${where} after "${previous.text}"`);
    }
    previous = version ?? previous;
  }
  const latest = latestOf(file);
  if (file.tags?.latest !== latest) {
    report(path, `tags.latest: expected ${show(latest)}; got ${show(file.tags?.latest)}`);
  }
}

/** The greatest version that is stable and not deprecated. */
export function latestOf(file: ReleaseFile): string | undefined {
  return file.releases.findLast((release) => !release.isDeprecated && release.isStable !== false)?.version;
}

/** The details tell of the same releases as the release file. */
export function checkDetailsFile(
  path: string,
  details: DetailsFile,
  name: string,
  file: ReleaseFile,
  report: Report,
): void {
  if (details.component !== name) report(path, `component: expected "${name}"; got "${details.component}"`);
  if (details.latest !== file.tags?.latest) {
    report(
      path,
      `latest: expected ${show(file.tags?.latest)} as in ${name}.json; got ${show(details.latest)}`,
    );
  }
  if (details.releases.length !== file.releases.length) {
    report(
      path,
      `expected the ${file.releases.length} releases of ${name}.json; got ${details.releases.length}`,
    );
    return;
  }
  for (const [index, release] of details.releases.entries()) {
    const published = file.releases[index]!;
    for (const key of ['version', 'isDeprecated', 'releaseTimestamp', 'changelogUrl'] as const) {
      if (release[key] !== published[key]) {
        report(
          path,
          `releases[${index}].${key}: expected ${show(published[key])} as in ${name}.json; got ${show(release[key])}`,
        );
      }
    }
    if (release.isPrerelease !== (published.isStable === false)) {
      report(
        path,
        `releases[${index}].isPrerelease: ${release.isPrerelease} does not agree with ${name}.json`,
      );
    }
  }
}

function checkKeyOrder(object: object, order: readonly string[], report: (message: string) => void): void {
  let last = -1;
  for (const key in object) {
    const position = order.indexOf(key);
    if (position < last)
      report(`expected the keys in the order ${order.join(', ')}; got ${Object.keys(object).join(', ')}`);
    last = Math.max(last, position);
  }
}

export function show(value: string | boolean | number | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
