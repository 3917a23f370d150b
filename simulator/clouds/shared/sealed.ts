import { createHmac, timingSafeEqual } from "node:crypto";

/** A value in a token that cannot be created without the secret, for one purpose. */
export function sealed(secret: string, purpose: string, value: object): string {
    const text = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${text}.${derived(secret, purpose, text).toString("base64url")}`;
}

/** The value in such a token; undefined if it is invalid. */
export function unsealed<T>(secret: string, purpose: string, text: string): T | undefined {
    const [value = "", seal = ""] = text.split(".");
    const [wanted, given] = [derived(secret, purpose, value), Buffer.from(seal, "base64url")];
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined;
    return JSON.parse(Buffer.from(value, "base64url").toString());
}

/** Bytes derived from the secret, a purpose and a text. */
export function derived(secret: string, purpose: string, text: string): Buffer {
    return createHmac("sha256", `${secret} ${purpose}`).update(text).digest();
}
