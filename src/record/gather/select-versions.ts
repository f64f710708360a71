import {
  isPrereleaseForm,
  maxVersionLength,
  parseVersion,
  rankKey,
  type Version,
} from '../../core/model/version.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { createVersionFilter } from '../../decide/admission.ts';
import type { SkippedElement, SourceAnswer } from '../sources/datasource.ts';

/** The names that an answer lists, by the rules of the definition. */
export interface Selection {
  /** The version of each release of the answer, in its order; undefined for a release that a rule leaves out. */
  versions: readonly (string | undefined)[];
  /** Ranks of all versions listed. */
  ranks: ReadonlySet<string>;
  /** Tags of a container that are not versions, such as `latest`. */
  unordered: readonly string[];
  /** Names that cannot be versions. */
  skipped: readonly SkippedElement[];
  /** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
  whyNoneAdmitted: string | undefined;
}

/** What happens to a listed name: it is admitted, or one of these rules leaves it out. */
type Outcome =
  'admitted' | 'extractVersion' | 'allowedVersions' | 'prereleases' | 'the version order';

interface JudgedName {
  /** The listed name after `extractVersion`; empty if that does not match. */
  name: string;
  version: Version | undefined;
  outcome: Outcome;
}

/**
 * `extractVersion` and `allowedVersions` work as in Renovate (docs/usage/configuration-options.md): a name that `extractVersion`
 * does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  source: Source,
  { releases = [], alsoListed = [] }: SourceAnswer,
  acceptsPrereleases: boolean,
): Selection {
  const judgeName = createJudge(source, acceptsPrereleases);
  const judged = releases.map(({ name, isPrerelease }) => judgeName(name, isPrerelease));
  const judgedNames = [...alsoListed.map((name) => judgeName(name)), ...judged];

  const ranks = new Set<string>();
  const unordered: string[] = [];
  const skipped: SkippedElement[] = [];
  for (const { name, version, outcome } of judgedNames) {
    if (version) {
      ranks.add(rankKey(version));
    }
    if (outcome !== 'the version order') {
      continue;
    }

    if (source.datasource === 'docker' && name.length <= maxVersionLength) {
      unordered.push(name);
    } else {
      skipped.push(describeUnordered(name));
    }
  }

  return {
    versions: judged.map(({ name, outcome }) => (outcome === 'admitted' ? name : undefined)),
    ranks,
    unordered,
    skipped,
    whyNoneAdmitted: explainNoneAdmitted(judgedNames),
  };
}

/** A function that judges a listed name. `isPrerelease`: upstream's statement, if any. */
function createJudge({ extractVersion, allowedVersions }: Source, acceptsPrereleases: boolean) {
  const expression = extractVersion === undefined ? undefined : compileExpression(extractVersion);
  const isAllowed = createVersionFilter(allowedVersions);

  return (listedName: string, isPrerelease?: boolean): JudgedName => {
    const isReadable = expression && listedName.length <= maxVersionLength;
    const name = isReadable ? (expression.match(listedName)?.['version'] ?? '') : listedName;
    const version = parseVersion(name);
    if (name === '') {
      return { name, version, outcome: 'extractVersion' };
    }
    if (name.length <= maxVersionLength && !isAllowed(name)) {
      return { name, version, outcome: 'allowedVersions' };
    }
    if (!version) {
      return { name, version, outcome: 'the version order' };
    }

    const isLeftOut = !acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name));
    return { name, version, outcome: isLeftOut ? 'prereleases' : 'admitted' };
  };
}

function describeUnordered(name: string): SkippedElement {
  if (name.length <= maxVersionLength) {
    const message = `${quote(name)} has no place in the version order. Left out.`;
    return { message, kind: 'no version' };
  }

  const limit = `a version has at most ${maxVersionLength}`;
  const message = `${quote(name)} has ${name.length} characters; ${limit}. Left out.`;
  return { message, kind: 'too long' };
}

function explainNoneAdmitted(judgedNames: readonly JudgedName[]): string | undefined {
  const byOutcome = Map.groupBy(judgedNames, ({ outcome }) => outcome);
  if (judgedNames.length === 0 || byOutcome.has('admitted')) {
    return undefined;
  }

  const rules = Array.from(byOutcome, ([rule, { length }]) => `${rule} leaves out ${length}`);
  const names = formatCount(judgedNames.length, 'name');
  return `lists ${names}, none of which the definition admits: ${rules.join(', ')}`;
}
