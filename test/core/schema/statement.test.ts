import { expect, test } from 'vitest';
import { parseStatements } from '../../../src/core/schema/statement.ts';

const statement = {
  subject: [{ digest: { sha256: 'aa' } }],
  predicate: { id: 'svc/1.0', version: '1.0' },
};

/** Writes a line with a statement in an envelope. */
function write(body: object, more: object = {}): string {
  const payload = Buffer.from(JSON.stringify(body)).toString('base64');
  const signatures = [{ sig: 'x' }];
  return JSON.stringify({ dsseEnvelope: { payload, payloadType: 'x', signatures, ...more } });
}

test('each line is a statement, and empty lines are left out', () => {
  const text = `${write(statement)}\n\n${write({ ...statement, other: 1 })}\n`;

  expect(parseStatements(text, 'svc.ndjson').map((each) => each.statement)).toEqual([
    statement,
    statement,
  ]);
  expect(parseStatements('', 'svc.ndjson')).toEqual([]);
});

test.each([
  ['no JSON', 'x'],
  ['no envelope', '{}'],
  ['no signatures', write(statement, { signatures: undefined })],
  ['no subject', write({ ...statement, subject: [] })],
  ['no version', write({ ...statement, predicate: { id: 'svc/1.0' } })],
])('a line with %s is rejected with its number', (_, line) => {
  const text = `${write(statement)}\n${line}\n`;

  expect(() => parseStatements(text, 'svc.ndjson')).toThrow(
    'svc.ndjson: line 2: expected a statement in a DSSE envelope',
  );
});
