import { expect, test } from 'vitest';
import { readPom } from '../../../src/ask/texts/pom.ts';

function versionOf(properties: string, version: string) {
  const [entry] = readPom(
    `<project><properties>${properties}</properties>
    <dependency><groupId>g</groupId><artifactId>a</artifactId><version>${version}</version></dependency></project>`,
  );

  return { version: entry![0]!.version, range: entry![0]!.range };
}

test('a property is filled in, also through another', () => {
  expect(versionOf('<a>1.0</a>', '${a}')).toEqual({ version: '1.0', range: undefined });
  expect(versionOf('<a>${b}-rc1</a><b>1.0</b>', '${a}').version).toBe('1.0-rc1');
});

test.each([
  ['a long property', `<a>1.${'0'.repeat(99)}</a>`, '${a}'],
  ['a long property in place of a short one', `<a>1.0</a><a>1.${'0'.repeat(99)}</a>`, '${a}'],
  ['a property that names a long one', `<b>1.${'0'.repeat(99)}</b><a>\${b}</a>`, '${b}'],
])('%s stays unread: its start would be a version that nobody stated', (_what, written, left) => {
  expect(versionOf(written, '${a}')).toEqual({ version: undefined, range: left });
});

test('a property of a hundred characters is read whole', () => {
  const long = `1.${'0'.repeat(98)}`;

  expect(versionOf(`<a>${long}</a>`, '${a}').version).toBe(long);
});
