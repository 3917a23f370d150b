import { appendFileSync } from "node:fs";
import { type Answer, type Api, isCaller } from "../../../services/service";
import { met } from "../../../shared/behaviours";
import type { Account } from "../../account";
import { type Action, type Call, missingPermission, type Need, refusal } from "./action";
import { paramsOf } from "./params";
import { element, type Said } from "./xml";

/** A service that takes forms and answers in XML, in one of its API versions. */
export interface Protocol {
    readonly version: string;
    readonly actions: Readonly<Record<string, Action>>;
    readonly dialect: Dialect;
}

/** How a service formats responses. */
export interface Dialect {
    /** Error code for a missing permission. */
    readonly denied: string;
    /** The answer to too many requests. */
    readonly throttled: { readonly status: number; readonly code: string };
    readonly success: (action: string, said: Said) => string;
    readonly failure: (code: string, message: string) => string;
}

const requestId = "00000000-0000-0000-0000-000000000000";

export const ec2Dialect: Dialect = {
    denied: "UnauthorizedOperation",
    throttled: { status: 503, code: "RequestLimitExceeded" },
    success: (action, said) => element(`${action}Response`, { requestId, ...(said as Record<string, Said>) }, "item"),
    failure: (Code, Message) =>
        element("Response", { Errors: { Error: { Code, Message } }, RequestID: requestId }, "item"),
};

export const elbDialect: Dialect = {
    denied: "AccessDenied",
    throttled: { status: 400, code: "Throttling" },
    success: (action, said) =>
        element(
            `${action}Response`,
            { [`${action}Result`]: said, ResponseMetadata: { RequestId: requestId } },
            "member",
        ),
    failure: (Code, Message) =>
        element("ErrorResponse", { Error: { Type: "Sender", Code, Message }, RequestId: requestId }, "member"),
};

/** A service under its host names: each call is authorized by the caller's role, or rejected. */
export function queryApi(hosts: RegExp, protocols: readonly Protocol[]): Api<Account> {
    return {
        hosts,
        async answer(account, { body }, { caller }) {
            const params = paramsOf(body.toString());
            const { dialect, actions } = protocols.find(({ version }) => version === params.Version) ?? protocols[0]!;
            const say = (status: number, code: string, message: string) => xml(status, dialect.failure(code, message));
            if (!isCaller(caller)) {
                return say(403, caller.problem ?? "MissingAuthenticationToken", "The request has no valid signature");
            }
            const name = String(params.Action);
            const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
            if (!action) return say(400, "InvalidAction", `The action ${name} is not simulated`);
            if (isThrottled(account)) return say(dialect.throttled.status, dialect.throttled.code, "Rate exceeded.");
            const call = { account, params, role: caller.role };
            try {
                const needs = action.needs(call);
                const missing = missingPermission(call, needs);
                note(call, needs, missing);
                if (missing) met("denied call");
                if (missing) return say(403, dialect.denied, words(call, missing));
                action.check?.(call);
                if (params.DryRun === "true") {
                    return say(412, "DryRunOperation", "Request would have succeeded, but DryRun flag is set.");
                }
                return xml(200, dialect.success(name, await action.run(call)));
            } catch (error) {
                const { code, message } = refusal(error);
                return say(code === "InternalError" ? 500 : 400, code, message);
            }
        },
    };
}

let calls = 0;

/** Refuses calls at a fixed pace, which comes and goes with the process. */
function isThrottled({ state: { throttledEvery } }: Account): boolean {
    calls++;
    const isOne = throttledEvery !== undefined && calls % throttledEvery === 0;
    if (isOne) met("throttling");
    return isOne;
}

/** The permissions that were used or missing, recorded next to the account. */
function note(call: Call, needs: readonly Need[], missing?: Need): void {
    const lines = missing
        ? [words(call, missing)]
        : needs.map(({ action, on = "*" }) => `${call.role} ${action} ${on}`);
    appendFileSync(callsPath(call.account.path), `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** The file that records which permissions of an account roles used and which they lacked. */
export function callsPath(accountPath: string): string {
    return `${accountPath}.calls.log`;
}

function words({ role }: Call, { action, on = "*", tags = {}, asked = {}, context = {} }: Need): string {
    const said = JSON.stringify({ tags, asked, ...context });
    return `the role ${role} is not authorized to perform ${action} on resource ${on}: ${said}`;
}

function xml(status: number, text: string): Answer {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
    return { status, headers: { "content-type": "text/xml;charset=UTF-8" }, body };
}
