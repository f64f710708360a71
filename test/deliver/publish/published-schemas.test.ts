import { expect, test } from 'vitest';
import { namedSchemas } from '../../../src/core/schemas/published/document-schemas.ts';
import { findSchemas } from '../../../src/deliver/publish/published-schemas.ts';

test.each<[string, keyof typeof namedSchemas | undefined]>([
  ['svc.json', 'component'],
  ['status.json', 'status'],
  ['openapi.json', undefined],
  ['details/svc.json', 'details'],
  ['all.json', 'all'],
  ['all/3.json', 'all'],
  ['search/12.json', 'search'],
  ['changes/2026.json', 'changes-year'],
  ['svc.html', undefined],
  ['a/b/svc.json', undefined],
  ['xdetails/svc.json', undefined],
  ['status-json', undefined],
  ['all/3.jsonx', undefined],
])('the schema of %s is %s', (path, name) => {
  expect(findSchemas(path)?.strict).toBe(name && namedSchemas[name].schema);
});
