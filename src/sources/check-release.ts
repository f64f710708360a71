/** Checks the values that sources state of releases, and unites the parts of each version. */
import { prerelease } from 'semver';
import { findEarliest, toDay, type Day } from '../core/day.ts';
import { digestLengths, uniteDigests } from '../core/digest.ts';
import { showValue } from '../core/parse-document.ts';
import { FileName, HttpsUrl } from '../core/schema/scalars.ts';
import { quote, toLine } from '../core/text.ts';
import { parseTimestamp } from './timestamps.ts';
import type { Asset, NamedFile, SourceAnswer, SourceRelease } from './types.ts';

type StatedAsset = Partial<Record<keyof Asset, string | undefined>>;

/** What a source states of a release, with values in any form; `deprecated` is empty without a reason. */
export interface StatedRelease extends Omit<
  SourceRelease,
  'digests' | 'digest' | 'assets' | 'files'
> {
  /** The registry orders versions by SemVer, where any suffix marks a prerelease. */
  isSemver?: boolean;
  /** Several in a text are separated by spaces. */
  digests?: readonly (string | null | undefined)[] | undefined;
  /** Null: its digests are not those of a file that readers have. */
  digest?: null | undefined;
  assets?: readonly StatedAsset[] | undefined;
  files?: Readonly<Record<string, string | undefined>> | undefined;
  urls?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Each version once, with values of the right form. */
export function checkReleases(
  stated: readonly (StatedRelease | undefined)[],
  day: Day,
): SourceAnswer {
  const checked = stated.flatMap((release) => (release ? checkRelease(release, day) : []));
  const byVersion = Map.groupBy(
    checked.map(({ release }) => release),
    ({ version }) => version,
  );
  return {
    releases: Array.from(byVersion.values(), uniteParts),
    findings: checked.flatMap(({ findings }) => findings),
  };
}

/**
 * Leaves out values of another form, with a finding. Renovate drops a whole component for one bad field, and a browser follows
 * `javascript:`.
 */
export function checkRelease(
  stated: StatedRelease,
  day: Day,
): { release: SourceRelease; findings: string[] } {
  const { version, deprecated, isSemver } = stated;
  const findings: string[] = [];
  const reject = (expected: string, value: string) => {
    findings.push(`${quote(version)}: expected ${expected}; got ${showValue(value)}. Left out.`);
  };

  const releaseTimestamp = readTimestamp(stated.releaseTimestamp, day);
  if (stated.releaseTimestamp && !releaseTimestamp) {
    reject(`a date between ${earliestDay} and ${day}`, stated.releaseTimestamp);
  }
  const readUrl = (text: string | undefined) => {
    const url = text && HttpsUrl.safeParse(text).data;
    if (text && !url) {
      reject('an https: address', text);
    }
    return url;
  };
  const changelogUrl = readUrl(stated.changelogUrl);

  const reason =
    deprecated === undefined ? undefined : toLine(deprecated, 500) || 'no reason given';
  const hasSuffix = isSemver && prerelease(version) !== null;
  const texts = (stated.digests ?? []).flatMap((text) => text?.split(/\s+/) ?? []);
  const digests = texts.flatMap((text) => readDigest(text) ?? []);
  const files = stated.files && readFiles(stated.files, reject);
  const named = Object.entries(files ?? {});
  for (const [name, file] of named) {
    file.url = readUrl(stated.urls?.[name]);
  }
  const [first = null] = digests;
  return {
    release: {
      version,
      releaseTimestamp,
      isUpperBound: releaseTimestamp && stated.isUpperBound ? true : undefined,
      changelogUrl,
      deprecated: reason,
      isPrerelease: hasSuffix || stated.isPrerelease,
      hasProvenance: stated.hasProvenance,
      digests: uniteDigests([...digests, ...named.map(([, { digest }]) => digest)].sort()),
      // Beside files by name, one is meant only where it is stated apart.
      digest: files ? first : stated.digest,
      assets: stated.assets?.flatMap(readAsset),
      url: readUrl(stated.url),
      files,
    },
    findings,
  };
}

/** No earlier day is believed. */
const earliestDay = '2000-01-01';

function readTimestamp(text = '', day: Day): string | undefined {
  const timestamp = parseTimestamp(text) ?? '';
  const isPlausible = timestamp >= earliestDay && toDay(timestamp) <= day;
  return isPlausible ? timestamp : undefined;
}

const algorithms = Object.entries(digestLengths);

/** `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity). */
function readDigest(text: string): string | undefined {
  const [, hex] = /^(?:\w+:)?([\da-f]+)$/i.exec(text) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(text) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64, 'base64').toString('hex');
  // By the length: registries write the name of an algorithm in several ways.
  const [algorithm] = algorithms.find(([, length]) => length === digits.length) ?? [];
  return algorithm && `${algorithm}:${digits}`;
}

const maxFiles = 100;

/** The SHA-256 of files by name. */
function readFiles(
  stated: Readonly<Record<string, string | undefined>>,
  reject: (expected: string, value: string) => void,
): Record<string, NamedFile> {
  const files: Record<string, NamedFile> = {};
  for (const [name, text = ''] of Object.entries(stated).slice(0, maxFiles)) {
    const digest = readDigest(text);
    if (!FileName.safeParse(name).success) {
      reject('a name such as linux-amd64', name);
    } else if (!digest?.startsWith('sha256:')) {
      reject(`the SHA-256 of ${name}`, text);
    } else {
      files[name] = { digest };
    }
  }
  return files;
}

function readAsset({ name, digest, url }: StatedAsset): Asset[] {
  if (!name) {
    return [];
  }
  return [
    {
      name: toLine(name, 200),
      digest: digest && readDigest(digest),
      url: url && HttpsUrl.safeParse(url).data,
    },
  ];
}

/**
 * Several entries of one version are its parts, such as a gem for each platform or a chart for each configuration: it came out with the
 * earliest, and is deprecated if all are.
 */
function uniteParts(parts: readonly SourceRelease[]): SourceRelease {
  // A group has an entry.
  const first = parts[0]!;
  if (parts.length === 1) {
    return first;
  }

  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    deprecated: isDeprecated ? first.deprecated : undefined,
    ...(parts.some(({ hasProvenance }) => hasProvenance === false) && { hasProvenance: false }),
    digests: uniteDigests(parts.flatMap(({ digests = [] }) => digests).sort()),
    ...(first.assets && { assets: uniteAssets(parts) }),
    ...(first.files && { files: Object.assign({}, ...parts.map(({ files }) => files).reverse()) }),
  };
}

/** Each once: a list that grows while its pages are read has entries twice. */
function uniteAssets(parts: readonly SourceRelease[]): Asset[] {
  const all = parts.flatMap(({ assets = [] }) => assets);
  return [...new Map(all.map((asset) => [`${asset.digest} ${asset.name}`, asset])).values()];
}
