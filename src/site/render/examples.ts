import type { ToolExample } from '../../ask/server/mcp/tool.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import type { Component } from '../../decide/component.ts';
import { isLineSupported } from '../../decide/judge.ts';
import type { SiteInput } from './site-context.ts';

/** Real values for `{component}`, `{version}`, `{change}` and `{build}`; undefined if the index has none. */
export type ExampleValues = Readonly<Record<string, string | undefined>>;

export function findExampleValues({ sample, changes, firstRun }: SiteInput): ExampleValues {
  if (!sample) {
    return {};
  }

  const { latest, releases } = sample.judgement;
  const { version } = latest ?? releases.at(-1) ?? {};
  return { component: sample.name, version, change: changes[0]?.id, build: firstRun?.id };
}

/** Replaces each `{name}` by its value. Undefined if the text or a value is missing. */
export function insertValues(
  text: string | undefined,
  values: ExampleValues,
  write: (value: string) => string = (value) => value,
): string | undefined {
  const result = text?.replaceAll(/\{(\w+)\}/g, (match, name: string) => {
    const value = values[name];
    return value === undefined ? match : write(value);
  });
  return result?.includes('{') ? undefined : result;
}

/** Real arguments of a tool. Undefined if a value is missing. */
export function insertArguments(example: ToolExample, values: ExampleValues): object | undefined {
  const entries = Object.entries(example).map(([name, value]) => [
    name,
    typeof value === 'string' ? insertValues(value, values) : value,
  ]);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

/** Ranks components for examples: a version to use, its support, its end, and the number of other kinds of facts. */
export function rankExample({ definition, judgement }: Component): number {
  const { latest, lines, releases, advisories } = judgement;
  const line = lines.find(({ name }) => name === latest?.line);

  const facts = [
    definition.description !== undefined,
    definition.worksWith !== undefined,
    lines.length > 1,
    advisories.length > 0,
    releases.some(({ isDeprecated }) => isDeprecated),
    releases.some(({ releaseDay }) => releaseDay !== undefined),
    releases.some(({ changelogUrl }) => changelogUrl !== undefined),
    releases.some(({ recorded }) => recorded.digests !== undefined),
  ];
  const count = facts.filter(Boolean).length;
  const isSupported = line !== undefined && isLineSupported(line);
  const end = findLastFreePhase(line?.phases);
  const hasEnd = end?.until !== undefined || end?.untilAtMost !== undefined;
  return (latest ? 100 : 0) + (isSupported ? 50 : 0) + (hasEnd ? 20 : 0) + count;
}
