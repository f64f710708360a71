import { cutDay, earliestPlausibleDay, type Day, type Timestamp } from '../../core/model/dates.ts';
import { parseTimestamp } from '../../core/model/timestamps.ts';
import { digestLengths, findContradiction, joinDigests } from '../../core/model/digest.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { compareVersions, parseVersion, type Version } from '../../core/model/version.ts';
import {
  ArtifactName,
  maxArtifacts,
  type ArtifactDigests,
} from '../../core/schemas/recorded/recorded.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { cutStart, maxNotesLength, quote, toLine } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/datasource.ts';

/** Reports a part of an answer that was left out. `kind`: as in `Finding`. */
export type Report = (message: string, kind?: string) => void;

const maxReasonLength = 500;

/**
 * The releases of a source, oldest first, each version in one spelling. Reports the values that it rejects, such as days in the future
 * or before 2000, and links other than `https:`: Renovate drops a component for one bad field, and a browser would follow `javascript:`.
 */
export function checkReleases(
  releases: readonly StatedRelease[],
  day: Day,
  report: Report,
): StatedRelease[] {
  // Only names with a place in the version order are admitted.
  const ordered = releases
    .map((release) => ({
      release: removeImplausible(release, day, report),
      version: parseVersion(release.version)!,
    }))
    .sort((a, b) => compareVersions(a.version, b.version));

  const distinct: StatedRelease[] = [];
  let accepted: Version | undefined;
  for (const { release, version } of ordered) {
    if (accepted && compareVersions(accepted, version) === 0) {
      report(
        `${quote(version.text)} and ${quote(accepted.text)} are one version in two spellings. Kept the first listed.`,
        'two spellings',
      );
    } else {
      distinct.push(release);
      accepted = version;
    }
  }

  return distinct;
}

function removeImplausible(release: StatedRelease, day: Day, report: Report): StatedRelease {
  const { deprecated } = release;
  return dropUndefined({
    ...release,
    releaseTimestamp: checkTimestamp(release, day, report),
    changelogUrl: checkLink(release, report),
    notes: readFirstWords(release.notes ?? '') || undefined,
    deprecated:
      deprecated === undefined
        ? undefined
        : toLine(deprecated, maxReasonLength) || 'no reason given',
    digests: checkDigests(release, report),
  });
}

function checkTimestamp(
  { version, releaseTimestamp }: StatedRelease,
  day: Day,
  report: Report,
): Timestamp | undefined {
  if (releaseTimestamp === undefined) {
    return undefined;
  }

  const parsed = parseTimestamp(releaseTimestamp);
  if (parsed !== undefined && cutDay(parsed) >= earliestPlausibleDay && cutDay(parsed) <= day) {
    return parsed;
  }

  report(
    `${quote(version)}: expected a date between ${earliestPlausibleDay} and ${day}; got ${quote(releaseTimestamp)}. Rejected.`,
    'no date',
  );

  return undefined;
}

function checkLink({ version, changelogUrl }: StatedRelease, report: Report): string | undefined {
  if (!changelogUrl) {
    return undefined;
  }
  if (HttpsUrl.safeParse(changelogUrl).success) {
    return changelogUrl;
  }

  report(
    `${quote(version)}: changelog link: expected an https: address; got ${quote(changelogUrl)}. Left out.`,
    'changelog link',
  );

  return undefined;
}

const expectedDigest = 'expected a digest of SHA-1, SHA-256, SHA-384 or SHA-512';

/**
 * The digests of a release in recorded form, sorted by name of artifact; undefined if none is stated. Only the first artifacts are
 * kept if there are too many.
 */
function checkDigests(
  { version, digests }: StatedRelease,
  report: Report,
): ArtifactDigests | undefined {
  if (digests === undefined) {
    return undefined;
  }

  const pairs: [string, string][] = [];

  for (const [artifact, text] of Object.entries(digests)) {
    const subject = `${quote(version)}: ${quote(artifact)}`;
    if (!ArtifactName.safeParse(artifact).success) {
      report(`${subject}: expected the name of an artifact. Left out.`, 'no artifact');
      continue;
    }

    const readable = readDigests(text);
    if (readable.length === 0) {
      report(`${subject}: ${expectedDigest}; got ${quote(text)}. Left out.`, 'no digest');
      continue;
    }

    const contradiction = findContradiction(readable, readable);
    if (contradiction) {
      report(
        `${subject}: has two digests, ${contradiction.join(' and ')}. Left out.`,
        'two digests',
      );
    } else {
      pairs.push([artifact, joinDigests(readable)]);
    }
  }

  pairs.sort(([a], [b]) => (a < b ? -1 : 1));

  if (pairs.length > maxArtifacts) {
    const artifacts = formatCount(pairs.length, 'artifact');
    report(
      `${quote(version)}: states digests of ${artifacts}. Accepted the first ${maxArtifacts}, by name.`,
      'artifacts',
    );
  }

  return pairs.length === 0 ? undefined : Object.fromEntries(pairs.slice(0, maxArtifacts));
}

const maxDigestsLength = 2000;

/** The readable digests of a text, in recorded form. */
function readDigests(text: string): string[] {
  const words = text.length > maxDigestsLength ? [] : text.split(/\s+/);
  return words.flatMap((word) => readDigest(word) ?? []);
}

/**
 * `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity:
 * options after a `?` do not concern the bytes).
 */
function readDigest(word: string): string | undefined {
  const hex = /^(?:(\w+):)?([\da-f]+)$/i.exec(word);
  const base64 = /^(\w+)-([A-Za-z0-9+/]+={0,2})(?:\?.*)?$/.exec(word);
  const [, statedAlgorithm, text = ''] = hex ?? base64 ?? [];
  const digits = base64 ? Buffer.from(text, 'base64').toString('hex') : text.toLowerCase();
  const [algorithm] =
    Object.entries(digestLengths).find(([, length]) => length === digits.length) ?? [];
  const isNamedSo = statedAlgorithm === undefined || statedAlgorithm.toLowerCase() === algorithm;
  return algorithm !== undefined && isNamedSo ? `${algorithm}:${digits}` : undefined;
}

/** A block of code between lines that begin with three backticks, or up to the end. */
const codeBlock = /^[ \t]*```[^]*?(?:\n[ \t]*```.*|$(?![^]))/gm;
/** A comment, a heading or a tag in HTML. */
const html = /<!--[^]*?(?:-->|$)|<h[1-6]\b[^<>]*>[^]*?<\/h[1-6]>|<[a-z/][^<>]*>/gi;
/** `# Changes`, or a line above `=====` or `-----` that is no list item or quotation. */
const heading =
  /^[ \t]*#{1,6}(?:[ \t].*)?$|^(?![ \t]*(?:[-*+>]|\d+\.)[ \t]).+\n[ \t]*(?:={3,}|-{3,})[ \t]*$/gm;
/** A line that only names a kind of note or the changelog, as GitHub writes it: `> [!NOTE]`, `**Full Changelog**: https://…`. */
const label = /^[ \t]*(?:>[ \t]*\[!\w+\]|\**(?:full )?changelog[:*]*[ \t]+https?:\S+)[ \t]*$/gim;
/** `![text](address)`, where the address may have pairs of parentheses. */
const image = /!\[[^[\]]*\]\((?:[^()]|\([^()]*\))*\)/g;
/** `[text](address)`. */
const link = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
/** An address, also behind the `in` of GitHub's lists, the marks of list items and quotations, and those of `code` and *emphasis*. */
const markup = /(?:\bin )?https?:\S+|^\s*(?:(?:[-*+>]|\d+\.)\s+)+|[*`]/g;

/**
 * The first words of release notes in Markdown or HTML, as plain text: of the first line with words that is no heading or label; else
 * empty. Images go before links, as a badge is an image in a link.
 */
function readFirstWords(notes: string): string {
  const text = cutStart(notes)
    .replaceAll('\r', '')
    .replaceAll(codeBlock, '')
    .replaceAll(html, ' ')
    .replaceAll(heading, '')
    .replaceAll(label, '');
  for (const line of text.split('\n')) {
    const words = line.replaceAll(image, '').replaceAll(link, '$1').replaceAll(markup, '');
    const firstWords = toLine(words, maxNotesLength);
    if (/\p{L}/u.test(firstWords)) {
      return firstWords;
    }
  }

  return '';
}
