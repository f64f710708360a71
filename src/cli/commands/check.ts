import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { findLatestDay, toDay, type Day } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { listPlaceholders } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { formatCount } from '../../core/text/wording.ts';
import { checkBuiltSite } from '../../deliver/check/built-site.ts';
import { checkComponent } from '../../deliver/check/component-rules.ts';
import {
  checkJournals,
  findFutureLines,
  findImpossibleDays,
  findLostData,
  findStrayData,
} from '../../deliver/check/recorded-rules.ts';
import { readDecisions, readHeld } from '../../io/files/recorded-files.ts';
import { accessFile } from '../../io/files/settings-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { readDefinitions } from '../../record/read-definition.ts';
import { checkComponentNames } from '../../site/component-names.ts';
import { loadComponent } from '../../site/load-component.ts';
import { readSettingFiles } from '../../site/site-settings.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { findVersionMismatch } from '../starter/written-files.ts';

export const command: Command = {
  options: shared('root', 'out', 'as-of'),
  details: [
    'Prints every problem, one per line. Exits with 1 if there is an error. Changes nothing.',
  ],
  examples: [['check', 'before you commit']],
  checksRepository: true,
  async run(invocation) {
    const { day, report } = invocation;
    const { findings, counts, summary } = await checkIndex(invocation);
    report.finding(...findings);
    report.print(`check: ${summary}.`);
    report.document({ verb: 'check', asOf: day, ...counts, findings });
    return counts.errors > 0 ? 1 : 0;
  },
};

/** Runs all checks. */
export async function checkIndex({ root, out, day }: Invocation) {
  const { names, findings: folderFindings } = listComponents(root);
  const definitions = readDefinitions(root, names);

  // Recorded days may be as late as today, even with --as-of in the past.
  const today = findLatestDay(day, toDay(new Date()));
  const findings = [
    ...folderFindings,
    ...checkVersion(root),
    ...readHeld(root).findings,
    ...readDecisions(root).findings,
    ...checkComponentNames(definitions),
    ...checkSettings(root, day),
    ...findStrayData(root, names),
    ...checkComponents(root, definitions, day, today),
    ...names.flatMap((name) => findLostData(root, name)),
    ...findFutureLines(root, today),
    ...checkJournals(root, names, day),
    ...(await checkSite(root, out)),
  ];
  const count = (level: Finding['level']) =>
    findings.filter((finding) => finding.level === level).length;
  const counts = { components: names.length, errors: count('error'), warnings: count('warning') };
  const problems = `${formatCount(counts.errors, 'error')}, ${formatCount(counts.warnings, 'warning')}`;
  const summary = `${formatCount(names.length, 'component')}, ${problems}`;
  return { findings, counts, summary };
}

/** The findings about each component. */
function checkComponents(
  root: Root,
  definitions: ReturnType<typeof readDefinitions>,
  day: Day,
  today: Day,
): Finding[] {
  const findings: Finding[] = [];
  for (const [name, definition] of definitions) {
    const loaded = loadComponent(root, name, day, { definition });
    findings.push(...loaded.findings);
    if (loaded.component) {
      findings.push(...checkComponent(loaded.component));
    }

    findings.push(...findImpossibleDays(root, name, today));
  }

  return findings;
}

function checkVersion({ dir }: Root): Finding[] {
  const mismatch = findVersionMismatch(dir);
  if (!mismatch) {
    return [];
  }

  const message = `${mismatch.message}. Run: ${mismatch.remedy}`;
  return [fileProblem('.release-index/version', message, 'warning')];
}

/** The findings about the built site, if there is one. */
async function checkSite(root: Root, out: string): Promise<Finding[]> {
  if (!existsSync(out)) {
    return [];
  }

  const findings = await checkBuiltSite(root, out);
  return findings.map((finding) => {
    return { ...finding, subject: relative(root.dir, resolve(out, finding.subject)) };
  });
}

/** The problems of the files that a person edits besides definitions, and the problems between these files. */
function checkSettings(root: Root, day: Day): Finding[] {
  const { config, access, findings } = readSettingFiles(root, day);
  // A warning: a new index with placeholders can be built and viewed. `publish` rejects it.
  for (const message of config ? listPlaceholders(config) : []) {
    findings.push(fileProblem('site/site.json', message, 'warning'));
  }

  return access ? [...findings, ...warnOfIssuers(access)] : findings;
}

/** Warns of settings of issuers that let strangers in. */
function warnOfIssuers({ users, externalOauth: { issuers } }: AccessConfig): Finding[] {
  const messages: string[] = [];
  // A user without an issuer may then come from any of them.
  const isAnyIssuerAccepted = issuers.length > 1 && users.some((user) => user.issuer === undefined);

  for (const issuer of issuers) {
    const { uri, claimMapping, requireEmailVerified, restrictByDomain } = issuer;
    // Users of a domain are matched by their address, whatever claimMapping is. People may choose any address of the domain.
    const hasDomainUser = users.some((user) => user.domain && (user.issuer ?? uri) === uri);
    // Other users are matched by their address under "email". An issuer is trusted with the addresses of its own domains.
    const isTrusted = restrictByDomain && !isAnyIssuerAccepted;
    const isOpen = hasDomainUser || (claimMapping === 'email' && !isTrusted);

    if (!requireEmailVerified && isOpen) {
      const remedy =
        restrictByDomain && !hasDomainUser ? ', or name the "issuer" of each user' : '';
      messages.push(
        `${uri} may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it${remedy}`,
      );
    }

    // A service that was shown a token can read the index with it.
    if (issuer.restrictByJwtAudience === false) {
      messages.push(
        `${uri}: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index`,
      );
    }
  }
  return messages.map((message) => fileProblem(accessFile, message, 'warning'));
}
