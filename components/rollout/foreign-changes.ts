import { isDeepStrictEqual } from "node:util";
import type { FieldTree, ManagedFields, Metadata } from "../../clients/kubernetes/objects";
import { fieldManager } from "../../cluster/manifest";

/** Fields set by another manager than the stack, which an update of the object undoes. */
interface ForeignChange {
    readonly manager: string;
    /** Paths only: values may be secret. */
    readonly fields: readonly string[];
}

/** An object as returned by the API. */
export interface LiveObject {
    readonly apiVersion?: string;
    readonly metadata?: Pick<Metadata, "resourceVersion" | "managedFields">;
}

interface Sides {
    readonly live: LiveObject;
    /** The object as the stack declares it now. */
    readonly desired: object;
    /** The object as the stack declared it before. */
    readonly before: object;
}

/**
 * Changes by others that an update undoes: of fields that the stack sets, or drops now. Fields that only others set are
 * left to them, such as annotations and statuses of controllers.
 */
export function foreignChanges({ live, desired, before }: Sides): ForeignChange[] {
    const changes = new Map<string, string[]>();
    // `up` itself changes templates on the way over several minor versions.
    const others = foreign(live).filter(({ manager }) => manager !== fieldManager);
    for (const { manager = "unknown", fieldsV1 = {} } of others) {
        const fields = ownedFields(fieldsV1).filter(
            ({ steps, isFrame }) =>
                !isFrame &&
                isOfStack({ desired, before }, steps) &&
                !isSame(valueAt(live, steps), valueAt(desired, steps)),
        );
        if (fields.length > 0)
            changes.set(manager, [...(changes.get(manager) ?? []), ...fields.map(({ path }) => path)]);
    }
    return [...changes].map(([manager, fields]) => ({ manager, fields }));
}

/**
 * Managers of an object's fields after the stack's manager has taken over those that the stack sets or drops. Without
 * this, a dropped field would stay forever if another manager changed or also applies it: a forced apply only takes
 * over fields that it contains.
 *
 * @returns undefined if there is nothing to take over
 */
export function takenOver({ live, desired, before }: Sides): ManagedFields[] | undefined {
    const all = live.metadata?.managedFields ?? [];
    const others = new Set(foreign(live).filter(({ subresource = "" }) => subresource === ""));
    const taken: OwnedField[] = [];
    const rest = all.flatMap((entry) => {
        if (!others.has(entry)) return isOwn(entry) ? [] : [entry];
        const moved = ownedFields(entry.fieldsV1 ?? {}).filter(({ steps }) => isOfStack({ desired, before }, steps));
        taken.push(...moved);
        const left = withoutFields(entry.fieldsV1 ?? {}, moved);
        return ownedFields(left).length > 0 ? [{ ...entry, fieldsV1: left }] : [];
    });
    if (taken.length === 0) return undefined;
    const own = all.find(isOwn) ?? {
        manager: fieldManager,
        operation: "Apply",
        apiVersion: live.apiVersion,
        time: all[0]?.time,
    };
    const fieldsV1: FieldTree = withFields(own.fieldsV1 ?? {}, taken);
    return [...rest, { ...own, fieldsType: "FieldsV1", fieldsV1 }];
}

/** @returns such as `k9s set spec.replicas` */
export function describeChange({ manager, fields }: ForeignChange): string {
    const more = fields.length - mostFields;
    const shown = fields.slice(0, mostFields).join(", ");
    return `${manager} set ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

const mostFields = 8;

function foreign({ metadata }: LiveObject): ManagedFields[] {
    return (metadata?.managedFields ?? []).filter((entry) => !isOwn(entry) && entry.subresource !== "status");
}

function isOwn({ manager, operation }: ManagedFields): boolean {
    return manager === fieldManager && operation === "Apply";
}

function isOfStack({ desired, before }: Omit<Sides, "live">, steps: readonly string[]): boolean {
    return valueAt(desired, steps) !== undefined || valueAt(before, steps) !== undefined;
}

/** The API normalizes numbers and empty values. */
function isSame(live: unknown, desired: unknown): boolean {
    return isDeepStrictEqual(live, desired) || (typeof live !== "object" && String(live) === String(desired));
}

/** A field that a manager owns as a whole. */
interface OwnedField {
    /** Such as `spec.template.spec.containers[coredns].image`. */
    readonly path: string;
    readonly steps: readonly string[];
    /** A list item or map itself, regardless of its contents. */
    readonly isFrame: boolean;
}

const frame = ".";

/** The leaves of a tree. */
export function ownedFields(fields: FieldTree, before: readonly string[] = []): OwnedField[] {
    return Object.entries(fields).flatMap(([step, below]) => {
        const steps = [...before, step];
        if (step === frame) return [{ path: pathOf(before), steps, isFrame: true }];
        const isEnd = Object.keys(below).length === 0;
        return isEnd ? [{ path: pathOf(steps), steps, isFrame: false }] : ownedFields(below, steps);
    });
}

/** Value of a field of an object; undefined if it has none. */
function valueAt(object: unknown, steps: readonly string[]): unknown {
    return steps.reduce<unknown>((value, step) => {
        if (step === frame) return value;
        const key = step.slice(2);
        if (step.startsWith("f:")) return (value as Record<string, unknown> | undefined)?.[key];
        if (!Array.isArray(value)) return undefined;
        if (step.startsWith("i:")) return value[Number(key)];
        const desired = JSON.parse(key);
        if (step.startsWith("v:")) return value.find((item) => item === desired);
        return value.find((item) => Object.entries(desired).every(([name, each]) => matches(item, name, each)));
    }, object);
}

/** A list key that an item omits has the API's default. */
function matches(item: Record<string, unknown>, name: string, desired: unknown): boolean {
    return item?.[name] === desired || (item?.[name] === undefined && name === "protocol" && desired === "TCP");
}

/** A tree with additional fields. */
function withFields(fields: FieldTree, more: readonly OwnedField[]): FieldTree {
    return more.reduce<FieldTree>((all, { steps }) => withField(all, steps), fields);
}

function withField(fields: FieldTree, [step, ...rest]: readonly string[]): FieldTree {
    return step === undefined ? fields : { ...fields, [step]: withField(fields[step] ?? {}, rest) };
}

/** A tree without some of its fields. */
function withoutFields(fields: FieldTree, removed: readonly OwnedField[]): FieldTree {
    return removed.reduce<FieldTree>((all, { steps }) => withoutField(all, steps), fields);
}

function withoutField(fields: FieldTree, [step, ...rest]: readonly string[]): FieldTree {
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
