/** The named fields of an object, those that it has. */
export function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}
