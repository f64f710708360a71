import { expect, test } from 'vitest';
import { isQueryText } from '../../../src/ask/answers/query-texts.ts';

test.each([
  ['component:svc', true],
  ['2025.1 -component:svc', true],
  ['(!component:svc)', true],
  // The name of an image may end with the name of a field.
  ['ghcr.io/acme/web-component:1.2', false],
])('whether %j is a query: %j', (text, expected) => {
  expect(isQueryText(text)).toBe(expected);
});
