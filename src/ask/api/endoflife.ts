import * as z from 'zod';
import {
  answerOfVersion1,
  cyclesOfVersion0,
  lastChangeOf,
  linksIn,
  productSummary,
  releaseCycles,
  version1,
} from '../endoflife.ts';
import { versionCharacters } from '../../core/version.ts';
import type { PublishedIndex } from '../published-index.ts';
import { requireComponent } from '../resolve.ts';
import {
  defineEndpoint,
  jsonAnswer,
  parameters,
  problemAnswer,
  segment,
  type ApiCall,
  type Endpoint,
} from './endpoint.ts';
import { cachedJson, pretty, ProblemError } from './respond.ts';

const { component } = parameters;

/** The API specification of github.com/endoflife-date/endoflife.date, version 1. */
const ofVersion1 = z.looseObject({
  schema_version: z.string(),
  generated_at: z.iso.datetime(),
  result: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
});

const ofVersion0 = z.looseObject({ eol: z.union([z.iso.date(), z.boolean()]), latest: z.string() });

const cycle = segment('cycle', {
  description: 'A release line such as 2025.1, or latest for the newest.',
  expected: 'a release line such as 2025.1, or latest',
  pattern: versionCharacters,
  isOfForm: true,
  example: 'latest',
});

const group = segment('group', {
  description: 'categories, tags or identifiers.',
  expected: 'categories, tags or identifiers',
  example: 'categories',
});

const unknownCycle = problemAnswer('There is no such component, or no such release line.');

/** The addresses of endoflife.date that cannot be files: a folder has the same name, or each line would need a file. */
export const endoflifeEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    name: 'list-products',
    path: `/${version1}/products`,
    summary: 'All components in version 1 of the endoflife.date API.',
    description: 'Each component links to its file, which has the release lines.',
    parameters: [],
    answers: { 200: jsonAnswer(ofVersion1, 'The products') },
    example: `/${version1}/products`,
    async handle({ request, index, settings }) {
      const products = Array.from(await index.searched(), ([component, { title }]) =>
        productSummary({ component, title }, settings.baseUrl),
      );
      return cachedJson(request, pretty(answerOfVersion1(products, await builtAt(index))));
    },
  }),
  defineEndpoint({
    name: 'show-product-release',
    path: `/${version1}/products/{component}/releases/{cycle}`,
    summary: 'A release line in version 1 of the endoflife.date API.',
    description: 'As in the file of the component. An end is the last day with support.',
    parameters: [component, cycle],
    answers: { 200: jsonAnswer(ofVersion1, 'The release line'), 404: unknownCycle },
    example: `/${version1}/products/{component}/releases/latest`,
    async handle(question) {
      const { found, details } = await cycleOf(question);
      return cachedJson(question.request, pretty(answerOfVersion1(found, lastChangeOf(details))));
    },
  }),
  defineEndpoint({
    name: 'show-product-cycle',
    path: '/endoflife/api/{component}/{cycle}.json',
    summary: 'A release line in version 0 of the endoflife.date API.',
    description: 'As in the file of the component. An end is the last day with support.',
    parameters: [component, cycle],
    answers: { 200: jsonAnswer(ofVersion0, 'The release line'), 404: unknownCycle },
    async handle(question) {
      const { found } = await cycleOf(question);
      const [{ cycle: _, ...stated }] = cyclesOfVersion0([found]) as [{ cycle: string }];
      return cachedJson(question.request, pretty(stated));
    },
  }),
  defineEndpoint({
    name: 'list-product-groups',
    path: `/${version1}/{group}`,
    optionalSegment: 'group',
    summary: 'The categories, tags or types of identifiers in version 1 of the endoflife.date API.',
    description: 'Name and address of each entry of the group; without a group, of the groups.',
    parameters: [group],
    answers: {
      200: jsonAnswer(ofVersion1, 'The names'),
      404: problemAnswer('There is no such group.'),
    },
    async handle({ request, stated, index, settings }) {
      const links = linksIn(stated['group'] ?? '', settings.baseUrl);
      if (!links) {
        throw new ProblemError(404, `There is no group "${stated['group']}".`);
      }
      return cachedJson(request, pretty(answerOfVersion1(links, await builtAt(index))));
    },
  }),
];

async function cycleOf({ stated, index }: ApiCall<{ component: string; cycle: string }>) {
  const details = await requireComponent(index, stated.component);
  const cycles = releaseCycles(details);
  const wanted = stated.cycle;
  const found = wanted === 'latest' ? cycles[0] : cycles.find(({ name }) => name === wanted);
  if (!found) {
    throw new ProblemError(404, `${details.title} has no release line "${wanted}".`);
  }
  return { found, details };
}

async function builtAt(index: PublishedIndex): Promise<string> {
  const { asOf } = await index.status();
  return `${asOf}T00:00:00Z`;
}
