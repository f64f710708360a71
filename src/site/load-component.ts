import { readFileSync } from 'node:fs';
import type { Day } from '../dates.ts';
import { describeFreshness } from '../policy/component-freshness.ts';
import type { Component, Replacement } from '../policy/component.ts';
import type { Finding } from '../model/finding.ts';
import { normaliseReleases } from '../policy/releases.ts';
import { judge } from '../policy/judge.ts';
import type { ReadFile } from '../store/documents.ts';
import { readDefinition, readFreshness, readRecorded } from '../store/read.ts';
import type { Root } from '../store/root.ts';
import { holdsUntil } from './validity.ts';

export interface LoadedComponent {
  /** Absent where a file could not be used; then the findings say why. */
  component?: Component;
  /** The first day on which the same files would make another component of it. */
  until?: Day;
  findings: Finding[];
}

/** One component as of a day: from its files through normalise and policy. What replaces it is loaded as well. */
export function loadComponent(
  root: Root,
  name: string,
  day: Day,
  read: ReadFile = readFileSync,
): LoadedComponent {
  const loaded = loadOne(root, name, day, read);
  const replacedBy = loaded.component?.definition.replacedBy;
  if (!loaded.component || replacedBy === undefined || replacedBy === name) return loaded;
  const replacement = replacementOf(loadOne(root, replacedBy, day, read).component);
  return replacement ? { ...loaded, component: { ...loaded.component, replacement } } : loaded;
}

function replacementOf(component: Component | undefined): Replacement | undefined {
  const latest = component?.judgement.latest;
  if (!latest) return undefined;
  const { version, changelogUrl = component.definition.changelogUrl } = latest;
  return { name: component.name, version, changelogUrl };
}

function loadOne(root: Root, name: string, day: Day, read: ReadFile): LoadedComponent {
  const definition = readDefinition(root, name, read);
  const recorded = readRecorded(root, name, read);
  const freshness = readFreshness(root, name, read);
  const findings = [...definition.findings, ...recorded.findings, ...freshness.findings];
  if (!definition.value || !recorded.value || !freshness.value) return { findings };

  const normalised = normaliseReleases(name, definition.value, recorded.value, day);
  const judgement = judge(normalised.releases, definition.value, day);
  const until = holdsUntil(definition.value, recorded.value, judgement);
  return {
    component: {
      name,
      definition: definition.value,
      judgement,
      freshness: describeFreshness(definition.value, freshness.value),
    },
    ...(until !== undefined && { until }),
    findings: [...findings, ...normalised.findings],
  };
}
