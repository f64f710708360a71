import {
  isPrereleaseForm,
  maxVersionLength,
  parseVersion,
  rankKey,
  type Version,
} from '../../core/model/version.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { Report } from '../../core/schemas/finding.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { createVersionFilter } from '../../decide/admission.ts';

/** Selects the listed versions that the definition admits. */
export interface Selection {
  /** Ranks of all versions listed. */
  ranks: ReadonlySet<string>;
  /** Tags of a container that are not versions, such as `latest`. */
  unordered: readonly string[];
  /** The name without what `extractVersion` removes; undefined if a rule leaves it out. */
  offer(name: string, isPrerelease?: boolean): string | undefined;
  /** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
  whyNoneAdmitted(): string | undefined;
}

/** What happens to a listed name: it is admitted, or one of these rules leaves it out. */
type Outcome =
  'admitted' | 'extractVersion' | 'allowedVersions' | 'prereleases' | 'the version order';

/**
 * `extractVersion` and `allowedVersions` work as in Renovate (docs/usage/configuration-options.md): a name that `extractVersion`
 * does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  { datasource, extractVersion, allowedVersions }: Source,
  { acceptsPrereleases, report }: { acceptsPrereleases: boolean; report: Report },
): Selection {
  const expression = extractVersion === undefined ? undefined : compileExpression(extractVersion);
  const isAllowed = createVersionFilter(allowedVersions);
  const ranks = new Set<string>();
  const unordered: string[] = [];
  const counts = new Map<Outcome, number>();

  /** The name after `extractVersion`; empty if that does not match. */
  function readName(listedName: string): string {
    const isReadable = expression && listedName.length <= maxVersionLength;
    return isReadable ? (expression.match(listedName)?.['version'] ?? '') : listedName;
  }

  function judgeName(name: string, version?: Version, isPrerelease?: boolean): Outcome {
    if (name === '') {
      return 'extractVersion';
    }
    if (name.length <= maxVersionLength && !isAllowed(name)) {
      return 'allowedVersions';
    }
    if (!version) {
      return 'the version order';
    }

    const isLeftOut = !acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name));
    return isLeftOut ? 'prereleases' : 'admitted';
  }

  function offer(listedName: string, isPrerelease?: boolean): string | undefined {
    const name = readName(listedName);
    const version = parseVersion(name);
    const outcome = judgeName(name, version, isPrerelease);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (version) {
      ranks.add(rankKey(version));
    }

    if (name.length > maxVersionLength) {
      report(
        `${quote(name)} has ${name.length} characters; a version has at most ${maxVersionLength}. Left out.`,
        'too long',
      );
    } else if (outcome === 'the version order' && datasource === 'docker') {
      unordered.push(name);
    } else if (outcome === 'the version order') {
      report(`${quote(name)} has no place in the version order. Left out.`, 'no version');
    }

    return outcome === 'admitted' ? name : undefined;
  }

  return { ranks, unordered, offer, whyNoneAdmitted: () => explainNoneAdmitted(counts) };
}

function explainNoneAdmitted(counts: ReadonlyMap<Outcome, number>): string | undefined {
  if (counts.size === 0 || counts.has('admitted')) {
    return undefined;
  }

  const rules = Array.from(counts, ([rule, count]) => `${rule} leaves out ${count}`).join(', ');
  const total = [...counts.values()].reduce((sum, count) => sum + count);
  return `lists ${formatCount(total, 'name')}, none of which the definition admits: ${rules}`;
}
