/** The answer below the box of a component. Loaded when somebody asks. */
import { findVerdict } from '../../core/index/verdicts.ts';
import type { Component } from '../../core/schema/published.ts';
import { nameAnchor } from '../../core/words.ts';
import { createElement, fetchDocument } from './find.ts';

type Answer = readonly [answer: HTMLElement, element: HTMLElement | null];

/** In a few words where the page has a row of the version, which says the rest. `element`: that row, or its line. */
export async function explainVersion(component: string, version: string): Promise<Answer> {
  try {
    const details = await fetchDocument<Component>(`details/${component}.json`);
    const { latest = details.releases.at(-1)?.version } = details;
    const verdict = findVerdict(details, version);
    if (!verdict) {
      const text = `“${version}” is no version. The newest is ${latest}.`;
      return [createElement('p', text), null];
    }

    const row = document.getElementById(nameAnchor(verdict.version));
    const text = row
      ? `${verdict.version}: ${verdict.label}.`
      : `${verdict.sentence} ${verdict.advice}`;
    return [createElement('p', text), row ?? document.getElementById(`line-${verdict.line}`)];
  } catch (error) {
    return [createElement('p', (error as Error).message), null];
  }
}
