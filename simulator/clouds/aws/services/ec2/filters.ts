import { objectsOf, type Params, type Tags, textOf, textsOf } from "../query/params";

/**
 * Keeps what matches a request's filters; each item has values by filter name. @param called - EC2's name of the call,
 * unless given
 */
export function filtered<T>(
    params: Params,
    all: readonly T[],
    values: (each: T) => Readonly<Record<string, string | readonly string[]>>,
    called = { filters: "Filter", values: "Value" },
): T[] {
    const filters = objectsOf(params, called.filters).map((each) => ({
        name: textOf(each, "Name"),
        expected: textsOf(each, called.values),
    }));
    return all.filter((each) =>
        filters.every(({ name, expected }) => {
            const has = values(each);
            if (!name.startsWith("tag") && !(name in has)) {
                throw new Error(`InvalidParameterValue: The filter '${name}' is not simulated`);
            }
            return [has[name] ?? []].flat().some((value) => expected.includes(value));
        }),
    );
}

/** Values for the filters `tag:<key>` and `tag-key`. */
export function tagValues(tags: Tags = {}): Record<string, string | string[]> {
    const values = Object.entries(tags).map(([key, value]) => [`tag:${key}`, value]);
    return { ...Object.fromEntries(values), "tag-key": Object.keys(tags) };
}

export function tagSet(tags: Tags = {}): { key: string; value: string }[] {
    return Object.entries(tags).map(([key, value]) => ({ key, value }));
}
