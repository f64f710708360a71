import { readData } from '../../io/program.ts';
import type { SchemaName } from './json-schemas.ts';
import { isStatic, type SiteContext } from './site-context.ts';

/** One published path, or one for each component, with `{component}` in place of its name. */
export interface PublishedPath {
  readonly path: string;
  /** A description in one sentence. */
  readonly summary: string;
  readonly mediaType: string;
  /** Name of the schema of a JSON document. */
  readonly schema?: SchemaName;
  /** The programs or people that read it. */
  readonly readers: string;
  /** The condition under which it exists, if not always. */
  readonly onlyIf?: string;
}

/** Every path that a host may serve, in the order in which a reader meets them. */
export const publishedPaths = readData<readonly PublishedPath[]>('site/paths.json');

/** They describe answers that are no files. */
const aboutQuestions: readonly string[] = ['openapi.json', 'api-stream.html'];

/** The paths that the host of this site serves. */
export function pathsOf(site: Pick<SiteContext, 'config'>): readonly PublishedPath[] {
  return publishedPaths.filter(({ path }) => !isStatic(site) || !aboutQuestions.includes(path));
}

/** The statements about a component; signing makes them, after the build. */
export const attestationsPath = 'attestations/{component}.json';

/** The statements about its releases that have recorded digests; signing makes them, too. */
export const statementsPath = 'statements/{component}.ndjson';

const signedAfterwards: readonly string[] = [attestationsPath, statementsPath];

/** The assets that the build makes; all others are published as they are. */
export const generatedAssets: readonly string[] = ['today.css', 'accent.css'];

/** The path for one component. */
export function pathFor(path: string, component: string): string {
  return path.replace('{component}', component);
}

export function isOfComponent({ path }: Pick<PublishedPath, 'path'>): boolean {
  return path.includes('{component}');
}

/** Whether the build makes the path for a component; `hasLatest`: a release of it is supported. */
export function isBuiltFor({ path, onlyIf }: PublishedPath, hasLatest: boolean): boolean {
  return !signedAfterwards.includes(path) && (onlyIf === undefined || hasLatest);
}

export const hiddenPages: readonly string[] = ['404.html', 'ends.html'];

/** The pages about the whole site, without the one for missing addresses and the one that only leads to another. */
export function sitePagesOf(site: SiteContext): string[] {
  return pathsOf(site)
    .filter(
      (page) =>
        isPage(page) && !isOfComponent(page) && page.onlyIf === undefined && !hiddenPages.includes(page.path),
    )
    .map(({ path }) => path);
}

/** Whether people read it in a browser. */
export function isPage({ mediaType }: PublishedPath): boolean {
  return mediaType === 'text/html';
}
