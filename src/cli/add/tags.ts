/** Finds the text that stands before the versions in the tags of a repository, such as `core-v` in `core-v1.2.0`. */
import { InputError, inputError } from '../../core/errors.ts';
import { escapePattern, formatCount, formatNumber, quoteWord } from '../../core/text.ts';
import { parseVersion } from '../../core/version.ts';

/** A text that stands before the versions of some tags. It is empty for tags such as `1.2` and `v1.2`. */
interface Prefix {
  text: string;
  count: number;
}

/** What an error names. */
interface Place {
  repository: string;
  /** The command that adds the repository, without `--tags`. */
  command: string;
}

/** The greatest number of prefixes that an error lists. */
const maxPrefixes = 10;

/**
 * Chooses the prefix of the tags to read. Without `--tags`, this is the prefix of at least nine in ten tags that contain a version. It is
 * empty if at least one in ten is a version without a prefix. Throws an `InputError` if no prefix fits, or if a person has to choose.
 * - `wanted`: the value of `--tags`
 */
export function choosePrefix(tags: readonly string[], place: Place, wanted?: string): Prefix {
  const prefixes = listPrefixes(tags);
  const total = prefixes.reduce((sum, { count }) => sum + count, 0);
  if (wanted !== undefined) {
    const count = tags.filter((tag) => hasPrefix(tag, wanted)).length;
    if (count === 0) {
      throw rejectTags(place, `no tag consists of "${wanted}" and a version`, tags, prefixes);
    }
    return { text: wanted, count };
  }

  const [first] = prefixes;
  if (first === undefined) {
    throw rejectTags(place, 'no tag ends with a version', tags, prefixes);
  }
  if (first.count >= total * 0.9) {
    return first;
  }
  const bare = prefixes.find(({ text }) => text === '');
  if (bare && bare.count >= total * 0.1) {
    return bare;
  }
  throw rejectTags(place, 'its versions have several prefixes', tags, prefixes);
}

/** Returns `extractVersion` for a prefix. Undefined for the empty prefix, because a version needs no pattern then. */
export function writeTagPattern(prefix: string): string | undefined {
  return prefix === '' ? undefined : `^${escapePattern(prefix)}(?<version>.+)$`;
}

function hasPrefix(tag: string, prefix: string): boolean {
  return tag.startsWith(prefix) && parseVersion(tag.slice(prefix.length)) !== undefined;
}

/** Lists the prefixes of tags, the most frequent first. */
function listPrefixes(tags: readonly string[]): Prefix[] {
  const split = tags.flatMap((tag) => splitTag(tag) ?? []);
  const groups = Map.groupBy(split, ({ stem }) => stem);
  return Array.from(groups, ([stem, group]) => {
    // If only some tags have a `v`, the prefix ends before it. A version may begin with a `v`.
    const mark = group.every((tag) => tag.mark === group[0]!.mark) ? group[0]!.mark : '';
    return { text: stem === '' ? '' : stem + mark, count: group.length };
  }).sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}

/** Splits a tag: `core-v1.2.0` → `core-`, `v`. Undefined if the tag does not end with a version. */
function splitTag(tag: string): { stem: string; mark: string } | undefined {
  if (parseVersion(tag)) {
    return { stem: '', mark: '' };
  }

  const starts = Array.from(tag.slice(0, 200).matchAll(/(?<!\d|\d[._])\d/g), ({ index }) => index);
  // In `REL_17_2`, a version such as 17_2 would be compared in the wrong order.
  const fitting = starts.filter((start) => {
    const rest = tag.slice(start);
    return parseVersion(rest) && !/^\d+_\d/.test(rest);
  });
  // The prefix may contain digits: `log4j-2.17`, `s3-client-v5`. It may be a letter: `b4567`.
  const start =
    fitting.find((index) => /^\d+\.\d/.test(tag.slice(index))) ??
    fitting.find((index) => /[^a-z\d]v?$/i.test(tag.slice(0, index))) ??
    (/^[a-z]+\d+$/i.test(tag) ? fitting[0] : undefined);
  if (start === undefined) {
    return undefined;
  }
  const [, stem = '', mark = ''] = /^(.*?)((?<![a-z])v)?$/is.exec(tag.slice(0, start)) ?? [];
  return { stem, mark };
}

/** Returns an error that names three tags, or has a command for each prefix. */
function rejectTags(
  { repository, command }: Place,
  problem: string,
  tags: readonly string[],
  prefixes: readonly Prefix[],
): InputError {
  if (prefixes.length === 0) {
    const some = tags.slice(0, 3).join(', ');
    return inputError(
      repository,
      `${problem}, for example ${some}. Nothing was written. If a part of each tag is a version, write a source with extractVersion into components/<name>.json`,
    );
  }

  const others = prefixes.length - maxPrefixes;
  const more = others > 0 ? ` ${formatNumber(others)} more prefixes are rarer.` : '';
  const commands = prefixes.slice(0, maxPrefixes).map(({ text, count }) => ({
    subject: text === '' ? 'no prefix' : text,
    message: `${formatCount(count, 'tag')}. ${command} --tags ${quoteWord(text)}`,
  }));
  return new InputError([
    {
      subject: repository,
      message: `${problem}, so choose a prefix.${more} Nothing was written`,
    },
    ...commands,
  ]);
}
