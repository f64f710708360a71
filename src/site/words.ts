/** Words that pages, feeds and notes of Renovate share. */
import type { Component, Line, Release } from '../core/schema/published.ts';
import { formatCount } from '../core/text.ts';
import type { Index } from './load-index.ts';

/** What is known of the sources of a component. `trouble`: what it means for readers of its page. */
export const freshnessWords = {
  held: { words: 'a change waits', tone: 'soon', trouble: 'A change waits for a decision.' },
  stale: {
    words: 'may be out of date',
    tone: 'soon',
    trouble: 'Newer releases may be missing: sources failed.',
  },
  live: { words: 'up to date', tone: 'ok', trouble: '' },
  static: { words: 'kept by hand', tone: 'none', trouble: '' },
};

/** Whether every source was checked, in a sentence. `kind`: its class. */
export function summariseFreshness({ freshness }: Index) {
  const stale = [...freshness.values()].filter(({ state }) => state === 'stale').length;
  if (stale === 0) {
    return { kind: 'note', text: 'All sources were checked.' };
  }

  const text = `${stale} of ${formatCount(freshness.size, 'component')} could not be fully checked. Newer releases may be missing.`;
  return { kind: 'until tone-soon', text };
}

/** The advisories on a release in a sentence; empty where none is known. */
export function describeSecurity(release: Release): string {
  const ids = release.advisories?.join(', ');
  return ids ? `Affected by ${ids}${describeRisk(release)}.` : '';
}

/** ` (high, exploited since 2026-01-31)`; empty where nothing is known. */
export function describeRisk({
  severity,
  exploitedSince,
  dueBy,
}: Pick<Release, 'severity' | 'exploitedSince' | 'dueBy'>): string {
  const facts = [
    severity,
    exploitedSince && `exploited since ${exploitedSince}`,
    dueBy && `fix due by ${dueBy}`,
  ].filter(Boolean);
  return facts.length > 0 ? ` (${facts.join(', ')})` : '';
}

export function findComponent(name: string | undefined, { components }: Index) {
  return components.find(({ component }) => component === name);
}

/** What to move to from a line: `2026.3`, or `Edge node 2.1.0` of another component. */
export function describeTarget({ moveTo }: Line, from: Component, index: Index) {
  const other = moveTo && findComponent(moveTo.component, index);
  return other && other !== from ? `${other.title} ${moveTo.version}` : moveTo?.version;
}

/** The comment that names the component of the version below it, without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}
