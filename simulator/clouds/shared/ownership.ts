import { topLevel } from "../../plugins/protocol/diff";
import { containsUnknown, type Properties } from "../../plugins/protocol/serve";

/** An input that not only the stack changes. */
export interface SharedInput {
    /** What else changes it. */
    readonly with: string;
    /** Why the stack does not undo that: `ignored` if our components have it in `ignoreChanges`. */
    readonly safe: "ignored" | { readonly because: string };
    /** Whether it is shared in a resource with some inputs. @default in all */
    readonly isShared?: (inputs: Properties) => boolean;
}

/** A change that replaces a resource only sometimes. */
export interface SometimesReplaced {
    readonly when: string;
    /** @param inputs - all of them, before the change */
    readonly isReplaced: (before: never, after: never, inputs: Properties) => boolean;
}

/** What a cloud's real provider does with a type's inputs, apart from changing them in place. */
export interface Ownership {
    /** Inputs, or paths in them, whose change replaces the resource. */
    readonly replacedBy: readonly string[];
    /** @default none */
    readonly sometimesReplacedBy?: Readonly<Record<string, SometimesReplaced>>;
    /**
     * The input that names the resource, from which Pulumi would choose a name. A program that sets it has the resource
     * deleted before its replacement is created, as the names would collide. Source: `nameRequiresDeleteBeforeReplace` of
     * pulumi-terraform-bridge.
     *
     * @default none: it is created first
     */
    readonly name?: string;
    /** Inputs that a refresh finds changed by others, and the next update would set back. @default none */
    readonly shared?: Readonly<Record<string, SharedInput>>;
    /**
     * Properties that our stacks must not set, as the provider then removes what others added, and who does.
     *
     * @default none
     */
    readonly omitted?: Readonly<Record<string, string>>;
    /** What a deletion or a replacement takes along. @default nothing */
    readonly takes?: string;
}

/** By resource type. */
export type Ownerships = Readonly<Record<string, Ownership>>;

/** Whether a change at a path replaces the resource. Nothing is concluded from values that are unknown in preview. */
export function replaces(path: string, before: Properties, after: Properties, ownership: Ownership): boolean {
    const { replacedBy, sometimesReplacedBy = {} } = ownership;
    const input = topLevel(path);
    if (replacedBy.includes(input) || replacedBy.includes(path)) return true;
    const sometimes = sometimesReplacedBy[input];
    if (!sometimes || containsUnknown(after[input])) return false;
    return sometimes.isReplaced(before[input] as never, after[input] as never, before);
}

/** Whether a replacement begins with the deletion, because both would have the same name. */
export function isDeletedFirst(before: Properties, after: Properties, { name }: Ownership): boolean {
    return name !== undefined && before[name] !== undefined && before[name] === after[name];
}
