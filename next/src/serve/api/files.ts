import * as z from 'zod';
import { Change, Policy, Status } from '../../core/schema/documents.ts';
import { Run } from '../../core/schema/events.ts';
import { Component, Release } from '../../core/schema/published.ts';
import type { Operation } from './route.ts';

const text = z.string();

/** What Renovate's custom datasources read. */
const ReleaseFile = z
  .object({
    homepage: text,
    changelogUrl: text,
    sourceUrl: text.optional(),
    tags: z.object({ latest: text }).optional(),
    releases: z.array(
      z.object({
        version: text,
        releaseTimestamp: text.optional(),
        changelogUrl: text.optional(),
        isDeprecated: z.boolean(),
        isStable: z.boolean().optional(),
      }),
    ),
  })
  .meta({ id: 'ReleaseFile' });

const schemas: Readonly<Record<string, z.ZodType>> = {
  '/{component}.json': ReleaseFile,
  '/index.json': z.array(text),
  '/all.json': z.object({ components: z.record(text, ReleaseFile) }),
  '/details/{component}.json': Component.extend({ releases: z.array(Release.partial()) }),
  '/supported/{component}.json': z.array(text),
  '/status.json': Status,
  '/changes/{year}.json': z.object({ changes: z.array(Change) }),
  '/builds/{year}.json': z.object({ builds: z.array(Run) }),
  '/policies.json': z.object({ policies: z.array(Policy) }),
};

/** The published files that programs read. */
export const fileOperations = Object.entries(schemas).map(([path, schema]): Operation => {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    method: 'get',
    path,
    operationId: `read${path.replaceAll(/\W+/g, '-')}`,
    summary: 'A published file. Nobody needs a credential for it.',
    request: { params: parameter === undefined ? {} : { [parameter]: text } },
    returns: { 'application/json': schema },
  };
});
