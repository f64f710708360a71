import { expect, test } from 'vitest';
import { tokenEndpoint } from '../../../../src/ask/server/access/token-endpoint.ts';
import { endpoints, answerFromTable } from '../../../../src/ask/server/api/router.ts';
import type { Endpoint } from '../../../../src/ask/server/api/endpoint.ts';
import { addMonths } from '../../../../src/core/model/dates.ts';
import { openIndex } from '../../../../src/ask/answers/published-index.ts';
import { describeEndpoint } from '../../../../src/site/render/html/api-page.ts';
import { renderTemplate } from '../../../../src/site/render/html/templates.ts';
import { createOperation } from '../../../../src/site/render/documents/openapi.ts';
import { site } from '../../../site/render/sites.ts';
import { covers } from '../../../harness/covers.ts';

const old: Endpoint = {
  name: 'old',
  handle: () => Promise.resolve(new Response('[]')),
  method: 'GET',
  path: '/api/old',
  summary: 'Old',
  description: 'Old.',
  parameters: [],
  answers: { 200: { description: 'Nothing' } },
  example: '/api/old',
  deprecation: { since: '2026-11-01', sunset: '2027-05-01', successor: '/api/releases' },
};
const index = openIndex({ read: () => Promise.resolve(undefined) });
const settings = {
  baseUrl: 'https://releases.example.com',
  ...{ retryMs: 1, heartbeatMs: 1, lifetimeMs: 1 },
};

function ask(endpoint: Endpoint, address: string, method = 'GET') {
  const request = new Request(`https://releases.example.com${address}`, { method });
  return answerFromTable([endpoint], { request, index, settings });
}

test('a deprecated endpoint announces its end and its successor in each answer', async () => {
  covers('Backward compatible; deprecation in release notes, OpenAPI, Deprecation, Sunset');
  for (const address of ['/api/old', '/api/old?wrong=1']) {
    const { headers } = (await ask(old, address))!;

    expect(headers.get('deprecation')).toBe('@1793491200');
    expect(headers.get('sunset')).toBe('Sat, 01 May 2027 00:00:00 GMT');
    expect(headers.get('link')).toContain(
      '<https://releases.example.com/api/releases>; rel="successor-version"',
    );
    expect(headers.get('link')).toContain(
      '<https://releases.example.com/api.html#requests>; rel="deprecation"',
    );
  }
  expect(createOperation(old, old.path, {})).toMatchObject({ deprecated: true });
});

test('the page about the API names the last day of a deprecated endpoint and its successor', () => {
  const row = renderTemplate(site.theme, 'request', describeEndpoint(old, {}));
  const text = row.replaceAll(/<[^>]*>/g, '');

  expect(text).toContain('Deprecated since 1 Nov 2026.');
  expect(text).toContain('It will be removed on 1 May 2027. Use /api/releases.');
});

test('other endpoints have no such headers', async () => {
  const { deprecation: _, ...staying } = old;

  const { headers } = (await ask(staying, '/api/old'))!;

  expect([...headers.keys()]).toEqual(['content-type']);
  expect(createOperation(staying, staying.path, {})['deprecated']).toBeUndefined();
});

/** Endpoints that end less than six months after the announcement. */
const listHurried = (table: readonly Endpoint[]) =>
  table.filter(
    ({ deprecation }) => deprecation && deprecation.sunset < addMonths(deprecation.since, 6),
  );

test('no endpoint ends less than six months after the announcement', () => {
  covers('Backward compatible; deprecation in release notes, OpenAPI, Deprecation, Sunset');
  const hurried = { ...old, deprecation: { ...old.deprecation!, sunset: '2027-04-30' } };

  expect(listHurried([old, hurried])).toEqual([hurried]);
  expect(listHurried([...endpoints, tokenEndpoint])).toEqual([]);
});
