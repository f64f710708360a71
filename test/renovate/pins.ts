import { isPrereleaseForm } from '../../src/core/prerelease.ts';
import { runRenovate, type Run } from './client.ts';
import { importRenovate } from './install.ts';
import type { ReleaseFile } from './site.ts';

/** Parts of Renovate's own versioning (renovatebot/renovate, lib/modules/versioning/loose/index.ts). */
export interface Versioning {
  isVersion(version: string): boolean;
  isStable(version: string): boolean;
  isGreaterThan(version: string, other: string): boolean;
  isSame(section: 'major' | 'minor' | 'patch', version: string, other: string): boolean;
  equals(version: string, other: string): boolean;
  sortVersions(version: string, other: string): number;
}

export async function looseVersioning(): Promise<Versioning> {
  const { api } = await importRenovate<{ api: Versioning }>('modules/versioning/loose/index.js');
  return api;
}

/** The greatest version that may be proposed, found in Renovate's order and without the file's own `tags`. */
function newestSupported({ releases }: ReleaseFile, loose: Versioning): string | undefined {
  return releases
    .filter((release) => !release.isDeprecated && release.isStable !== false)
    .map((release) => release.version)
    .toSorted((a, b) => loose.sortVersions(a, b))
    .at(-1);
}

/** Every published version, and some that are not: below all others, in the middle and above all others. */
export function pinsOf({ releases }: ReleaseFile): string[] {
  const versions = releases.map((release) => release.version);
  const middle = versions[Math.floor(versions.length / 2)];
  const unlisted = middle === undefined ? ['1.0'] : ['0.0.0.1', `${middle}.999`, '99999.0'];
  return [...versions, ...unlisted];
}

/**
 * The expected proposals: the newest version of the pin's major and the newest of all, without deprecated versions. Above the
 * newest supported version, only prereleases of the pin's own version.
 */
export function expectedProposals(pin: string, file: ReleaseFile, loose: Versioning): string[] {
  const newest = newestSupported(file, loose);
  const isAhead = newest === undefined || loose.isGreaterThan(pin, newest);
  const variant = variantOf(pin);
  // A suffix with a number (`+k3s1`) orders versions and names no variant.
  const isFollowed = variant !== undefined && !/\d/.test(variantOf(newest ?? '') ?? '');
  const candidates = file.releases
    .filter(({ version }) => !isFollowed || variantOf(version) === variant)
    .filter(({ version, isDeprecated }) => !isDeprecated && loose.isGreaterThan(version, pin))
    .filter(
      ({ version, isStable }) => isStable !== false || (isAhead && isOfSameVersion(version, pin, loose)),
    )
    .map(({ version }) => version)
    .toSorted((a, b) => loose.sortVersions(a, b));
  const ownMajor = candidates.findLast((version) => loose.isSame('major', version, pin));
  const otherMajor = candidates.findLast((version) => !loose.isSame('major', version, pin));
  return [ownMajor, otherMajor].filter((version) => version !== undefined);
}

/** The variant of a version: `-alpine`. */
function variantOf(version: string): string | undefined {
  return isPrereleaseForm(version) ? undefined : /^v?\d[\d.]*([-+.][a-z]{2}.*)$/i.exec(version)?.[1];
}

function isOfSameVersion(version: string, pin: string, loose: Versioning): boolean {
  return (['major', 'minor', 'patch'] as const).every((section) => loose.isSame(section, version, pin));
}

export type Pin = readonly [component: string, version: string];

/** Runs Renovate over a Dockerfile with these pins; `configuration` by default extends only the preset of the site. */
export function runOverPins(
  pins: readonly Pin[],
  site: { origin: string; datasource: string; token?: string },
  configuration: object = {},
): Promise<Run> {
  return runRenovate(
    {
      'renovate.json': JSON.stringify({ extends: [`${site.origin}/renovate.json`], ...configuration }),
      Dockerfile: dockerfile(site.datasource, pins),
    },
    site,
  );
}

/** Proposed versions in the order of their numbers. */
export function inOrder(versions: readonly string[]): string[] {
  return versions.toSorted(new Intl.Collator('en', { numeric: true }).compare);
}

/** A Dockerfile that pins each of the versions. */
function dockerfile(datasource: string, pins: readonly Pin[]): string {
  const lines = pins.map(
    ([component, version], index) =>
      `# renovate: datasource=custom.${datasource} depName=${component}\nARG PIN${index}_VERSION="${version}"\n`,
  );
  return `FROM scratch\n${lines.join('')}`;
}
