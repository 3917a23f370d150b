import { derived, sealed, unsealed } from "../../cloud/sealed";
import type { Caller } from "../../services/service";

const purpose = "credentials of a role";
const hour = 3_600_000;

/** Temporary credentials of a role, as the metadata service gives them to an instance. */
export interface Credentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly token: string;
    readonly expires: Date;
}

/** Those of this hour, which hold for six. */
export function credentialsOf(secret: string, caller: Caller, now = Date.now()): Credentials {
    const expires = Math.floor(now / hour) * hour + 6 * hour;
    const token = sealed(secret, purpose, { ...caller, expires });
    return { ...keysOf(secret, token), token, expires: new Date(expires) };
}

/** Whose a session token is, and the keys that belong to it; nothing if it is none, or expired. */
export function sessionOf(
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
