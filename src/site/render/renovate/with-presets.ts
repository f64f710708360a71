import { escapeForExpression } from '../../../core/text/expression.ts';
import type { Version } from '../../../core/model/version.ts';
import { partnersOf } from '../../../core/model/pair-answers.ts';
import { judgePartner, type Partner, type Partners } from '../../../decide/partners.ts';
import { listed } from '../../../core/text/text.ts';
import { toMarkdown } from './pin-notes.ts';
import { datasourceOf, renovateSchema } from './preset.ts';
import type { SiteContext, SiteFile } from '../site-context.ts';

type PresetSite = Pick<SiteContext, 'config' | 'baseUrl'>;

/** `renovate/with/<component>-<line>.json`: for each line, not yet over, with which a release of another component conflicts. */
export function renderWithPresets(site: PresetSite, partners: Partners): SiteFile[] {
  const files: SiteFile[] = [];

  for (const partner of partners.values()) {
    const others = partnersOf(partner)
      .map((name) => partners.get(name))
      .filter((value) => value !== undefined);
    const judged = others.map((other) => ({ other, pairs: judgePartner(partner, other) }));

    for (const line of partner.lines.filter(({ isOpen }) => isOpen)) {
      const latest = line.releases.at(-1)!;
      const conflicts = judged
        .map(({ other, pairs }) => ({ other, releases: pairs.conflictsWith(latest) }))
        .filter(({ releases }) => releases.length > 0);

      if (conflicts.some(isOffered)) {
        const rules = conflicts.map(({ other, releases }) =>
          ruleOf(site, partner, line.name, other, releases),
        );
        files.push(presetOf(partner, line.name, rules));
      }
    }
  }

  return files;
}

/** Whether a conflicting release is of a line that is not over: others are no longer offered anyway. */
function isOffered({ other, releases }: { other: Partner; releases: readonly Version[] }): boolean {
  const open = other.lines.filter(({ isOpen }) => isOpen).flatMap((line) => line.releases);
  return releases.some((release) => open.includes(release));
}

function presetOf({ component, title }: Partner, line: string, packageRules: object[]): SiteFile {
  const preset = {
    $schema: renovateSchema,
    description: [`Offers no release that is stated not to work with ${title} ${line}.`],
    packageRules,
  };

  return {
    path: `renovate/with/${component}-${line}.json`,
    body: `${JSON.stringify(preset, undefined, 2)}\n`,
  };
}

/** Keeps out the releases that conflict, and no others: neither later ones nor those of which nothing is stated. Says so in pull requests. */
function ruleOf(
  site: PresetSite,
  partner: Partner,
  line: string,
  other: Partner,
  conflicts: readonly Version[],
): object {
  const { component, renamedFrom } = other;
  const versions = conflicts.map(({ text }) => escapeForExpression(text.replace(/^v/i, '')));
  const conditions = {
    matchDatasources: [datasourceOf(site)],
    matchPackageNames: [component, ...renamedFrom],
  };

  const rule = { ...conditions, allowedVersions: `!/^v?(?:${versions.join('|')})$/` };
  const newest = newerThanAllowed(other, conflicts);
  if (newest.length === 0) {
    return rule;
  }

  const names = listed(
    newest.map(({ text }) => text),
    3,
  );
  const prBodyNotes = [
    `**[${component}](${site.baseUrl}/${component}.html)**: left out, as stated not to work with ${toMarkdown(partner.title)} ${line}: ${names}.`,
  ];

  return { ...rule, prBodyNotes };
}

/** The conflicting releases that would otherwise be proposed: those above all others, newest first. */
function newerThanAllowed(other: Partner, conflicts: readonly Version[]): Version[] {
  const releases = other.lines.flatMap((each) => each.releases);
  const lastAllowed = releases.findLastIndex((release) => !conflicts.includes(release));

  return releases.slice(lastAllowed + 1).toReversed();
}
