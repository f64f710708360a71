import type { ToolExample } from '../../ask/server/mcp/tool.ts';
import type { Component } from '../../decide/component.ts';
import { findKnownEnd, type ComponentSummary } from '../../decide/component-summary.ts';
import { isLineSupported } from '../../decide/judge.ts';
import type { SiteInput } from './site-context.ts';

/** Real values for `{component}`, `{version}`, `{change}` and `{build}`; undefined if the index has none. */
export type ExampleValues = Readonly<Record<string, string | undefined>>;

/** The values in the requests that `api.html` and `openapi.json` show. */
export function findExampleValues({ sample, changes, firstRun }: SiteInput): ExampleValues {
  if (!sample) {
    return {};
  }

  const { latest, releases } = sample.judgement;
  const { version } = latest ?? releases.at(-1) ?? {};
  return { component: sample.name, version, change: changes[0]?.id, build: firstRun?.id };
}

/** Which of two components examples show; the earlier one if they have the same rank. */
export function chooseSample(earlier: Component | undefined, later: Component): Component {
  return earlier && rankSample(earlier) >= rankSample(later) ? earlier : later;
}

/** Ranks components for examples: by a version to use, then by its support, then by a known end. */
function rankSample({ judgement: { latest, lines } }: Component): number {
  const line = lines.find(({ name }) => name === latest?.line);
  const isSupported = line !== undefined && isLineSupported(line);
  const hasEnd = line !== undefined && findKnownEnd(line) !== undefined;

  // Each weight exceeds all smaller ones together.
  return (latest ? 4 : 0) + (isSupported ? 2 : 0) + (hasEnd ? 1 : 0);
}

/** Replaces each `{name}` by its value. Undefined without a text, or if a value is missing. */
export function insertValues(
  text: string | undefined,
  values: ExampleValues,
  write: (value: string) => string = String,
): string | undefined {
  const result = text?.replaceAll(/\{(\w+)\}/g, (match, name: string) => {
    const value = values[name];
    return value === undefined ? match : write(value);
  });
  // A brace remains where a value is missing.
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

/** The number of versions in the example of a list. */
const maxVersions = 4;

/** The versions in the example of a list: first lines with a reason to move to another version, then latest versions. */
export function chooseExampleVersions(summaries: readonly ComponentSummary[]) {
  const moved = [];
  const newest = [];
  for (const { name, lines, latest } of summaries) {
    const line = lines.findLast(({ moveTo }) => moveTo !== '');
    if (line) {
      moved.push({ name, version: line.name });
    } else if (latest) {
      newest.push({ name, version: latest.version });
    }
  }
  return [...moved, ...newest].slice(0, maxVersions);
}
