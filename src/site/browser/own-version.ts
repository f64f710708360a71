/** The answer below the box of a component. Loaded when somebody asks. */
import { findVerdict } from '../../core/index/verdicts.ts';
import type { Component } from '../../core/schema/published.ts';
import { nameAnchor } from '../../core/words.ts';
import { createElement, fetchDocument } from './find.ts';

/** In a few words where the page has a row of the version, which says the rest. */
export async function explainVersion(component: string, version: string): Promise<HTMLElement> {
  try {
    const details = await fetchDocument<Component>(`details/${component}.json`);
    const newest = details.latest ?? details.releases.at(-1)?.version;
    const verdict = findVerdict(details, version);
    if (!verdict) {
      return createElement('p', `“${version}” is no version. The newest is ${newest}.`);
    }

    const { label, sentence, advice } = verdict;
    const hasRow = document.getElementById(nameAnchor(verdict.version));
    return createElement('p', hasRow ? `${verdict.version}: ${label}.` : `${sentence} ${advice}`);
  } catch (error) {
    return createElement('p', (error as Error).message);
  }
}
