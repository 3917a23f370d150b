import { problemOf, type Signature, signatureOf } from "../../cloud/signature";
import type { Asked, Caller, Unsigned } from "../../services/service";
import type { Account } from "../account";
import { sessionOf } from "./credentials";

/** Who signed a request: a role, by what the metadata service gave one of its instances, or who has a key of the owner. */
export function callerOf(account: Account, asked: Asked, secret: string, now = Date.now()): Caller | Unsigned {
    const signature = signatureOf(asked);
    if (!signature) return asked.headers.authorization === undefined ? {} : { problem: "InvalidRequest" };
    const signer = signerOf(account, signature, asked.headers["x-amz-security-token"], secret, now);
    if (!("secretAccessKey" in signer)) return signer;
    const problem = problemOf(asked, signature, signer.secretAccessKey, now);
    return problem ? { problem } : signer.caller;
}

function signerOf(
    { state: { accessKeys }, resources }: Account,
    { accessKeyId }: Signature,
    token: string | undefined,
    secret: string,
    now: number,
): Unsigned | { readonly caller: Caller; readonly secretAccessKey: string } {
    if (token === undefined) {
        const key = accessKeys?.[accessKeyId];
        return key ? { ...key, caller: { role: accessKeyId } } : { problem: "InvalidAccessKeyId" };
    }
    const session = sessionOf(secret, token, now);
    if (!session) return { problem: "InvalidToken" };
    const { role, instance = "" } = session.caller;
    if (!resources.roles[role] || !resources.instances[instance]) return { problem: "InvalidToken" };
    return session.accessKeyId === accessKeyId ? session : { problem: "InvalidAccessKeyId" };
}
