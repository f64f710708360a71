import { createHash, randomBytes } from 'node:crypto';
import { commandLine } from '../../core/command-prefix.ts';
import { isDay } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { didYouMean, show } from '../../core/schemas/problems.ts';
import {
  accessKeysFile,
  readAccessKeys,
  saveAccessKeys,
  type KeptAccessKeys,
} from '../../io/files/access-keys-file.ts';
import { lock } from '../../io/files/lock.ts';
import { accessFile, readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { listed } from '../../core/text.ts';
import { whyKeyIsVoid } from '../../deliver/publish/sent-keys.ts';
import { refusal, refuseErrors, UsageError, type Invocation } from './command.ts';

const publishThen = () => `Publish, so that it takes effect: ${commandLine('publish')}`;

/** Makes a key. The digest is saved before anybody sees the key, so that none is shown that will not count. */
export async function newKey({ root, options, day, env, report }: Invocation): Promise<number> {
  const expires = lastDayOf(options['expires'], day);
  const username = options['user'];
  if (typeof username !== 'string') throw new UsageError('key new needs a user: --user NAME');
  if (env['GITHUB_ACTIONS'] === 'true')
    throw refusal('key new', 'the log of a workflow keeps what it shows. Make the key on your own computer');
  const user = userOf(root, username);
  const secret = `release_index_${randomBytes(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(secret).digest('hex');
  const { name, isFirst } = await change(root, ({ keys, before }) => {
    const name = nameOf(options['name'], user, keys);
    const isFirst = before === undefined;
    return { keys: [...keys, { name, user, expires, sha256 }], result: { name, isFirst } };
  });
  report.line(secret);
  if (isFirst) {
    const message = 'is new. Once it is published, keys of any other list no longer count';
    report.finding({ level: 'notice', subject: accessKeysFile, message });
  }
  const message = `a key of ${user}, shown this once; it counts until the end of ${expires}. ${publishThen()}`;
  report.finding({ level: 'notice', subject: name, message });
  report.result({ verb: 'key new', name, user, expires, key: secret });
  return 0;
}

export function listKeys({ root, day, report }: Invocation): Promise<number> {
  const { value: access, findings } = readAccessConfig(root);
  refuseErrors(findings);
  const keys = keptIn(root).keys.map(({ name, user, expires }) => {
    const why = whyKeyIsVoid({ user, expires }, access, day);
    return { name, user, expires, counts: why === undefined, ...(why !== undefined && { why }) };
  });
  if (keys.length === 0) report.line(`There is no access key. To make one: ${commandLine('key', 'new')}`);
  else {
    const rows = keys.map(({ name, user, expires, why }) => [name, user, expires, why ?? 'counts']);
    report.table({ headings: ['name', 'user', 'expires', 'state'], rows });
  }
  report.result({ verb: 'key list', asOf: day, keys });
  return Promise.resolve(0);
}

export async function revokeKey({ root, arguments: [name], report }: Invocation): Promise<number> {
  const left = await change(root, ({ keys: before }) => {
    const keys = before.filter((key) => key.name !== name);
    if (keys.length < before.length) return { keys, result: keys.length };
    const near = didYouMean(
      name!,
      before.map((key) => key.name),
    );
    throw refusal(
      accessKeysFile,
      `there is no key "${name}".${near} "key list" shows which there are (${before.length})`,
    );
  });
  report.line(`${name} is revoked here. ${publishThen()}`);
  report.result({ verb: 'key revoke', name, keys: left });
  return 0;
}

function lastDayOf(option: Invocation['options'][string], day: string): string {
  if (typeof option !== 'string') throw new UsageError('key new needs a last day: --expires YYYY-MM-DD');
  if (isDay(option) && option >= day) return option;
  throw new UsageError(`--expires: expected a day from ${day} on, YYYY-MM-DD; got ${show(option)}`);
}

function userOf(root: Root, username: string): string {
  const { value: access, findings } = readAccessConfig(root);
  refuseErrors(findings);
  if (!access)
    throw refusal(accessFile, `there is no such file, so that everybody may read the index. ${howToBegin}`);
  if (!access.accessKeys.enabled)
    throw refusal(accessFile, 'accessKeys.enabled is false, so that no key counts. Set it to true first');
  const names = access.users.map((user) => user.username);
  if (names.includes(username)) return username;
  const near = didYouMean(username, names);
  throw refusal(accessFile, `users: there is no user "${username}".${near} Users are ${listed(names, 12)}`);
}

const example: Pick<AccessConfig, 'protect' | 'users'> = {
  protect: 'everything',
  users: [{ username: 'jane', email: 'jane@example.com' }],
};
const howToBegin = `Begin with ${JSON.stringify(example)}`;

/** As asked for, or the user's name in letters that a name may have, with a number where there is one already. */
function nameOf(option: Invocation['options'][string], user: string, keys: AccessKeys): string {
  const isTaken = (name: string) => keys.some((key) => key.name === name);
  if (typeof option === 'string') {
    const wrong = AccessKey.shape.name.safeParse(option).error?.issues[0];
    if (wrong) throw new UsageError(`--name: ${wrong.message}; got ${show(option)}`);
    if (isTaken(option))
      throw refusal(
        accessKeysFile,
        `there is a key "${option}" already. Revoke it, or choose another --name`,
      );
    return option;
  }
  const base =
    user
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 50) || 'key';
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!isTaken(name)) return name;
  }
}

function keptIn(root: Root): KeptAccessKeys {
  const { value, findings } = readAccessKeys(root);
  refuseErrors(findings);
  return value!;
}

async function change<Result>(
  root: Root,
  changed: (kept: KeptAccessKeys) => { keys: AccessKeys; result: Result },
): Promise<Result> {
  const release = await lock(root, 'access-keys');
  try {
    const kept = keptIn(root);
    const { keys, result } = changed(kept);
    if (saveAccessKeys(root, { ...kept, keys })) return result;
    throw refusal(accessKeysFile, 'another run has changed it meanwhile. Nothing was written; try again');
  } finally {
    await release();
  }
}
