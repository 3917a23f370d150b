/** Something that was learned, or why it could not be. Never a guess. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string };

export function known<T>(value: T): Fact<T> {
    return { value };
}

export function unknown<T>(why: string): Fact<T> {
    return { unknown: why };
}

/** The value, or undefined if it is not known. */
export function ifKnown<T>(fact: Fact<T> | undefined): T | undefined {
    return fact !== undefined && "value" in fact ? fact.value : undefined;
}
