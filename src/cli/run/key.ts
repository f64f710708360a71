import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { formatJson, readJsonFile, saveFile, sha256 } from '../../core/files.ts';
import { readSettings, keysFile, readAccess } from '../../core/index/read-folder.ts';
import { parseDocument } from '../../core/parse-document.ts';
import {
  AccessKey,
  accessKeyPrefix,
  commonPermission,
  permissions,
  type Permission,
} from '../../core/schema/access.ts';
import { nameWorker } from '../../publish/wrangler.ts';
import { parseDay, type Context, type Define } from '../context.ts';

interface Options {
  user: string;
  expires: string;
  name?: string;
  permissions?: Permission[];
}

const doors = permissions.filter((each) => each !== commonPermission);

export const define: Define = (command, context) => {
  command
    .command('new')
    .summary('make an access key for the doors of the Worker, and show it once')
    .requiredOption('--user <name>', 'a user name of site/access.json')
    .requiredOption('--expires <day>', 'its last valid day, UTC', parseDay)
    .option('--name <name>', 'its name in the list (default: the user name)')
    .option(
      '--permissions <list>',
      `${doors.join(',')}, or fewer (default: all of its user)`,
      (text) => parseDocument(AccessKey.shape.permissions, text.split(','), '--permissions'),
    )
    .addHelpText(
      'after',
      `\n${keysFile}, which git ignores, lists digests. It is a secret of the Worker: the host has it from the command that "key new" prints, and what leaves it is revoked by that.`,
    )
    .action((options: Options) => makeKey(options, context));
};

function makeKey(
  { user, expires, name = user, permissions: chosen }: Options,
  { root, env, day, report }: Context,
): void {
  if (env['CI']) {
    throw inputError(
      'key new',
      'the log of a workflow would keep the key. Make it on your own computer',
    );
  }
  // Throws for links, before the list is read.
  const worker = nameWorker(readSettings(root).releasesUrl);
  rejectExcess(root, user, chosen);
  if (expires < day) {
    throw inputError('--expires', `expected a day from ${day} on; got ${expires}`);
  }

  const path = join(root, keysFile);
  const saved = parseDocument(AccessKey.array(), readJsonFile(path, keysFile) ?? [], keysFile);
  const valid = saved.filter((key) => key.expires >= day);
  if (valid.some((key) => key.name === name)) {
    throw inputError(keysFile, `has a key "${name}". Choose another --name`);
  }

  const secret = `${accessKeyPrefix}${randomBytes(32).toString('base64url')}`;
  const key = { name, user, expires, sha256: sha256(secret), permissions: chosen };
  // Saved before it is shown: no key is shown that the list lacks.
  // Who reads the list can sign as each of its users.
  saveFile(path, formatJson(parseDocument(AccessKey.array(), [...valid, key], keysFile)), 0o600);
  report.print(secret);
  report.problem({
    subject: name,
    message: `valid until the end of ${expires}, and shown only once. To apply it: npx wrangler secret put RELEASE_INDEX_ACCESS_KEYS --name ${worker} < ${keysFile}`,
    level: 'notice',
  });
  report.document({ name, user, expires, key: secret });
}

/** A key may do no more than its user. */
function rejectExcess(root: string, user: string, chosen: readonly Permission[] = []): void {
  const owner = readAccess(root)?.users.find(({ username }) => username === user);
  if (!owner) {
    throw inputError('site/access.json', `users: there is no user "${user}"`);
  }

  const { permissions: allowed = doors } = owner;
  const excess = chosen.filter((permission) => !allowed.includes(permission));
  if (excess.length > 0) {
    throw inputError(
      '--permissions',
      `expected only what site/access.json grants "${user}"; got ${excess.join(', ')}`,
    );
  }
}
