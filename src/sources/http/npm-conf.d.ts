/** npm's configuration; the package has no types. */
declare module '@pnpm/npm-conf' {
  export default function npmConf(): {
    config: {
      snapshot: Record<string, string> & { registry: string };
      /** npm's defaults. */
      root: Record<string, unknown>;
    };
    warnings: string[];
  };
}
