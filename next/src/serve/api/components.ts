import * as z from 'zod';
import { createRoute } from './route.ts';
import { findOwners } from '../../core/owners.ts';
import { ComponentFacts, ComponentStatus, Verdict } from '../../core/schema/documents.ts';
import { readNames, requireComponent } from '../names.ts';
import { judgeVersion } from '../releases.ts';
import type { Api } from './app.ts';
import { hashed, json, needs, problems, query, sendJson, text } from './parts.ts';

const component = text(200, 'the name of a component')
  .describe('Name, title, package or package URL.')
  .meta({ example: 'svc' });
const version = text(200, 'a version such as 2025.3', /^[^\s\p{Cc}]+$/u).meta({
  example: '2025.3',
});

const listComponents = createRoute({
  method: 'get',
  path: '/api/components',
  operationId: 'list-components',
  summary: 'All components, or those of a package, with their freshness.',
  ...needs('read'),
  request: {
    query: query({
      purl: text(1000, 'a package URL such as pkg:npm/%40example/agent', /^pkg:/).optional(),
    }),
  },
  responses: {
    200: json(z.array(ComponentStatus.extend({ component: z.string() })), 'The components'),
    ...problems,
  },
});

const showComponent = createRoute({
  method: 'get',
  path: '/api/components/{component}',
  operationId: 'show-component',
  summary: 'A component: support policy, release lines, latest version.',
  ...needs('read'),
  request: { params: z.object({ component }), query: query({}) },
  responses: {
    200: json(ComponentFacts, 'details/<component>.json without the releases'),
    ...problems,
  },
});

const checkVersion = createRoute({
  method: 'get',
  path: '/api/components/{component}/releases/{version}',
  operationId: 'check-version',
  summary: 'The verdict on a version. One that is not listed is judged by its line.',
  ...needs('read'),
  request: { params: z.object({ component, version }), query: query({}) },
  responses: {
    200: json(Verdict.extend({ component: z.string(), asOf: z.iso.date() }), 'The verdict'),
    ...problems,
  },
});

export function addComponents(api: Api): void {
  api.use('/api/components/*', hashed);

  api.add(listComponents, async (call, input) => {
    const { index } = call.get('settings');
    const { purl } = input.query;
    const { components } = await index.status();
    const wanted =
      purl === undefined
        ? Object.keys(components)
        : findOwners(purl, await readNames(index)).map((owner) => owner.component);
    return sendJson(
      call,
      wanted.map((name) => ({ component: name, ...components[name]! })),
    );
  });

  api.add(showComponent, async (call, input) => {
    const { releases: _, ...facts } = await requireComponent(
      call.get('settings').index,
      input.params.component,
    );
    return sendJson(call, facts);
  });

  api.add(checkVersion, async (call, input) => {
    const params = input.params;
    const { index } = call.get('settings');
    const details = await requireComponent(index, params.component);
    const { asOf } = await index.status();
    return sendJson(call, {
      component: details.component,
      asOf,
      ...judgeVersion(details, params.version),
    });
  });
}
