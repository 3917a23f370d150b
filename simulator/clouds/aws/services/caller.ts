import { createHmac, timingSafeEqual } from "node:crypto";
import type { Asked, Caller, Unsigned } from "../../services/service";
import { problemOf, type Signature, signatureOf } from "../../shared/signature";
import type { Account } from "../account";

/**
 * The signer of a request: a role, with credentials that the metadata service gave one of its instances, or the owner
 * of an access key.
 */
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

const purpose = "credentials of a role";
const hour = 3_600_000;

/** Temporary credentials of a role, as the metadata service gives them to an instance. */
interface Credentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly token: string;
    readonly expires: Date;
}

/** The credentials of this hour, valid for six. */
export function credentialsOf(secret: string, caller: Caller, now = Date.now()): Credentials {
    const expires = Math.floor(now / hour) * hour + 6 * hour;
    const token = sealed(secret, purpose, { ...caller, expires });
    return { ...keysOf(secret, token), token, expires: new Date(expires) };
}

/** The role of a session token and its keys; undefined if the token is invalid or expired. */
function sessionOf(
    secret: string,
    token: string,
    now = Date.now(),
): { readonly caller: Caller; readonly accessKeyId: string; readonly secretAccessKey: string } | undefined {
    const found = unsealed<Caller & { expires: number }>(secret, purpose, token);
    if (!found || found.expires < now) return undefined;
    return { caller: { role: found.role, instance: found.instance }, ...keysOf(secret, token) };
}

function keysOf(secret: string, token: string): Pick<Credentials, "accessKeyId" | "secretAccessKey"> {
    const id = derived(secret, "access key's id", token).toString("hex").slice(0, 16).toUpperCase();
    return {
        accessKeyId: `ASIA${id}`,
        secretAccessKey: derived(secret, "secret access key", token).toString("base64").slice(0, 40),
    };
}

/** A value in a token that cannot be created without the secret, for one purpose. */
export function sealed(secret: string, purpose: string, value: object): string {
    const text = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${text}.${derived(secret, purpose, text).toString("base64url")}`;
}

/** The value in such a token; undefined if it is invalid. */
export function unsealed<T>(secret: string, purpose: string, text: string): T | undefined {
    const [value = "", seal = ""] = text.split(".");
    const [expected, given] = [derived(secret, purpose, value), Buffer.from(seal, "base64url")];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return JSON.parse(Buffer.from(value, "base64url").toString());
}

/** Bytes derived from the secret, a purpose and a text. */
function derived(secret: string, purpose: string, text: string): Buffer {
    return createHmac("sha256", `${secret} ${purpose}`).update(text).digest();
}
