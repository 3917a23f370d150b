import type { Account } from "../../account";
import { type Context, mayRole } from "../../policy";
import type { Params, Tags } from "./params";
import type { Said } from "./xml";

/** A permission that the caller needs. */
export interface Need {
    readonly action: string;
    /** An ARN. @default "*" */
    readonly on?: string;
    /** Tags of the resource. @default none */
    readonly tags?: Tags;
    /** Tags in the request. @default none */
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

/** An action of a service. */
export interface Action {
    /** The permissions required up front. Throws the service's errors. */
    readonly needs: (call: Call) => readonly Need[];
    /** Validation that only follows authorization; throws the service's errors. @default that of `run` */
    readonly check?: (call: Call) => void;
    readonly run: (call: Call) => Said | Promise<Said>;
}

/** Only reads, and cannot be restricted to resources. */
export function readAction(action: string, run: (call: Call) => Said): Action {
    return { needs: () => [{ action }], run };
}

/** An error as a service reports it: `<code>: <message>`. */
export function refusal(error: unknown): { readonly code: string; readonly message: string } {
    const [, code = "InternalError", message] =
        /^([A-Z][A-Za-z]*(?:\.[A-Za-z]+)*): (.*)$/s.exec((error as Error).message) ?? [];
    return { code, message: message ?? (error as Error).message };
}

/** The first required permission that a role lacks. */
export function missingPermission({ account, role }: Call, needs: readonly Need[]): Need | undefined {
    return needs.find((need) => !mayRole(account, role, need.action, need.on ?? "*", contextOf(need)));
}

function contextOf({ tags = {}, asked = {}, context = {} }: Need): Context {
    const under = (prefix: string, all: Tags) =>
        Object.fromEntries(Object.entries(all).map(([key, value]) => [`${prefix}/${key}`, value]));
    return { ...under("aws:ResourceTag", tags), ...under("aws:RequestTag", asked), ...context };
}
