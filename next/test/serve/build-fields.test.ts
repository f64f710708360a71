import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildFields } from '../../src/serve/build-fields.ts';
import { program } from '../harness/example.ts';

test('the fields of builds are the 124 of the specification, letter for letter', () => {
  const file = join(program, 'test/fixtures/specification/build-fields.txt');
  const specified = readFileSync(file, 'utf8').trim().split('\n');

  expect(specified).toHaveLength(124);
  expect(buildFields.map(({ type, name }) => `${type}\t${name}`).sort()).toEqual(specified.sort());
});
