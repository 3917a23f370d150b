/** A request's parameters: `Filter.1.Name=x` is `{ Filter: { 1: { Name: "x" } } }`. */
export interface Params {
    readonly [name: string]: string | Params | undefined;
}

type Tree = { [name: string]: string | Tree };

/** The parameters of a form body. */
export function paramsOf(body: string): Params {
    const all: Tree = Object.create(null);
    for (const [path, value] of new URLSearchParams(body)) {
        const names = path.split(".");
        const last = names.pop()!;
        let place = all;
        for (const name of names) {
            const next = place[name];
            const inner: Tree = typeof next === "object" ? next : Object.create(null);
            place[name] = inner;
            place = inner;
        }
        place[last] = value;
    }
    return all;
}

/** A required one. */
export function textOf(params: Params, name: string): string {
    const value = params[name];
    if (typeof value !== "string") throw new Error(`MissingParameter: The request must contain the parameter ${name}`);
    return value;
}

export function numberOf(params: Params, name: string): number {
    return Number(textOf(params, name));
}

/** One of a list's texts, `InstanceId.1`, optionally with `member` in between. */
export function textsOf(params: Params, name: string): string[] {
    return itemsOf(params, name).filter((each) => typeof each === "string");
}

/** One of a list's objects, `Filter.1.Name`, optionally with `member` in between. */
export function objectsOf(params: Params, name: string): Params[] {
    return itemsOf(params, name).filter((each) => typeof each === "object");
}

/** A nested object: `HealthCheck.Target`. */
export function objectOf(params: Params, name: string): Params {
    const value = params[name];
    return typeof value === "object" ? value : {};
}

export type Tags = Readonly<Record<string, string>>;

/** The requested tags. */
export function tagsOf(params: Params, name: string): Tags {
    return Object.fromEntries(objectsOf(params, name).map((tag) => [textOf(tag, "Key"), String(tag.Value ?? "")]));
}

function itemsOf(params: Params, name: string): (string | Params)[] {
    const value = objectOf(params, name);
    const items = typeof value.member === "object" ? value.member : value;
    return Object.keys(items)
        .filter((key) => /^\d+$/.test(key))
        .sort((a, b) => Number(a) - Number(b))
        .map((key) => items[key]!);
}
