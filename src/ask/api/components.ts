import { answerOfVersion1, lastChangeOf, productSummary, releaseCycles } from '../../core/endoflife.ts';
import { componentsOfPackage, expectedPurl, requireComponent, resolve } from '../resolve.ts';
import { quote } from '../../core/text.ts';
import { answerPublished, answerTyped } from '../version-answer.ts';
import type { Question } from './endpoint.ts';
import { badgeColors, badgePicture } from '../../core/badge-picture.ts';
import { latestOf } from '../as-of-day.ts';
import { cachedJson, currentJson, noteHeader, ProblemError, respond } from './respond.ts';

/** `GET /api/components`. */
export async function answerComponents({ request, stated, index }: Question): Promise<Response> {
  const { components } = await index.status();
  const { purl } = stated;
  const wanted = purl === undefined ? undefined : await componentsOfPackage(index, purl);
  if (purl !== undefined && wanted === undefined)
    throw new ProblemError(400, `purl: expected ${expectedPurl}; got ${quote(purl)}`, {
      ...{ parameter: 'purl', expected: expectedPurl },
    });
  const found = Array.from(await index.searched()).flatMap(([component, searched]) => {
    if (wanted?.has(component) === false) return [];
    const { lines: _, ...shared } = searched;
    const status = { ...components[component], latest: latestOf(searched) };
    return JSON.stringify({ component, ...shared, status });
  });
  const body = found.length === 0 ? '[]\n' : `[\n${found.join(',\n')}\n]\n`;
  return cachedJson(request, body, await noteHeader(index));
}

/** `GET /api/components/{component}`. */
export async function answerComponent({ request, stated, index }: Question): Promise<Response> {
  const { releases: _, ...details } = await requireComponent(index, stated['component']!);
  const { components } = await index.status();
  const status = { ...components[details.component], latest: details.latest };
  return cachedJson(request, pretty({ ...details, status }), await noteHeader(index));
}

/** `GET /api/components/{component}/releases/{version}`. */
export async function answerRelease({ request, stated, index }: Question): Promise<Response> {
  const { details, note } = await resolve(index, stated['component']!);
  return currentJson(request, pretty(await answerPublished(index, details, stated['version']!, note)));
}

/** `GET /endoflife/api/v1/products`: the list, where the files of the products are in a folder of that name. */
export async function answerProducts({ request, index, settings }: Question): Promise<Response> {
  const { asOf } = await index.status();
  const products = Array.from(await index.searched(), ([component, { title }]) =>
    productSummary({ component, title }, settings.baseUrl),
  );
  return cachedJson(request, pretty(answerOfVersion1(products, `${asOf}T00:00:00Z`)));
}

/** `GET /endoflife/api/v1/products/{component}/releases/{cycle}`: a release line, or the newest one as `latest`. */
export async function answerProductRelease({ request, stated, index }: Question): Promise<Response> {
  const details = await requireComponent(index, stated['component']!);
  const cycles = releaseCycles(details);
  const wanted = stated['cycle']!;
  const found = wanted === 'latest' ? cycles[0] : cycles.find(({ name }) => name === wanted);
  if (!found)
    throw new ProblemError(404, `${details.title} has no release line "${wanted}" with a known day.`);
  return cachedJson(request, pretty(answerOfVersion1(found, lastChangeOf(details))));
}

/** `GET /api/answers`. */
export async function answerQuestion({ request, stated, index }: Question): Promise<Response> {
  return currentJson(request, pretty(await answerTyped(index, stated['question']!)));
}

const tones: Readonly<Record<string, keyof typeof badgeColors>> = {
  Supported: 'good',
  'Ends soon': 'soon',
  'Support ended': 'bad',
  Deprecated: 'bad',
  Withdrawn: 'bad',
};

/** `GET /badges/{component}/{version}.svg`: the answer in two words. */
export async function answerBadge({ request, stated, index }: Question): Promise<Response> {
  const { details } = await resolve(index, stated['component']!);
  const { component, version, state } = await answerPublished(index, details, stated['version']!);
  const color = badgeColors[tones[state] ?? 'neutral'];
  const picture = badgePicture(`${component} ${version}`, state.toLowerCase(), color);
  return respond(request, 200, picture, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' });
}

function pretty(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
