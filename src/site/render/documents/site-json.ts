import { listDistinct, pick } from '../../../core/model/objects.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { PublishedNamedPolicy } from '../../../core/schemas/published/small-files.ts';
import type { ComponentStatus } from '../../../core/schemas/published/status-file.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { listPackages } from '../../component-names.ts';
import type { SiteContext, SiteFile, SiteInput } from '../site-context.ts';

/** `index.json`. */
export function renderIndexFile(summaries: readonly Pick<ComponentSummary, 'name'>[]): string {
  return `${JSON.stringify(summaries.map(({ name }) => name))}\n`;
}

/** `policies.json`. */
export function renderPoliciesFile(policies: Iterable<PublishedNamedPolicy>): string {
  const entries = Array.from(policies, (policy) =>
    pick(policy, ['name', 'isBuiltIn', 'description', 'remediation', 'labels', 'query']),
  );
  return `${JSON.stringify({ policies: entries }, undefined, 2)}\n`;
}

/**
 * `status.json`: the freshness of the index. Only this document, the runs of the year, `assets/today.css` and `SHA256SUMS` change
 * every day. `inputs`: the digest of the definitions and recorded data that the site was built from.
 */
export function renderStatusFile(
  site: SiteContext,
  { summaries, inputs, runs, delay }: Pick<SiteInput, 'summaries' | 'inputs' | 'runs' | 'delay'>,
): string {
  const components = Object.fromEntries(
    summaries.map((summary) => [summary.name, summariseComponentStatus(summary)]),
  );
  const { staleAfterDays } = site.config;
  const recent = runs.length === 0 ? undefined : runs.map(toPublishedRun);
  const document = { asOf: site.day, staleAfterDays, inputs, components, runs: recent, delay };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function toPublishedRun(run: Run): object {
  const { troubles = [], events } = run;
  return {
    ...pick(run, ['id', 'asOf', 'at', 'published', 'startedAt', 'finishedAt', 'asked']),
    troubles: troubles.length,
    events,
  };
}

/** The names and packages of a component in `status.json`. */
export function describeNames(definition: Definition) {
  const { title, aliases = [], renamedFrom = [] } = definition;
  const packages = listPackages(definition);
  return {
    title,
    aliases: listDistinct([...aliases, ...renamedFrom]),
    packages: packages.length > 0 ? packages : undefined,
  };
}

/** The entry of a component in `status.json`. */
export function summariseComponentStatus({
  definition,
  freshness,
  releases,
  latest,
}: Pick<ComponentSummary, 'definition' | 'freshness' | 'releases'> & {
  readonly latest?: JudgedRelease | undefined;
}): ComponentStatus {
  return {
    ...describeNames(definition),
    state: freshness.state,
    lastChecked: freshness.checkedOn,
    lastChanged: freshness.changedOn,
    consecutiveFailures: freshness.failures,
    releases,
    latest: latest?.version,
    troubles: freshness.troubles.length > 0 ? [...freshness.troubles] : undefined,
  };
}

/** Hosts accept files up to 25 MiB, so a longer document is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Documents with an entry for every component: `all.json`, `search.json`. */
export const documentsInParts = ['all', 'search'] as const;
export type DocumentInParts = (typeof documentsInParts)[number];

/**
 * Writes `all.json` or `search.json` if every entry fits, otherwise its parts (`all/1.json`, `all/2.json` …) and a document that
 * lists them. Writes each part as soon as it is full, because all parts together may exceed the memory.
 */
export function openParts(
  document: DocumentInParts,
  write: (file: SiteFile) => void,
  limit = maxPartLength,
) {
  const whole = `${document}.json`;
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;

  const close = (path: string) => {
    write({ path, body: joinComponents(members) });
    members = [];
    length = 0;
  };

  const closePart = () => {
    const path = `${document}/${parts.length + 1}.json`;
    parts.push(path);
    close(path);
  };

  return {
    /** Call in the order of names. `body`: the entry of a component. */
    add(name: string, body: string): void {
      const member = renderMember(name, body);
      const bytes = Buffer.byteLength(member);
      if (length + bytes > limit && members.length > 0) {
        closePart();
      }

      members.push(member);
      length += bytes;
    },
    finish(): void {
      if (parts.length === 0) {
        return close(whole);
      }

      closePart();
      const listing = { isComplete: false, parts, components: {} };
      write({ path: whole, body: `${JSON.stringify(listing)}\n` });
    },
  };
}

/** A document with an entry for every component, whatever its length. */
export function renderWhole(entries: readonly (readonly [name: string, body: string])[]): string {
  return joinComponents(entries.map(([name, body]) => renderMember(name, body)));
}

function joinComponents(members: readonly string[]): string {
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}

function renderMember(name: string, body: string): string {
  return `\n${JSON.stringify(name)}: ${body.trimEnd()}`;
}
