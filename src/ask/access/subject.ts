import { reservedNames } from '../../core/schemas/component-name.ts';
import type { Permission } from '../../core/schemas/permissions.ts';

/** The components that a file or an answer at an address is about. */
export type AccessSubject =
  /** A file for all clients, or a question whose answer has only visible components. */
  | { readonly kind: 'any' }
  /** All components, or an unknown address. */
  | { readonly kind: 'all' }
  /** A file about a component; with `namesOthers`, it may name replacements. */
  | { readonly kind: 'file'; readonly component: string; readonly namesOthers: boolean }
  /** A question about a component, as people write it. */
  | { readonly kind: 'question'; readonly component: string }
  /** The runs of the index. */
  | { readonly kind: 'runs' }
  | { readonly kind: 'advisory'; readonly path: string }
  /** A file about all components that is reduced to visible components. */
  | { readonly kind: 'list'; readonly path: 'index.html' | 'index.json' | 'renovate.json' };

export const tokenPath = '/api/auth/token';

const general =
  /^\/(?:404\.html|sign-in\.html|robots\.txt|signing-key\.\w+|renovate\/own\.json|assets\/.+|schema\/.+)$/;

const question =
  /^\/(?:mcp|api\/(?:releases|components|answers|sets|scan)|endoflife\/api\/v1(?:\/(?:products|categories|tags|identifiers))?|export\/v1\/changes\/.+|policies\/[^/]+\/[^/]+|packages\/.+\/(?:policy-scans\/[^/]+|attestations))$/;

const file =
  /^\/((?:details|latest|feeds|calendars|badges|attestations|statements|endoflife\/api)\/)?([a-z0-9-]+)\.(?:json|ndjson|html|txt|atom|ics|svg)$/;

const lists: ReadonlyMap<string, Extract<AccessSubject, { kind: 'list' }>['path']> = new Map([
  ['/', 'index.html'],
  ['/index.html', 'index.html'],
  ['/index.json', 'index.json'],
  ['/renovate.json', 'renovate.json'],
]);

const productFile = /^\/endoflife\/api\/v1\/products\/([a-z0-9-]+)$/;

const aboutComponent =
  /^\/(?:(?:api\/components|badges|export\/v1\/releases|endoflife\/api\/v1\/products)\/([^/]+)(?:\/.+)?|packages\/.+\/attestations\/[^/]+\/([^/]+)|endoflife\/api\/(?!v1\/)([^/]+)\/[^/]+\.json)$/;

/** The components that an address is about, even if the file does not exist. An address not listed here is about all. */
export function subjectOf(address: string): AccessSubject {
  const pathname = withoutSlash(address);
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return { kind: 'all' };
  }
  if (general.test(path) || question.test(pathname)) {
    return { kind: 'any' };
  }
  if (/^\/(?:api\/builds$|build-export\/)/.test(pathname)) {
    return { kind: 'runs' };
  }
  const list = lists.get(path);
  if (list !== undefined) {
    return { kind: 'list', path: list };
  }
  if (/^\/osv\/[^/]+\.json$/.test(path)) {
    return { kind: 'advisory', path: path.slice(1) };
  }
  const [, folder, component] = file.exec(path) ?? [];
  if (component !== undefined && !reservedNames.has(component)) {
    const namesOthers = path.endsWith('.html') || /^(?:details|feeds)\/$/.test(folder ?? '');
    return { kind: 'file', component, namesOthers };
  }
  const product = productFile.exec(path)?.[1];
  if (product !== undefined) {
    return { kind: 'file', component: product, namesOthers: false };
  }
  const segment = aboutComponent.exec(pathname)?.slice(1).find(Boolean);
  return segment === undefined
    ? { kind: 'all' }
    : // The id of a statement begins with the component.
      {
        kind: 'question',
        component: decodeURIComponent(segment).replace(/\/[^/]+\/\d{4}-\d\d-\d\d$/, ''),
      };
}

/** The addresses of endoflife.date also work with a slash at the end, as in its documentation. */
export function withoutSlash(pathname: string): string {
  return pathname.replace(/^(\/endoflife\/api\/.*[^/])\/$/, '$1');
}

/** The permission that an operation needs. */
export function permissionFor(method: string, pathname: string): Permission {
  if (pathname === '/mcp') {
    return 'mcp';
  }
  if (/^\/(?:build-)?export\//.test(pathname)) {
    return 'export';
  }
  return method === 'POST' ? 'scan' : 'read';
}
