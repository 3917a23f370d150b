import type { Account } from "../../account";
import { type Context, mayRole } from "../../policy";
import type { Params, Tags } from "./params";
import type { Said } from "./xml";

/** Something that the caller must be allowed. */
export interface Need {
    readonly action: string;
    /** An ARN. @default "*" */
    readonly on?: string;
    /** Tags of what it is on. @default none */
    readonly tags?: Tags;
    /** Tags that are asked for. @default none */
    readonly asked?: Tags;
    /** Values of the service's own condition keys. @default none */
    readonly context?: Readonly<Record<string, string>>;
}

export interface Call {
    readonly account: Account;
    readonly params: Params;
    /** Name of the caller's role. */
    readonly role: string;
}

/** What a service can be asked. */
export interface Action {
    /** Everything that has to be allowed, beforehand. An error is what the service would say. */
    readonly needs: (call: Call) => readonly Need[];
    /** What has to be legal, of who may: an error is what the service would say. @default what `run` says */
    readonly check?: (call: Call) => void;
    readonly run: (call: Call) => Said | Promise<Said>;
}

/** Looks at everything, and changes nothing: it can be limited to nothing. */
export function look(action: string, run: (call: Call) => Said): Action {
    return { needs: () => [{ action }], run };
}

/** An error as a service says it: `<code>: <message>`. */
export function refusal(error: unknown): { readonly code: string; readonly message: string } {
    const [, code = "InternalError", message] =
        /^([A-Z][A-Za-z]*(?:\.[A-Za-z]+)*): (.*)$/s.exec((error as Error).message) ?? [];
    return { code, message: message ?? (error as Error).message };
}

/** What a role may not of what it needs; the first of it. */
export function missingRight({ account, role }: Call, needs: readonly Need[]): Need | undefined {
    return needs.find((need) => !mayRole(account, role, need.action, need.on ?? "*", contextOf(need)));
}

function contextOf({ tags = {}, asked = {}, context = {} }: Need): Context {
    const under = (prefix: string, all: Tags) =>
        Object.fromEntries(Object.entries(all).map(([key, value]) => [`${prefix}/${key}`, value]));
    return { ...under("aws:ResourceTag", tags), ...under("aws:RequestTag", asked), ...context };
}
