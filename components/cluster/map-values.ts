/** The same keys with other values. */
export function mapValues<K extends string, A, B>(
    record: Readonly<Record<K, A>>,
    change: (value: A) => B,
): Record<K, B> {
    return Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as Record<K, B>;
}
