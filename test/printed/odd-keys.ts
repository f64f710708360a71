/** Signing keys that `sign` rejects, for `messages.long.test.ts`. */
import { keyVariable } from '../../src/publish/minisign.ts';
import { createIndex, secretKey } from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';

export const oddKeys: [title: string, secret: string][] = [
  ['is missing', ''],
  ['is another text', 'secret'],
  ['was damaged', editKey((bytes) => bytes.fill(1, 62, 94))],
  ['has a password', editKey((bytes) => bytes.fill('Sc', 2, 4))],
  ['is not the one in the settings', createSecretKey()],
];

/** Runs `sign` with a key, and returns its messages. */
export async function signWith(secret: string): Promise<string> {
  const index = createIndex({}, { [keyVariable]: secret });
  await index.run('build');
  return (await index.run('sign')).stderr;
}

/** Returns the signing key after an edit of its bytes. */
function editKey(edit: (bytes: Buffer) => Buffer): string {
  const [comment, line = ''] = secretKey.split('\n');
  return `${comment}\n${edit(Buffer.from(line, 'base64')).toString('base64')}\n`;
}
