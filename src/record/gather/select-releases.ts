import { cutDay } from '../../core/model/dates.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import { maxVersionLength, parseVersion, rankKey, type Version } from '../../core/model/version.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { createVersionFilter } from '../../decide/releases.ts';
import { findEarliest, parseTimestamp } from '../../core/model/timestamps.ts';
import type { ListedRelease, SkippedElement, SourceAnswer } from '../sources/datasource.ts';

/**
 * Selects the releases that a definition admits by `extractVersion` and `allowedVersions`, which have the forms of Renovate
 * (docs/usage/configuration-options.md). A name that `extractVersion` does not match holds no version.
 */
export function selectReleases(
  source: Source,
  { releases = [], alsoListed = [], hasTags, hasParts }: SourceAnswer,
  acceptsPrereleases: boolean,
) {
  const judgeName = createJudge(source, acceptsPrereleases);
  const judgedReleases = releases.map((element) => ({ ...judgeName(element), element }));
  const judged = [...alsoListed.map(judgeName), ...judgedReleases];
  const admitted = judgedReleases.filter(({ outcome }) => outcome === 'admitted');
  const ranks = new Set<string>();
  const unordered: string[] = [];
  const skipped: SkippedElement[] = [];
  for (const { name, parsed, outcome } of judged) {
    if (parsed) {
      ranks.add(rankKey(parsed));
    }
    if (outcome !== 'unordered') {
      continue;
    }

    if (hasTags && name.length <= maxVersionLength) {
      unordered.push(name);
    } else {
      const message = `${quote(name)} has no place in the version order. Left out.`;
      skipped.push({ message, kind: 'no version' });
    }
  }

  const { elements, contradictions } = uniteByVersion(admitted, hasParts);

  return {
    elements,
    /** The ranks of all listed versions, also of those that the definition does not admit. */
    ranks,
    /** Tags of a container that are not versions, such as `latest`. */
    unordered,
    /** Names that cannot be versions, and days that contradict each other. */
    skipped: [...skipped, ...contradictions],
    whyNoneAdmitted: explainNoneAdmitted(judged),
  };
}

/** The result for a listed name: admitted, or the rule that leaves it out. */
type Outcome = 'admitted' | 'extractVersion' | 'allowedVersions' | 'prereleases' | 'unordered';

interface JudgedName {
  /** The listed name after `extractVersion`; empty if that does not match. */
  name: string;
  /** Undefined if the name has no place in the version order. */
  parsed: Version | undefined;
  outcome: Outcome;
}

/** A function that judges the name of a listed element. */
function createJudge({ extractVersion, allowedVersions }: Source, acceptsPrereleases: boolean) {
  const expression = extractVersion === undefined ? undefined : compileExpression(extractVersion);
  const isAllowed = createVersionFilter(allowedVersions);

  return ({ name: listedName, isRecorded, isPrerelease }: ListedRelease): JudgedName => {
    // A name that is too long for a version is taken as it is.
    const usesExpression = expression && !isRecorded && listedName.length <= maxVersionLength;
    const name = usesExpression ? (expression.match(listedName)?.['version'] ?? '') : listedName;
    const parsed = parseVersion(name);
    if (name === '') {
      return { name, parsed, outcome: 'extractVersion' };
    }
    if (name.length <= maxVersionLength && !isAllowed(name)) {
      return { name, parsed, outcome: 'allowedVersions' };
    }
    if (!parsed) {
      return { name, parsed, outcome: 'unordered' };
    }

    const isLeftOut = !acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name));
    return { name, parsed, outcome: isLeftOut ? 'prereleases' : 'admitted' };
  };
}

/** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
function explainNoneAdmitted(judged: readonly JudgedName[]): string | undefined {
  const byOutcome = Map.groupBy(judged, ({ outcome }) => outcome);
  if (judged.length === 0 || byOutcome.has('admitted')) {
    return undefined;
  }

  const rules = Array.from(byOutcome, ([outcome, { length }]) => {
    const rule = outcome === 'unordered' ? 'the version order' : outcome;
    return `${rule} leaves out ${length}`;
  });
  const names = formatCount(judged.length, 'name');
  return `lists ${names}, none of which the definition admits: ${rules.join(', ')}`;
}

interface AdmittedElement extends Pick<JudgedName, 'name'> {
  element: ListedRelease;
}

/** One element for each version: with `hasParts` all its parts together, else the first, with the first day that can be read. */
export function uniteByVersion(admitted: readonly AdmittedElement[], hasParts = false) {
  const elements = new Map<string, ListedRelease>();
  const contradictions: SkippedElement[] = [];

  for (const [version, parts] of Map.groupBy(admitted, ({ name }) => name)) {
    if (hasParts) {
      elements.set(version, uniteParts(parts));
      continue;
    }

    const [{ element }] = parts;
    const timestamps = parts.flatMap((part) => part.element.releaseTimestamp ?? []);
    const readable = timestamps.find(parseTimestamp);
    elements.set(version, { ...element, releaseTimestamp: readable ?? timestamps[0] });

    const days = [...new Set(timestamps.map(describeDay))];
    if (readable !== undefined && days.length > 1) {
      const message = `${quote(version)} is listed with the days ${formatList(days, 5)}. Used ${describeDay(readable)}.`;
      contradictions.push({ message, kind: 'several days' });
    }
  }

  return { elements, contradictions };
}

function describeDay(text: string): string {
  const timestamp = parseTimestamp(text);
  return timestamp === undefined ? quote(text) : cutDay(timestamp);
}

/** A release came out with its earliest part, and is deprecated if all its parts are deprecated. */
function uniteParts(admitted: readonly [AdmittedElement, ...AdmittedElement[]]): ListedRelease {
  const [{ element: first }] = admitted;
  const parts = admitted.map(({ element }) => element);
  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    changelogUrl: parts.find(({ changelogUrl }) => changelogUrl !== undefined)?.changelogUrl,
    deprecated: isDeprecated ? first.deprecated : undefined,
    digests: uniteDigests(parts),
  };
}

/** The digests of all parts. Parts may state one artifact: the texts are joined, and contradictions among them are found later. */
function uniteDigests(parts: readonly ListedRelease[]): ListedRelease['digests'] {
  const entries = parts.flatMap(({ digests = {} }) => Object.entries(digests));
  const texts = Map.groupBy(entries, ([artifact]) => artifact);
  if (texts.size === 0) {
    return undefined;
  }

  return Object.fromEntries(
    Array.from(texts, ([artifact, pairs]) => [artifact, pairs.map(([, text]) => text).join(' ')]),
  );
}
