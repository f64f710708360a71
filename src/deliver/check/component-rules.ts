import { parseVersion, nameReleaseLine } from '../../core/model/version.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { resolveStops } from '../../core/model/upgrade-stops.ts';
import { createVersionTest } from '../../core/model/version-range.ts';
import { formatList } from '../../core/text/wording.ts';
import { listIds, listRanks } from '../../decide/advisories.ts';
import type { Component } from '../../decide/component.ts';
import type { JudgedRelease } from '../../decide/judge.ts';
import { createLineKey, listDatedLines, listOwnEnds } from '../../decide/lines.ts';
import { findUndatedSources } from '../../decide/undated-sources.ts';
import { definitionFile, recordedFile } from '../../io/files/root.ts';

/** Rules that a schema cannot express. */
export function checkComponent(component: Component): Finding[] {
  return [
    ...checkDefinition(component),
    ...checkLatest(component),
    ...checkSources(component),
    ...checkDigitGroups(component),
  ];
}

/** A definition must fit the releases in the index, if there are any. */
function checkDefinition(component: Component): Finding[] {
  if (component.judgement.releases.length === 0) {
    return [];
  }

  const messages = [
    ...checkSupport(component),
    ...checkDeprecated(component),
    ...checkRanges(component),
    ...checkAdvisories(component),
  ];
  const file = definitionFile(component.name);
  return messages.map((message) => fileProblem(file, message, 'warning'));
}

function checkSupport({ definition, judgement: { lines } }: Component): string[] {
  const messages: string[] = [];
  // The earliest possible days: an observed release may be older than the day it was seen.
  const firstDays = new Map(lines.map(({ name, began }) => [createLineKey(name), began.from]));
  for (const { line, until } of listStatedEnds(definition.support)) {
    const firstDay = firstDays.get(createLineKey(line));
    if (firstDay !== undefined && until !== undefined && until < firstDay) {
      messages.push(
        `support.lines["${line}"]: ${until} is before the line's first release (${firstDay})`,
      );
    }
  }
  return messages;
}

/** The last day that a policy states for each single line. */
function listStatedEnds(support: SupportPolicy = { policy: 'none' }) {
  return support.policy === 'dated'
    ? listDatedLines(support).map(({ line, phases }) => ({ line, until: phases.at(-1)?.until }))
    : listOwnEnds(support);
}

/** Whether no release is in a range. */
function isEmpty({ judgement: { releases } }: Component, range: string): boolean {
  const includes = createVersionTest(range);
  return !releases.some(({ version }) => includes(version));
}

function checkDeprecated(component: Component): string[] {
  const { definition, judgement } = component;
  const isInIndex = createVersionTest(judgement.releases.map(({ version }) => version));
  const messages: string[] = [];

  for (const [index, { versions }] of (definition.deprecated ?? []).entries()) {
    const path = `deprecated[${index}].versions`;
    if (typeof versions === 'string') {
      if (isEmpty(component, versions)) {
        messages.push(`${path}: "${versions}" includes no release in the index`);
      }
      continue;
    }

    for (const version of versions) {
      if (!parseVersion(version)) {
        messages.push(`${path}: "${version}" has no place in the version order`);
      } else if (!isInIndex(version)) {
        messages.push(`${path}: "${version}" is not in the index`);
      }
    }
  }
  return messages;
}

function checkRanges(component: Component): string[] {
  const { definition, judgement } = component;
  const { worksWith = {}, upgradeStops = [] } = definition;
  const messages: string[] = [];

  for (const [other, entries] of Object.entries(worksWith)) {
    for (const [index, { versions, recommended }] of entries.entries()) {
      const path = `worksWith.${other}[${index}]`;
      if (versions !== undefined && isEmpty(component, versions)) {
        messages.push(`${path}.versions: "${versions}" includes no release in the index`);
      }
      if (recommended !== undefined && isEmpty(component, `=${recommended}`)) {
        messages.push(`${path}.recommended: "${recommended}" is no release in the index`);
      }
    }
  }

  const resolved = resolveStops({ ...judgement, upgradeStops });
  const stopVersions = new Set(resolved.map(({ at }) => at.text));
  for (const [index, stop] of upgradeStops.entries()) {
    const version = typeof stop === 'string' ? stop : stop.at;
    if (!stopVersions.has(version)) {
      messages.push(`upgradeStops[${index}]: "${version}" has no stable release to stop at`);
    }
  }
  return messages;
}

function checkAdvisories({ definition, judgement }: Component): string[] {
  const { releases } = judgement;
  const messages: string[] = [];

  const mentionedIds = new Set(
    releases.flatMap((release) => [...release.advisories, ...release.fixes]).flatMap(listIds),
  );
  const ranks = listRanks(releases.map(({ version }) => version));

  for (const [index, { id, fixed = [] }] of (definition.advisories ?? []).entries()) {
    if (!mentionedIds.has(id)) {
      messages.push(`advisories: ${id}: affects and fixes no release in the index`);
    }
    for (const version of fixed) {
      if (listRanks([version]).isDisjointFrom(ranks)) {
        const path = `advisories[${index}].fixed`;
        messages.push(`${path}: ${id} is fixed in "${version}", which is not in the index`);
      }
    }
  }
  return messages;
}

/** With a minimum release age, Renovate never offers a release without a day. */
function checkLatest({ name, judgement: { latest } }: Component): Finding[] {
  if (!latest || latest.releaseDay !== undefined) {
    return [];
  }

  const message = `${latest.version}: the latest version has no day, so Renovate never offers it to users with a minimum release age. The next run that finds it listed records a day; otherwise write a releaseTimestamp.`;
  return [fileProblem(recordedFile(name), message, 'warning')];
}

/** Without days, no end of a policy that counts months can be computed. */
function checkSources({
  name,
  definition: { support },
  judgement: { releases },
}: Component): Finding[] {
  const level = (support?.policy ?? 'none') === 'none' ? 'notice' : 'warning';
  return findUndatedSources(
    releases.map(({ recorded }) => recorded),
    support,
  ).map(({ message }) => fileProblem(definitionFile(name), message, level));
}

/** Finds paths of documentation (2.2) among releases (2.2.0), by the first version of each release line. */
function checkDigitGroups({ name, judgement: { releases, latest } }: Component): Finding[] {
  const firsts = listFirstReleases(releases);
  const misfits = firsts.filter((first, index) =>
    isMisfit(first, { before: firsts[index - 1], after: firsts[index + 1], latest }),
  );
  if (misfits.length === 0) {
    return [];
  }

  const versions = misfits.map(({ version }) => version);
  const message = `${formatList(versions, 5)}: differs from the neighbouring release lines in the number of digit groups. A path of documentation is not a release: remove versions that were never released`;
  return [fileProblem(recordedFile(name), message, 'notice')];
}

/** The first release of each line. If a line's first recorded version is a patch, it does not show the scheme. */
function listFirstReleases(releases: readonly JudgedRelease[]) {
  const stable = releases.filter(({ isPrerelease }) => !isPrerelease);
  const lines = Map.groupBy(stable, ({ parsed }) => nameReleaseLine(parsed, 2)).values();
  return Array.from(lines, ([first]) => first).filter(({ parsed }) =>
    parsed.groups.slice(2).every((group) => group === 0),
  );
}

/**
 * Whether the digit groups of a line differ in number from both neighbours and the latest version. The oldest line has no former
 * neighbour, and the newest may have more groups, since schemes gain groups.
 */
function isMisfit(
  first: JudgedRelease,
  { before, after, latest }: Record<'before' | 'after' | 'latest', JudgedRelease | undefined>,
): boolean {
  const count = first.parsed.groups.length;
  if (!before) {
    return false;
  }
  if (!after) {
    return count < before.parsed.groups.length;
  }

  return [before, after, latest].every((other) => other?.parsed.groups.length !== count);
}
