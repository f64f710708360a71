import type { z } from 'zod';
import { cutDay, type Day } from '../../../src/core/model/dates.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { compareVersions, parseVersion, type Version } from '../../../src/core/model/version.ts';
import type { Report } from './opened-site.ts';

/** Rules of a release file beyond its schema: order, no day in the future, and the right latest version. */
export function checkReleaseFile(
  path: string,
  file: ReleaseFile,
  day: Day | undefined,
  report: Report,
): void {
  checkKeyOrder(file, ReleaseFile, (message) => report(path, message));
  let previous: Version | undefined;
  for (const release of file.releases) {
    const where = `"${release.version}"`;
    checkKeyOrder(release, ReleaseFile.shape.releases.element, (message) =>
      report(path, `${where}: ${message}`),
    );
    const { releaseTimestamp } = release;
    if (day !== undefined && releaseTimestamp !== undefined && cutDay(releaseTimestamp) > day) {
      report(path, `${where}: ${releaseTimestamp} lies after the day of the site, ${day}`);
    }
    const version = parseVersion(release.version);
    if (!version) {
      report(path, `${where} has no place in the version order`);
    } else if (previous && compareVersions(previous, version) >= 0) {
      report(path, `expected the oldest version first; got ${where} after "${previous.text}"`);
    }
    previous = version ?? previous;
  }
  const latest = file.releases.findLast(
    (release) => !release.isDeprecated && release.isStable !== false,
  )?.version;
  if (file.tags?.latest !== latest) {
    report(path, `tags.latest: expected ${show(latest)}; got ${show(file.tags?.latest)}`);
  }
}

/** The details say the same of the same releases as the release file. */
export function checkDetailsFile(
  path: string,
  details: DetailsFile,
  name: string,
  file: ReleaseFile,
  report: Report,
): void {
  type Value = string | boolean | undefined;
  const compare = (key: string, published: Value, found: Value) => {
    if (found !== published) {
      report(path, `${key}: expected ${show(published)} as in ${name}.json; got ${show(found)}`);
    }
  };
  compare('onBuildDay.latest', file.tags?.latest, details.onBuildDay.latest);
  if (details.releases.length !== file.releases.length) {
    const message = `expected the ${file.releases.length} releases of ${name}.json; got ${details.releases.length}`;
    return report(path, message);
  }
  for (const [index, release] of details.releases.entries()) {
    const published = file.releases[index]!;
    if (release.notListedOn === undefined) {
      compare(
        `releases[${index}].releaseTimestamp`,
        published.releaseTimestamp,
        release.releaseTimestamp,
      );
    }
    for (const key of ['version', 'changelogUrl'] as const) {
      compare(`releases[${index}].${key}`, published[key], release[key]);
    }
    const isStable = published.isStable ?? true;
    compare(`releases[${index}].isPrerelease`, !isStable, release.isPrerelease === true);
  }
}

/** The keys are in the order of the schema. */
function checkKeyOrder(
  object: object,
  schema: z.ZodObject,
  report: (message: string) => void,
): void {
  const keys = Object.keys(object);
  const order = Object.keys(schema.shape).filter((key) => keys.includes(key));
  if (keys.join() !== order.join()) {
    report(`expected the keys in the order ${order.join(', ')}; got ${keys.join(', ')}`);
  }
}

export function show(value: string | boolean | number | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
