import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlistedFiles } from './own-files.ts';
import { listComponents } from '../store/root.ts';
import { stampFile, type Stamp, type Stamps } from '../store/stamps.ts';
import { openInputs } from './inputs.ts';
import { recallSite, rememberSite, type SiteMemory } from './memory.ts';
import { sharedDigest, type BuildOptions, type BuiltSite } from './options.ts';

/**
 * Looks whether the site still is what an earlier build made of the same input for the same day; then there is nothing to
 * do, and no stage of a build is even loaded. Undefined where there is.
 */
export function keepSite(options: BuildOptions, memory = recallSite(options)): BuiltSite | undefined {
  const { root, out, day } = options;
  if (!memory || memory.day !== day || !existsSync(out)) return undefined;
  const inputs = openInputs(root, memory.inputs);
  if (sharedDigest(inputs, options) !== memory.shared || inputs.digest() !== memory.digest) return undefined;
  const outputs = holdOutputs(out, memory.outputs);
  if (!outputs || listComponents(root).findings.length > 0) return undefined;
  // The next look then need not read what was too young to be trusted.
  if (!isTrusted(memory)) rememberSite(options, { ...memory, inputs: inputs.stamps(), outputs });
  return {
    files: Object.keys(outputs).length,
    written: 0,
    removed: 0,
    components: memory.states,
    findings: [...memory.findings],
  };
}

/** Undefined where a file of the site is missing, was changed, or was added. */
function holdOutputs(out: string, known: Stamps): Stamps | undefined {
  const held: Record<string, Stamp> = {};
  for (const [path, stamp] of Object.entries(known)) {
    const file = stampFile(join(out, path), stamp);
    if (file?.stamp.sha256 !== stamp.sha256) return undefined;
    held[path] = file.stamp;
  }
  return isAllKnown(out, known) ? held : undefined;
}

function isAllKnown(out: string, known: Stamps): boolean {
  const folders = new Set(Object.keys(known).map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  return [...folders].every((folder) =>
    readdirSync(join(out, folder)).every((name) => {
      const path = folder + name;
      return known[path] !== undefined || unlistedFiles.has(path) || folders.has(`${path}/`);
    }),
  );
}

function isTrusted({ inputs, outputs }: SiteMemory): boolean {
  const stamps = [...Object.values(inputs), ...Object.values(outputs)];
  return stamps.every((stamp) => stamp.stat !== undefined);
}
