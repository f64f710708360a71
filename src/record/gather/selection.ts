import type { Report } from '../../core/schemas/finding.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { allowedVersions } from '../../decide/admission.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import { counted, quote } from '../../core/text/text.ts';
import { maxVersionLength, parseVersion, rankKey } from '../../core/model/version.ts';

/** Selects the listed versions that the definition admits. */
export interface Selection {
  /** Ranks of all versions listed. */
  readonly listed: Set<string>;
  /** Tags of a container that are not versions, such as `latest`. */
  readonly unordered: string[];
  offer(listed: string, isPrerelease?: boolean): string | undefined;
  /** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
  whyNoneAdmitted(): string | undefined;
}

/** A reason to leave a name out. */
type Rule = 'extractVersion' | 'allowedVersions' | 'prereleases' | 'the version order';

/**
 * `extractVersion` and `allowedVersions` work as in Renovate (docs/usage/configuration-options.md): a name that `extractVersion`
 * does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  source: Source,
  acceptsPrereleases: boolean,
  report: Report,
): Selection {
  const extract =
    source.extractVersion === undefined ? undefined : compileExpression(source.extractVersion);
  const isAllowed = allowedVersions(source.allowedVersions);
  const listed = new Set<string>();
  const unordered: string[] = [];
  const leftOut = new Map<Rule, number>();
  let total = 0;

  /** The name without what `extractVersion` removes, or the rule that leaves it out. */
  const select = (text: string, isPrerelease: boolean | undefined): { name: string } | Rule => {
    if (text.length > maxVersionLength) {
      report(
        `${quote(text)} has ${text.length} characters; a version has at most ${maxVersionLength}. Left out.`,
        'too long',
      );

      return 'the version order';
    }

    const name = extract ? extract.match(text)?.['version'] : text;
    if (name === undefined || name === '') {
      return 'extractVersion';
    }

    const version = parseVersion(name);
    if (version) {
      listed.add(rankKey(version));
    }

    if (!isAllowed(name)) {
      return 'allowedVersions';
    }

    if (!version && source.datasource === 'docker') {
      unordered.push(name);
    } else if (!version) {
      report(`${quote(name)} has no place in the version order. Left out.`, 'no version');
    }

    if (!version) {
      return 'the version order';
    }

    const isLeftOut = !acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name));

    return isLeftOut ? 'prereleases' : { name };
  };

  return {
    listed,
    unordered,
    offer(text, isPrerelease) {
      const selected = select(text, isPrerelease);

      if (typeof selected === 'string') {
        leftOut.set(selected, (leftOut.get(selected) ?? 0) + 1);
        return undefined;
      }

      total += 1;

      return selected.name;
    },
    whyNoneAdmitted: () => (total > 0 ? undefined : whyNoneAdmitted(leftOut)),
  };
}

function whyNoneAdmitted(leftOut: ReadonlyMap<Rule, number>): string | undefined {
  if (leftOut.size === 0) {
    return undefined;
  }

  const rules = Array.from(leftOut, ([rule, count]) => `${rule} leaves out ${count}`).join(', ');
  const count = [...leftOut.values()].reduce((sum, each) => sum + each);

  return `lists ${counted(count, 'name')}, none of which the definition admits: ${rules}`;
}
