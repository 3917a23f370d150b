/** Who owns which fields of an object, as server-side apply keeps it. */
export interface ManagedFields {
    readonly manager?: string;
    readonly operation?: "Apply" | "Update";
    readonly subresource?: string;
    readonly apiVersion?: string;
    readonly time?: string;
    readonly fieldsType?: string;
    readonly fieldsV1?: Fields;
}

/** A tree of fields: `f:name` is a property, `k:{"name":"x"}` and `v:"x"` are items of lists, an empty one is owned whole. */
export interface Fields {
    readonly [step: string]: Fields;
}

/** A field that a manager owns whole. */
export interface OwnedField {
    /** Such as `spec.template.spec.containers[coredns].image`. */
    readonly path: string;
    readonly steps: readonly string[];
    /** A list's item or a map itself, whatever is in it. */
    readonly isFrame: boolean;
}

const frame = ".";

/** The fields at the ends of a tree. */
export function ownedFields(fields: Fields, before: readonly string[] = []): OwnedField[] {
    return Object.entries(fields).flatMap(([step, below]) => {
        const steps = [...before, step];
        if (step === frame) return [{ path: pathOf(before), steps, isFrame: true }];
        const isEnd = Object.keys(below).length === 0;
        return isEnd ? [{ path: pathOf(steps), steps, isFrame: false }] : ownedFields(below, steps);
    });
}

/** The value that an object has in a field; undefined if it has none. */
export function valueAt(object: unknown, steps: readonly string[]): unknown {
    return steps.reduce<unknown>((value, step) => {
        if (step === frame) return value;
        const key = step.slice(2);
        if (step.startsWith("f:")) return (value as Record<string, unknown> | undefined)?.[key];
        if (!Array.isArray(value)) return undefined;
        if (step.startsWith("i:")) return value[Number(key)];
        const wanted = JSON.parse(key);
        if (step.startsWith("v:")) return value.find((item) => item === wanted);
        return value.find((item) => Object.entries(wanted).every(([name, each]) => matches(item, name, each)));
    }, object);
}

/** A list's key that an item leaves out is the API's default. */
function matches(item: Record<string, unknown>, name: string, wanted: unknown): boolean {
    return item?.[name] === wanted || (item?.[name] === undefined && name === "protocol" && wanted === "TCP");
}

/** A tree with some fields more. */
export function withFields(fields: Fields, more: readonly OwnedField[]): Fields {
    return more.reduce<Fields>((all, { steps }) => withField(all, steps), fields);
}

function withField(fields: Fields, [step, ...rest]: readonly string[]): Fields {
    return step === undefined ? fields : { ...fields, [step]: withField(fields[step] ?? {}, rest) };
}

/** A tree without some of its fields. */
export function withoutFields(fields: Fields, gone: readonly OwnedField[]): Fields {
    return gone.reduce<Fields>((all, { steps }) => withoutField(all, steps), fields);
}

function withoutField(fields: Fields, [step, ...rest]: readonly string[]): Fields {
    const { [step!]: below, ...others } = fields;
    if (below === undefined) return fields;
    const left = rest.length > 0 ? withoutField(below, rest) : {};
    return Object.keys(left).length > 0 ? { ...others, [step!]: left } : others;
}

function pathOf(steps: readonly string[]): string {
    return steps.reduce((path, step) => {
        const key = step.slice(2);
        if (step.startsWith("f:")) return /^[\w-]+$/.test(key) ? (path ? `${path}.${key}` : key) : `${path}["${key}"]`;
        const parsed = JSON.parse(key);
        return `${path}[${typeof parsed === "object" ? Object.values(parsed).join(",") : parsed}]`;
    }, "");
}
