/** Environment variables, as they are handed from the command line to what needs them. */
export type Env = Readonly<Record<string, string | undefined>>;
