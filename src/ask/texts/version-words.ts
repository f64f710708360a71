import { parseVersion } from '../../core/model/version.ts';

/** Words that may be between a name and its version. */
const connectors = new Set(
  [
    'v is are at on in now the it we our still current currently installed',
    'run runs running use uses using apply target',
    'id name component product module plugin artifact library package bundle',
    'app image chart jar war aar zip pom',
    // Elements of HTML around a cell or a value, also without their brackets.
    'td th tr li span b strong em code p div',
  ].flatMap((words) => words.split(' ')),
);

/** The keys of a version, as the source of an expression. */
export const versionKeys =
  'version|ver|(?:new|image)?[-_]?tag|release|rev|ref|(?:app|chart|image|current|installed)[-_ ]?version|target[-_]?revision|versioninfo';
const versionKey = new RegExp(`^(?:${versionKeys})s?$`, 'i');

/** Whether a word is the key of a version, such as `tag` or `imageVersion`. */
export function isVersionKey(word: string): boolean {
  return versionKey.test(word);
}

/** Whether a word between a name and a version leaves the version to that name: `svc is at 2025.1`, `svc chart 2025.1`. */
export function isConnector(word: string): boolean {
  return isVersionKey(word) || connectors.has(word.toLowerCase());
}

/** Without a dot, a suffix needs a sign: `7-rc1`, but `7zip` is a name. */
const undottedVersion = /^v?\d+(?:[-+~]|$)/i;

/** Whether a text is a version, or one with an open end such as `1.x`. */
export function isVersion(text: string): boolean {
  const version = text.replace(/(?:\.[x*+])+$/i, '');
  const hasForm = version.includes('.') || undottedVersion.test(version);
  return hasForm && parseVersion(version) !== undefined;
}
