/** Texts and documents that nobody shall take for judged: they state ranges, or versions in a form of their own. No zod and no Node: pages load it. */
import type { ReadList } from './list.ts';

const bill = 'syft . -o cyclonedx-json';
const convert = 'syft convert FILE -o cyclonedx-json';

/** Kinds, each with a command whose list is read, and with what no other list has. A text is of the first kind whose form it has. */
export const refusedKinds = {
  'package.json': [
    'npm ls --json',
    /^\s*\{(?![^]*"lockfileVersion")[^]*"(?:d|devD)ependencies":\s*\{\s*"[^"]+":\s*"/,
  ],
  'yarn.lock of Yarn 1': ['yarn list', /^# yarn lockfile v1/m],
  'yarn.lock': ['yarn info -A -R --name-only', /^__metadata:/m],
  'yarn info': ['yarn info -A -R --name-only', /^[│ ]*[├└]─ Version: /m],
  'pnpm-lock.yaml': ['pnpm ls --depth Infinity', /^lockfileVersion: /m],
  'bun.lock': [
    'bun pm ls --all',
    /^\s*\{\s*"lockfileVersion": \d+,\s*"(?:workspaces|configVersion)"/,
  ],
  'pnpm outdated': ['pnpm ls --depth Infinity', /^│ Package +│ Current/m],
  'bun outdated': ['bun pm ls --all', /^bun outdated /],
  'conda list': ['conda list --export', /^# +Name +Version +Build/m],
  'pom.xml': ['mvn dependency:list', /<\/project>$/],
  'libs.versions.toml': ['gradle dependencies', /^\[(?:versions|libraries|plugins)\]$/m],
  'Podfile.lock': [bill, /^PODS:$/m],
  'go.sum': ['go list -m all', /^\S+ v\S+ h1:\S+=$/m],
  'Cargo.toml': ['cargo tree', /^\[(?:package|workspace)\]$/m],
  'pyproject.toml': ['pip freeze', /^\[(?:project|tool\.[\w.-]+|build-system)\]$/m],
  'Pipfile.lock': ['pipenv requirements', /"_meta":\s*\{\s*"hash":/],
  'kubectl -o json': ['kubectl … -o yaml', /^\s*\{\s*"(?:apiVersion|kind)":/],
  'docker --format json': ['docker ps', /^\s*\{"(?:Command|Containers)":/],
  'pip inspect': ['pip list', /"pip_version":/],
  trivy: ['trivy … --format cyclonedx', /"ArtifactType":/],
  grype: ['grype … -o cyclonedx-json', /^\s*\{\s*"matches":/],
  'values.yaml': [
    'helm template …',
    /^(?!\s*[[{])(?=[^]*\brepository["']?:\s)(?=[^]*\b(?:tag|digest)["']?:\s)/,
  ],
  'mise.toml': ['mise ls --current', /^\[tools\]$/m],
  'CycloneDX as XML': [convert, /^\s*<[^]*cyclonedx\.org\/schema/],
  'SPDX as tag-value': [convert, /^SPDXVersion: /m],
  'other XML': [bill, /^\s*</],
} satisfies Readonly<Record<string, [command: string, form: RegExp]>>;

/** By its form; undefined for another text. */
export function refuseText(text: string): ReadList | undefined {
  const [kind, [command] = []] =
    Object.entries(refusedKinds).find(([, [, form]]) => form.test(text)) ?? [];
  return kind === undefined
    ? undefined
    : { items: [], problems: [{ message: `${kind} is not read; give the list of "${command}"` }] };
}
