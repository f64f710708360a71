import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { findLatestDay, toDay } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { listPlaceholders, type SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { checkBuiltSite } from '../../deliver/check/built-site.ts';
import { checkComponent } from '../../deliver/check/component-rules.ts';
import {
  checkJournals,
  findFutureDays,
  findFutureLines,
} from '../../deliver/check/recorded-rules.ts';
import { rejectHiddenFiles } from '../../io/files/hidden-files.ts';
import { readDecisions, readHeld } from '../../io/files/journal-files.ts';
import { accessFile, readAccessConfig, readPolicies, readSiteConfig } from '../../io/files/read.ts';
import { freshnessPath, listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { readDefinitions } from '../../record/read-definition.ts';
import { checkHost } from '../../site/build-site.ts';
import { checkComponentNames } from '../../site/component-names.ts';
import { loadComponent } from '../../site/load-component.ts';
import { checkTheme } from '../../site/theme.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { findTwoVersions } from '../starter.ts';

const optionTable = shared('root', 'out', 'as-of');
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: ['Prints every problem, one per line. Exits with 1 if there is any. Changes nothing.'],
  examples: [['check', 'before you commit']],
  run,
};

async function run(invocation: Invocation<Options>): Promise<number> {
  const { day, report } = invocation;
  const { findings, counts, summary, heirs } = await checkIndex(invocation);
  report.finding(...findings);
  const keys = Array.from(heirs, ([key, count]) => `${key} by ${formatCount(count, 'component')}`);
  if (keys.length > 0) {
    report.print(`check: inherited from site/site.json: ${keys.join(', ')}.`);
  }

  report.print(`check: ${summary}.`);
  report.document({ verb: 'check', asOf: day, ...counts, findings });
  return counts.errors > 0 ? 1 : 0;
}

/** Runs all checks. `heirs`: the number of components that inherit each key of `defaults`. */
export async function checkIndex(invocation: Invocation) {
  const { root, env, out, day } = invocation;
  rejectHiddenFiles(root, env);
  const { names, findings } = listComponents(root);
  const definitions = readDefinitions(root, names);
  const versions = findTwoVersions(root.dir);
  if (versions) {
    const { message, remedy } = versions;
    findings.push(fileProblem('.release-index/version', `${message}. Run: ${remedy}`, 'warning'));
  }

  findings.push(...readHeld(root).findings, ...readDecisions(root).findings);

  const config = readSiteConfig(root);
  const access = readAccessConfig(root);
  findings.push(...config.findings);
  if (config.value) {
    findings.push(...checkTheme(root, config.value), ...findUnknownAddresses(config.value));
  }

  findings.push(
    ...checkComponentNames(definitions),
    ...readPolicies(root, day).findings,
    ...access.findings,
    ...checkHost(config.value, access.value),
  );

  if (access.value) {
    findings.push(...findUncertainAddresses(access.value), ...findAnyAudience(access.value));
  }
  if (access.value && config.value) {
    findings.push(...findForeignAudiences(access.value, config.value));
  }

  findings.push(...findStrayData(root, names));

  // Recorded days may be as late as today, even with --as-of in the past.
  const today = findLatestDay(day, toDay(new Date()));
  const heirs = new Map<string, number>();

  for (const name of names) {
    const result = loadComponent(root, name, day, { definition: definitions.get(name) });
    findings.push(...result.findings, ...findLostData(root, name));
    for (const key of result.component?.inherited ?? []) {
      heirs.set(key, (heirs.get(key) ?? 0) + 1);
    }
    if (result.component) {
      findings.push(...checkComponent(result.component));
    }

    findings.push(...findFutureDays(root, name, today));
  }

  findings.push(...findFutureLines(root, today), ...checkJournals(root, names, day));

  if (existsSync(out)) {
    const folder = relative(root.dir, out);
    const siteFindings = await checkBuiltSite(root, out);
    findings.push(
      ...siteFindings.map((finding) => ({ ...finding, subject: join(folder, finding.subject) })),
    );
  }

  const count = (level: Finding['level']) =>
    findings.filter((finding) => finding.level === level).length;
  const counts = { components: names.length, errors: count('error'), warnings: count('warning') };
  const { components, errors, warnings } = counts;
  const summary = `${formatCount(components, 'component')}, ${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`;
  return { findings, counts, summary, heirs };
}

/** A warning: a new index with placeholders can be built and viewed. `publish` rejects it. */
function findUnknownAddresses(config: SiteConfig): Finding[] {
  return listPlaceholders(config).map((message) =>
    fileProblem('site/site.json', message, 'warning'),
  );
}

/** Some issuers let people choose their address, and could then authenticate them as any user. */
function findUncertainAddresses({ users, externalOauth: { issuers } }: AccessConfig): Finding[] {
  const isShared = issuers.length > 1 && users.some(({ issuer }) => issuer === undefined);
  const isOfDomain = users.some(({ domain }) => domain !== undefined);

  return issuers
    .map(({ uri, claimMapping, requireEmailVerified, restrictByDomain }) => {
      if (
        claimMapping !== 'email' ||
        requireEmailVerified ||
        (restrictByDomain && !isShared && !isOfDomain)
      ) {
        return undefined;
      }

      const message = `${uri} may let people choose an e-mail address of a user. Set "requireEmailVerified": true for it${restrictByDomain && !isOfDomain ? ', or name the "issuer" of each user' : ''}`;
      return fileProblem(accessFile, message, 'warning');
    })
    .filter((value) => value !== undefined);
}

/** Anybody with a token of such an issuer, for any service, can read the index with it. */
function findAnyAudience({ externalOauth }: AccessConfig): Finding[] {
  return externalOauth.issuers
    .filter(({ restrictByJwtAudience }) => restrictByJwtAudience === false)
    .map(({ uri }) => {
      const message = `${uri}: "restrictByJwtAudience": false accepts its tokens for any service, also from services that were shown one. Set allowedJwtAudiences, unless it serves only this index`;
      return fileProblem(accessFile, message, 'warning');
    });
}

/** Clients request a token for the address that the index states, which becomes its audience (RFC 8707). */
function findForeignAudiences(
  { externalOauth }: AccessConfig,
  { releasesUrl }: SiteConfig,
): Finding[] {
  return externalOauth.issuers
    .map(({ uri, allowedJwtAudiences = [] }) => {
      // Some issuers use audiences that are not addresses.
      const isForeign = (audience: string) =>
        /^https?:/i.test(audience) &&
        audience !== releasesUrl &&
        !audience.startsWith(`${releasesUrl}/`);
      if (allowedJwtAudiences.length === 0 || !allowedJwtAudiences.every(isForeign)) {
        return undefined;
      }

      const message = `${uri}: none of allowedJwtAudiences is this index (${formatList(allowedJwtAudiences, 3)}), so every token for it is rejected. Clients ask for "${releasesUrl}/mcp"`;
      return fileProblem(accessFile, message, 'warning');
    })
    .filter((value) => value !== undefined);
}

/** Gathering writes data before freshness: freshness without data means that data was lost. */
function findLostData(root: Root, name: string): Finding[] {
  const file = `data/${name}.json`;
  if (!existsSync(freshnessPath(root, name)) || existsSync(recordedPath(root, name))) {
    return [];
  }

  const message = `is missing, although the component was gathered. Restore it: git restore ${file}. If it was removed on purpose: npx release-index gather ${name}`;
  return [fileProblem(file, message)];
}

/** Recorded data without a definition is not published. Usually, a component was renamed in one place only. */
function findStrayData(root: Root, names: readonly string[]): Finding[] {
  const existingNames = new Set(names);

  return ['data', 'data/freshness'].flatMap((folder) => {
    const dir = join(root.dir, folder);
    if (!existsSync(dir)) {
      return [];
    }

    return readdirSync(dir)
      .filter(
        (name) =>
          name.endsWith('.json') &&
          name !== 'held.json' &&
          !existingNames.has(basename(name, '.json')),
      )
      .map((name) =>
        fileProblem(
          `${folder}/${name}`,
          `there is no components/${name}. Was the component renamed?`,
        ),
      );
  });
}
