import { isDeepStrictEqual } from "node:util";
import { fieldManager } from "../cluster/manifest";
import {
    type Fields,
    type ManagedFields,
    type OwnedField,
    ownedFields,
    valueAt,
    withFields,
    withoutFields,
} from "./managed-fields";

/** What another manager than the stack's set, and an update of the object undoes. */
export interface ForeignChange {
    readonly manager: string;
    /** Paths alone: a value may be secret. */
    readonly fields: readonly string[];
}

/** An object as its API has it. */
export interface LiveObject {
    readonly apiVersion?: string;
    readonly metadata?: { readonly resourceVersion?: string; readonly managedFields?: readonly ManagedFields[] };
}

export interface Sides {
    readonly live: LiveObject;
    /** What the stack wants now. */
    readonly wanted: object;
    /** What it wanted before. */
    readonly before: object;
}

/**
 * Whose changes an update undoes: of fields that the stack sets, or drops now. What only others set stays theirs, such as
 * what controllers note in annotations and statuses.
 */
export function foreignChanges({ live, wanted, before }: Sides): ForeignChange[] {
    const changes = new Map<string, string[]>();
    for (const { manager = "unknown", fieldsV1 = {} } of foreign(live)) {
        const fields = ownedFields(fieldsV1).filter(
            ({ steps, isFrame }) =>
                !isFrame &&
                isOfStack({ wanted, before }, steps) &&
                !isSame(valueAt(live, steps), valueAt(wanted, steps)),
        );
        if (fields.length > 0)
            changes.set(manager, [...(changes.get(manager) ?? []), ...fields.map(({ path }) => path)]);
    }
    return [...changes].map(([manager, fields]) => ({ manager, fields }));
}

/**
 * The owners of an object's fields after the stack's manager took over those that the stack sets or drops. Without that a
 * dropped field stays for ever if somebody else changed it or applies it too: a forced apply only wins what it names.
 *
 * @returns nothing if there is nothing to take over
 */
export function takenOver({ live, wanted, before }: Sides): ManagedFields[] | undefined {
    const all = live.metadata?.managedFields ?? [];
    const others = new Set(foreign(live).filter(({ subresource = "" }) => subresource === ""));
    const taken: OwnedField[] = [];
    const rest = all.flatMap((entry) => {
        if (!others.has(entry)) return isOwn(entry) ? [] : [entry];
        const moved = ownedFields(entry.fieldsV1 ?? {}).filter(({ steps }) => isOfStack({ wanted, before }, steps));
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
    const fieldsV1: Fields = withFields(own.fieldsV1 ?? {}, taken);
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

function isOfStack({ wanted, before }: Omit<Sides, "live">, steps: readonly string[]): boolean {
    return valueAt(wanted, steps) !== undefined || valueAt(before, steps) !== undefined;
}

/** The API spells numbers and what is empty in its own way. */
function isSame(live: unknown, wanted: unknown): boolean {
    return isDeepStrictEqual(live, wanted) || (typeof live !== "object" && String(live) === String(wanted));
}
