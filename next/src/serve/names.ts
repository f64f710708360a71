import { formatPackage, listPackages, parsePurl, type Purl } from '../core/purl.ts';
import { findNearest, quote } from '../core/text.ts';
import { AskError } from './errors.ts';
import type { Status } from '../core/schema/documents.ts';
import type { Component as Details } from '../core/schema/published.ts';
import type { PublishedIndex } from './index.ts';

/** A component that has a name or a package. */
export interface Owner {
  readonly component: string;
  /** Finds its version in a version of the package; absent where both are the same. */
  readonly extractVersion?: string | undefined;
}

/** The components by name, title, alias and package, in lower case. */
export type Names = ReadonlyMap<string, readonly Owner[]>;

const opened = new WeakMap<Status, Names>();

export async function readNames(index: Pick<PublishedIndex, 'status'>): Promise<Names> {
  const status = await index.status();
  const names = opened.get(status) ?? listNames(status);
  opened.set(status, names);
  return names;
}

function listNames({ components }: Status): Names {
  const names = new Map<string, Owner[]>();
  const add = (text: string, owner: Owner) => {
    const owners = names.get(text) ?? [];
    if (!owners.some(({ component }) => component === owner.component)) {
      names.set(text, [...owners, owner]);
    }
  };

  for (const [component, { title, aliases = [], packages = [] }] of Object.entries(components)) {
    for (const name of [component, title, ...aliases]) {
      add(name.toLowerCase(), { component });
    }
    for (const { purl, extractVersion } of packages) {
      add(purl, { component, extractVersion });
      add(decodeURIComponent(purl.slice(purl.indexOf('/') + 1)).toLowerCase(), {
        component,
        extractVersion,
      });
    }
  }
  return names;
}

/** The components of a name, title, alias, package URL, or name of a package in its registry. */
export function findOwners(text: string | Purl, names: Names): readonly Owner[] {
  const purl = typeof text === 'string' ? parsePurl(text) : text;
  if (purl) {
    const isComponent = purl.type === 'generic' && !purl.name.includes('/');
    const owners = isComponent ? names.get(purl.name.toLowerCase()) : undefined;
    return owners ?? listPackages(purl).flatMap((each) => names.get(each) ?? []);
  }

  const name = String(text).toLowerCase();
  // Maven separates by a colon, and an image may begin with the host of its registry.
  return (
    names.get(name) ??
    names.get(name.replace(':', '/')) ??
    names.get(formatPackage('docker', name)) ??
    []
  );
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
