/** Proposes names for the files of a release, from what upstream calls them. */
import { escapePattern } from '../../core/text.ts';

const systems: Readonly<Record<string, RegExp>> = {
  linux: /linux/i,
  darwin: /darwin|mac-?os/i,
  windows: /windows|(?<![a-z])win(?:32|64)?(?![a-z])/i,
};
const machines: Readonly<Record<string, RegExp>> = {
  amd64: /amd64|x86[-_]64|x64/i,
  arm64: /arm64|aarch64/i,
};

/** Of several files for a platform, the first of these that there is once. */
const endings = [/\.tar\.gz$|\.tgz$/, /\.tar\.[a-z0-9]+$/, /\.zip$/, /\.exe$/, /[^.]{5,}$/];

/** By platform (`linux-amd64`), a pattern that fits one of the assets, whatever its version. */
export function proposeFiles(assets: readonly string[], version: string): Record<string, string> {
  const proposed: Record<string, string> = {};
  for (const [system, ofSystem] of Object.entries(systems)) {
    for (const [machine, ofMachine] of Object.entries(machines)) {
      const own = assets.filter((asset) => ofSystem.test(asset) && ofMachine.test(asset));
      const asset = endings
        .map((ending) => own.filter((each) => ending.test(each)))
        .find(({ length }) => length === 1)?.[0];
      if (asset === undefined) {
        continue;
      }

      // From the first word that names the platform: what is before it is mostly the version.
      const start = Math.min(asset.search(ofSystem), asset.search(ofMachine));
      const from = Math.max(start - 1, 0);
      const parts = asset.slice(from).split(version.replace(/^v/, ''));
      const pattern = `${parts.map(escapePattern).join('.+')}$`;
      if (assets.filter((each) => new RegExp(pattern).test(each)).length === 1) {
        proposed[`${system}-${machine}`] = pattern;
      }
    }
  }
  return proposed;
}
