import { isOsv, type Source, type SupportSource } from '../../core/schemas/definition/source.ts';
import { createSupportSourceId, mapSourcesById } from '../../core/schemas/definition/source-ids.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { findAdapter, findSupportAdapter } from '../sources/index.ts';
import type { OsvPackage } from '../sources/datasource.ts';
import { normaliseOsvName } from '../sources/osv.ts';
import {
  askSource,
  type Adapter,
  type AskContext,
  type GatherContext,
  type SourceOutcome,
} from './ask-source.ts';
import type { SourceState } from './update-freshness.ts';

/** A component before the run, with its definition and all that is recorded. */
export interface GatherInput extends RecordedData {
  component: string;
  definition: Definition;
  freshness: Freshness;
  /** The changes of all components that waited after the last run. */
  waits?: readonly Wait[];
  /** The ids of decisions that no run has used. */
  accepted?: ReadonlySet<string>;
}

/** A source of a definition, of releases or of release lines, with what is recorded of it. */
type AskedSource = Pick<AskContext, 'id' | 'acceptsPrereleases' | 'listsLines' | 'recorded'> & {
  source: Source | SupportSource;
  adapter: Adapter;
};

/** Asks all sources of a component concurrently. No upstream can make it throw; the stop of the run does. */
export function askSources(input: GatherInput, context: GatherContext): Promise<SourceOutcome[]> {
  const { component, definition } = input;
  const shared = { ...context, component, packages: listOsvPackages(definition.sources) };

  const outcomes = listAskedSources(input, context.catalogues).map(
    ({ source, adapter, ...asked }) => {
      const freshness = input.freshness.sources[asked.id];
      return askSource(source, adapter, { ...shared, ...asked, freshness });
    },
  );
  return Promise.all(outcomes);
}

/** The sources of releases, the catalogues where advisories are known, and the source of release lines. */
function listAskedSources(input: GatherInput, urls: readonly string[] = []): AskedSource[] {
  const { definition, releases, lines = [] } = input;
  const { sources, support, prereleases } = definition;
  const catalogues = definition.advisories || sources.some(isOsv) ? urls : [];
  const askable = [...sources, ...catalogues.map((url) => ({ datasource: 'exploited', url }))];

  const askedSources = Array.from(mapSourcesById<Source>(askable), ([id, source]): AskedSource => ({
    id,
    source,
    adapter: findAdapter(source),
    acceptsPrereleases: prereleases === true,
    recorded: releases,
  }));

  const id = createSupportSourceId(support);
  if (support?.policy === 'stated' && id !== undefined) {
    askedSources.push({
      id,
      source: support.source,
      adapter: findSupportAdapter(support.source),
      acceptsPrereleases: true,
      listsLines: true,
      // In the form of recorded releases.
      recorded: lines.map(({ line, source }) => ({ version: line, source })),
    });
  }

  return askedSources;
}

/** The packages of sources as OSV names them, of those sources on whose versions OSV has advisories. */
export function listOsvPackages(sources: readonly Source[]): OsvPackage[] {
  const packages: OsvPackage[] = [];
  for (const source of sources) {
    const { packageName, extractVersion } = source;
    const { osvEcosystem: ecosystem } = findAdapter(source);

    // OSV uses the registry's versions, before `extractVersion`.
    if (ecosystem !== undefined && packageName !== undefined && extractVersion === undefined) {
      packages.push({ ecosystem, name: normaliseOsvName(ecosystem, packageName) });
    }
  }

  return packages;
}

/** Keeps the documents of sound answers: later runs may use them again. */
export function keepDocuments(
  outcomes: readonly SourceOutcome[],
  sources: readonly SourceState[],
): void {
  const sound = new Set(sources.filter(({ kind }) => kind === 'answered').map(({ id }) => id));
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered' && sound.has(outcome.id)) {
      outcome.keep?.();
    }
  }
}
