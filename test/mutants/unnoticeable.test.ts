import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { unnoticeable } from './unnoticeable.ts';

test('each change that no test can notice is of code that is there', () => {
  const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');
  const gone = unnoticeable.filter(({ file, before }) => {
    const code = withoutSpace(readFileSync(join(checkout, file), 'utf8'));
    return !code.includes(withoutSpace(before));
  });

  expect(unnoticeable.length).toBeGreaterThan(10);
  expect(gone).toEqual([]);
});
