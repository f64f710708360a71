import * as z from 'zod';
import { ComponentFacts, ComponentStatus, Verdict } from '../../core/schema/documents.ts';
import { requireComponent, requireVerdict } from '../published-index.ts';
import { sendJson } from './answers.ts';
import { textParameter, versionParameter } from './parameters.ts';
import { defineRoute } from './route.ts';

const readOperation = { method: 'get', permission: 'read' } as const;

const componentParameter = textParameter(200, 'the name of a component')
  .describe('Name, title, package or package URL.')
  .meta({ example: 'svc' });

const ListedComponent = ComponentStatus.omit({ fields: true }).extend({ component: z.string() });

export const listComponents = defineRoute({
  ...readOperation,
  path: '/api/components',
  operationId: 'list-components',
  summary: 'All components, with their freshness.',
  returns: { 'application/json': z.array(ListedComponent) },
  async answer({ call, index }) {
    const { components } = await index.status();
    const list = Object.entries(components).map(([component, { fields: _, ...status }]) => ({
      component,
      ...status,
    }));
    return sendJson(call, list);
  },
});

export const showComponent = defineRoute({
  ...readOperation,
  path: '/api/components/{component}',
  operationId: 'show-component',
  summary: 'A component: details/<component>.json without the releases.',
  request: { params: { component: componentParameter } },
  returns: { 'application/json': ComponentFacts },
  async answer({ call, index, params }) {
    const { releases: _, ...facts } = await requireComponent(index, params.component);
    return sendJson(call, facts);
  },
});

export const checkVersion = defineRoute({
  ...readOperation,
  path: '/api/components/{component}/releases/{version}',
  operationId: 'check-version',
  summary: 'The verdict on a version. One that is not listed is judged by its line.',
  request: {
    params: {
      component: componentParameter,
      version: versionParameter.meta({ example: '2025.3' }),
    },
  },
  returns: {
    'application/json': Verdict.extend({ component: z.string(), asOf: z.iso.date() }),
  },
  async answer({ call, index, params }) {
    const { asOf } = await index.status();
    const item = { text: params.component, name: params.component, version: params.version };
    const { component, verdict } = await requireVerdict(index, item);
    return sendJson(call, { component, asOf, ...verdict });
  },
});
