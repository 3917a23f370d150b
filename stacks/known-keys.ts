/** As much of a JSON schema as tells the keys of objects. */
export interface KeySchema {
    readonly properties?: Readonly<Record<string, KeySchema>>;
    readonly anyOf?: readonly KeySchema[];
    readonly items?: KeySchema;
}

/** The keys that a schema has at a path. */
export function knownKeys(schema: KeySchema, path: readonly PropertyKey[]): string[] {
    const [part, ...rest] = path;
    const own = () => {
        if (part === undefined) return Object.keys(schema.properties ?? {});
        const next = typeof part === "number" ? schema.items : schema.properties?.[String(part)];
        return next ? knownKeys(next, rest) : [];
    };
    return [...own(), ...(schema.anyOf ?? []).flatMap((each) => knownKeys(each, path))];
}

/** The known key that is most like another one, if any is alike. */
export function nearest(key: string, known: readonly string[]): string | undefined {
    const most = Math.ceil(key.length / 3);
    const [best] = known
        .map((name) => ({ name, distance: distance(key.toLowerCase(), name.toLowerCase()) }))
        .filter((each) => each.distance <= most)
        .sort((a, b) => a.distance - b.distance);
    return best?.name;
}

/** How many letters have to be put in, taken out or changed. Source: Levenshtein. */
function distance(a: string, b: string): number {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
        }
        row = next;
    }
    return row[b.length]!;
}
