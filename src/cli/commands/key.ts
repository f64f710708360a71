import { createHash, randomBytes } from 'node:crypto';
import { isDay } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { didYouMean } from '../../core/nearest.ts';
import { show } from '../../core/schemas/problems.ts';
import { accessKeysFile, readAccessKeys, saveAccessKeys } from '../../io/files/access-keys-file.ts';
import { lock } from '../../io/files/lock.ts';
import { accessFile, readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { listed } from '../../core/text.ts';
import { rejectionOf } from '../../deliver/publish/host-keys.ts';
import { inputError, parseOption, requireValue, shared, text, UsageError } from '../command.ts';
import type { Command, Invocation, Options } from '../command.ts';

const where =
  'The list is .access/keys.json under the root, which git ignores: digests with name, user and last day, and no key.';
const then = 'The published list changes with the next "publish", which sends it to the host as a secret.';

const newKey: Command = {
  options: {
    user: text('NAME', 'its user, a user name of site/access.json; required'),
    expires: text('YYYY-MM-DD', 'its last valid day, UTC; required'),
    name: text('NAME', 'its name in "key list" and "key revoke" (default: made from the user name)'),
    ...shared('root', 'as-of'),
  },
  details: [
    'Writes the key, and nothing else, to standard output: 256 random bits behind "release_index_". It is stored nowhere.',
    where,
    then,
    'In a workflow, "publish" takes the list from the variable RELEASE_INDEX_ACCESS_KEYS instead. To hand it over:',
    '  gh secret set RELEASE_INDEX_ACCESS_KEYS <.access/keys.json',
  ],
  examples: [
    ['key new --user jane --expires 2027-03-31', 'a key for a person'],
    ['key new --user bot --expires 2027-03-31 --name renovate', 'one of several of a user'],
  ],
  run: makeKey,
};

const listKeys: Command = {
  options: shared('root', 'as-of'),
  details: [
    'Names, users and last days, and whether a key is valid. Keys themselves are stored nowhere.',
    where,
  ],
  examples: [['key list', 'which keys there are']],
  run: showKeys,
};

const revokeKey: Command = {
  arguments: '<name>',
  options: shared('root', 'as-of'),
  details: [where, then],
  examples: [['key revoke renovate', 'then: publish']],
  run: removeKey,
};

/** By the second word of each verb. */
export { newKey as new, listKeys as list, revokeKey as revoke };

const publishThen = 'Publish, so that it takes effect: npx release-index publish';

/** The digest is saved before the key is shown: a key that is shown is valid. */
async function makeKey({ root, options, day, env, report }: Invocation): Promise<number> {
  const expires = lastDayOf(options['expires'], day);
  const username = options['user'];
  if (typeof username !== 'string') throw new UsageError('key new needs a user: --user NAME');
  if (env['GITHUB_ACTIONS'] === 'true')
    throw inputError(
      'key new',
      'the log of a workflow would keep the key. Make the key on your own computer',
    );
  const user = knownUser(root, username);
  const secret = `release_index_${randomBytes(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(secret).digest('hex');
  const { name, isFirst } = await changeKeys(root, (kept) => {
    const name = nameOf(options['name'], user, kept ?? []);
    const key = { name, user, expires, sha256 };
    return { keys: [...(kept ?? []), key], result: { name, isFirst: kept === undefined } };
  });
  report.print(secret);
  if (isFirst) {
    const message = 'is new. Once it is published, keys of any other list are no longer valid';
    report.finding({ level: 'notice', subject: accessKeysFile, message });
  }
  const message = `a key of ${user}, shown this once; valid until the end of ${expires}. ${publishThen}`;
  report.finding({ level: 'notice', subject: name, message });
  report.document({ verb: 'key new', name, user, expires, key: secret });
  return 0;
}

function showKeys({ root, day, report }: Invocation): number {
  const access = requireValue(readAccessConfig(root));
  const keys = (requireValue(readAccessKeys(root)) ?? []).map(({ name, user, expires }) => {
    const why = rejectionOf({ user, expires }, access, day);
    return { name, user, expires, counts: why === undefined, ...(why !== undefined && { why }) };
  });
  if (keys.length === 0) report.print('There is no access key. To make one: npx release-index key new');
  else {
    const rows = keys.map(({ name, user, expires, why }) => [name, user, expires, why ?? 'valid']);
    report.print({ headings: ['name', 'user', 'expires', 'state'], rows });
  }
  report.document({ verb: 'key list', asOf: day, keys });
  return 0;
}

async function removeKey({ root, arguments: [name], report }: Invocation): Promise<number> {
  const left = await changeKeys(root, (before = []) => {
    const keys = before.filter((key) => key.name !== name);
    if (keys.length < before.length) return { keys, result: keys.length };
    const near = didYouMean(
      name!,
      before.map((key) => key.name),
    );
    throw inputError(
      accessKeysFile,
      `there is no key "${name}".${near} "key list" shows all ${before.length}`,
    );
  });
  report.print(`${name} is revoked here. ${publishThen}`);
  report.document({ verb: 'key revoke', name, keys: left });
  return 0;
}

function lastDayOf(option: Options[string], day: string): string {
  if (typeof option !== 'string') throw new UsageError('key new needs a last day: --expires YYYY-MM-DD');
  if (isDay(option) && option >= day) return option;
  throw new UsageError(`--expires: expected a day from ${day} on, YYYY-MM-DD; got ${show(option)}`);
}

function knownUser(root: Root, username: string): string {
  const access = requireValue(readAccessConfig(root));
  if (!access)
    throw inputError(accessFile, `there is no such file, so everybody may read the index. ${howToBegin}`);
  if (!access.accessKeys.enabled)
    throw inputError(accessFile, 'accessKeys.enabled is false, so no key is valid. Set it to true first');
  const names = access.users.map((user) => user.username);
  if (names.includes(username)) return username;
  const near = didYouMean(username, names);
  throw inputError(
    accessFile,
    `users: there is no user "${username}".${near} Users are ${listed(names, 12)}`,
  );
}

const example: Pick<AccessConfig, 'protect' | 'users'> = {
  protect: 'everything',
  users: [{ username: 'jane', email: 'jane@example.com' }],
};
const howToBegin = `Begin with ${JSON.stringify(example)}`;

/** The name given, or the user's name in permitted letters. */
function nameOf(option: Options[string], user: string, keys: AccessKeys): string {
  const ofUser =
    user
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 50) || 'key';
  const name = parseOption('--name', option, AccessKey.shape.name) ?? ofUser;
  if (!keys.some((key) => key.name === name)) return name;
  const remedy = 'Revoke it, or choose another --name';
  throw inputError(accessKeysFile, `the key "${name}" exists already. ${remedy}`);
}

async function changeKeys<Result>(
  root: Root,
  changed: (kept: AccessKeys | undefined) => { keys: AccessKeys; result: Result },
): Promise<Result> {
  const release = await lock(root, 'access-keys');
  try {
    const { keys, result } = changed(requireValue(readAccessKeys(root)));
    saveAccessKeys(root, keys);
    return result;
  } finally {
    release();
  }
}
