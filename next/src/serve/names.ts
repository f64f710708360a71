import { findOwners, listOwners, type Names } from '../core/index/owners.ts';
import type { Status } from '../core/schema/documents.ts';
import type { Component as Details } from '../core/schema/published.ts';
import { findNearest, quote } from '../core/text.ts';
import { AskError } from './errors.ts';
import type { PublishedIndex } from './index.ts';

const opened = new WeakMap<Status, Names>();

export async function readNames(index: Pick<PublishedIndex, 'status'>): Promise<Names> {
  const status = await index.status();
  const names = opened.get(status) ?? listOwners(status);
  opened.set(status, names);
  return names;
}

/** The component with exactly this name, title, alias, package or former name. */
export async function requireComponent(index: PublishedIndex, text: string): Promise<Details> {
  const names = await readNames(index);
  const [owner, another] = findOwners(text, names);
  if (owner && another) {
    const didYouMean = findOwners(text, names).map(({ component }) => component);
    throw new AskError(404, `${quote(text)} can mean ${didYouMean.join(' and ')}. Name one.`, {
      didYouMean,
    });
  }

  const details = await index.details(owner?.component ?? text);
  if (details) {
    return details;
  }

  const nearest = findNearest(text.toLowerCase(), names.keys());
  const didYouMean =
    nearest === undefined ? [] : findOwners(nearest, names).map(({ component }) => component);
  const hint =
    didYouMean.length > 0 ? `Did you mean ${quote(didYouMean[0]!)}?` : 'index.json lists all.';
  throw new AskError(404, `${quote(text)} names no component of this index. ${hint}`, {
    didYouMean,
  });
}
