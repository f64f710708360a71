import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { formatJson, readJsonFile, saveFile, sha256 } from '../../core/files.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { accessScope } from '../access-scope.ts';
import { keysFile, readAccess } from '../../core/read-access.ts';
import { readSettings } from '../../core/read-definitions.ts';
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

const choices = permissions.filter((each) => each !== commonPermission);

export const define: Define = (command, context) => {
  command
    .command('new')
    .description('create an access key for the endpoints of the Worker, and print it once')
    .requiredOption('--user <name>', 'a user name of site/access.json')
    .requiredOption('--expires <day>', 'the last valid day of the key, UTC', parseDay)
    .option('--name <name>', 'the name of the key (default: the user name)')
    .option(
      '--permissions <list>',
      `${choices.join(',')}, or fewer (default: all permissions of the user)`,
      (text) => parseDocument(AccessKey.shape.permissions, text.split(','), '--permissions'),
    )
    .addHelpText(
      'after',
      `\n${keysFile} has the digests of all keys, and git ignores it. Upload it as a secret of the Worker with the command that "key new" prints. To revoke a key, remove its entry and upload again.`,
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
      'the log of a workflow would keep the key. Create it on your own computer',
    );
  }
  // `readSettings` throws if the index contains symbolic links. So `keysFile`, which is read below, is not a link.
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
  // The list is saved before the key is shown, so it contains every shown key. Only the owner of the file may read it, because anyone who
  // knows the digests in the file can sign tokens.
  saveFile(path, formatJson(parseDocument(AccessKey.array(), [...valid, key], keysFile)), 0o600);
  report.print(secret);
  report.problem({
    subject: name,
    message: `is valid until the end of ${expires}, and is shown only once. To apply it: npx wrangler secret put RELEASE_INDEX_ACCESS_KEYS --name ${worker} < ${keysFile}`,
    level: 'notice',
  });
  report.problem(accessScope);
  report.document({ name, user, expires, key: secret });
}

/** Throws an `InputError` if the key would have permissions that its user lacks. */
function rejectExcess(root: string, user: string, chosen: readonly Permission[] = []): void {
  const owner = readAccess(root)?.users.find(({ username }) => username === user);
  if (!owner) {
    throw inputError('site/access.json', `users: there is no user "${user}"`);
  }

  const { permissions: allowed = choices } = owner;
  const excess = chosen.filter((permission) => !allowed.includes(permission));
  if (excess.length > 0) {
    throw inputError(
      '--permissions',
      `expected only what site/access.json grants "${user}"; got ${excess.join(', ')}`,
    );
  }
}
