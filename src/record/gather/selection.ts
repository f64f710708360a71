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
  let taken = 0;
  const leaveOut = (rule: Rule) => void leftOut.set(rule, (leftOut.get(rule) ?? 0) + 1);

  return {
    listed,
    unordered,
    offer(text, isPrerelease) {
      if (text.length > maxVersionLength) {
        report(
          `${quote(text)} has ${text.length} characters; a version has at most ${maxVersionLength}. Left out.`,
          'too long',
        );

        return leaveOut('the version order');
      }

      const name = extract ? extract.match(text)?.['version'] : text;
      if (name === undefined || name === '') {
        return leaveOut('extractVersion');
      }

      const version = parseVersion(name);
      if (version) {
        listed.add(rankKey(version));
      }

      if (!isAllowed(name)) {
        return leaveOut('allowedVersions');
      }

      if (!version) {
        if (source.datasource === 'docker') {
          unordered.push(name);
        } else {
          report(`${quote(name)} has no place in the version order. Left out.`, 'no version');
        }

        return leaveOut('the version order');
      }

      if (!acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name))) {
        return leaveOut('prereleases');
      }

      taken += 1;

      return name;
    },
    whyNoneAdmitted() {
      if (taken > 0 || leftOut.size === 0) {
        return undefined;
      }

      const rules = Array.from(leftOut, ([rule, count]) => `${rule} leaves out ${count}`).join(
        ', ',
      );
      const count = [...leftOut.values()].reduce((sum, each) => sum + each);

      return `lists ${counted(count, 'name')}, none of which the definition admits: ${rules}`;
    },
  };
}
