/** Renders flags as `--name=value`; extra ones win over the generated. */
export function commandLine(flags: Record<string, string>, extra: Record<string, string> = {}): string[] {
    return Object.entries({ ...flags, ...extra }).map(([flag, value]) => `--${flag}=${value}`);
}
