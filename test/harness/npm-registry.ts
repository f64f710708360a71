import { onTestFinished } from 'vitest';
import { runCli, type Ran } from './cli.ts';
import { json } from './imitated-upstream.ts';
import { definition, makeRoot } from './root.ts';
import { always, serve, startUpstream, type Handler } from './upstream.ts';

interface ListedVersion {
  at?: string;
  deprecated?: string;
  /** In the form of Subresource Integrity. */
  integrity?: string;
}

/** What a package lists: for each version when it was published, if that is known, and why it is deprecated. */
export type Listing = Readonly<Record<string, ListedVersion>>;

export type Answer = Listing | Handler;

export type NpmRegistry = Awaited<ReturnType<typeof npmRegistry>>;

/** A registry on loopback that answers 304 where it can, for one test. */
export async function npmRegistry(given: Readonly<Record<string, Answer>>) {
  const registry = await openNpmRegistry(given);
  onTestFinished(registry.close);
  return registry;
}

/** The same, until it is closed. */
async function openNpmRegistry(given: Readonly<Record<string, Answer>>) {
  const packages = new Map(Object.entries(given));
  const { url, requests, close } = await startUpstream(() => (request, response) => {
    const path = request.url!;
    const answer = packages.get(path.slice(1));
    if (typeof answer === 'function') {
      return answer(request, response);
    }
    serve(new Map(answer ? [[path, json(packument(path.slice(1), answer))]] : []))(
      request,
      response,
    );
  });
  /** `packages`: what it answers by package; a test may change it between runs. */
  return { url, packages, requests, close };
}

/** An index with a component for each package of a registry. `files` add to it or replace components. */
export async function npmIndex(
  packages: Readonly<Record<string, Answer>>,
  files: Readonly<Record<string, unknown>> = {},
) {
  const registry = await npmRegistry(packages);
  const sourceOf = (packageName: string) => ({
    datasource: 'npm',
    packageName,
    registryUrl: registry.url,
  });
  const root = makeRoot({
    ...Object.fromEntries(
      Object.keys(packages).map((name) => [
        `components/${name}.json`,
        definition({ sources: [sourceOf(name)] }),
      ]),
    ),
    ...files,
  });
  const run = (args: readonly string[], options: Parameters<typeof runCli>[1] = {}): Promise<Ran> =>
    runCli([...args, '--root', root], options);
  return { registry, root, sourceOf, run };
}

/** An answer of nothing but a status. */
export function status(code: number): Answer {
  return always(code, { 'content-type': 'application/json' });
}

/** Takes the request and never answers. */
export const silence: Answer = () => undefined;

/** The document of a package as a registry has it. `about`: its other keys. */
export function packument(name: string, listing: Listing, about: object = {}): object {
  const entries = Object.entries(listing);
  const versions = entries.map(([version, { deprecated, integrity }]) => [
    version,
    { name, version, deprecated, dist: { integrity } },
  ]);
  const times = entries.flatMap(([version, { at }]) => (at === undefined ? [] : [[version, at]]));
  return {
    name,
    ...about,
    versions: Object.fromEntries(versions),
    time: { created: '2020-01-01T00:00:00.000Z', ...Object.fromEntries(times) },
  };
}
