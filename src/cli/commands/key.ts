import { randomBytes } from 'node:crypto';
import { addDays, isDay } from '../../core/dates.ts';
import type { AccessConfig, User } from '../../core/schemas/access-config.ts';
import { AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { didYouMean } from '../../core/nearest.ts';
import { InputError, notice, problem, type Finding } from '../../core/schemas/finding.ts';
import {
  permissions,
  permissionsWithin,
  type Limits,
  type Permission,
} from '../../core/schemas/permissions.ts';
import { show } from '../../core/schemas/problems.ts';
import { accessKeysFile, changeKeys, keyNamed } from '../../io/files/access-keys-file.ts';
import { nextName, readAccessKeys } from '../../io/files/access-keys-file.ts';
import { accessFile, readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { sha256 as sha256Of } from '../../io/files/sha256.ts';
import { listed } from '../../core/text.ts';
import { tokenRemedy } from '../../deliver/publish/site-http.ts';
import { rejectionOf } from '../../deliver/publish/host-keys.ts';
import { inputError, parseOption, requireValue, shared, text, UsageError } from '../command.ts';
import type { Command, Invocation, Options } from '../command.ts';

const where =
  'The list is .access/keys.json under the root, which git ignores: digests with name, user and last day, without the keys.';
const then =
  'The published list changes with the next "publish", which sends it to the host as a secret.';

const newKey: Command = {
  options: {
    user: text('NAME', 'its user, a user name of site/access.json; required'),
    expires: text('YYYY-MM-DD', 'its last valid day, UTC; required'),
    name: text(
      'NAME',
      'its name in "key list" and "key revoke" (default: made from the user name)',
    ),
    permissions: {
      ...text('LIST', `${permissions.join(',')}, or fewer (default: all of its user)`),
      multiple: true,
    },
    ...shared('root', 'as-of'),
  },
  details: [
    'Writes only the key to standard output: "release_index_" and 256 random bits. The key is stored nowhere.',
    where,
    then,
    'In a workflow, "publish" takes the list from the variable RELEASE_INDEX_ACCESS_KEYS instead. To hand it over:',
    '  gh secret set RELEASE_INDEX_ACCESS_KEYS <.access/keys.json',
  ],
  examples: [
    ['key new --user jane --expires 2027-03-31', 'a key for a person'],
    ['key new --user bot --expires 2027-03-31 --name renovate', 'another key of a user'],
    ['key new --user bot --expires 2027-03-31 --permissions read', 'a limited one'],
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
  arguments: { required: ['name'] },
  options: shared('root', 'as-of'),
  details: [where, then],
  examples: [['key revoke renovate', 'then: publish']],
  run: removeKey,
};

const rotateOne: Command = {
  arguments: { required: ['name'] },
  options: {
    expires: text(
      'YYYY-MM-DD',
      'last valid day of the new key, UTC (default: in 90 days, or that of the old key if later)',
    ),
    ...shared('root', 'as-of'),
  },
  details: [
    'Makes a key with the user and the limits of this one, and writes it to standard output, as "key new" does. The old key',
    'stays valid until it is revoked. The last lines list the next steps.',
    where,
    then,
  ],
  examples: [['key rotate renovate', 'then: key revoke renovate, and publish with both keys']],
  run: rotateKey,
};

/** Named by the second word of each verb. */
export { newKey as new, listKeys as list, revokeKey as revoke, rotateOne as rotate };

const publishThen = 'To apply it: npx release-index publish';

/** Saves the digest before it shows the key, so a shown key is valid. */
async function makeKey(invocation: Invocation): Promise<number> {
  const wanted = wantedKey(invocation);
  await issueKey(invocation, 'key new', () => wanted);
  return 0;
}

/** The default life of a replacement key. */
const rotatedDays = 90;

/** The old key stays valid until it is revoked, so no reader is locked out. */
async function rotateKey(invocation: Invocation): Promise<number> {
  const { arguments: args, options, day, report } = invocation;
  const given = options['expires'];
  const wrong = given === undefined ? undefined : wrongDay(given, day);
  if (wrong) {
    throw new UsageError(...wrong);
  }
  const { old } = await issueKey(invocation, 'key rotate', (kept) => {
    const old = keyNamed(args[0]!, kept);
    const { name, user: username, expires, permissions } = old;
    const inTime = addDays(day, rotatedDays);
    const byDefault = expires > inTime ? expires : inTime;
    return {
      old,
      username,
      expires: typeof given === 'string' ? given : byDefault,
      name: nextName(name, kept),
      limits: { permissions },
    };
  });
  const { name, expires } = old;
  const revoke = `stays valid. Revoke it once its user has the new key, or at once if it has leaked: npx release-index key revoke ${name}`;
  report.finding(
    notice(name, expires < day ? `expired after ${expires} and left the list` : revoke),
    notice(
      'then',
      "RELEASE_INDEX_KEY='<old key>,<new key>' npx release-index publish. One key reads the live site, the other the new one",
    ),
    notice(
      'workflows',
      'gh secret set RELEASE_INDEX_ACCESS_KEYS <.access/keys.json, and gh secret set RELEASE_INDEX_KEY, which asks for the new key',
    ),
  );
  return 0;
}

/** Returns the chosen key. */
async function issueKey<Chosen extends WantedKey>(
  { root, env, day, report }: Invocation,
  verb: string,
  choose: (kept: AccessKeys) => Chosen,
): Promise<Chosen> {
  if (env['GITHUB_ACTIONS'] === 'true') {
    throw inputError(
      verb,
      'the log of a workflow would keep the key. Make the key on your own computer',
    );
  }
  const secret = `release_index_${randomBytes(32).toString('base64url')}`;
  const { chosen, key, isFirst } = await changeKeys(root, (kept) => {
    const chosen = choose(kept ?? []);
    const { username, expires, limits, name: wanted } = chosen;
    checkUser(root, username, limits);
    // Expired keys leave the list, which frees their names.
    const valid = (kept ?? []).filter((one) => one.expires >= day);
    const name = nameOf(wanted, username, valid);
    const key: AccessKey = { name, user: username, expires, sha256: sha256Of(secret), ...limits };
    return { keys: [...valid, key], result: { chosen, key, isFirst: kept === undefined } };
  });
  const { sha256: _, ...shown } = key;
  report.print(secret);
  if (isFirst) {
    const message = 'is new. Once it is published, keys of any other list are no longer valid';
    report.finding(notice(accessKeysFile, message));
  }
  const until = `valid until the end of ${key.expires}. ${publishThen}`;
  report.finding(notice(key.name, `a key of ${key.user}, shown this once; ${until}`));
  report.document({ verb, ...shown, key: secret });
  return chosen;
}

function showKeys({ root, day, report }: Invocation): number {
  const access = requireValue(readAccessConfig(root));
  const keys = (requireValue(readAccessKeys(root)) ?? []).map(({ sha256: _, ...key }) => {
    const why = rejectionOf(key, access, day);
    return { ...key, counts: why === undefined, why };
  });
  if (keys.length === 0) {
    report.print('There is no access key. To make one: npx release-index key new');
  } else {
    const inWords = (list: readonly string[] | undefined) => (list ? listed(list, 5) : 'all');
    const rows = keys.map(({ name, user, expires, why = 'valid', permissions }) => [
      ...[name, user, expires, why, inWords(permissions)],
    ]);
    report.print({
      headings: ['name', 'user', 'expires', 'state', 'permissions'],
      rows,
    });
  }
  report.document({ verb: 'key list', asOf: day, keys });
  return 0;
}

async function removeKey({ root, arguments: [name = ''], report }: Invocation): Promise<number> {
  const left = await changeKeys(root, (before = []) => {
    const revoked = keyNamed(name, before);
    const keys = before.filter((key) => key !== revoked);
    return { keys, result: keys.length };
  });
  report.print(`${name} is revoked here. ${publishThen}`);
  report.document({ verb: 'key revoke', name, keys: left });
  return 0;
}

interface WantedKey {
  readonly username: string;
  readonly expires: string;
  readonly name: string | undefined;
  readonly limits: Pick<AccessKey, keyof Limits>;
}

/** Throws a UsageError with every problem. */
function wantedKey({ options, day }: Invocation): WantedKey {
  const wrong: string[] = [];
  const { user, expires } = options;
  if (typeof user !== 'string') {
    wrong.push('key new needs a user: --user NAME');
  }
  if (typeof expires !== 'string') {
    wrong.push('key new needs a last day: --expires YYYY-MM-DD');
  } else {
    wrong.push(...(wrongDay(expires, day) ?? []));
  }
  const asked = listIn(options['permissions']);
  for (const name of asked ?? []) {
    if (!(permissions as readonly string[]).includes(name)) {
      wrong.push(
        `--permissions: expected some of ${listed(permissions, 9)}; got ${show(name)}.${didYouMean(name, permissions)}`,
      );
    }
  }
  let name: string | undefined;
  try {
    name = parseOption('--name', options['name'], AccessKey.shape.name);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    wrong.push(...error.lines);
  }
  if (wrong.length > 0) {
    throw new UsageError(...wrong);
  }
  const limits = { permissions: asked as Permission[] | undefined };
  return { username: user as string, expires: expires as string, name, limits };
}

function wrongDay(expires: Options[string], day: string): string[] | undefined {
  if (typeof expires === 'string' && isDay(expires) && expires >= day) {
    return undefined;
  }
  return [`--expires: expected a day from ${day} on, YYYY-MM-DD; got ${show(expires)}`];
}

/** A list with commas, repeated options, or both. */
function listIn(option: Options[string]): string[] | undefined {
  if (option === undefined) {
    return undefined;
  }
  const names = [option].flat().flatMap((text) => String(text).split(','));
  return [...new Set(names.map((name) => name.trim()))];
}

/** Throws an `InputError` with every reason why the user may not have such a key. */
function checkUser(root: Root, username: string, limits: Limits): void {
  const access = requireValue(readAccessConfig(root));
  if (!access) {
    throw inputError(accessFile, `is missing, so the index is public. ${howToBegin}`);
  }
  if (!access.accessKeys.enabled) {
    throw inputError(accessFile, `accessKeys.enabled is false, so no key is valid. ${tokenRemedy}`);
  }
  const names = access.users.map((user) => user.username);
  const user = access.users.find((user) => user.username === username);
  const unknown = `users: there is no user "${username}".${didYouMean(username, names)} Users are ${listed(names, 12)}`;
  const findings = user ? exceeding(user, limits) : [problem(accessFile, unknown)];
  if (findings.length > 0) {
    throw new InputError(findings);
  }
}

/** A key never has more than its user. */
function exceeding(
  { username, permissions: held }: User,
  { permissions: asked }: Limits,
): Finding[] {
  const more = asked?.filter((name) => !permissionsWithin({ permissions: held }).includes(name));
  return (more ?? []).map((name) =>
    problem(accessFile, `users: ${username} has permissions ${held?.join(', ')}, not ${name}`),
  );
}

const example: Pick<AccessConfig, 'protect' | 'users'> = {
  protect: 'everything',
  users: [{ username: 'jane', email: 'jane@example.com' }],
};
const howToBegin = `Begin with ${JSON.stringify(example)}`;

/** The name given, or the user's name in permitted letters. */
function nameOf(wanted: string | undefined, user: string, keys: AccessKeys): string {
  const ofUser =
    user
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 50) || 'key';
  const name = wanted ?? ofUser;
  if (!keys.some((key) => key.name === name)) {
    return name;
  }
  const remedy = 'Revoke it, or choose another --name';
  throw inputError(accessKeysFile, `the key "${name}" exists already. ${remedy}`);
}
