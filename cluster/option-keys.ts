/** Every key of `T`: with `satisfies KeysOf<…>`, a key that is missing from a list does not compile. */
export type KeysOf<Keys extends PropertyKey> = Readonly<Record<Keys, true>>;

/** Splits options into those with the given keys and the others. */
export function splitOptions<T extends object, K extends PropertyKey>(
    all: T,
    keys: KeysOf<K>,
): [Pick<T, K & keyof T>, Omit<T, K>] {
    const entries = Object.entries(all);
    const [picked, others] = [true, false].map((isPicked) =>
        Object.fromEntries(entries.filter(([key]) => Object.hasOwn(keys, key) === isPicked)),
    );
    return [picked as Pick<T, K & keyof T>, others as Omit<T, K>];
}
